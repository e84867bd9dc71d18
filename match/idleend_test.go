package match

import (
	"testing"

	"mancala/match/machine"
)

// A game without a clock ends 30 days after the last move. Its players are told a week
// before; any move, also a late one, gives them the whole time again.
func TestGameWithoutAClockEndsAfter30IdleDays(t *testing.T) {
	t.Run("the side on turn loses", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "none")
		tb.play("c", "c", "d")
		moved := tb.at
		tb.later(23*day - 1)
		tb.dueAt(0)
		tb.later(1)
		tb.dueAt(moved + 30*day)
		if e := tb.entries[len(tb.entries)-1]; e.Kind != kindGone {
			t.Errorf("the notice is an entry %q", e.Kind)
		}
		tb.later(7*day - 1)
		if tb.m.stage != live {
			t.Fatal("ended too early")
		}
		tb.later(1)
		tb.over(30*day+moved-t0, "time", 0)
		if replayed := tb.replayed(); replayed.result.Reason != "time" {
			t.Errorf("a replay ends by %q", replayed.result.Reason)
		}
	})
	t.Run("a side that never moved aborts it", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "none")
		tb.play("c")
		tb.later(30 * day)
		tb.over(30*day, byAbort)
	})
	t.Run("a move ends the notice", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "none")
		tb.play("c", "c")
		for range 3 {
			tb.later(29 * day)
			tb.play1(0)
			tb.dueAt(0)
		}
		tb.later(30 * day)
		if tb.m.stage != over {
			t.Error("it goes on")
		}
	})
	t.Run("a move comes before a notice that is late", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "none")
		tb.play("c", "c")
		tb.at += 400 * day // no instance has run, or the room was stored by an older release
		tb.play("d")
		if tb.m.stage != live {
			t.Error("it has ended")
		}
	})
	t.Run("a room that slept for years is told first", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "none")
		tb.play("c", "c")
		tb.at += 400 * day
		if err := tb.do(machine.Command{ID: "w", Kind: machine.KindWake}); err != nil {
			t.Fatal(err)
		}
		tb.dueAt(tb.at + 7*day)
	})
}

// dueAt expects a deadline and no clock that runs.
func (tb *table) dueAt(due int64) {
	tb.t.Helper()
	if tb.m.due != due || tb.m.run != 0 {
		tb.t.Errorf("due %d, run %d, want due %d", tb.m.due, tb.m.run, due)
	}
}
