package seeks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"mancala/lobby/pairing"
	"mancala/lobby/seeks"
	"mancala/match/machine"
	"mancala/match/refusal"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// hall is a lobby with a clock that tests move.
type hall struct {
	*seeks.Lobby
	now time.Time
}

func newHall() *hall { return &hall{seeks.New(), noon} }

// do gives a command, and returns its effect or the code of the refusal.
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

// waves moves the clock, does what is due meanwhile, and returns the pairs.
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

func TestFirstToAcceptASeekGetsTheGame(t *testing.T) {
	h := newHall()
	c, code := h.do("ada", seeks.KindSeek, map[string]any{"key": "k", "rules": "oware", "clock": "5+3"})
	if code != "" || c.In.Rules != "oware" || c.In.Pool {
		t.Fatalf("a seek becomes %+v, %q", c.In, code)
	}
	id := c.In.ID
	if _, code := h.do("ada", seeks.KindAccept, map[string]any{"seek": id}); code != seeks.CodeOwnSeek {
		t.Errorf("ada accepted their own seek, and got %q", code)
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
			t.Errorf("the first to accept repeats it %s and gets %q", when, code)
		}
		if _, code := h.do("cleo", seeks.KindAccept, map[string]any{"seek": id}); code != seeks.CodeSeekGone {
			t.Errorf("a later player accepts %s and gets %q", when, code)
		}
	}
	again("before the game exists")
	if _, code := h.do("ada", seeks.KindSeek, map[string]any{"key": "l"}); code != seeks.CodePaired {
		t.Errorf("a seek by a paired player gave %q", code)
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
	again("when the game exists")
}

// TestOneGameResultsFromASeek pairs a seek in two copies of the room. The games have the
// same ID, and the commands that create them differ.
func TestOneGameResultsFromASeek(t *testing.T) {
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

func TestInvalidCommandsAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, kind string
		fields     map[string]any
		want       refusal.Code
	}{
		{"no key", "seek", nil, "bad-command"},
		{"a long key", "seek", map[string]any{"key": string(make([]byte, 33))}, "bad-command"},
		{"a field of another type", "seek", map[string]any{"key": 5}, "bad-command"},
		{"an unknown system", "seek", map[string]any{"key": "k", "rules": "chess"}, "bad-rules"},
		{"an unknown clock", "find", map[string]any{"key": "k", "clock": "5"}, "bad-clock"},
		{"a pool of house rules", "find", map[string]any{"key": "k", "options": "seeds=5"}, "bad-command"},
		{"a game of four", "seek", map[string]any{"key": "k", "rules": "basic-four"}, "two-seats"},
		{"an unknown seek", "accept", map[string]any{"seek": "k3v9qa2mx1"}, "seek-gone"},
		{"a rated game of a guest", "seek", map[string]any{"key": "k", "clock": "5+3", "rated": true}, "needs-account"},
		{"a pool of rated games for a guest", "find", map[string]any{"key": "k", "clock": "5+3", "rated": true}, "needs-account"},
		{"rated house rules", "seek", map[string]any{"key": "k", "rated": true, "clock": "5+3", "options": "seeds=5", "facts": seeks.Facts{Account: true}}, "not-rateable"},
		{"rated without a clock", "find", map[string]any{"key": "k", "rated": true, "facts": seeks.Facts{Account: true}}, "not-rateable"},
		{"a range that ends before it begins", "seek", map[string]any{"key": "k", "low": 1500, "high": 1400}, "bad-command"},
		{"a negative rating", "seek", map[string]any{"key": "k", "low": -1}, "bad-command"},
		{"a pool with a range", "find", map[string]any{"key": "k", "low": 1400}, "bad-command"},
		{"a challenge to no player", "challenge", map[string]any{"key": "k"}, "yourself"},
		{"a challenge to oneself", "challenge", map[string]any{"key": "k", "to": "ada"}, "yourself"},
		{"a challenge without a key", "challenge", map[string]any{"to": "ben"}, "bad-command"},
		{"a rated challenge by a guest", "challenge", map[string]any{"key": "k", "to": "ben", "clock": "5+3", "rated": true}, "needs-account"},
		{"declines an unknown challenge", "decline", map[string]any{"seek": "k3v9qa2mx1"}, "seek-gone"},
		{"withdraws an unknown challenge", "leave", map[string]any{"seek": "k3v9qa2mx1"}, "seek-gone"},
		{"an unknown command", "dance", nil, "bad-command"},
		{"leaves without waiting", "leave", nil, "nothing"},
		{"disconnects without waiting", machine.KindGone, nil, "nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, code := newHall().do("ada", tt.kind, tt.fields); code != tt.want {
				t.Errorf("got %q, want %q", code, tt.want)
			}
		})
	}
}

// from returns a seek's fields with the fact that its author is at a place.
func from(place string) map[string]any {
	return map[string]any{"key": "k", "facts": seeks.Facts{Place: place}}
}

func TestSeeksBeyondTheMaximumAreRefused(t *testing.T) {
	h := newHall()
	for i := range seeks.MaxOpen {
		if _, code := h.do(fmt.Sprint("p", i), seeks.KindSeek, from(fmt.Sprint("place", i))); code != "" {
			t.Fatal(i, code)
		}
	}
	if _, code := h.do("ada", seeks.KindSeek, from("hers")); code != seeks.CodeLobbyFull {
		t.Errorf("got %q", code)
	}
}

// A client that fills the lobby displaces only its own seeks.
func TestGreediestPlaceLosesItsOldestSeek(t *testing.T) {
	h := newHall()
	h.do("ada", seeks.KindSeek, from("hers"))
	h.do("ben", seeks.KindSeek, from("his"))
	const greedy = seeks.MaxOpen + 50
	for i := range greedy {
		if _, code := h.do(fmt.Sprint("p", i), seeks.KindSeek, from(fmt.Sprint("one of its addresses ", i%30))); code != "" {
			t.Fatal(i, code)
		}
	}
	if _, code := h.do("cleo", seeks.KindSeek, from("hers")); code != "" {
		t.Errorf("cleo's seek is refused: %q", code)
	}
	waiting := h.waiting()
	for _, who := range []string{"ada", "ben", "cleo", fmt.Sprint("p", greedy-1)} {
		if !slices.Contains(waiting, who) {
			t.Errorf("%s was pushed out", who)
		}
	}
	if slices.Contains(waiting, "p0") || len(waiting) > seeks.MaxOpen {
		t.Errorf("it was not the oldest that went, of %d", len(waiting))
	}
}

// One address may not fill the lobby, even while the lobby is not full.
func TestPlaceHasABoundOfItsOwn(t *testing.T) {
	for _, kind := range []string{seeks.KindSeek, seeks.KindFind} {
		h := newHall()
		for i := range 300 {
			if _, code := h.do(fmt.Sprint("p", i), kind, from("one")); code != "" {
				t.Fatal(kind, i, code)
			}
		}
		if n := len(h.waiting()); n != 200 {
			t.Errorf("%s: %d of one address wait", kind, n)
		}
	}
}

// Challenges to one person are few, so a client with several guests could use them up.
func TestGreediestPlaceLosesAChallengeToAnother(t *testing.T) {
	h := newHall()
	ask := func(by, place string) (seeks.Change, refusal.Code) {
		fields := from(place)
		fields["to"] = "ben"
		return h.do(by, seeks.KindChallenge, fields)
	}
	first, _ := ask("p0", "one")
	for i := range 20 {
		if _, code := ask(fmt.Sprint("p", i+1), "one"); code != "" {
			t.Fatal(i, code)
		}
	}
	c, code := ask("ada", "hers")
	if code != "" || len(c.Ended) != 1 || c.Ended[0].Why != seeks.EndWithdrawn || c.Ended[0].ID == first.Ask.ID {
		t.Errorf("%+v, %q", c, code)
	}
}

func TestPlayerWaitsForOneThingAtATime(t *testing.T) {
	h := newHall()
	h.do("ada", seeks.KindSeek, map[string]any{"key": "k"})
	if _, code := h.do("ada", seeks.KindSeek, map[string]any{"key": "k"}); code != "nothing" {
		t.Errorf("a repeat gave %q", code)
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

func TestPoolPairsPeopleWhoWantTheSameGame(t *testing.T) {
	h := newHall()
	h.do("ada", seeks.KindFind, map[string]any{"key": "a"})
	h.do("cleo", seeks.KindFind, map[string]any{"key": "c", "rules": "oware"})
	if pairs := h.waves(time.Minute); len(pairs) > 0 {
		t.Fatalf("people of different pools were paired: %v", pairs)
	}
	h.do("ben", seeks.KindFind, map[string]any{"key": "b", "rules": "kalah", "clock": "none"})
	pairs := h.waves(0)
	if len(pairs) != 1 || pairs[0].Owner != "ada" || pairs[0].Seats[0] != "ada" {
		t.Fatalf("pairs are %v", pairs)
	}
	h.do("", machine.KindDone, map[string]any{"task": pairs[0].ID})

	// The same two are alone. They are paired again at once, and the other one begins.
	h.do("ada", seeks.KindFind, map[string]any{"key": "a2", "facts": seeks.Facts{Recent: []string{"ben"}, Balance: 1}})
	h.do("ben", seeks.KindFind, map[string]any{"key": "b2", "facts": seeks.Facts{Recent: []string{"ada"}, Balance: -1}})
	if pairs = h.waves(0); len(pairs) != 1 || pairs[0].Seats[0] != "ben" {
		t.Fatalf("the pairs are %v", pairs)
	}
}

// TestRecentOpponentsAreKeptApartOnlyWhileAThirdPlayerWaits runs the waves at the times at which
// the lobby wakes.
func TestRecentOpponentsAreKeptApartOnlyWhileAThirdPlayerWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hall{seeks.New(), time.Now()}
		find := func(by string, f seeks.Facts) {
			h.now = time.Now()
			if _, code := h.do(by, seeks.KindFind, map[string]any{"key": "k", "facts": f}); code != "" {
				t.Fatal(code)
			}
		}
		// until runs the waves for d, or until one of them pairs people.
		until := func(d time.Duration) (pairs []seeks.Pair) {
			for end := time.Now().Add(d); len(pairs) == 0; {
				at := h.Wake()
				if at.IsZero() || at.After(end) {
					time.Sleep(time.Until(end))
					return nil
				}
				time.Sleep(time.Until(at))
				pairs = h.waves(time.Since(h.now))
			}
			return pairs
		}
		find("cleo", seeks.Facts{Rating: 2600})
		find("ada", seeks.Facts{Rating: 1500, Recent: []string{"ben"}})
		find("ben", seeks.Facts{Rating: 1500, Recent: []string{"ada"}})
		if pairs := until(12 * time.Second); len(pairs) > 0 {
			t.Fatalf("while cleo waits, the pairs are %v", pairs)
		}
		left := time.Now()
		h.now = left
		h.do("cleo", seeks.KindLeave, nil)
		pairs := until(time.Minute)
		if took := time.Since(left); len(pairs) != 1 || pairs[0].Owner != "ada" || pairs[0].Other != "ben" || took > pairing.Widens {
			t.Errorf("after cleo has left, the pairs are %v after %v", pairs, took)
		}
	})
}

// TestNoPlayerWaitsTwiceAndEqualEntriesGiveEqualStates gives random commands. It also
// checks that people do not wait while their game is being opened.
func TestNoPlayerWaitsTwiceAndEqualEntriesGiveEqualStates(t *testing.T) {
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
				fields["task"], fields["apart"] = tasks[0].ID, rapid.Bool().Draw(t, "apart")
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
						t.Fatalf("%s waits although paired, or is in two pairs", player)
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
