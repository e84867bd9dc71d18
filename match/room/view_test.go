package room

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// readCounter counts reads of rows.
type readCounter struct {
	journal.Journal
	reads atomic.Int64
}

func (c *readCounter) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	c.reads.Add(1)
	return c.Journal.Read(ctx, id, after, limit)
}

// A room that sleeps is replayed once for each audience, until something happens in it.
func TestSleepingRoomIsReplayedOnceForItsReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &readCounter{Journal: memjournal.New()}
		w := newWorld(t, "one", j, nil)
		id := w.book("r1")
		first := map[string]View{}
		for _, step := range []struct {
			player string
			reads  int64
		}{{"eve", 1}, {"mallory", 0}, {"ann", 1}, {"ann", 0}, {"bob", 1}, {"eve", 0}, {"bob", 0}} {
			before := j.reads.Load()
			v, err := w.View(w.Context(), id, step.player)
			if err != nil {
				t.Fatal(err)
			}
			if n := j.reads.Load() - before; n != step.reads {
				t.Errorf("the view of %s took %d reads, want %d", step.player, n, step.reads)
			}
			if old, ok := first[step.player]; ok && (!bytes.Equal(old.Snapshot, v.Snapshot) || !bytes.Equal(old.Private, v.Private) || old.Audience != v.Audience) {
				t.Errorf("%s is shown %+v, and was shown %+v", step.player, v, old)
			}
			first[step.player] = v
		}
		seq := first["eve"].Seq
		w.must(id, cmd("ann", "add", 9))
		pass(goneAfter + linger + 2*goneAfter)
		if w.Stats().Live != 0 {
			t.Fatal("the room is awake")
		}
		if v, err := w.View(w.Context(), id, "eve"); err != nil || v.Seq <= seq {
			t.Errorf("after an entry the view is of %d, %v", v.Seq, err)
		}
		before := j.reads.Load()
		pass(asleepFresh + 1)
		if _, err := w.View(w.Context(), id, "eve"); err != nil || j.reads.Load() == before {
			t.Errorf("a view is used for longer than %v, %v", asleepFresh, err)
		}
	})
}

// commandsOfALongRoom returns the commands that make a room whose replay is charged.
func commandsOfALongRoom() []machine.Command {
	commands := []machine.Command{cmd("", "open", 0), cmd("ann", "sit", 0), cmd("bob", "sit", 0)}
	for range freeEntries {
		commands = append(commands, cmd("ann", "add", 1))
	}
	return commands
}

// A client pays for the replay of a long room: for its view, its entries, and to open it. A
// view that is known, and a short room, are free.
func TestLongReplaysAreCharged(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		short := w.book("r1")
		const long = "r2"
		if err := w.Create(w.Context(), long, "ledger", commandsOfALongRoom()...); err != nil {
			t.Fatal(err)
		}
		broke := errors.New("no money")
		paid, money := 0, 1
		ctx := Charged(w.Context(), func() error {
			if money == 0 {
				return broke
			}
			money, paid = money-1, paid+1
			return nil
		})
		view := func(id, player string) func() error {
			return func() error { _, err := w.View(ctx, id, player); return err }
		}
		for _, step := range []struct {
			name string
			do   func() error
			want error
			paid int
		}{
			{"a short room", view(short, "eve"), nil, 0},
			{"the long room", view(long, "eve"), nil, 1},
			{"the long room once more", view(long, "eve"), nil, 1},
			{"another audience", view(long, "ann"), broke, 1},
			{"its entries", func() error { _, err := w.Entries(ctx, long, "eve"); return err }, broke, 1},
			{"its machine", func() error { _, _, err := w.Replay(ctx, long); return err }, broke, 1},
			{"a command", func() error { _, err := w.Do(ctx, long, cmd("ann", "add", 1)); return err }, broke, 1},
			{"a follower", func() error { return w.MayOpen(ctx, long) }, broke, 1},
			{"a command by the room itself", func() error { _, err := w.Do(w.Context(), long, cmd("ann", "add", 1)); return err }, nil, 1},
			{"a command while it runs", func() error { _, err := w.Do(ctx, long, cmd("ann", "add", 1)); return err }, nil, 1},
		} {
			if err := step.do(); !errors.Is(err, step.want) || paid != step.paid {
				t.Errorf("%s: %v, paid %d times; want %v and %d", step.name, err, paid, step.want, step.paid)
			}
		}
	})
}
