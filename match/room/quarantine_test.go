package room

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// A room that cannot go on can be read, answers with a code and is counted, and no
// other room notices. It is the same after a restart.
func TestQuarantinedRoomCanOnlyBeRead(t *testing.T) {
	for _, kind := range []string{"boom", "odd", "rot", "deaf", "spin"} {
		t.Run(kind, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				id, other := w.book("r1"), w.book("r2")
				h := w.follow(id)
				w.must(id, cmd("ann", "add", 5))
				_, err := w.Do(w.Context(), id, cmd("ann", kind, 0))
				if kind != "spin" && !errors.Is(err, ErrQuarantined) {
					t.Errorf("got %v, want ErrQuarantined", err)
				}
				pass(time.Second)
				check := func(w *world, when string) {
					t.Helper()
					if _, err := w.Do(w.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrQuarantined) {
						t.Errorf("%s: %v", when, err)
					}
					for _, player := range []string{"ann", "eve"} {
						if l := w.ledger(id, player); l.Sum != 5 {
							t.Errorf("%s: %s sees %d, want the last good state", when, player, l.Sum)
						}
						if err := w.follow(id).resume(w.Context(), &socket{player: player}); err != nil {
							t.Errorf("%s: %v", when, err)
						}
					}
					if s := w.Stats(); s.Quarantined != 1 || w.seen.of("quarantine") != 1 {
						t.Errorf("%s: %+v, told %d times", when, s, w.seen.of("quarantine"))
					}
					w.must(other, cmd("bob", "add", 1))
				}
				check(w, "at once")
				if h.why() != nil {
					t.Errorf("followers lost it: %v", h.why())
				}
				if got := h.said(); len(got) == 0 || got[len(got)-1] != "quarantined" {
					t.Errorf("notes %q", got)
				}
				before := w.kinds(id)
				pass(time.Hour)
				check(w, "an hour later")
				if kind == "boom" || kind == "odd" || kind == "spin" {
					return // nothing in the journal keeps it from starting again
				}
				w.stop()
				pass(10 * time.Second)
				w = newWorld(t, "two", w.journal, nil)
				check(w, "after a restart")
				if got := w.kinds(id); got != before {
					t.Errorf("journal %q, was %q", got, before)
				}
			})
		})
	}
}

func TestRoomThatFailsToEncodeIsQuarantined(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		w.must(id, cmd("ann", "mute", 0))
		if got := h.entries[0].Public(machine.Watchers); got != nil {
			t.Errorf("got %s", got)
		}
		synctest.Wait()
		if _, err := w.Do(w.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrQuarantined) {
			t.Errorf("got %v", err)
		}
		// Not even a snapshot can be made; all clients get an answer.
		if err := h.resume(w.Context(), &socket{player: "eve"}); !errors.Is(err, ErrQuarantined) {
			t.Errorf("a watcher: %v", err)
		}
		if err := h.resume(w.Context(), &socket{player: "ann"}); !errors.Is(err, ErrQuarantined) {
			t.Errorf("a player: %v", err)
		}
	})
}

func TestRoomThatFailsToReplayIsQuarantined(t *testing.T) {
	good := appendEntry(nil, machine.Entry{Kind: "open", At: 1, Body: []byte("{}")})
	for name, rows := range map[string][]journal.Row{
		"not JSON":           {{Seq: 1, Data: good}, {Seq: 2, Data: []byte("{")}},
		"not an entry":       {{Seq: 1, Data: good}, {Seq: 2, Data: []byte(`[]`)}},
		"not from the first": {{Seq: 1, Data: []byte(`"x"`)}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				if err := w.journal.Create(w.Context(), journal.Room{ID: "r1", Kind: "ledger"}, rows...); err != nil {
					t.Fatal(err)
				}
				if _, err := w.Do(w.Context(), "r1", cmd("ann", "sit", 1)); !errors.Is(err, ErrQuarantined) {
					t.Errorf("got %v", err)
				}
				if l := w.ledger("r1", "eve"); l.Entries != len(rows)-1 {
					t.Errorf("shows %d entries, want the %d good ones", l.Entries, len(rows)-1)
				}
			})
		})
	}
}

// shy is a ledger that panics when it decides for the first time in a registry.
type shy struct {
	*ledger
	decided *bool
}

func (s shy) Decide(c machine.Command, now time.Time) (machine.Entry, error) {
	if !*s.decided {
		*s.decided = true
		panic("shy")
	}
	return s.ledger.Decide(c, now)
}

// Before a command that has waited is decided, the machine is asked whether it would stop a
// clock. If that puts the room in quarantine, the command is not decided.
func TestCommandThatPutsTheRoomInQuarantineBeforeItsCreditChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		decided := true
		w := newWorldOn(t, nil, "one", memjournal.New(), nil, func(c *Config) {
			c.Kinds["ledger"] = func(id string) machine.Machine { return shy{newLedger(id).(*ledger), &decided} }
		})
		id := w.book("r1")
		decided = false
		c := cmd("ann", "add", 5)
		c.Waited = time.Second
		if _, err := w.Do(t.Context(), id, c); !errors.Is(err, ErrQuarantined) {
			t.Errorf("got %v, want ErrQuarantined", err)
		}
		if got := w.kinds(id); got != "open sit sit" {
			t.Errorf("journal: %s", got)
		}
	})
}
