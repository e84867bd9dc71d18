package match

import (
	"fmt"
	"strings"
	"testing"

	"mancala/engine"
)

// plainRecords reads what Record wrote, record by record.
func plainRecords(t testing.TB, text string) []*engine.Record {
	t.Helper()
	var out []*engine.Record
	for i, part := range strings.Split("\n"+text, "\n[Rules ") {
		if i == 0 {
			continue
		}
		rec, err := engine.ParseRecord("[Rules " + part)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if _, err := rec.Replay(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		out = append(out, rec)
	}
	return out
}

func TestMatchByDifferenceAddsUpItsRounds(t *testing.T) {
	tb := seated(t, "ignorant", "target=100", "5+3")
	tb.play(someLayout, "swap")
	if tb.m.onTurn() != 1 {
		t.Fatal("keeps-first: the player who answered begins")
	}
	tb.must("p1", KindResign, `{"what":"round"}`)
	if tb.m.stage != between || tb.m.standing.Gains != [2]int{72, 0} || tb.m.due != tb.at+15_000 {
		t.Fatalf("%s", tb.m.Snapshot(0))
	}
	tb.must("p0", KindNext, "")
	if tb.m.stage != setup || tb.m.onTurn() != 1 || tb.m.round != 2 || len(tb.m.moves) != 0 {
		t.Fatalf("the loser lays out: %s", tb.m.Snapshot(0))
	}
	tb.must("p0", KindResign, `{"what":"round"}`) // before the first move the other seat gains the whole total
	if tb.m.standing.Gains != [2]int{72, 72} {
		t.Fatalf("gains %v", tb.m.standing.Gains)
	}
	tb.must("p1", KindNext, "")
	tb.play(someLayout)
	tb.must("p1", KindResign, `{"what":"match"}`)
	tb.over(0, "resign", 0)
	if got := fmt.Sprint(tb.m.result.Scores); got != "[72 72]" {
		t.Errorf("scores %s", got)
	}
	recs := plainRecords(t, tb.m.Record(func(p string) string { return "Player " + p }))
	if len(recs) != 3 {
		t.Fatalf("%d records", len(recs))
	}
	for i, want := range []string{"1 0-0 of 100 resign 72-0 South", "2 72-0 of 100 resign 0-72 North", "3 72-72 of 100 resign 72-0 South"} {
		r := recs[i]
		if got := strings.Join([]string{r.Tag("Round"), r.Tag("Match"), r.Tag("Termination"), r.Result, r.Tag("Winner")}, " "); got != want {
			t.Errorf("record %d says %s, want %s", i+1, got, want)
		}
	}
	if recs[1].Tag("Start") == "" || recs[0].Tag("Start") != "" {
		t.Error("Start names the first seat although it is not South")
	}
}

// TestResignedRoundGainsNothing: a player who resigns a round in which they were
// ahead gains nothing and loses the round.
func TestResignedRoundGainsNothing(t *testing.T) {
	tb := seated(t, "kalah", "match=difference target=20", "none")
	tb.m.pos.Slots = engine.Position{}.Slots
	tb.m.pos.Slots[tb.m.pos.Shape.Store(0)] = 40
	tb.m.pos.Slots[0], tb.m.pos.Slots[6] = 4, 4
	tb.must("p0", KindResign, `{"what":"round"}`)
	if tb.m.standing != (engine.Standing{Rounds: 1, Layer: 0}) {
		t.Errorf("%+v", tb.m.standing)
	}
	if tb.m.stage != between {
		t.Errorf("%s", stageNames[tb.m.stage])
	}
}

func TestMatchEndsAfterItsLastRound(t *testing.T) {
	tb := seated(t, "kalah", "match=difference target=200 max_rounds=2", "none")
	tb.must("p0", KindResign, `{"what":"round"}`)
	tb.later(15_000)
	tb.must("p1", KindResign, `{"what":"round"}`)
	tb.over(15_000, byMaxRounds, 0, 1)
	if got := fmt.Sprint(tb.m.result.Scores); got != "[48 48]" {
		t.Errorf("scores %s", got)
	}
}

func TestAgreedDrawEndsTheRound(t *testing.T) {
	tb := seated(t, "kalah", "match=difference target=20", "none")
	tb.play("c", "a", "a")
	tb.must("p0", KindOffer, `{"what":"draw"}`)
	tb.must("p1", KindAccept, `{"what":"draw"}`)
	if tb.m.standing != (engine.Standing{Rounds: 1, Layer: 1}) || tb.m.stage != between {
		t.Errorf("%+v", tb.m.standing)
	}
	plainRecords(t, tb.m.Record(func(p string) string { return p }))
}

func TestRecordOfAMatchIsWritten(t *testing.T) {
	tb := seated(t, "kalah", "seeds=3", "none")
	tb.play("d", "a", "b")
	want := "[Rules \"kalah\"]\n[Options \"seeds=3\"]\n[South \"A\\\\\\\"da\"]\n[North \"Ben\"]\n[Date \"2026-11-21\"]\n\n1. d,a b *\n"
	name := func(p string) string { return map[string]string{"p0": "A\\\"\x00da", "p1": "Ben"}[p] }
	if got := tb.m.Record(name); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestStoryLeavesOutPliesThatWereTakenBack: the page of a finished game shows what
// happened, without the plies that were taken back.
func TestStoryLeavesOutPliesThatWereTakenBack(t *testing.T) {
	tb := seated(t, "kalah", "match=difference target=200 max_rounds=2", "5+3")
	tb.play("c", "a")
	tb.at += 1000
	tb.play("b")
	tb.must("p0", KindOffer, `{"what":"takeback","ply":3}`)
	tb.must("p1", KindAccept, `{"what":"takeback"}`)
	tb.play("d")
	tb.must("p1", KindResign, `{"what":"round"}`)
	tb.later(15_000)
	tb.play("e")
	s, err := StoryOf(tb.entries)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range s.Rounds {
		for _, step := range c.Steps {
			got = append(got, fmt.Sprint(step.Seat, step.Move, len(step.Clock), step.At-t0))
		}
		got = append(got, "/")
	}
	if text := strings.Join(got, " "); text != "0d2 1000 / 1e2 16000 /" {
		t.Errorf("the story is %s", text)
	}
	if last := s.Rounds[1].Steps[0]; last.Position != tb.m.Position() {
		t.Errorf("it ends in %s", last.Position)
	}
	if _, err := StoryOf(tb.entries[1:]); err == nil {
		t.Error("a story without its beginning")
	}
}

func TestAudienceOfAPlayerIsTheirSeat(t *testing.T) {
	tb := newTable(t, Creation{Settings: Settings{Start: "friend"}, Creator: "p0"})
	if got := tb.m.Audience("p0"); got != -1 {
		t.Errorf("before the game: %d", got)
	}
	tb.must("p1", KindSit, "")
	if tb.m.Audience("p0") != 1 || tb.m.Audience("p1") != 0 || tb.m.Audience("p2") != -1 || tb.m.Audience("") != -1 {
		t.Error("seats are mixed up")
	}
	if fmt.Sprint(tb.m.Players()) != "[p1 p0]" {
		t.Errorf("players %v", tb.m.Players())
	}
	tb = newTable(t, Creation{Settings: Settings{ForOthers: true}, Creator: "p0"})
	tb.must("p1", KindSit, "")
	if fmt.Sprint(tb.m.Players()) != "[p0 p1]" {
		t.Errorf("players %v", tb.m.Players())
	}
}

func TestAbortedGameHasNoResult(t *testing.T) {
	tb := seated(t, "kalah", "", "none")
	tb.play("a")
	tb.must("p0", KindAbort, "")
	tb.over(0, byAbort)
	if got := tb.m.Record(func(p string) string { return p }); !strings.Contains(got, "a *") || strings.Contains(got, "Termination") {
		t.Errorf("record:\n%s", got)
	}
	tb = seated(t, "kalah", "", "none")
	tb.play("a", "a")
	if got := code(tb.cmd("p0", KindAbort, "")); got != CodeTooLate {
		t.Errorf("got %q", got)
	}
}

func TestMomentCountsTurnsAndNotPlies(t *testing.T) {
	tb := seated(t, "kalah", "", "none")
	tb.play("c", "a", "b") // the first player plays again
	s, err := StoryOf(tb.entries)
	if err != nil {
		t.Fatal(err)
	}
	if m := s.Moment("2"); m.Place != "2" || m.At != 1 || m.Of != 2 {
		t.Errorf("after ply 2 of 3 the moment is %+v, want turn 1 of 2", m)
	}
}

func TestMomentIsTheNearestToItsPlace(t *testing.T) {
	tb := seated(t, "kalah", "match=difference target=200 max_rounds=2", "5+3")
	tb.play("d", "b")
	tb.must("p1", KindResign, `{"what":"round"}`)
	tb.later(15_000)
	tb.play("e")
	s, err := StoryOf(tb.entries)
	if err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]string{
		"0": "2.0 of 1", "2.0": "2.0 of 1", "9.0": "2.0 of 1", "1.0": "1.0 of 2", "0.0": "1.0 of 2", "1.1": "1.1 of 2", "1.2": "1.2 of 2", "1.99999": "1.2 of 2",
		"1": "", "2.1": "", "99999": "", "999.999": "", "": "", "x": "", "-1": "", "1.": "", ".1": "", "123456": "", "1000.1": "", "1.1.1": "", "٣": "",
	} {
		got := ""
		if m := s.Moment(place); m != nil {
			got = fmt.Sprintf("%s of %d", m.Place, m.Of)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", place, got, want)
		}
	}
	if m := s.Moment("1.1"); m.Position != s.Rounds[0].Steps[0].Position || s.Moment("2.0").Position != s.Rounds[1].First {
		t.Errorf("the moment has the position %s", m.Position)
	}
	if m := new(Story).Moment("0"); m != nil {
		t.Errorf("a match that never began has a moment: %+v", m)
	}
}
