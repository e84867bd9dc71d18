package match

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
)

var someEvent = Event{Room: "k3v9qa2mx9", Round: 2, Board: 14, Game: 1}

// eventGame returns a game of a tournament, p0 first.
func eventGame(t testing.TB, rules, clock string, noShow time.Duration) *table {
	t.Helper()
	e := someEvent
	return newTable(t, Creation{Settings: Settings{Rules: rules, Clock: clock}, Seats: []string{"p0", "p1"}, Event: &e, NoShow: noShow})
}

// come tells the match that players are there, as their room does.
func (tb *table) come(players ...string) {
	tb.t.Helper()
	for _, p := range players {
		if err := tb.do(machine.Command{Kind: machine.KindBack, By: p}); err != nil {
			tb.t.Fatalf("%s comes: %v", p, err)
		}
	}
}

func (tb *table) leave(player string) {
	tb.t.Helper()
	if err := tb.do(machine.Command{Kind: machine.KindGone, By: player}); err != nil {
		tb.t.Fatalf("%s goes: %v", player, err)
	}
}

func (tb *table) wantResult(reason string, winners ...int) {
	tb.t.Helper()
	if r := tb.m.result; r == nil || r.Reason != reason || !slices.Equal(r.Winners, winners) {
		tb.t.Errorf("the result is %+v, want %s %v", r, reason, winners)
	}
}

func TestPlayerWhoDoesNotComeLoses(t *testing.T) {
	for _, clock := range []string{"none", "5+3", "5d3", "3/move"} {
		for _, tt := range []struct {
			name    string
			before  func(tb *table)
			winners []int
		}{
			{"neither player comes", func(*table) {}, nil},
			{"the second one comes", func(tb *table) { tb.come("p1") }, []int{1}},
			{"the first one comes and does not move", func(tb *table) { tb.come("p0") }, nil},
			{"both come and the first one does not move", func(tb *table) { tb.come("p0", "p1") }, []int{1}},
			{"the second one comes and goes", func(tb *table) { tb.come("p1"); tb.leave("p1") }, nil},
			{"the second one goes and comes back", func(tb *table) { tb.come("p1"); tb.leave("p1"); tb.come("p1") }, []int{1}},
			{"the second one does not answer the first move", func(tb *table) { tb.come("p0"); tb.play("a") }, []int{0}},
			{"the first one moves and goes", func(tb *table) {
				tb.play("a")
				_ = tb.do(machine.Command{Kind: machine.KindGone, By: "p0"})
			}, []int{0}},
		} {
			t.Run(clock+"/"+tt.name, func(t *testing.T) {
				tb := eventGame(t, "kalah", clock, 2*time.Minute)
				tt.before(tb)
				tb.later(3 * 60_000)
				tb.wantResult(engine.ByNoShow, tt.winners...)
				if last := tb.entries[len(tb.entries)-1]; last.Kind != kindFlag {
					t.Errorf("the last entry is %s", last.Kind)
				}
			})
		}
	}
}

func TestFirstPlyHasTheTimeUntilItsDeadline(t *testing.T) {
	for _, tt := range []struct {
		name, rules, clock string
		noShow             time.Duration
		want               int64 // ms until the deadline of the first ply
	}{
		{"without a clock", "kalah", "none", time.Minute, 60_000},
		{"with a clock", "kalah", "5+3", time.Minute, 60_000},
		{"days for a move", "kalah", "3/move", time.Hour, 3_600_000},
		{"a lay-out has its own time", "wise", "5+3", time.Minute, layOutTime},
		{"a lay-out without a clock", "wise", "none", time.Minute, layOutTime},
		{"a lay-out has at least the time of any first ply", "wise", "5+3", time.Hour, 3_600_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := eventGame(t, tt.rules, tt.clock, tt.noShow)
			if got := tb.m.due - t0; got != tt.want {
				t.Fatalf("the deadline is after %d ms, want %d", got, tt.want)
			}
			tb.at = tb.m.due
			if got := code(tb.cmd("p0", KindResign, "")); got != CodeTooLate && tt.rules == "kalah" {
				t.Errorf("at the deadline: %s", got)
			}
			if tt.rules != "kalah" {
				return
			}
			tb.at = tb.m.due - 1
			tb.play("a")
			if until := tb.m.due - tb.at; until < tt.want {
				t.Errorf("the other side has %d ms, want %d", until, tt.want)
			}
			tb.at = tb.m.due - 1
			tb.play("b")
			if tb.m.due != 0 || (tb.m.run > 0) != (tt.clock != "none") {
				t.Errorf("after both first plies due is %d and run %d", tb.m.due, tb.m.run)
			}
		})
	}
}

// Without the rule on players who do not come the clock decides, or the limit of idle games.
func TestGameOfATournamentEndsWithoutANoShowRule(t *testing.T) {
	for _, tt := range []struct {
		clock   string
		after   int64 // ms
		reason  string
		winners []int
	}{
		{"5+3", 5*60_000 + 5000, engine.ByTime, []int{1}},
		{"0.5d3", 60_000, engine.ByTime, []int{1}},
		{"3/move", 3 * day, engine.ByTime, []int{1}},
		{"none", day, byAbort, nil},
	} {
		tb := eventGame(t, "kalah", tt.clock, 0)
		tb.later(tt.after + 1)
		tb.wantResult(tt.reason, tt.winners...)
	}
	tb := eventGame(t, "kalah", "none", 0)
	tb.play("a")
	tb.later(31 * day)
	tb.wantResult(engine.ByTime, 0)
	tb = eventGame(t, "wise", "5+3", 0)
	tb.later(layOutTime)
	tb.wantResult(engine.ByTime, 1)
}

func TestPlayersCannotAbortOrRepeatAGameOfATournament(t *testing.T) {
	tb := eventGame(t, "kalah", "5+3", time.Minute)
	tb.come("p0")
	if got := code(tb.cmd("p0", KindAbort, "")); got != CodeOfTournament {
		t.Errorf("abort: %s", got)
	}
	tb.play("a")
	tb.come("p1")
	tb.leave("p1")
	if seat, _ := tb.m.countdown(); seat >= 0 {
		t.Errorf("seat %d is counted down, although its deadline decides", seat)
	}
	tb.at += 59_000
	if got := code(tb.cmd("p0", KindClaim, `{"what":"win"}`)); got != CodeNoClaim {
		t.Errorf("claim: %s", got)
	}
	tb.play("a")
	tb.must("p0", KindResign, "")
	for _, kind := range []string{KindOffer, KindAccept} {
		if err := tb.cmd("p1", kind, `{"what":"rematch"}`); err == nil {
			t.Errorf("%s of a rematch is taken", kind)
		}
	}
	if got := code(tb.cmd("p1", KindOffer, `{"what":"rematch"}`)); got != CodeOfTournament {
		t.Errorf("offer of a rematch: %s", got)
	}
}

// A player who has moved and goes can be claimed against, as in any game.
func TestPlayerWhoHasMovedCanBeClaimedAgainst(t *testing.T) {
	tb := eventGame(t, "kalah", "5+3", time.Minute)
	tb.play("a", "a")
	tb.leave("p0")
	tb.at += shortWait
	tb.must("p1", KindClaim, `{"what":"win"}`)
	tb.wantResult(engine.ByAbandoned, 1)
}

func TestOutageIsCreditedToTheDeadlineOfTheFirstPly(t *testing.T) {
	for _, clock := range []string{"none", "3/move", "5+3"} {
		for _, body := range []string{`{"from":1795252010000}`, `{"lost":40000}`} {
			tb := eventGame(t, "kalah", clock, 2*time.Minute)
			before := tb.m.due
			tb.at = t0 + 50_000
			if err := tb.do(machine.Command{Kind: machine.KindOutage, Body: json.RawMessage(body)}); err != nil {
				t.Fatalf("%s %s: %v", clock, body, err)
			}
			if tb.m.hold.on() { // the player comes back at once
				tb.come("p0")
			}
			if got := tb.m.due - before; got != 40_000 {
				t.Errorf("%s %s: %d ms are credited", clock, body, got)
			}
		}
	}
	tb := eventGame(t, "kalah", "none", time.Minute)
	tb.play("a", "a")
	if got := code(tb.do(machine.Command{Kind: machine.KindOutage, Body: []byte(`{"lost":10}`)})); got != "nothing" {
		t.Errorf("without a deadline: %s", got)
	}
}

func TestResultIsReportedOnce(t *testing.T) {
	for _, tt := range []struct {
		name, clock string
		play        func(tb *table)
		want        Report
	}{
		{"resigned", "5+3", func(tb *table) { tb.play("c", "a", "a"); tb.must("p0", KindResign, "") },
			Report{Reason: engine.ByResign, Played: true, Winners: []int{1}, Scores: []int{1, 0}, Awarded: []int{1, 47}}},
		{"a draw", "none", func(tb *table) {
			tb.play("a")
			tb.must("p0", KindOffer, `{"what":"draw"}`)
			tb.must("p1", KindAccept, `{"what":"draw"}`)
		}, Report{Reason: engine.ByAgreement, Played: true, Winners: []int{0, 1}, Scores: []int{0, 0}}},
		{"a player did not come", "5+3", func(tb *table) { tb.come("p1"); tb.later(60_000) },
			Report{Reason: engine.ByNoShow, Winners: []int{1}, Scores: []int{0, 0}, Awarded: []int{0, 48}}},
		{"neither player came", "none", func(tb *table) { tb.later(60_000) },
			Report{Reason: engine.ByNoShow, Winners: []int{}, Scores: []int{0, 0}}},
		{"ended by an arbiter", "none", func(tb *table) { tb.order(`{"act":"end"}`) },
			Report{Reason: byArbiter, Played: true, Winners: []int{}, Scores: []int{0, 0}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := eventGame(t, "kalah", tt.clock, time.Minute)
			if tasks := tb.m.Tasks(); len(tasks) != 0 {
				t.Fatalf("the tasks are %v", tasks)
			}
			tt.play(tb)
			tasks := tb.m.Tasks()
			if len(tasks) != 1 || tasks[0].ID != TaskReport || tasks[0].Kind != TaskReport {
				t.Fatalf("the tasks are %v", tasks)
			}
			var got Reported
			if err := json.Unmarshal(tasks[0].Body, &got); err != nil {
				t.Fatal(err)
			}
			want := Reported{someEvent.Room, tt.want}
			want.Report.Round, want.Report.Board, want.Report.Game = someEvent.Round, someEvent.Board, someEvent.Game
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the report is %+v, want %+v", got, want)
			}
			done := machine.Command{Kind: machine.KindDone, Body: []byte(`{"task":"report"}`)}
			if err := tb.do(done); err != nil {
				t.Fatal(err)
			}
			if got := tb.public(); !strings.Contains(got, `"k":"report"`) || strings.Contains(got, "contest") {
				t.Errorf("the entry is shown as %s", got)
			}
			if got := code(tb.do(done)); got != "nothing" || len(tb.m.Tasks()) != 0 {
				t.Errorf("again: %s, the tasks are %v", got, tb.m.Tasks())
			}
		})
	}
	tb := seated(t, "kalah", "", "none")
	tb.must("p0", KindResign, "")
	if got := code(tb.do(machine.Command{Kind: machine.KindDone, Body: []byte(`{"task":"report"}`)})); got != "nothing" || len(tb.m.Tasks()) != 0 {
		t.Errorf("a game outside tournaments: %s, the tasks are %v", got, tb.m.Tasks())
	}
}

func TestGameThatNobodyHasBegunCountsAsUnplayed(t *testing.T) {
	for _, opponent := range []string{"p1", "bot3"} {
		e := someEvent
		tb := newTable(t, Creation{Settings: Settings{Clock: "none"}, Seats: []string{opponent, "p0"}, Event: &e})
		if opponent == "bot3" {
			tb.play("a")
		}
		tb.later(day + 1)
		tb.wantResult(byAbort)
		if r := tb.m.reported().Report; r.Played || len(r.Winners) != 0 {
			t.Errorf("against %s the report is %+v", opponent, r)
		}
	}
}

func TestBotIsAlwaysThere(t *testing.T) {
	e := someEvent
	tb := newTable(t, Creation{Seats: []string{"p0", "bot3"}, Event: &e, NoShow: time.Minute})
	tb.later(60_000)
	tb.wantResult(engine.ByNoShow, 1)
}

func TestRecordOfAGameWithoutAResultHasAStar(t *testing.T) {
	for _, tt := range []struct {
		play func(tb *table)
		want []string
	}{
		{func(tb *table) { tb.come("p1"); tb.later(60_000) }, []string{`[Termination "no-show"]`, `[Winner "North"]`, "0-0"}},
		{func(tb *table) { tb.later(60_000) }, []string{"*"}},
		{func(tb *table) { tb.play("a"); tb.order(`{"act":"end"}`) }, []string{"*"}},
	} {
		tb := eventGame(t, "kalah", "5+3", time.Minute)
		tt.play(tb)
		text := tb.m.Record(func(p string) string { return p })
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s is not in\n%s", want, text)
			}
		}
		rec, err := engine.ParseRecord(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rec.Replay(); err != nil {
			t.Errorf("%v: %s", err, text)
		}
	}
}

func TestGameOfATournamentBeginsWithItsTwoPlayers(t *testing.T) {
	event := func(change func(*Event)) *Event {
		e := someEvent
		change(&e)
		return &e
	}
	two := []string{"p0", "p1"}
	for _, tt := range []struct {
		name string
		c    Creation
		code refusal.Code
	}{
		{"two players", Creation{Seats: two, Event: &someEvent}, ""},
		{"no players", Creation{Creator: "p0", Event: &someEvent}, CodeBadSettings},
		{"four seats", Creation{Settings: Settings{Rules: "basic-four"}, Seats: []string{"p0", "p1", "p2", "p3"}, Event: &someEvent}, CodeBadSettings},
		{"no room", Creation{Seats: two, Event: event(func(e *Event) { e.Room = "" })}, CodeBadSettings},
		{"a long room", Creation{Seats: two, Event: event(func(e *Event) { e.Room = strings.Repeat("x", maxName+1) })}, CodeBadSettings},
		{"no round", Creation{Seats: two, Event: event(func(e *Event) { e.Round = 0 })}, CodeBadSettings},
		{"no board", Creation{Seats: two, Event: event(func(e *Event) { e.Board = -1 })}, CodeBadSettings},
		{"a high number", Creation{Seats: two, Event: event(func(e *Event) { e.Game = 1 << 30 })}, CodeBadSettings},
		{"a deadline without a tournament", Creation{Seats: two, NoShow: time.Minute}, CodeBadSettings},
		{"a negative deadline", Creation{Seats: two, Event: &someEvent, NoShow: -time.Minute}, CodeBadSettings},
		{"a long deadline", Creation{Seats: two, Event: &someEvent, NoShow: 31 * 24 * time.Hour}, CodeBadSettings},
	} {
		e, err := New().Decide(tt.c.Command("create"), time.UnixMilli(t0))
		if got := code(err); got != tt.code {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.code)
		}
		if err == nil && e.Version != ofTournament {
			t.Errorf("%s: the entry has version %d", tt.name, e.Version)
		}
	}
}

// The release before knows lower versions and the rules of then. It leaves such rooms to others.
func TestRulesThatTheReleaseBeforeDoesNotKnowRaiseTheVersion(t *testing.T) {
	if v := seated(t, "songo", "", "none").entries[0].Version; v != recentRules {
		t.Errorf("the first entry has version %d", v)
	}
	tb := newTable(t, Creation{Settings: Settings{Rules: "kalah", Clock: "none"}, Creator: "p0"})
	for rules, want := range map[string]int{"songo": recentRules, "oware": 0} {
		tb.must("p0", KindSettings, `{"rules":"`+rules+`"}`)
		if e := tb.entries[len(tb.entries)-1]; e.Kind != KindSettings || e.Version != want {
			t.Errorf("settings with %s have version %d, want %d", rules, e.Version, want)
		}
	}
}

// An instance of the release before knows only version 0, and must not read it as an ordinary game.
func TestVersionOfTheFirstEntryTellsWhetherThereIsATournament(t *testing.T) {
	ordinary, ofTournament := seated(t, "kalah", "", "none").entries[0], eventGame(t, "kalah", "none", time.Minute).entries[0]
	if ordinary.Version != 0 || strings.Contains(string(ordinary.Body), "event") || strings.Contains(string(ordinary.Body), "contest") {
		t.Errorf("an ordinary game begins with %s of version %d", ordinary.Body, ordinary.Version)
	}
	for _, e := range []*machine.Entry{&ordinary, &ofTournament} {
		if err := New().Apply(*e); err != nil {
			t.Errorf("version %d: %v", e.Version, err)
		}
		e.Version = 1 - e.Version
		if New().Apply(*e) == nil {
			t.Errorf("the entry is read with version %d", e.Version)
		}
	}
}

func TestSnapshotShowsTheTournament(t *testing.T) {
	shown := eventGame(t, "kalah", "none", 2*time.Minute).shown()
	want := map[string]any{"room": someEvent.Room, "round": 2.0, "board": 14.0, "game": 1.0}
	if !reflect.DeepEqual(shown["event"], want) || shown["noShow"] != 120_000.0 || shown["paused"] != nil {
		t.Errorf("it shows %v, %v, %v", shown["event"], shown["noShow"], shown["paused"])
	}
	shown = seated(t, "kalah", "", "5+3").shown()
	for _, name := range []string{"event", "noShow", "paused"} {
		if _, ok := shown[name]; ok {
			t.Errorf("a game outside tournaments shows %s", name)
		}
	}
}

// A large round begins with thousands of arrivals. Nearly all of these players move before it matters who is
// there.
func TestArrivalInAGameOfATournamentCanWaitUntilJustBeforeTheDeadline(t *testing.T) {
	for name, tt := range map[string]struct {
		noShow time.Duration
		before func(*table)
		player string
		waits  bool
	}{
		"the first side":                    {5 * time.Minute, func(*table) {}, "p0", true},
		"the other side":                    {5 * time.Minute, func(*table) {}, "p1", true},
		"a visitor":                         {5 * time.Minute, func(*table) {}, "p2", false},
		"no rule about absent players":      {0, func(*table) {}, "p0", false},
		"a player who is known to be there": {5 * time.Minute, func(tb *table) { tb.come("p1") }, "p1", false},
		"a player who has moved":            {5 * time.Minute, func(tb *table) { tb.play("a") }, "p0", false},
		"the next deadline":                 {5 * time.Minute, func(tb *table) { tb.play("a") }, "p1", true},
		"a game that is over":               {5 * time.Minute, func(tb *table) { tb.must("p0", KindResign, "") }, "p1", false},
		"the game waits after an outage":    {5 * time.Minute, func(tb *table) { tb.outage(1000) }, "p0", false},
		"a paused game has no deadline":     {5 * time.Minute, func(tb *table) { tb.order(`{"act":"pause"}`) }, "p0", true},
	} {
		t.Run(name, func(t *testing.T) {
			tb := eventGame(t, "kalah", "5+3", tt.noShow)
			tt.before(tb)
			until, waits := tb.m.ArrivalDue(tt.player)
			if waits != tt.waits {
				t.Fatalf("it can wait: %t, want %t", waits, tt.waits)
			}
			if tb.m.due == 0 {
				if !until.IsZero() {
					t.Errorf("the match learns it at %v", until)
				}
				return
			}
			if left := time.UnixMilli(tb.m.due).Sub(until); waits && left != 10*time.Second {
				t.Errorf("the match learns it %v before the deadline", left)
			}
		})
	}
}
