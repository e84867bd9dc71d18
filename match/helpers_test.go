package match

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// t0 is when the tests' matches are created, in ms.
const t0 = 1_795_252_000_000

// table drives a match as a room does: it decides, keeps the entry and applies it.
type table struct {
	t       testing.TB
	m       *Match
	replica *Match // applies the same entries and decides nothing
	loaded  *Match // was loaded from a checkpoint, and applies the entries after it
	at      int64  // ms
	entries []machine.Entry
}

func newTable(t testing.TB, c Creation) *table {
	t.Helper()
	if c.Secret == "" {
		c.Secret = "a secret that no client is told"
	}
	tb := &table{t: t, m: New(), replica: New(), loaded: New(), at: t0}
	if err := tb.do(c.Command("create")); err != nil {
		t.Fatalf("create: %v", err)
	}
	return tb
}

// seated returns a match that has begun, with as many players as the rules need, p0
// first.
func seated(t testing.TB, rules, options, clock string) *table {
	t.Helper()
	set, err := newRuleset(rules, options)
	if err != nil {
		t.Fatalf("rules %s %s: %v", rules, options, err)
	}
	people := []string{"p0", "p1", "p2", "p3"}[:set.game.Seats()]
	return newTable(t, Creation{Settings: Settings{Rules: rules, Options: options, Clock: clock}, Seats: people})
}

// do decides a command and applies its entry.
func (tb *table) do(c machine.Command) error {
	e, err := tb.m.Decide(c, time.UnixMilli(tb.at))
	if err != nil {
		return err
	}
	tb.take(e, c)
	return nil
}

func (tb *table) take(e machine.Entry, c machine.Command) {
	tb.t.Helper()
	e.At, e.By, e.Command = tb.at, c.By, c.ID
	if len(e.Body) > 0 && !json.Valid(e.Body) {
		tb.t.Fatalf("the body of %q is not JSON: %s", e.Kind, e.Body)
	}
	if err := tb.m.Apply(e); err != nil {
		tb.t.Fatalf("apply %s %s: %v", e.Kind, e.Body, err)
	}
	tb.m.Trim() // a room may do this at any time
	copied := e
	copied.Body = bytes.Clone(e.Body)
	if err := tb.replica.Apply(copied); err != nil {
		tb.t.Fatalf("apply %s %s to the replica: %v", e.Kind, e.Body, err)
	}
	if !reflect.DeepEqual(tb.m.state, tb.replica.state) {
		tb.t.Fatalf("after %s %s the state is\n%+v\nand, replayed from the entries,\n%+v", e.Kind, e.Body, tb.m.state, tb.replica.state)
	}
	tb.reload(copied)
	tb.entries = append(tb.entries, e)
}

// reload applies an entry to the machine that was loaded from a checkpoint, and loads another
// one now and then.
func (tb *table) reload(e machine.Entry) {
	tb.t.Helper()
	if err := tb.loaded.Apply(e); err != nil {
		tb.t.Fatalf("apply %s %s after a checkpoint: %v", e.Kind, e.Body, err)
	}
	tb.compare(e)
	if len(tb.entries)%4 != 0 {
		return // a checkpoint at every entry would double the time of all tests
	}
	c, err := tb.loaded.Checkpoint()
	if err != nil {
		tb.t.Fatal(err)
	}
	tb.loaded = New()
	if err := tb.loaded.LoadCheckpoint(c); err != nil {
		tb.t.Fatalf("load %s: %v", c, err)
	}
	tb.compare(e)
}

// compare compares the machine that was loaded from a checkpoint with the one that was not.
func (tb *table) compare(e machine.Entry) {
	tb.t.Helper()
	if !reflect.DeepEqual(tb.m.state, tb.loaded.state) || !slices.Equal(tb.m.here, tb.loaded.here) {
		tb.t.Fatalf("after %s %s the state is\n%+v\nand, with a checkpoint,\n%+v", e.Kind, e.Body, tb.m.state, tb.loaded.state)
	}
}

// cmd sends the command of a person; body is JSON text or empty.
func (tb *table) cmd(by, kind, body string) error {
	return tb.do(machine.Command{ID: "c", Kind: kind, By: by, Body: json.RawMessage(body)})
}

// must fails the test if a command is refused.
func (tb *table) must(by, kind, body string) {
	tb.t.Helper()
	if err := tb.cmd(by, kind, body); err != nil {
		tb.t.Fatalf("%s %s %s: %v", by, kind, body, err)
	}
}

// play moves for the seat on turn.
func (tb *table) play(moves ...string) {
	tb.t.Helper()
	for _, move := range moves {
		if err := tb.move(move, 0); err != nil {
			tb.t.Fatalf("%s at %s: %v", move, tb.m.pos, err)
		}
	}
}

func (tb *table) move(move string, lag time.Duration) error {
	body, _ := json.Marshal(map[string]any{"ply": tb.m.pos.Ply, "move": move})
	return tb.do(machine.Command{ID: "m", Kind: KindMove, By: tb.m.seats[tb.m.pos.Seat], Lag: lag, Body: body})
}

// later lets time pass and sends wake-ups as a room does.
func (tb *table) later(ms int64) {
	tb.t.Helper()
	until := tb.at + ms
	for n := 0; ; n++ {
		w := tb.m.wake()
		if w == 0 || w > until || n > 1000 {
			break
		}
		tb.at = max(tb.at, w)
		if err := tb.do(machine.Command{ID: "wake", Kind: machine.KindWake}); err != nil {
			tb.t.Fatalf("wake at %d: %v", tb.at-t0, err)
		}
	}
	tb.at = until
}

// code returns the code that refused a command, or "" if it was not refused.
func code(err error) refusal.Code {
	switch code, refused := refusal.Of(err); {
	case refused:
		return code
	case errors.Is(err, machine.ErrNothing):
		return "nothing"
	case err != nil:
		return refusal.Code(err.Error())
	}
	return ""
}

// shown returns the snapshot as the players see it.
func (tb *table) shown() map[string]any {
	var s map[string]any
	if err := json.Unmarshal(tb.m.Snapshot(machine.Watchers), &s); err != nil {
		tb.t.Fatalf("the snapshot is not JSON: %v\n%s", err, tb.m.Snapshot(machine.Watchers))
	}
	return s
}

// public returns the last entry's public form.
func (tb *table) public() string {
	return string(tb.m.AppendPublic(nil, tb.entries[len(tb.entries)-1], machine.Watchers))
}
