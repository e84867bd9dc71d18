package match

import (
	"fmt"
	"slices"
	"testing"

	"mancala/match/machine"
	"mancala/match/refusal"
)

func (tb *table) room(kind, by, body string) refusal.Code {
	tb.t.Helper()
	return code(tb.do(machine.Command{ID: kind, Kind: kind, By: by, Body: []byte(body)}))
}

// outage credits an outage that began this many ms ago.
func (tb *table) outage(ago int64) refusal.Code {
	tb.t.Helper()
	return tb.room(machine.KindOutage, "", fmt.Sprintf(`{"from":%d}`, tb.at-ago))
}

func TestClaimWaitsForItsCountdown(t *testing.T) {
	for _, tt := range []struct {
		clock string
		wait  int64
	}{{"5+3", 60_000}, {"10+0", 60_000}, {"10.5+0", 120_000}, {"15d5", 120_000}} {
		t.Run(tt.clock, func(t *testing.T) {
			tb, _ := opened(t, tt.clock)
			if got := tb.room(machine.KindGone, "p1", ""); got != "" {
				t.Fatal(got)
			}
			if got := tb.m.state.gone[1] - tb.at; got != tt.wait {
				t.Errorf("waits for %d", got)
			}
			if got := tb.room(machine.KindGone, "p1", ""); got != "nothing" {
				t.Errorf("gone twice: %q", got)
			}
			tb.at += tt.wait - 1
			if got := code(tb.cmd("p0", KindClaim, `{"what":"win"}`)); got != CodeNoClaim {
				t.Errorf("claimed a millisecond early: %q", got)
			}
			tb.at++
			if got := code(tb.cmd("p1", KindClaim, `{"what":"win"}`)); got != CodeNoClaim {
				t.Errorf("claimed by a disconnected player: %q", got)
			}
			tb.must("p0", KindClaim, `{"what":"win"}`)
			tb.over(tt.wait, "abandoned", 0)
		})
	}
	t.Run("a partner was gone before", func(t *testing.T) {
		tb := seated(t, "basic-teams", "", "3+2")
		for n := 0; slices.Contains(tb.m.made[:4], 0) && n < 20; n++ {
			legal := tb.m.rules.game.Legal(&tb.m.pos)
			tb.play(legal.At(legal.Len() - 1).String())
		}
		partner, opponent := tb.m.seats[2], tb.m.seats[1]
		if tb.m.side(2) != tb.m.side(0) || tb.m.side(1) == tb.m.side(0) {
			t.Fatal("seats 0 and 2 are no partners")
		}
		tb.room(machine.KindGone, partner, "")
		tb.at += 1500
		tb.room(machine.KindGone, opponent, "")
		tb.at += 59_999
		if got := code(tb.cmd("p0", KindClaim, `{"what":"win"}`)); got != CodeNoClaim {
			t.Errorf("claimed a millisecond early: %q", got)
		}
		tb.at++
		tb.must("p0", KindClaim, `{"what":"win"}`)
		if r := tb.m.result; r.Reason != "abandoned" || len(r.Winners) != 1 || r.Winners[0] != tb.m.side(0) {
			t.Errorf("it ended with %+v", r)
		}
	})
	t.Run("back in time", func(t *testing.T) {
		tb, _ := opened(t, "5+3")
		tb.room(machine.KindGone, "p1", "")
		tb.at += 59_999
		if got := tb.room(machine.KindBack, "p1", ""); got != "" {
			t.Fatal(got)
		}
		tb.at++
		if got := code(tb.cmd("p0", KindClaim, `{"what":"win"}`)); got != CodeNoClaim {
			t.Errorf("claimed against a connected player: %q", got)
		}
		if got := tb.room(machine.KindBack, "p1", ""); got != "nothing" {
			t.Errorf("back twice: %q", got)
		}
	})
	t.Run("called a draw", func(t *testing.T) {
		tb, _ := opened(t, "5+3")
		tb.room(machine.KindGone, "p1", "")
		tb.at += 60_000
		tb.must("p0", KindClaim, `{"what":"draw"}`)
		tb.over(60_000, "abandoned", 0, 1)
	})
	t.Run("who moves is waited for anew", func(t *testing.T) {
		tb, _ := opened(t, "5+3")
		tb.room(machine.KindGone, "p0", "")
		tb.at += 59_000
		tb.play("d")
		if got := tb.m.gone[0] - tb.at; got != 60_000 {
			t.Errorf("waits for %d", got)
		}
	})
	t.Run("of two who are gone the first is shown", func(t *testing.T) {
		tb, _ := opened(t, "5+3")
		tb.room(machine.KindGone, "p1", "")
		tb.at += 5000
		tb.room(machine.KindGone, "p0", "")
		if seat, until := tb.m.countdown(); seat != 1 || until != t0+60_000 {
			t.Errorf("seat %d until %d", seat, until-t0)
		}
		tb.room(machine.KindBack, "p1", "")
		if seat, until := tb.m.countdown(); seat != 0 || until != t0+65_000 {
			t.Errorf("seat %d until %d", seat, until-t0)
		}
	})
	for _, clock := range []string{"none", "3/move"} {
		t.Run(clock+": the game waits for no player", func(t *testing.T) {
			tb, _ := opened(t, clock)
			if got := tb.room(machine.KindGone, "p1", ""); got != "nothing" {
				t.Errorf("got %q", got)
			}
		})
	}
	t.Run("a stranger", func(t *testing.T) {
		tb, _ := opened(t, "5+3")
		if got := tb.room(machine.KindGone, "p7", "") + tb.room(machine.KindBack, "p7", ""); got != "nothingnothing" {
			t.Errorf("got %q", got)
		}
	})
}

func TestClocksArePausedDuringAnOutage(t *testing.T) {
	t.Run("the clock is paused from the last sign of life until the side is back", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		if got := tb.outage(4_000); got != "" {
			t.Fatal(got)
		}
		tb.clocks(294_000, 300_000, 0, 0)
		if tb.shown()["outage"] != true {
			t.Error("no client is told")
		}
		tb.at += 5_000
		if got := tb.room(machine.KindBack, "p1", ""); got != "nothing" {
			t.Errorf("the other side is back: %q", got)
		}
		tb.room(machine.KindBack, "p0", "")
		tb.clocks(294_000, 300_000, run+15_000, 0)
		tb.at += 1_000
		tb.play("d")
		tb.clocks(296_000, 300_000, run+16_300, 0) // 294 − 1 + 3
	})
	t.Run("it runs again after 30 s", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		tb.outage(4_000)
		tb.later(100_000)
		tb.clocks(294_000, 300_000, run+40_000, 0)
		if tb.shown()["outage"] != nil {
			t.Error("it still stands")
		}
	})
	t.Run("credited before a flag is judged, however long it was", func(t *testing.T) {
		tb, run := opened(t, "0.5+0")
		tb.at = t0 + run + 500_000
		if got := tb.outage(480_000); got != "" {
			t.Fatal(got)
		}
		tb.clocks(10_000, 30_000, 0, 0)
		tb.at += 1000
		tb.room(machine.KindBack, "p0", "")
		if err := tb.move("d", 0); err != nil {
			t.Error(err)
		}
	})
	t.Run("a move ends it", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		tb.outage(4_000)
		tb.at += 8_000
		tb.play("d")
		tb.clocks(297_000, 300_000, tb.at-t0+300, 0)
		if tb.m.hold.on() {
			t.Error("it still stands")
		}
	})
	t.Run("an offer ends it too", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		tb.outage(4_000)
		tb.at += 8_000
		tb.must("p1", KindOffer, `{"what":"draw"}`)
		if !tb.m.hold.on() {
			t.Error("the wrong side ended it")
		}
		tb.must("p0", KindDecline, `{"what":"draw"}`)
		tb.clocks(294_000, 300_000, run+18_000, 0)
	})
	t.Run("in the grace", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 900
		tb.outage(1000) // a tenth of a second before the clock would have run
		tb.clocks(300_000, 300_000, 0, 0)
		tb.at += 50
		tb.room(machine.KindBack, "p0", "")
		tb.clocks(300_000, 300_000, tb.at-t0+100, 0)
	})
	t.Run("before the first move", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "5+3")
		tb.at += 25_000
		tb.outage(20_000)
		tb.clocks(300_000, 300_000, 0, 50_000)
		tb.at += 10_000
		tb.room(machine.KindBack, "p0", "")
		tb.clocks(300_000, 300_000, 0, 60_000)
		tb.later(100_000)
		tb.over(60_000, byAbort)
	})
	t.Run("twice before anybody is back", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		tb.outage(4_000)
		tb.at += 8_000
		tb.outage(2_000)
		tb.clocks(294_000, 300_000, 0, 0)
		tb.at += 8_000
		tb.room(machine.KindBack, "p0", "")
		tb.clocks(294_000, 300_000, tb.at-t0, 0)
	})
	t.Run("twice before the first move", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "5+3")
		tb.at += 10_000
		tb.outage(10_000)
		tb.at += 10_000
		tb.outage(5_000)
		tb.at += 10_000
		tb.room(machine.KindBack, "p0", "")
		tb.clocks(300_000, 300_000, 0, 60_000)
	})
	t.Run("a countdown waits too", func(t *testing.T) {
		tb, _ := opened(t, "5+3")
		tb.room(machine.KindGone, "p1", "")
		tb.at += 50_000
		tb.outage(45_000)
		if got := tb.m.gone[1] - t0; got != 105_000 {
			t.Errorf("until %d", got)
		}
	})
	t.Run("with days the deadline moves", func(t *testing.T) {
		tb, run := opened(t, "1/move")
		tb.at += day / 2
		tb.outage(day / 4)
		tb.clocks(day, day, run+day/4, 0)
	})
	t.Run("a pause is longer", func(t *testing.T) {
		tb := seated(t, "ignorant", "target=100", "none")
		tb.play("=7.6.5.8.6.4/6.5.8.4.9.4", "keep")
		tb.must("p0", KindResign, `{"what":"round"}`)
		tb.at += 10_000
		tb.outage(10_000)
		tb.clocks(0, 0, 0, 25_000)
	})
	t.Run("from the future or before the last entry", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		tb.play("d", "d")
		tb.at = tb.m.run + 1000
		if got := tb.outage(-5000); got != "" {
			t.Fatal(got)
		}
		if tb.m.clock[0] != 292_000 {
			t.Errorf("%d left", tb.m.clock[0])
		}
		tb.room(machine.KindBack, "p0", "")
		before := tb.m.clock[0]
		tb.outage(1_000_000)
		if tb.m.clock[0] != before {
			t.Errorf("an outage gave or took %d", before-tb.m.clock[0])
		}
	})
	t.Run("without a clock there is nothing to credit", func(t *testing.T) {
		tb, _ := opened(t, "none")
		if got := tb.outage(4000); got != "nothing" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("without a time", func(t *testing.T) {
		tb, _ := opened(t, "5+3")
		if got := tb.room(machine.KindOutage, "", ""); got != "nothing" {
			t.Errorf("got %q", got)
		}
	})
}

// A time without the service moves every moment that the game waits for.
func TestDowntimeIsCreditedToAGameThatSlept(t *testing.T) {
	lost := func(tb *table, ms int64) refusal.Code {
		tb.t.Helper()
		return tb.room(machine.KindOutage, "", fmt.Sprintf(`{"lost":%d}`, ms))
	}
	t.Run("with days the deadline moves by that time alone", func(t *testing.T) {
		tb, run := opened(t, "1/move")
		tb.at += day / 2
		if got := lost(tb, day/4); got != "" {
			t.Fatal(got)
		}
		tb.clocks(day, day, run+day/4, 0)
	})
	t.Run("a clock that runs loses nothing and gains nothing", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		lost(tb, 4_000)
		tb.clocks(300_000, 300_000, run+4_000, 0)
	})
	t.Run("the hold of a clean stop lasts on", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		tb.outage(0) // the stop
		tb.at += 100_000
		lost(tb, 100_000)
		tb.room(machine.KindWake, "", "")
		tb.at += 20_000
		tb.room(machine.KindBack, "p0", "")
		tb.clocks(290_000, 300_000, tb.at-t0, 0)
	})
	t.Run("before the first move", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "5+3")
		tb.at += 10_000
		lost(tb, 10_000)
		tb.clocks(300_000, 300_000, 0, 40_000)
	})
	t.Run("a countdown waits too", func(t *testing.T) {
		tb, _ := opened(t, "5+3")
		tb.room(machine.KindGone, "p1", "")
		tb.at += 50_000
		lost(tb, 45_000)
		if got := tb.m.gone[1] - t0; got != 105_000 {
			t.Errorf("until %d", got)
		}
	})
	t.Run("no more than the time since the last entry", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000
		since := tb.at - tb.m.at
		lost(tb, day)
		tb.clocks(300_000, 300_000, run+since, 0)
	})
	t.Run("a command that waited while the opponent made an offer", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 10_000 // the command is sent, and its message is lost
		tb.at += 900
		tb.must("p1", KindOffer, `{"what":"draw"}`)
		tb.at += 100
		tb.room(machine.KindOutage, "p0", `{"lost":1000,"why":"message"}`)
		tb.clocks(300_000, 300_000, run+1_000, 0)
	})
	t.Run("a command credits no more than its turn has taken", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.at = t0 + run + 3_000
		tb.must("p1", KindOffer, `{"what":"draw"}`)
		tb.at += 500
		tb.room(machine.KindOutage, "p0", `{"lost":9000,"why":"message"}`)
		tb.clocks(300_000, 300_000, run+3_500, 0)
	})
	t.Run("a command before the first move", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "5+3")
		tb.at += 10_000
		tb.room(machine.KindGone, "p1", "")
		tb.at += 100
		tb.room(machine.KindOutage, "p0", `{"lost":1000,"why":"message"}`)
		tb.clocks(300_000, 300_000, 0, 31_000)
	})
	t.Run("nothing", func(t *testing.T) {
		timed, _ := opened(t, "5+3")
		timed.at += 10_000
		untimed, _ := opened(t, "none")
		untimed.at += 10_000
		if got := lost(timed, 0) + lost(timed, -5) + lost(untimed, 5_000); got != "nothingnothingnothing" {
			t.Errorf("got %q", got)
		}
	})
}

// An outage that concerns one player holds the clock in their turn, and does nothing else.
func TestOutageOfOnePlayerHoldsTheirTurnOnly(t *testing.T) {
	about := func(tb *table, player string) refusal.Code {
		return tb.room(machine.KindOutage, player, fmt.Sprintf(`{"from":%d}`, tb.m.at))
	}
	tb, _ := opened(t, "5+3")
	if got := about(tb, "p1"); got != "nothing" {
		t.Errorf("in the opponent's turn: %q", got)
	}
	if got := about(tb, "eve"); got != "nothing" {
		t.Errorf("a person without a seat: %q", got)
	}
	tb.play("d")
	moved := tb.at
	if got := about(tb, "p1"); got != "" {
		t.Fatalf("in their turn: %q", got)
	}
	if got := about(tb, "p1"); got != "nothing" {
		t.Errorf("while their turn is held: %q", got)
	}
	grace := tb.m.hold.grace
	tb.at += 11_000
	tb.room(machine.KindBack, "p1", "")
	if got := tb.m.run - tb.at; tb.m.clock[1] != 300_000 || got != grace {
		t.Errorf("after %d ms the clock is %d and runs in %d ms, want %d", tb.at-moved, tb.m.clock[1], got, grace)
	}
	days, _ := opened(t, "1/move")
	if got := about(days, "p0"); got != "nothing" {
		t.Errorf("with days per move: %q", got)
	}
}
