package room

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal/memjournal"
)

// otherClock is a journal whose database has a clock of its own.
type otherClock struct {
	*memjournal.Journal
	ahead atomic.Int64 // a time.Duration
}

func (j *otherClock) Alive(ctx context.Context, self string) (time.Time, error) {
	at, err := j.Journal.Alive(ctx, self)
	return at.Add(time.Duration(j.ahead.Load())), err
}

// A page counts a clock down from the room's time. The clock of the machine
// that serves the page has no effect.
func TestReadersAreToldTheRoomsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &otherClock{Journal: memjournal.New()}
		j.ahead.Store(int64(time.Hour))
		w := newWorld(t, "one", j, nil)
		id := w.book("r1")
		want := func(what string, got int64, ahead time.Duration) {
			t.Helper()
			if at := time.UnixMilli(got); !at.Equal(time.Now().Add(ahead).Truncate(time.Millisecond)) {
				t.Errorf("%s is told %v, want %v", what, at, time.Now().Add(ahead))
			}
		}
		h := w.follow(id)
		check := func(ahead time.Duration) {
			t.Helper()
			for _, player := range []string{"ann", ""} {
				v, err := w.View(t.Context(), id, player)
				if err != nil {
					t.Fatal(err)
				}
				want("a page of "+player, v.Now, ahead)
				s := &socket{player: player}
				if err := h.resume(t.Context(), s); err != nil {
					t.Fatal(err)
				}
				want("a socket of "+player, s.last.Now, ahead)
			}
		}
		check(time.Hour)
		j.ahead.Store(0) // the clock is set back: the room's time runs evenly
		pass(time.Minute)
		check(time.Hour)
	})
}
