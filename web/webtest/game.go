package webtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Game is what a client knows about a game: the fields of the snapshot and what
// came with them.
type Game struct {
	Seq   uint64
	As    int // seat, or -1
	Me    string
	State map[string]any // the fields of PROTOCOL.md, numbers as json.Number
	Legal []string       // what this seat may play now
	Names map[string]any
}

// ErrGap means that entries are missing. The client must ask for a snapshot.
var ErrGap = errors.New("webtest: entries are missing")

// fold applies the public form of an entry.
func (g *Game) fold(seq uint64, ev map[string]any) error {
	if seq <= g.Seq {
		return fmt.Errorf("webtest: entry %d after %d", seq, g.Seq)
	}
	if seq != g.Seq+1 {
		return ErrGap
	}
	g.Seq = seq
	g.Legal = nil
	if ev["k"] == "move" {
		if err := g.move(ev); err != nil {
			return fmt.Errorf("webtest: entry %d: %w", seq, err)
		}
	}
	set, _ := ev["set"].(map[string]any)
	for name, value := range set {
		if value == nil {
			delete(g.State, name)
		} else {
			g.State[name] = value
		}
	}
	// The board must equal the server's board after every kind of entry.
	if sum := g.Sum(); sum != g.State["sum"] {
		return fmt.Errorf("webtest: entry %d leads to the sum %s, and should to %v", seq, sum, g.State["sum"])
	}
	return nil
}

func (g *Game) move(ev map[string]any) error {
	trace, ok := ev["trace"].([]any)
	if !ok {
		return errors.New("a move without a trace")
	}
	for _, step := range trace {
		list, ok := step.([]any)
		if !ok || len(list) == 0 {
			return fmt.Errorf("step %v", step)
		}
		if err := g.step(list); err != nil {
			return err
		}
	}
	for _, name := range []string{"turn", "ply", "sum", "clock", "run"} {
		if v, ok := ev[name]; ok {
			g.State[name] = v
		}
	}
	moves, _ := g.State["moves"].([]any)
	g.State["moves"] = append(moves, ev["move"])
	g.State["last"] = map[string]any{"seat": ev["seat"], "move": ev["move"], "trace": ev["trace"]}
	return nil
}

func (g *Game) step(step []any) error {
	switch step[0] {
	case "lift", "seize":
		g.add(step[1], -number(step[2]))
	case "sow":
		for _, item := range step[1:] {
			g.sow(item)
		}
	case "take", "sweep":
		g.add(step[1], -number(step[2]))
		g.add(step[3], number(step[2]))
	case "claim":
		g.mark(step[1], "", "x")
	case "unhouse":
		g.mark(step[1], "h", "")
	case "block":
		g.mark(step[1], "", "!")
	case "unblock":
		g.mark(step[1], "!", "")
	case "give", "enter":
		g.add(step[1], -1)
		g.add(step[2], 1)
	case "lay":
		copy(g.list("pits"), step[1:])
	case "turn":
		pits := g.list("pits")
		half := len(pits) / 2
		g.State["pits"] = append(append([]any{}, pits[half:]...), pits[:half]...)
	default:
		return fmt.Errorf("unknown step %v", step)
	}
	return nil
}

// sow drops one seed into a slot, or one into each pit of a run such as "3-5"
// or "5-3".
func (g *Game) sow(item any) {
	run, ok := item.(string)
	if !ok || run[0] == 's' {
		g.add(item, 1)
		return
	}
	first, last, _ := strings.Cut(run, "-")
	from, _ := strconv.Atoi(first)
	to, _ := strconv.Atoi(last)
	by := 1
	if to < from {
		by = -1
	}
	for i := from; i != to+by; i += by {
		g.add(json.Number(strconv.Itoa(i)), 1)
	}
}

// add adds n to a pit (a number) or a store ("s0"). It does nothing for null.
func (g *Game) add(slot any, n int) {
	list, i := g.list("pits"), 0
	switch s := slot.(type) {
	case nil:
		return
	case string:
		list = g.list("stores")
		i, _ = strconv.Atoi(s[1:])
	default:
		i = number(s)
	}
	list[i] = json.Number(strconv.Itoa(number(list[i]) + n))
}

// mark takes a mark from a pit, or puts one there. A board without marks has no such field.
func (g *Game) mark(pit any, off, on string) {
	marks, ok := g.State["marks"].(map[string]any)
	if !ok {
		marks = map[string]any{}
		g.State["marks"] = marks
	}
	key := strconv.Itoa(number(pit))
	was, _ := marks[key].(string)
	marks[key] = strings.Replace(was, off, "", 1) + on
	if marks[key] == "" {
		delete(marks, key)
	}
	if len(marks) == 0 {
		delete(g.State, "marks")
	}
}

func (g *Game) list(name string) []any {
	list, _ := g.State[name].([]any)
	return list
}

// Sum returns the checksum of the client's board.
func (g *Game) Sum() string {
	row := number(g.list("shape")[2])
	var b strings.Builder
	for i, n := range g.list("pits") {
		switch {
		case i == 0:
		case i%row == 0:
			b.WriteByte('/')
		default:
			b.WriteByte(',')
		}
		marks, _ := g.State["marks"].(map[string]any)
		mark, _ := marks[strconv.Itoa(i)].(string)
		if mark != "x" {
			fmt.Fprint(&b, n)
		}
		b.WriteString(mark)
	}
	for i, n := range g.list("stores") {
		b.WriteByte(" /"[min(i, 1)])
		fmt.Fprint(&b, n)
	}
	h := fnv.New32a()
	h.Write([]byte(b.String()))
	return fmt.Sprintf("%08x", h.Sum32())
}

// Text returns a field of the snapshot that is a text.
func (g *Game) Text(name string) string {
	s, _ := g.State[name].(string)
	return s
}

// Number returns a field of the snapshot that is a number.
func (g *Game) Number(name string) int { return number(g.State[name]) }

// Numbers returns a field of the snapshot that is a list of numbers.
func (g *Game) Numbers(name string) []int {
	var out []int
	for _, n := range g.list(name) {
		out = append(out, number(n))
	}
	return out
}

// Texts returns a field of the snapshot that is a list of texts.
func (g *Game) Texts(name string) []string {
	var out []string
	for _, s := range g.list(name) {
		text, _ := s.(string)
		out = append(out, text)
	}
	return out
}

// Over reports whether the game has ended.
func (g *Game) Over() bool { return g.Text("state") == "over" }

func number(v any) int {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return int(i)
}
