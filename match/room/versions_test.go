package room

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// upgrading is a journal that an instance of the release before uses too, until it is told not to.
type upgrading struct {
	journal.Journal
	done atomic.Bool
}

func (u *upgrading) AllRead(context.Context, int) (bool, error) { return u.done.Load(), nil }

// newer is a ledger whose additions of more than 100 have version 1.
type newer struct{ machine.Machine }

func (n newer) Decide(c machine.Command, now time.Time) (machine.Entry, error) {
	e, err := n.Machine.Decide(c, now)
	if c.Kind == "add" && len(c.Body) > len(`{"n":99}`) {
		e.Version = 1
	}
	return e, err
}

func TestEntriesWithAVersionWaitUntilEveryInstanceReadsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &upgrading{Journal: memjournal.New()}
		w := newWorldOn(t, nil, "one", j, nil, func(c *Config) {
			c.Kinds["ledger"] = func(id string) machine.Machine { return newer{newLedger(id)} }
		})
		id := w.book("r1")
		w.must(id, cmd("ann", "add", 5))
		create := func(id string) error {
			return w.Create(w.Context(), id, "ledger", cmd("", "open", 0), cmd("ann", "sit", 0), cmd("ann", "add", 500))
		}
		if _, err := w.Do(w.Context(), id, cmd("ann", "add", 500)); !errors.Is(err, ErrTooNew) {
			t.Errorf("an entry with a version: %v", err)
		}
		if err := create("r2"); !errors.Is(err, ErrTooNew) {
			t.Errorf("a room with such an entry: %v", err)
		}
		j.done.Store(true)
		w.must(id, cmd("ann", "add", 500))
		if err := create("r2"); err != nil {
			t.Error(err)
		}
	})
}
