package match

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/room"
)

// unreachable is a journal that can become unavailable.
type unreachable struct {
	journal.Journal
	away atomic.Bool
}

func (u *unreachable) Append(ctx context.Context, id string, row journal.Row, wake time.Time) error {
	if u.away.Load() {
		return journal.ErrUnavailable
	}
	return u.Journal.Append(ctx, id, row, wake)
}

func (u *unreachable) Alive(ctx context.Context, self string) (time.Time, error) {
	if u.away.Load() {
		return time.Time{}, journal.ErrUnavailable
	}
	return u.Journal.Alive(ctx, self)
}

// deaf is a follower that ignores all that it is sent.
type deaf struct{}

func (deaf) Entry(*room.Published) {}
func (deaf) Note(room.Note)        {}
func (deaf) Gone(error)            {}

// clockOfTurn returns the time left for the seat on turn by the snapshot: its clock,
// less the time since it began to run.
func clockOfTurn(t *testing.T, h *room.Registry, id string) time.Duration {
	t.Helper()
	var s struct {
		Turn  int     `json:"turn"`
		Clock []int64 `json:"clock"`
		Run   int64   `json:"run"`
	}
	if err := json.Unmarshal([]byte(see(t, h, id)), &s); err != nil {
		t.Fatal(err)
	}
	left := s.Clock[s.Turn]
	if s.Run > 0 {
		left -= max(0, time.Now().UnixMilli()-s.Run)
	}
	return time.Duration(left) * time.Millisecond
}

// sitDown begins a game with clocks in which both players have made their first
// move.
func sitDown(t *testing.T, h *room.Registry) {
	t.Helper()
	c := Creation{Settings: Settings{Rules: "oware-abapa", Clock: "1+0", Start: "creator"}, Creator: "ann"}
	if err := h.Create(t.Context(), "g1", Kind, c.Command("create")); err != nil {
		t.Fatal(err)
	}
	send(t, h, "g1", "ben", KindSit, "")
	send(t, h, "g1", "ann", KindMove, `{"ply":0,"move":"c"}`)
	send(t, h, "g1", "ben", KindMove, `{"ply":1,"move":"c"}`)
	time.Sleep(10 * time.Second)
	synctest.Wait()
}

// A server that drains stops the clocks: the twenty seconds until the next server
// has started are charged to no player.
func TestDrainCostsNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := memjournal.New()
		one, die := house(t, j, "one")
		sitDown(t, one)
		before := clockOfTurn(t, one, "g1")
		if err := one.Drain(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		die()
		time.Sleep(20 * time.Second)
		two, _ := house(t, j, "two")
		f, err := two.Follow(t.Context(), "g1", deaf{})
		if err != nil {
			t.Fatal(err)
		}
		f.Join("ann")
		synctest.Wait()
		if got := clockOfTurn(t, two, "g1"); got < before {
			t.Errorf("ann has %v left, and had %v when the server left", got, before)
		}
		time.Sleep(5 * time.Second)
		if got := clockOfTurn(t, two, "g1"); got > before-4*time.Second {
			t.Errorf("ann is back for 5 s and still has %v of %v: the clock is paused", got, before)
		}
	})
}

// After an outage of the journal, the players who stayed connected count as back at
// once: their clock runs again.
func TestClocksOfConnectedPlayersRunRightAfterAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &unreachable{Journal: memjournal.New()}
		h, _ := house(t, j, "one")
		sitDown(t, h)
		f, err := h.Follow(t.Context(), "g1", deaf{})
		if err != nil {
			t.Fatal(err)
		}
		f.Join("ann")
		f.Join("ben")
		time.Sleep(time.Second)
		synctest.Wait()
		before := clockOfTurn(t, h, "g1")
		j.away.Store(true)
		time.Sleep(40 * time.Second)
		j.away.Store(false)
		time.Sleep(10 * time.Second) // the longest time that a room waits before it tries again
		synctest.Wait()
		back := clockOfTurn(t, h, "g1")
		if back < before-11*time.Second {
			t.Errorf("ann has %v left of %v after an outage that must cost nothing", back, before)
		}
		time.Sleep(3 * time.Second)
		if got := clockOfTurn(t, h, "g1"); got != back-3*time.Second {
			t.Errorf("in 3 s ann's clock went from %v to %v", back, got)
		}
	})
}
