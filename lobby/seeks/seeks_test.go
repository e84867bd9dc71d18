package seeks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mancala/lobby/seeks"
	"mancala/match/machine"
	"mancala/match/refusal"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// hall is a lobby whose time a test passes.
type hall struct {
	*seeks.Lobby
	now time.Time
}

func newHall() *hall { return &hall{seeks.New(), noon} }

// do gives a command, and tells what came of it, or the code of the refusal.
func (h *hall) do(by, kind string, fields map[string]any) (c seeks.Change, code refusal.Code) {
	body, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	e, err := h.Decide(machine.Command{ID: "x", Kind: kind, By: by, Body: body}, h.now)
	if errors.Is(err, machine.ErrNothing) {
		return c, "nothing"
	}
	if code, ok := refusal.Of(err); ok {
		return c, code
	}
	if err != nil {
		panic(err)
	}
	if err := h.Apply(e); err != nil {
		panic(err)
	}
	c, err = seeks.Read(e)
	if err != nil {
		panic(err)
	}
	return c, ""
}

// waves lets time pass and does what is due.
func (h *hall) waves(d time.Duration) (pairs []seeks.Pair) {
	end := h.now.Add(d)
	for at := h.Wake(); !at.IsZero() && !at.After(end); at = h.Wake() {
		h.now = at
		c, _ := h.do("", machine.KindWake, nil)
		pairs = append(pairs, c.Pairs...)
	}
	h.now = end
	return pairs
}

func (h *hall) waiting() (ids []string) { return slices.Clone(h.Players()) }

func TestAccept(t *testing.T) {
	h := newHall()
	c, code := h.do("ada", seeks.KindSeek, map[string]any{"key": "k", "rules": "oware", "clock": "5+3"})
	if code != "" || c.In.Rules != "oware" || c.In.Pool {
		t.Fatalf("a seek becomes %+v, %q", c.In, code)
	}
	id := c.In.ID
	if _, code := h.do("ada", seeks.KindAccept, map[string]any{"seek": id}); code != seeks.CodeOwnSeek {
		t.Errorf("her own: %q", code)
	}
	h.do("ben", seeks.KindFind, map[string]any{"key": "k"})
	c, code = h.do("ben", seeks.KindAccept, map[string]any{"seek": id})
	if code != "" || len(c.Pairs) != 1 || c.Pairs[0].ID != id || c.Pairs[0].Rules != "oware" {
		t.Fatalf("accepted, it becomes %+v, %q", c, code)
	}
	if left := h.waiting(); len(left) > 0 {
		t.Errorf("%v still wait", left)
	}
	again := func(when string) {
		t.Helper()
		if _, code := h.do("ben", seeks.KindAccept, map[string]any{"seek": id}); code != "nothing" {
			t.Errorf("who says it again %s is told %q", when, code)
		}
		if _, code := h.do("cleo", seeks.KindAccept, map[string]any{"seek": id}); code != seeks.CodeSeekGone {
			t.Errorf("who comes later, %s, is told %q", when, code)
		}
	}
	again("before the game is there")
	if _, code := h.do("ada", seeks.KindSeek, map[string]any{"key": "l"}); code != seeks.CodePaired {
		t.Errorf("who is about to play seeks: %q", code)
	}
	if tasks := h.Tasks(); len(tasks) != 1 || tasks[0].ID != id {
		t.Fatalf("tasks are %v", tasks)
	}
	if c, _ := h.do("", machine.KindDone, map[string]any{"task": id}); c.Done == nil || c.Done.Seats != c.Done.Pair.Seats {
		t.Errorf("done becomes %+v", c.Done)
	}
	if tasks := h.Tasks(); len(tasks) > 0 {
		t.Errorf("tasks are %v", tasks)
	}
	again("when it is")
}

// Two copies of the room may pair the same seek with two people: their games
// have one ID, and different commands make them.
func TestOneGameComesOfASeek(t *testing.T) {
	pair := func(by string) seeks.Pair {
		h := newHall()
		c, _ := h.do("ada", seeks.KindSeek, map[string]any{"key": "k"})
		c, _ = h.do(by, seeks.KindAccept, map[string]any{"seek": c.In.ID})
		return c.Pairs[0]
	}
	ben, cleo := pair("ben"), pair("cleo")
	if ben.ID != cleo.ID || ben.Creation(0, "").ID == cleo.Creation(0, "").ID || ben.Creation(0, "").By != cleo.Creation(0, "").By {
		t.Errorf("%+v and %+v", ben.Creation(0, ""), cleo.Creation(0, ""))
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name, kind string
		fields     map[string]any
		want       refusal.Code
	}{
		{"no key", "seek", nil, "bad-command"},
		{"a long key", "seek", map[string]any{"key": string(make([]byte, 33))}, "bad-command"},
		{"a field of another type", "seek", map[string]any{"key": 5}, "bad-command"},
		{"no such game", "seek", map[string]any{"key": "k", "rules": "chess"}, "bad-rules"},
		{"no such clock", "find", map[string]any{"key": "k", "clock": "5"}, "bad-clock"},
		{"a pool of house rules", "find", map[string]any{"key": "k", "options": "seeds=5"}, "bad-command"},
		{"a game of four", "seek", map[string]any{"key": "k", "rules": "basic-four"}, "two-seats"},
		{"no such seek", "accept", map[string]any{"seek": "k3v9qa2mx1"}, "seek-gone"},
		{"a rated game of a guest", "seek", map[string]any{"key": "k", "clock": "5+3", "rated": true}, "needs-account"},
		{"a pool of rated games for a guest", "find", map[string]any{"key": "k", "clock": "5+3", "rated": true}, "needs-account"},
		{"rated house rules", "seek", map[string]any{"key": "k", "rated": true, "clock": "5+3", "options": "seeds=5", "facts": seeks.Facts{Account: true}}, "not-rateable"},
		{"rated without a clock", "find", map[string]any{"key": "k", "rated": true, "facts": seeks.Facts{Account: true}}, "not-rateable"},
		{"a range without an end", "seek", map[string]any{"key": "k", "low": 1500, "high": 1400}, "bad-command"},
		{"a range below nothing", "seek", map[string]any{"key": "k", "low": -1}, "bad-command"},
		{"a pool with a range", "find", map[string]any{"key": "k", "low": 1400}, "bad-command"},
		{"asks nobody", "challenge", map[string]any{"key": "k"}, "yourself"},
		{"asks herself", "challenge", map[string]any{"key": "k", "to": "ada"}, "yourself"},
		{"asks without a key", "challenge", map[string]any{"to": "ben"}, "bad-command"},
		{"asks a guest for what counts", "challenge", map[string]any{"key": "k", "to": "ben", "clock": "5+3", "rated": true}, "needs-account"},
		{"declines nothing", "decline", map[string]any{"seek": "k3v9qa2mx1"}, "seek-gone"},
		{"withdraws nothing", "leave", map[string]any{"seek": "k3v9qa2mx1"}, "seek-gone"},
		{"no such command", "dance", nil, "bad-command"},
		{"leaves without waiting", "leave", nil, "nothing"},
		{"goes without waiting", machine.KindGone, nil, "nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, code := newHall().do("ada", tt.kind, tt.fields); code != tt.want {
				t.Errorf("got %q, want %q", code, tt.want)
			}
		})
	}
}

func TestFullLobby(t *testing.T) {
	h := newHall()
	for i := range seeks.MaxOpen {
		if _, code := h.do(fmt.Sprint("p", i), seeks.KindSeek, map[string]any{"key": "k"}); code != "" {
			t.Fatal(i, code)
		}
	}
	if _, code := h.do("ada", seeks.KindSeek, map[string]any{"key": "k"}); code != seeks.CodeLobbyFull {
		t.Errorf("got %q", code)
	}
}

// One waits for one thing at a time, and to say it again changes nothing.
func TestOneWaitEach(t *testing.T) {
	h := newHall()
	h.do("ada", seeks.KindSeek, map[string]any{"key": "k"})
	if _, code := h.do("ada", seeks.KindSeek, map[string]any{"key": "k"}); code != "nothing" {
		t.Errorf("again: %q", code)
	}
	h.do("ada", seeks.KindFind, map[string]any{"key": "l"})
	if got := h.waiting(); !slices.Equal(got, []string{"ada"}) {
		t.Errorf("%v wait", got)
	}
	h.do("ada", machine.KindGone, nil)
	if got := h.waiting(); len(got) > 0 {
		t.Errorf("%v wait", got)
	}
}

func TestPool(t *testing.T) {
	h := newHall()
	h.do("ada", seeks.KindFind, map[string]any{"key": "a"})
	h.do("cleo", seeks.KindFind, map[string]any{"key": "c", "rules": "oware"})
	if pairs := h.waves(time.Minute); len(pairs) > 0 {
		t.Fatalf("in different pools: %v", pairs)
	}
	h.do("ben", seeks.KindFind, map[string]any{"key": "b", "rules": "kalah", "clock": "none"})
	pairs := h.waves(0)
	if len(pairs) != 1 || pairs[0].Owner != "ada" || pairs[0].Seats[0] != "ada" {
		t.Fatalf("pairs are %v", pairs)
	}
	h.do("", machine.KindDone, map[string]any{"task": pairs[0].ID})

	// The same two meet again, but not at once; and the other begins.
	h.do("ada", seeks.KindFind, map[string]any{"key": "a2", "facts": seeks.Facts{Recent: []string{"ben"}, Balance: 1}})
	h.do("ben", seeks.KindFind, map[string]any{"key": "b2", "facts": seeks.Facts{Recent: []string{"ada"}, Balance: -1}})
	if pairs = h.waves(19 * time.Second); len(pairs) > 0 {
		t.Fatalf("after 19 s: %v", pairs)
	}
	if pairs = h.waves(time.Second); len(pairs) != 1 || pairs[0].Seats[0] != "ben" {
		t.Fatalf("after 20 s: %v", pairs)
	}
}

// Whatever people do, nobody waits twice or while his game is being opened, and
// the same entries give the same state.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, copied := newHall(), seeks.New()
		names := rapid.SampledFrom([]string{"ada", "ben", "cleo", "dan", "eve"})
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			fields := map[string]any{"key": rapid.SampledFrom([]string{"k", "l", "m"}).Draw(t, "key")}
			kind, by := rapid.SampledFrom([]string{"seek", "find", "leave", "accept", "wake", "done", "gone", "challenge", "decline"}).Draw(t, "kind"), names.Draw(t, "by")
			var shown seeks.State
			if err := json.Unmarshal(h.Snapshot(machine.Watchers), &shown); err != nil {
				t.Fatal(err)
			}
			if kind == "accept" && len(shown.Waits) > 0 {
				fields["seek"] = rapid.SampledFrom(shown.Waits).Draw(t, "seek").ID
			}
			if kind == "challenge" {
				fields["to"] = names.Draw(t, "to")
			}
			if (kind == "accept" || kind == "decline" || kind == "leave") && len(shown.Asked) > 0 && rapid.Bool().Draw(t, "asked") {
				fields["seek"] = rapid.SampledFrom(shown.Asked).Draw(t, "challenge").ID
			}
			if tasks := h.Tasks(); kind == "done" && len(tasks) > 0 {
				fields["task"] = tasks[0].ID
			}
			h.now = h.now.Add(time.Duration(rapid.IntRange(0, 9000).Draw(t, "ms")) * time.Millisecond)
			body, _ := json.Marshal(fields)
			e, err := h.Decide(machine.Command{ID: "x", Kind: kind, By: by, Body: body}, h.now)
			if err != nil {
				continue
			}
			for _, l := range []*seeks.Lobby{h.Lobby, copied} {
				if err := l.Apply(e); err != nil {
					t.Fatal(err)
				}
			}
			seen := map[string]bool{}
			for _, p := range h.Players() {
				if seen[p] {
					t.Fatalf("%s waits twice", p)
				}
				seen[p] = true
			}
			for _, task := range h.Tasks() {
				var p seeks.Pair
				if err := json.Unmarshal(task.Body, &p); err != nil {
					t.Fatal(err)
				}
				for _, player := range p.Seats {
					if seen[player] {
						t.Fatalf("%s waits, or plays twice", player)
					}
					seen[player] = true
				}
			}
			if string(h.Snapshot(machine.Watchers)) != string(copied.Snapshot(machine.Watchers)) || !h.Wake().Equal(copied.Wake()) {
				t.Fatal("the same entries give another state")
			}
		}
	})
}
