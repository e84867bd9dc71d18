package match

import (
	"encoding/json"
	"testing"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// rated returns a rated game of p0 and p1 that has begun.
func rated(t *testing.T) *table {
	t.Helper()
	return newTable(t, Creation{Settings: Settings{Rated: true, Clock: "5+3"}, Seats: []string{"p0", "p1"}})
}

func TestOnlyStandardGamesAreRateable(t *testing.T) {
	for _, tt := range []struct {
		s    Settings
		want refusal.Code
	}{
		{Settings{Clock: "5+3"}, ""}, {Settings{Rules: "oware", Clock: "3/move"}, ""}, {Settings{Rules: "wise", Clock: "5d3"}, ""},
		{Settings{}, CodeNotRateable}, {Settings{Clock: "none"}, CodeNotRateable},
		{Settings{Clock: "5+3", Options: "seeds=5"}, CodeNotRateable}, {Settings{Clock: "5+3", Options: "pits=6"}, ""},
		{Settings{Clock: "5+3", Rules: "basic-four"}, CodeNotRateable}, {Settings{Clock: "5+3", Rules: "basic-teams"}, CodeNotRateable},
	} {
		tt.s.Rated = true
		if got := code(tt.s.Check()); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.s, got, tt.want)
		}
	}
}

func TestRatedGamesHaveAClockAndNoAssists(t *testing.T) {
	tb := newTable(t, Creation{Creator: "p0"})
	if got := code(tb.cmd("p0", KindSettings, `{"rated":true}`)); got != CodeNotRateable {
		t.Errorf("without a clock: %q", got)
	}
	tb.must("p1", KindSit, "")
	tb = newTable(t, Creation{Creator: "p0", Settings: Settings{Rules: "kalah"}})
	tb.must("p0", KindSettings, `{"rated":true,"clock":"5+3","assists":true}`)
	if shown := tb.shown(); shown["rated"] != true || shown["assists"] != false {
		t.Errorf("rated %v, assists %v", shown["rated"], shown["assists"])
	}
	if got := code(tb.cmd("p0", KindSettings, `{"options":"seeds=5"}`)); got != CodeNotRateable {
		t.Errorf("house rules: %q", got)
	}
	tb.must("p0", KindSettings, `{"rated":false,"assists":true,"clock":"none"}`)
	if shown := tb.shown(); shown["rated"] != nil || shown["assists"] != true {
		t.Errorf("rated %v, assists %v", shown["rated"], shown["assists"])
	}
}

// TestRatedGameAsksForItsRating: these ends of a rated game count, with these scores.
func TestRatedGameAsksForItsRating(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(*table)
		want string // the task's body, or "" for none
	}{
		{"resigned", func(tb *table) { tb.play("a", "a"); tb.must("p0", KindResign, "") }, `{"system":"kalah","speed":"blitz","seats":["p0","p1"],"score":0}`},
		{"out of time", func(tb *table) { tb.play("a", "a", "c"); tb.later(20 * minute) }, `{"system":"kalah","speed":"blitz","seats":["p0","p1"],"score":1}`},
		{"a draw", func(tb *table) {
			tb.play("a", "a")
			tb.must("p0", KindOffer, `{"what":"draw"}`)
			tb.must("p1", KindAccept, `{"what":"draw"}`)
		}, `{"system":"kalah","speed":"blitz","seats":["p0","p1"],"score":0.5}`},
		{"claimed", func(tb *table) {
			tb.play("a", "a")
			tb.do(machine.Command{ID: "g", Kind: machine.KindGone, By: "p1"})
			tb.at += 61_000
			tb.must("p0", KindClaim, `{"what":"win"}`)
		}, `{"system":"kalah","speed":"blitz","seats":["p0","p1"],"score":1}`},
		{"resigned before the other's first move", func(tb *table) { tb.play("a"); tb.must("p1", KindResign, "") }, ""},
		{"aborted", func(tb *table) { tb.play("a"); tb.must("p1", KindAbort, "") }, ""},
		{"no first move", func(tb *table) { tb.later(minute) }, ""},
		{"not over", func(tb *table) { tb.play("a", "a") }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := rated(t)
			tt.do(tb)
			got := ""
			for _, task := range tb.m.Tasks() {
				if task.ID != TaskRate || task.Kind != TaskRate {
					t.Errorf("a task %+v", task)
				}
				got += string(task.Body)
			}
			if got != tt.want {
				t.Errorf("to be rated: %s, want %s", got, tt.want)
			}
		})
	}
	casual := newTable(t, Creation{Settings: Settings{Clock: "5+3"}, Seats: []string{"p0", "p1"}})
	casual.play("a", "a")
	casual.must("p0", KindResign, "")
	if tasks := casual.m.Tasks(); len(tasks) > 0 {
		t.Errorf("a casual game wants %v", tasks)
	}
}

func TestRatingOfAGameIsClosedOnce(t *testing.T) {
	const done = `{"task":"rate","ratings":[{"before":1500,"after":1338,"provisional":true},{"before":1502,"after":1510}]}`
	answer := func(tb *table, body string) error {
		return tb.do(machine.Command{ID: "done:rate", Kind: machine.KindDone, Body: json.RawMessage(body)})
	}
	tb := rated(t)
	tb.play("a", "a")
	if got := code(answer(tb, done)); got != "nothing" {
		t.Errorf("while it goes on: %q", got)
	}
	tb.must("p0", KindResign, "")
	for _, body := range []string{`{"task":"rate","ratings":[{"before":1,"after":2}]}`, `{"task":"rate","ratings":"no"}`} {
		if got := code(answer(tb, body)); got != CodeBadCommand {
			t.Errorf("%s: %q", body, got)
		}
	}
	tb.must("p1", KindOffer, `{"what":"rematch"}`) // the rematch does not wait for the rating
	tb.must("p0", KindAccept, `{"what":"rematch"}`)
	if len(tb.m.Tasks()) != 2 {
		t.Errorf("tasks %v", tb.m.Tasks())
	}
	if err := answer(tb, done); err != nil {
		t.Fatal(err)
	}
	if last := tb.entries[len(tb.entries)-1]; last.Kind != "rate" || len(tb.m.Tasks()) != 1 {
		t.Errorf("the entry is %s, and then there are %v", last.Kind, tb.m.Tasks())
	}
	shown, _ := json.Marshal(tb.shown()["ratings"])
	if want := `[{"after":1338,"before":1500,"provisional":true},{"after":1510,"before":1502}]`; string(shown) != want {
		t.Errorf("people see %s, want %s", shown, want)
	}
	if got := code(answer(tb, done)); got != "nothing" {
		t.Errorf("again: %q", got)
	}
	var next Match
	for _, e := range tb.entries {
		if err := next.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if string(next.Snapshot(machine.Watchers)) != string(tb.m.Snapshot(machine.Watchers)) || len(next.Tasks()) != 1 {
		t.Errorf("replayed: %s", next.Snapshot(machine.Watchers))
	}

	tb = rated(t)
	tb.play("a", "a")
	tb.must("p0", KindResign, "")
	if err := answer(tb, `{"task":"rate"}`); err != nil || len(tb.m.Tasks()) > 0 || tb.shown()["ratings"] != nil {
		t.Errorf("a game that turned out not to count: %v, %v", err, tb.m.Tasks())
	}
}

func TestSpeedIsFromTheClock(t *testing.T) {
	for clock, want := range map[string]string{
		"none": "", "": "", "soon": "", "1+0": "bullet", "0.5+2": "bullet", "1+2": "blitz", "3+2": "blitz", "5+3": "blitz", "5d3": "blitz",
		"8+0": "rapid", "10+5": "rapid", "25+0": "slow", "30+10": "slow", "1/move": "days", "14/move": "days",
	} {
		if got := SpeedOf(clock); got != want {
			t.Errorf("%q is %q, want %q", clock, got, want)
		}
	}
}
