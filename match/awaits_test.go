package match

import (
	"testing"
	"time"

	"mancala/match/machine"
)

func TestMatchAwaitsThePlayerOnTurnOfAGameOfDays(t *testing.T) {
	tb := seated(t, "oware-abapa", "", "3/move")
	seen := map[string]bool{}
	awaits := func(player string, until int64) {
		t.Helper()
		a := tb.m.Awaits()
		if a.Player != player || a.Until.UnixMilli() != t0+until {
			t.Errorf("awaits %s until %d, want %s until %d", a.Player, a.Until.UnixMilli()-t0, player, until)
		}
		if seen[a.Turn] {
			t.Errorf("the turn %s of %s has the name of an earlier turn", a.Turn, a.Player)
		}
		seen[a.Turn] = true
		if other := tb.replayed().Awaits(); other != a {
			t.Errorf("a replay awaits %+v, want %+v", other, a)
		}
	}
	awaits("p0", 3*day)
	tb.at += day
	tb.play("c")
	awaits("p1", day+fourSeeds+3*day)
	tb.play("c")
	awaits("p0", day+fourSeeds+3*day)
	tb.play("d")
	awaits("p1", day+300+3*day)
	if err := tb.do(machine.Command{Kind: KindResign, By: "p0"}); err != nil {
		t.Fatal(err)
	}
	if a := tb.m.Awaits(); a != (machine.Awaited{}) {
		t.Errorf("a finished game awaits %+v", a)
	}
}

func TestExtraPliesBelongToTheTurnThatIsAwaited(t *testing.T) {
	tb := seated(t, "kalah", "", "3/move")
	first := tb.m.Awaits()
	tb.at += 1000
	tb.play("c") // the last seed falls into the store
	if then := tb.m.Awaits(); then.Player != first.Player || then.Turn != first.Turn {
		t.Errorf("awaits %+v after an extra ply, %+v before it", then, first)
	}
}

func TestPauseMovesTheEndOfTheAwaitedTurn(t *testing.T) {
	tb := eventGame(t, "oware-abapa", "3/move", 0)
	before := tb.m.Awaits()
	tb.order(`{"act":"pause"}`)
	if a := tb.m.Awaits(); a != (machine.Awaited{}) {
		t.Errorf("a paused game awaits %+v", a)
	}
	tb.at += day
	tb.order(`{"act":"resume"}`)
	want := before
	want.Until = want.Until.Add(24 * time.Hour)
	if a := tb.m.Awaits(); a != want || before.Player == "" {
		t.Errorf("after a pause of a day the match awaits %+v, want %+v", a, want)
	}
}

func TestMatchAwaitsPlayersOnlyInGamesOfDaysAgainstPeople(t *testing.T) {
	for _, clock := range []string{"none", "5+3", "5d3"} {
		if a := seated(t, "oware-abapa", "", clock).m.Awaits(); a != (machine.Awaited{}) {
			t.Errorf("with the clock %s the match awaits %+v", clock, a)
		}
	}
	alone := newTable(t, Creation{Settings: Settings{Rules: "oware-abapa", Clock: "3/move"}, Seats: []string{"p0", "bot1"}})
	if a := alone.m.Awaits(); a != (machine.Awaited{}) {
		t.Errorf("a match against a bot awaits %+v", a)
	}
	alone.play("c")
	if a := alone.m.Awaits(); a != (machine.Awaited{}) {
		t.Errorf("a match awaits the bot %+v", a)
	}
}
