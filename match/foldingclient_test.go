package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"mancala/match/machine"
)

// client does only what web/PROTOCOL.md asks of a client: it knows no rules. It
// folds the entries that it is sent, and its state must always equal the snapshot.
type client struct {
	state map[string]any
}

func decode(t testing.TB, data []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// fold folds the public form of an entry into the client's state.
func (c *client) fold(t testing.TB, data []byte) {
	t.Helper()
	ev := decode(t, data)
	if c.state == nil {
		c.state = map[string]any{"kind": "match"}
	}
	if ev["k"] == "move" {
		c.move(t, ev)
	}
	set, _ := ev["set"].(map[string]any)
	for name, value := range set {
		if value == nil {
			delete(c.state, name)
		} else {
			c.state[name] = value
		}
	}
}

func (c *client) move(t testing.TB, ev map[string]any) {
	t.Helper()
	for _, step := range ev["trace"].([]any) {
		c.step(t, step.([]any))
	}
	for _, name := range []string{"turn", "ply", "sum", "clock", "run"} {
		if v, ok := ev[name]; ok {
			c.state[name] = v
		}
	}
	c.state["moves"] = append(c.state["moves"].([]any), ev["move"])
	c.state["last"] = map[string]any{"seat": ev["seat"], "move": ev["move"], "trace": ev["trace"]}
	if got := c.sum(); got != ev["sum"] {
		t.Fatalf("the client's board has the sum %s, the entry says %s", got, ev["sum"])
	}
}

// board returns where a pit or store of a trace lies.
func (c *client) board(slot any) (list []any, i int) {
	if s, ok := slot.(string); ok {
		i, _ = strconv.Atoi(s[1:])
		return c.state["stores"].([]any), i
	}
	return c.state["pits"].([]any), num(slot)
}

func num(v any) int {
	n, _ := v.(json.Number).Int64()
	return int(n)
}

func (c *client) add(slot any, n int) {
	if slot == nil {
		return
	}
	list, i := c.board(slot)
	list[i] = json.Number(strconv.Itoa(num(list[i]) + n))
}

func (c *client) step(t testing.TB, step []any) {
	t.Helper()
	switch step[0] {
	case "lift", "seize":
		c.add(step[1], -num(step[2]))
	case "sow":
		for _, item := range step[1:] {
			run, ok := item.(string)
			if !ok || run[0] == 's' {
				c.add(item, 1)
				continue
			}
			first, last, _ := strings.Cut(run, "-")
			from, _ := strconv.Atoi(first)
			to, _ := strconv.Atoi(last)
			by := 1
			if to < from {
				by = -1
			}
			for i := from; i != to+by; i += by {
				c.add(json.Number(strconv.Itoa(i)), 1)
			}
		}
	case "take", "sweep":
		c.add(step[1], -num(step[2]))
		c.add(step[3], num(step[2]))
	case "claim":
		c.mark(step[1], "", "x")
	case "unhouse":
		c.mark(step[1], "h", "")
	case "block":
		c.mark(step[1], "", "!")
	case "unblock":
		c.mark(step[1], "!", "")
	case "enter":
		c.add(step[1], -1)
		c.add(step[2], 1)
	case "give":
		c.add(step[1], -1)
		c.add(step[2], 1)
	case "lay":
		copy(c.state["pits"].([]any), step[1:])
	case "turn":
		pits := c.state["pits"].([]any)
		half := len(pits) / 2
		c.state["pits"] = append(append([]any{}, pits[half:]...), pits[:half]...)
	default:
		t.Fatalf("unknown step %v", step)
	}
}

// mark takes a mark from a pit, or puts one there. A board without marks has no such field.
func (c *client) mark(pit any, off, on string) {
	marks, ok := c.state["marks"].(map[string]any)
	if !ok {
		marks = map[string]any{}
		c.state["marks"] = marks
	}
	key := strconv.Itoa(num(pit))
	was, _ := marks[key].(string)
	marks[key] = strings.Replace(was, off, "", 1) + on
	if marks[key] == "" {
		delete(marks, key)
	}
	if len(marks) == 0 {
		delete(c.state, "marks")
	}
}

// sum returns the checksum as a client computes it.
func (c *client) sum() string {
	shape := c.state["shape"].([]any)
	row := num(shape[2])
	var b strings.Builder
	for i, n := range c.state["pits"].([]any) {
		if i > 0 {
			b.WriteByte(",/"[btoi(i%row == 0)])
		}
		marks, _ := c.state["marks"].(map[string]any)
		mark, _ := marks[strconv.Itoa(i)].(string)
		if mark != "x" {
			fmt.Fprint(&b, n)
		}
		b.WriteString(mark)
	}
	for i, n := range c.state["stores"].([]any) {
		b.WriteByte("/ "[btoi(i == 0)])
		fmt.Fprint(&b, n)
	}
	h := fnv.New32a()
	h.Write([]byte(b.String()))
	return fmt.Sprintf("%08x", h.Sum32())
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// audiences are all audiences that a match may have.
var audiences = []machine.Audience{machine.Host, machine.Watchers, 0, 1, 2, 3}

// observers are clients of all audiences. Each of them sees every entry.
type observers [6]client

// see sends an entry to all observers and compares their states with the snapshot.
func (o *observers) see(t testing.TB, m *Match, e machine.Entry) {
	t.Helper()
	var snapshot []byte
	var want map[string]any
	for i, a := range audiences {
		o[i].fold(t, m.AppendPublic(nil, e, a))
		if now := m.Snapshot(a); !bytes.Equal(now, snapshot) {
			snapshot, want = now, decode(t, now)
		}
		if !reflect.DeepEqual(o[i].state, want) {
			t.Fatalf("audience %d after %s %s\nfolded   %v\nsnapshot %v", a, e.Kind, m.AppendPublic(nil, e, a), o[i].state, want)
		}
	}
}
