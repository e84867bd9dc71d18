package match

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

func TestDrawNeedsBothPlayers(t *testing.T) {
	tb := seated(t, "oware-abapa", "", "none")
	tb.must("p0", KindOffer, `{"what":"draw"}`)
	for _, tt := range []struct {
		by, kind string
		want     refusal.Code
	}{
		{"p0", KindOffer, CodeOfferAgain},
		{"p0", KindAccept, CodeNoOffer},
		{"p1", KindDecline, ""},
		{"p0", KindOffer, CodeOfferAgain}, // five plies must come first
		{"p1", KindOffer, ""},
		{"p1", KindDecline, ""}, // withdraws the offer
		{"p1", KindOffer, CodeOfferAgain},
	} {
		if got := code(tb.cmd(tt.by, tt.kind, `{"what":"draw"}`)); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.by, tt.kind, got, tt.want)
		}
	}
	for n := range 5 {
		if got := code(tb.cmd("p0", KindOffer, `{"what":"draw"}`)); got != CodeOfferAgain {
			t.Errorf("after %d plies: %q", n, got)
		}
		tb.play1(0)
		tb.play1(0)
	}
	tb.must("p0", KindOffer, `{"what":"draw"}`)
	tb.must("p1", KindOffer, `{"what":"draw"}`) // an offer that meets an equal offer accepts it
	tb.over(0, "agreed", 0, 1)
	if tb.entries[len(tb.entries)-1].Kind != KindAccept {
		t.Error("an offer that meets its like is an acceptance")
	}
}

func TestDrawNeedsEveryActivePlayer(t *testing.T) {
	tb := seated(t, "basic-four", "", "none")
	tb.must("p3", KindResign, "")
	tb.must("p0", KindOffer, `{"what":"draw"}`)
	tb.must("p1", KindAccept, `{"what":"draw"}`)
	if tb.m.stage != live || !strings.Contains(string(tb.m.Snapshot(0)), `"offers":[{"what":"draw","seat":0,"yes":[1]}]`) {
		t.Fatalf("one of two is enough: %s", tb.m.Snapshot(0))
	}
	if got := code(tb.cmd("p1", KindAccept, `{"what":"draw"}`)); got != "nothing" {
		t.Errorf("twice: %q", got)
	}
	if got := code(tb.cmd("p3", KindAccept, `{"what":"draw"}`)); got != CodeNoOffer {
		t.Errorf("a player who has left agrees: %q", got)
	}
	tb.must("p2", KindAccept, `{"what":"draw"}`)
	tb.over(0, "agreed", 0, 1, 2)
}

func TestPartnersDoNotAgreeForTheOtherTeam(t *testing.T) {
	tb := seated(t, "basic-teams", "", "none")
	tb.must("p0", KindOffer, `{"what":"draw"}`)
	if got := code(tb.cmd("p2", KindAccept, `{"what":"draw"}`)); got != CodeNoOffer {
		t.Errorf("a partner agrees: %q", got)
	}
	tb.must("p3", KindAccept, `{"what":"draw"}`)
	tb.over(0, "agreed", 0, 1)
}

func TestTakebackReturnsToTheTurnOfTheAskingPlayer(t *testing.T) {
	ask := func(tb *table, by string) refusal.Code {
		return code(tb.cmd(by, KindOffer, `{"what":"takeback","ply":`+string(wire.AppendInt(nil, int64(tb.m.pos.Ply)))+`}`))
	}
	t.Run("the whole turn and the answer", func(t *testing.T) {
		tb := seated(t, "kalah", "", "5+3")
		tb.play("a", "a")
		want := tb.m.pos.String()
		tb.at = tb.m.run + 1000
		tb.play("b", "c") // an extra ply, then the end of the turn
		tb.play1(0)
		clock := tb.m.clock
		if got := ask(tb, "p0"); got != "" {
			t.Fatal(got)
		}
		if got := ask(tb, "p0"); got != CodeOfferAgain {
			t.Errorf("asked twice: %q", got)
		}
		tb.must("p1", KindAccept, `{"what":"takeback"}`)
		if got := tb.m.pos.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if tb.m.clock != clock || tb.m.run != tb.at {
			t.Errorf("clocks %v run from %d", tb.m.clock, tb.m.run-tb.at)
		}
		if tb.m.last.move != "a" || tb.m.last.seat != 1 {
			t.Errorf("last is %+v", tb.m.last)
		}
		if got := ask(tb, "p0"); got != CodeOfferAgain {
			t.Errorf("asked again in the same turn: %q", got)
		}
	})
	t.Run("declined; the asker's next ply withdraws it", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "none")
		tb.play("c")
		ask(tb, "p0")
		tb.must("p1", KindDecline, `{"what":"takeback"}`)
		if got := ask(tb, "p0"); got != CodeOfferAgain {
			t.Errorf("once a turn: %q", got)
		}
		tb.play("c", "d")
		if got := ask(tb, "p0"); got != "" {
			t.Errorf("in the next turn: %q", got)
		}
		tb.play("d", "e")
		if len(tb.m.offers) != 0 {
			t.Error("it is still open")
		}
	})
	t.Run("to the lay-out", func(t *testing.T) {
		tb := seated(t, "ignorant", "", "5+3")
		tb.play(someLayout)
		if got := ask(tb, "p0"); got != "" {
			t.Fatal(got)
		}
		tb.must("p1", KindAccept, `{"what":"takeback"}`)
		if tb.m.stage != setup || tb.m.pos.Phase != engine.Setup || tb.m.lay != "" || tb.m.due != tb.at+180_000 {
			t.Errorf("%s, due %d", tb.m.pos, tb.m.due-tb.at)
		}
	})
	t.Run("of a ply that is meanwhile another's", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "", "none")
		tb.play("c")
		if got := code(tb.cmd("p0", KindOffer, `{"what":"takeback","ply":0}`)); got != CodeStale {
			t.Errorf("got %q", got)
		}
		if got := ask(tb, "p1"); got != CodeNoTakeback {
			t.Errorf("without a ply of one's own: %q", got)
		}
	})
	for rules, moves := range map[string]string{
		"toguz-kumalak": "i c h c d b e f a a f e h b a d", // claims a pit
		"bao":           "k< j> l> k> l< n> j> i>*",        // sows a house on
	} {
		t.Run("the marks of "+rules, func(t *testing.T) {
			tb, before := seated(t, rules, "", "none"), ""
			var marks any
			for move := range strings.FieldsSeq(moves) {
				before, marks = tb.m.pos.String(), tb.shown()["marks"]
				if tb.play(move); !reflect.DeepEqual(tb.shown()["marks"], marks) {
					break
				}
			}
			if after := tb.shown()["marks"]; reflect.DeepEqual(after, marks) {
				t.Fatalf("the moves change no marks: %v", after)
			}
			if got := ask(tb, tb.m.seats[1-tb.m.pos.Seat]); got != "" {
				t.Fatal(got)
			}
			tb.must(tb.m.seats[tb.m.pos.Seat], KindAccept, `{"what":"takeback"}`)
			if got := tb.m.pos.String(); got != before || !reflect.DeepEqual(tb.shown()["marks"], marks) {
				t.Errorf("%s with %v, want %s with %v", got, tb.shown()["marks"], before, marks)
			}
		})
	}
	t.Run("never in a rated game", func(t *testing.T) {
		tb := newTable(t, Creation{Seats: []string{"p0", "p1"}, Settings: Settings{Rated: true, Clock: "5+3"}})
		tb.play("a")
		if got := ask(tb, "p0"); got != CodeNoTakeback {
			t.Errorf("got %q", got)
		}
	})
	t.Run("repetition is counted anew", func(t *testing.T) {
		tb := seated(t, "oware-abapa", "repetition=2", "none")
		tb.play1(0)
		tb.play1(0)
		seen := tb.m.hist.Len()
		tb.play1(0)
		ask(tb, "p0")
		tb.must("p1", KindAccept, `{"what":"takeback"}`)
		if tb.m.hist.Len() != seen {
			t.Errorf("%d positions remembered, want %d", tb.m.hist.Len(), seen)
		}
	})
}

func TestRematchSwapsTheSides(t *testing.T) {
	tb := seated(t, "oware-abapa", "seeds=3", "5+3")
	tb.must("p0", KindResign, "")
	tb.must("p0", KindOffer, `{"what":"rematch"}`)
	if len(tb.m.Tasks()) != 0 {
		t.Fatal("one of two wants it")
	}
	tb.must("p1", KindAccept, `{"what":"rematch"}`)
	tasks := tb.m.Tasks()
	if len(tasks) != 1 || tasks[0].ID != TaskRematch {
		t.Fatalf("tasks %+v", tasks)
	}
	if got := code(tb.cmd("p0", KindOffer, `{"what":"rematch"}`)); got != CodeNotLive {
		t.Errorf("a second rematch: %q", got)
	}
	next := &table{t: t, m: New(), replica: New(), loaded: New(), at: tb.at}
	if err := next.do(machine.Command{ID: "r", Kind: KindCreate, Body: tasks[0].Body}); err != nil {
		t.Fatal(err)
	}
	if m := next.m; !slices.Equal(m.seats, []string{"p1", "p0"}) || m.rules != tb.m.rules || m.control != tb.m.control || m.stage != live {
		t.Errorf("%v play %s %s", m.seats, m.rules.options, m.control.text)
	}
	if got := tb.room(machine.KindDone, "", `{"task":"other","room":"x"}`); got != "nothing" {
		t.Errorf("another task: %q", got)
	}
	if got := tb.room(machine.KindDone, "", `{"task":"rematch","room":"k3v9qa2mx2","more":[1]}`); got != "" {
		t.Fatal(got)
	}
	if tb.m.rematch != "k3v9qa2mx2" || len(tb.m.Tasks()) != 0 || tb.shown()["rematch"] != "k3v9qa2mx2" {
		t.Errorf("rematch in %q, tasks %v", tb.m.rematch, tb.m.Tasks())
	}
}

func TestRematchNeedsAllFourPlayers(t *testing.T) {
	tb := seated(t, "basic-teams", "", "none")
	tb.must("p0", KindResign, "")
	tb.over(0, "resign", 1)
	tb.must("p0", KindOffer, `{"what":"rematch"}`)
	tb.must("p2", KindAccept, `{"what":"rematch"}`)
	tb.must("p1", KindAccept, `{"what":"rematch"}`)
	if tb.m.rematches {
		t.Fatal("one has not been asked")
	}
	tb.must("p3", KindAccept, `{"what":"rematch"}`)
	if c := tb.m.nextCreation(); !slices.Equal(c.Seats, []string{"p3", "p0", "p1", "p2"}) {
		t.Errorf("%v", c.Seats)
	}
}

// TestOthersPlayOnWhenOneOfFourLeaves: in a game of four sides a player who leaves is out
// of the ranking and passes, and the others play on. The last one wins.
func TestOthersPlayOnWhenOneOfFourLeaves(t *testing.T) {
	tb := seated(t, "basic-four", "", "1+0")
	tb.play("a", "a", "a", "a")
	tb.must("p0", KindResign, "")
	if tb.m.stage != live || !tb.m.out(0) || tb.m.wake() != tb.m.at {
		t.Fatalf("%s", tb.m.Snapshot(0))
	}
	if got := code(tb.move("b", 0)); got != "must-pass" {
		t.Errorf("a player who has left plays on: %q", got)
	}
	tb.later(0) // the pass
	if tb.m.onTurn() != 1 || tb.m.last.move != "-" || tb.m.run != tb.at {
		t.Errorf("seat %d on turn after %q", tb.m.onTurn(), tb.m.last.move)
	}
	tb.must("p2", KindResign, "")
	if got := code(tb.cmd("p2", KindResign, "")); got != CodeNotLive {
		t.Errorf("leaving twice: %q", got)
	}
	tb.later(2*minute + 5000) // p1 loses on time, p2 passes, and only p3 is left
	tb.over(tb.m.at-t0, "time", 3)
	rec := tb.m.Record(func(p string) string { return p })
	if !strings.Contains(rec, `[Left "South 4, North 5, East 5"]`) {
		t.Errorf("record:\n%s", rec)
	}
	if !strings.Contains(rec, `[Winner "West"]`) || !strings.Contains(rec, `[Termination "time"]`) {
		t.Errorf("record:\n%s", rec)
	}
	r, err := engine.ParseRecord(rec)
	if err == nil {
		_, err = r.Replay()
	}
	if err != nil {
		t.Errorf("%v\n%s", err, rec)
	}
}

func TestClaimAmongFourPutsOneOut(t *testing.T) {
	tb := seated(t, "basic-four", "", "5+0")
	tb.play("a", "a", "a", "a", "c", "c") // p2 is on turn
	tb.room(machine.KindGone, "p2", "")
	tb.at += 60_000
	if code(tb.cmd("p0", KindClaim, `{"what":"draw"}`)) != CodeNoClaim {
		t.Error("a draw among four by a claim")
	}
	tb.must("p0", KindClaim, `{"what":"win"}`)
	if !tb.m.out(2) || tb.m.stage != live {
		t.Errorf("%s", tb.m.Snapshot(0))
	}
	tb.later(0)
	if tb.m.onTurn() != 3 {
		t.Errorf("seat %d on turn", tb.m.onTurn())
	}
}
