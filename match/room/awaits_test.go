package room

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// awaited lists what an instance was told of players on turn.
type awaited struct {
	mu   sync.Mutex
	told []string
}

func (a *awaited) config(c *Config) {
	c.Awaits = func(id string, seq uint64, w machine.Awaited) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.told = append(a.told, fmt.Sprintf("%s %d %s %s", id, seq, w.Player, w.Turn))
	}
}

func (a *awaited) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.told
	a.told = nil
	return list
}

func TestOwnerTellsEachAwaitedPlayerOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on, j := newWire(1), memjournal.New()
		var mine, theirs awaited
		one := newWorldOn(t, on, "one", j, nil, mine.config)
		two := newWorldOn(t, on, "two", j, nil, theirs.config)
		one.follow(one.book("r1"))
		two.follow("r1") // a replica
		mine.take()
		for i, by := range []string{"ann", "bob", "ann"} {
			one.must("r1", cmd(by, "add", 1))
			one.must("r1", cmd(by, "hide", 1)) // the turn stays
			line, err := j.Room(t.Context(), "r1")
			if err != nil {
				t.Fatal(err)
			}
			next := map[string]string{"ann": "bob", "bob": "ann"}[by]
			want := fmt.Sprintf("r1 %d %s %d", line.Seq-1, next, i+1)
			if got := mine.take(); !slices.Equal(got, []string{want}) {
				t.Errorf("the owner told %q, want %q", got, want)
			}
		}
		synctest.Wait()
		if got := theirs.take(); len(got) > 0 {
			t.Errorf("a replica told %q", got)
		}
	})
}

func TestOwnerTellsThatTheTurnEndsAtAnotherTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told awaited
		w := newWorldOn(t, nil, "one", memjournal.New(), nil, told.config)
		w.must(w.book("r1"), cmd("ann", "add", 1))
		told.take()
		w.must("r1", machine.Command{ID: "bell", Kind: "bell", By: "ann", Body: []byte(`{"in":60000}`)})
		if got := told.take(); len(got) != 1 || got[0] != "r1 5 bob 1" {
			t.Errorf("the owner told %q", got)
		}
	})
}

func TestNextOwnerTellsTheAwaitedPlayerAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.must(w.book("r1"), cmd("ann", "add", 1))
		w.stop() // nothing is released, as after a kill
		time.Sleep(time.Minute)
		var next awaited
		newWorldOn(t, nil, "two", w.journal, nil, next.config)
		pass(time.Minute) // nobody asks for the room: it is due
		if got := next.take(); len(got) != 1 || got[0] != "r1 4 bob 1" {
			t.Errorf("the next owner told %q", got)
		}
	})
}
