package match

import (
	"testing"
	"time"

	"mancala/match/machine"
	"mancala/match/wire"
)

// In these tests the first sowings of Oware have four seeds: a grace of 240 ms.
const fourSeeds = 240

// clocks checks the clocks, and the times run and due in ms after t0.
func (tb *table) clocks(want0, want1, run, due int64) {
	tb.t.Helper()
	m := tb.m
	rel := func(t int64) int64 {
		if t == 0 {
			return 0
		}
		return t - t0
	}
	if m.clock[0] != want0 || m.clock[1] != want1 || rel(m.run) != run || rel(m.due) != due {
		tb.t.Errorf("clocks %v, run %d, due %d; want %d %d, run %d, due %d",
			m.clock[:2], rel(m.run), rel(m.due), want0, want1, run, due)
	}
}

// over checks how the match ended and when, in ms after t0.
func (tb *table) over(at int64, reason string, winners ...int) {
	tb.t.Helper()
	if tb.m.stage != over {
		tb.t.Fatalf("the match is not over at %d; it wakes at %d", tb.at-t0, tb.m.wake()-t0)
	}
	r := tb.m.result
	same := len(r.Winners) == len(winners)
	for i := range winners {
		same = same && r.Winners[i] == winners[i]
	}
	if r.Reason != reason || !same || tb.m.at-t0 != at {
		tb.t.Errorf("over at %d by %s, winners %v; want %d, %s, %v", tb.m.at-t0, r.Reason, r.Winners, at, reason, winners)
	}
}

func TestFirstMoveHasATimeOfItsOwn(t *testing.T) {
	t.Run("no first move: aborted after 30 s to the millisecond", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "5+3")
		tb.clocks(300_000, 300_000, 0, 30_000)
		tb.later(29_999)
		if tb.m.stage != live {
			t.Fatal("aborted too early")
		}
		tb.later(1)
		tb.over(30_000, byAbort)
	})
	t.Run("the second side has 30 s after the grace", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "5+3")
		tb.at += 20_000
		tb.play("c")
		tb.clocks(300_000, 300_000, 0, 20_000+fourSeeds+30_000)
		tb.later(60_000)
		tb.over(50_240, byAbort)
	})
	t.Run("then the clock runs, after the grace", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "5+3")
		tb.at += 20_000
		tb.play("c")
		tb.at += 10_000
		tb.play("c")
		tb.clocks(300_000, 300_000, 30_000+fourSeeds, 0)
	})
	t.Run("a move at the very end of the time is too late", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "5+3")
		tb.at += 30_000
		if got := code(tb.move("c", time.Second)); got != CodeTooLate {
			t.Errorf("got %q", got)
		}
	})
	t.Run("without a clock a game without a move ends after a day", func(t *testing.T) {
		for _, tt := range []struct {
			expires time.Duration
			after   int64
		}{{0, day}, {time.Hour, 3_600_000}} {
			tb := newTable(t, Creation{Creator: "p0", Expires: tt.expires})
			tb.at += 1000
			tb.must("p1", KindSit, "")
			tb.later(tt.after - 1)
			if tb.m.stage != live {
				t.Fatal("ended too early")
			}
			tb.later(1)
			tb.over(tt.after+1000, byAbort)
		}
		tb := newTable(t, Creation{Seats: []string{"p0", "p1"}, Expires: -1})
		if tb.later(29 * day); tb.m.stage != live {
			t.Error("what should last for a month has ended")
		}
		tb = seated(t, "ignorant", "target=100", "none")
		tb.must("p1", KindResign, `{"what":"round"}`)
		if tb.later(4 * day); tb.m.stage != setup {
			t.Error("people have done something, and it has ended")
		}
	})
	t.Run("without a clock a move says no time", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "none")
		tb.must("p0", KindMove, `{"ply":0,"move":"c"}`)
		if got := tb.public(); got != `{"k":"move","at":`+string(wire.AppendInt(nil, tb.at))+`,"seat":0,"move":"c","ply":1,"trace":[["lift",2,4],["sow","3-6"]],"turn":1,"sum":"`+sumText(&tb.m.pos)+`"}` {
			t.Errorf("a move without a clock says %s", got)
		}
	})
}

// opened returns a game in which both players have moved at once. p0's clock runs
// from run, in ms after t0.
func opened(t *testing.T, clock string) (tb *table, run int64) {
	tb = seated(t, "oware-abapa", "", clock)
	tb.play("c", "c")
	return tb, tb.m.run - t0
}

func TestEachMoveAddsItsIncrement(t *testing.T) {
	tb, run := opened(t, "5+3")
	if run != fourSeeds {
		t.Fatalf("runs from %d", run)
	}
	tb.at = t0 + run + 7_000
	tb.play("d")
	tb.clocks(300_000-7_000+3_000, 300_000, 7_240+300, 0) // five seeds
	tb.at += 100                                          // within the grace: nothing is charged, and the increment is still added
	tb.play("d")
	tb.clocks(296_000, 303_000, tb.at-t0+300, 0)
}

func TestFurtherPliesOfATurnRunOnTheSameClock(t *testing.T) {
	tb := seated(t, "kalah", "", "5+3")
	tb.play("a")                                // p0, no extra ply
	tb.play("a")                                // p1
	tb.at = tb.m.run + 1000                     //
	tb.play("b")                                // extra ply: one second charged, no increment, no grace
	tb.clocks(299_000, 300_000, tb.at-t0, 0)    //
	tb.at += 2000                               //
	tb.play("c")                                // the turn is over
	tb.clocks(300_000, 300_000, tb.m.run-t0, 0) // 299 − 2 + 3
	if tb.m.run <= tb.at {
		t.Error("the next side has no grace")
	}
}

func TestClockRunsAfterTheDelay(t *testing.T) {
	tb, run := opened(t, "5d3")
	if run != fourSeeds+3000 {
		t.Fatalf("runs from %d, not after grace and delay", run)
	}
	tb.at = t0 + run
	tb.play("d")
	tb.clocks(300_000, 300_000, run+300+3000, 0)
	tb.at = tb.m.run + 5_000
	tb.play("d")
	tb.clocks(300_000, 295_000, tb.at-t0+300+3000, 0)
}

func TestDaysPerMoveRunOut(t *testing.T) {
	tb := seated(t, "oware-abapa", "", "3/move")
	tb.clocks(3*day, 3*day, 0, 3*day)
	tb.at += day
	tb.play("c")
	tb.clocks(3*day, 3*day, 0, day+fourSeeds+3*day)
	tb.play("c")
	tb.clocks(3*day, 3*day, day+fourSeeds, 0)
	tb.at += 2 * day
	tb.play("d") // filled up again
	tb.clocks(3*day, 3*day, 3*day+300, 0)
	tb.later(3*day + 299)
	if tb.m.stage != live {
		t.Fatal("lost too early")
	}
	tb.later(1)
	tb.over(6*day+300, "time", 0)
}

func TestFlagFallsAfterTheLagThatIsLeft(t *testing.T) {
	t.Run("after what is left of the bucket, at most 2 s", func(t *testing.T) {
		tb, run := opened(t, "5+3")
		tb.later(run + 300_000 + 2_000 - 1)
		if tb.m.stage != live {
			t.Fatal("fell too early")
		}
		if err := tb.do(machine.Command{Kind: machine.KindWake}); code(err) != "nothing" {
			t.Errorf("woken a millisecond early: %v", err)
		}
		tb.later(1)
		tb.over(run+302_000, "time", 1)
		tb.clocks(0, 300_000, 0, 0)
	})
	t.Run("a bucket with less than 2 s", func(t *testing.T) {
		tb, run := opened(t, "0.5+0") // gain 150 + 30000/250 = 270, start 810
		tb.later(run + 30_000 + 809)
		if tb.m.stage != live {
			t.Fatal("fell too early")
		}
		tb.later(1)
		tb.over(run+30_810, "time", 1)
	})
	t.Run("a move that was made in time arrives late", func(t *testing.T) {
		tb, run := opened(t, "0.5+0")
		tb.at = t0 + run + 30_000 + 300
		if got := code(tb.move("d", 300*time.Millisecond)); got != CodeTooLate {
			t.Errorf("made at the last moment, and it is gone: got %q", got)
		}
		if err := tb.move("d", 301*time.Millisecond); err != nil {
			t.Errorf("made a millisecond before: %v", err)
		}
		if tb.m.clock[0] != 1 {
			t.Errorf("%d ms left", tb.m.clock[0])
		}
	})
	t.Run("what comes after the flag is too late, whatever the lag", func(t *testing.T) {
		tb, run := opened(t, "0.5+0")
		tb.at = t0 + run + 30_810
		for _, c := range []machine.Command{{Kind: KindResign, By: "p1"}, {Kind: KindOffer, By: "p0", Body: []byte(`{"what":"draw"}`)}} {
			if _, err := tb.m.Decide(c, time.UnixMilli(tb.at)); code(err) != CodeTooLate {
				t.Errorf("%s: %v", c.Kind, err)
			}
		}
		if got := code(tb.move("d", time.Hour)); got != CodeTooLate {
			t.Errorf("got %q", got)
		}
	})
}

func TestLagIsCreditedFromABucket(t *testing.T) {
	tb, run := opened(t, "1+0") // gain 150 + 60000/250 = 390: start 1170, cap 2730
	if tb.m.lag[0] != (bucket{Left: 1170}) {
		t.Fatalf("starts with %+v", tb.m.lag[0])
	}
	for i, step := range []struct {
		wait, lag int64
		want      bucket
		used      int64
	}{
		{1000, 200, bucket{Measured: 200, Given: 200, Left: 1360}, 800},
		{100, 500, bucket{Measured: 700, Given: 300, Left: 1650}, 0},       // never more than has passed
		{9000, 5000, bucket{Measured: 5700, Given: 1950, Left: 390}, 7350}, // never more than the bucket holds
		{1000, 0, bucket{Measured: 5700, Given: 1950, Left: 780}, 1000},    // nothing was measured
	} {
		before := tb.m.clock[0]
		tb.at = tb.m.run + step.wait
		tb.play1(time.Duration(step.lag) * time.Millisecond)
		if tb.m.lag[0] != step.want || before-tb.m.clock[0] != step.used {
			t.Errorf("step %d: %+v, %d ms used; want %+v, %d", i, tb.m.lag[0], before-tb.m.clock[0], step.want, step.used)
		}
		tb.at = max(tb.at, tb.m.run)
		tb.play1(0)
	}
	if tb.m.lag[1].Left != 2730 {
		t.Errorf("an idle bucket holds %d", tb.m.lag[1].Left)
	}
	_ = run
	tb.must("p1", KindResign, "")
	if r := tb.m.result.Receipt; len(r) != 2 || r[0].bucket != tb.m.lag[0] || r[1].bucket != tb.m.lag[1] {
		t.Errorf("the receipt says %+v", r)
	}
}

// play1 plays a legal ply.
func (tb *table) play1(lag time.Duration) {
	tb.t.Helper()
	legal := tb.m.rules.game.Legal(&tb.m.pos)
	if err := tb.move(legal.At(legal.Len()-1).String(), lag); err != nil {
		tb.t.Fatal(err)
	}
}

func TestGraceForALongSowingIsBounded(t *testing.T) {
	for sown, want := range map[int]int64{0: 0, 1: 60, 33: 1980, 34: 2000, 300: 2000} {
		if got := grace(sown); got != want {
			t.Errorf("%d seeds: %d ms", sown, got)
		}
	}
}

func TestFourPlayersHaveFourClocks(t *testing.T) {
	tb := seated(t, "basic-four", "", "1+0")
	for range 4 {
		tb.play("a")
	}
	for seat := range 4 {
		tb.at = tb.m.run + int64(seat+1)*1000
		tb.play1(0)
		for tb.m.onTurn() == seat {
			tb.play1(0)
		}
	}
	if tb.m.clock != [4]int64{59_000, 58_000, 57_000, 56_000} {
		t.Errorf("clocks %v", tb.m.clock)
	}
}

func TestLayoutHasATimeOfItsOwn(t *testing.T) {
	lay := "=7.6.5.8.6.4/6.5.8.4.9.4"
	t.Run("no lay-out: aborted after three minutes", func(t *testing.T) {
		tb := seated(t, "ignorant", "", "5+3")
		tb.clocks(300_000, 300_000, 0, 180_000)
		tb.later(200_000)
		tb.over(180_000, byAbort)
	})
	t.Run("no answer to the lay-out: aborted", func(t *testing.T) {
		tb := seated(t, "ignorant", "", "5+3")
		tb.at += 100_000
		tb.play(lay)
		tb.later(200_000)
		tb.over(280_000, byAbort)
	})
	t.Run("after both the clocks run at once", func(t *testing.T) {
		tb := seated(t, "ignorant", "", "5+3")
		tb.at += 100_000
		tb.play(lay)
		tb.at += 100_000
		tb.play("keep")
		tb.clocks(300_000, 300_000, 200_000, 0)
	})
	t.Run("in a later round it loses the match", func(t *testing.T) {
		tb := seated(t, "ignorant", "target=100", "5+3")
		tb.play(lay, "keep")
		tb.must("p1", KindResign, `{"what":"round"}`)
		tb.later(15_000)
		tb.later(180_000)
		tb.over(195_000, "time", 0)
	})
}

func TestPauseEndsByItself(t *testing.T) {
	tb := seated(t, "ignorant", "target=100", "none")
	tb.play("=7.6.5.8.6.4/6.5.8.4.9.4", "keep")
	tb.must("p0", KindResign, `{"what":"round"}`)
	if tb.m.stage != between || tb.m.standing.Gains != [2]int{0, 72} {
		t.Fatalf("%s, gains %v", stageNames[tb.m.stage], tb.m.standing.Gains)
	}
	tb.later(14_999)
	if tb.m.stage != between {
		t.Fatal("too early")
	}
	tb.later(1)
	if tb.m.stage != setup || tb.m.round != 2 || tb.m.onTurn() != 0 {
		t.Errorf("%s, round %d, seat %d", stageNames[tb.m.stage], tb.m.round, tb.m.onTurn())
	}
}

func TestUnbegunGameExpires(t *testing.T) {
	tb := newTable(t, Creation{Creator: "p1"})
	tb.later(24*60*minute - 1)
	if tb.m.stage != waiting {
		t.Fatal("too early")
	}
	tb.later(1)
	tb.over(24*60*minute, byExpiry)
	tb = newTable(t, Creation{Creator: "p1", Expires: time.Minute})
	tb.later(minute)
	tb.over(minute, byExpiry)
	tb = newTable(t, Creation{Creator: "p1", Expires: -1})
	if !tb.m.Wake().IsZero() {
		t.Error("it expires although it never should")
	}
}
