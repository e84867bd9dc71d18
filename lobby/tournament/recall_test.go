package tournament_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
)

func TestRoundInWhichNobodyHasMovedIsTakenBack(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	h.refused(tournament.CodeOpening, host, tournament.KindUndo, tournament.Order{})
	first := h.openGames()
	h.must(host, tournament.KindUndo, tournament.Order{})
	h.must("", tournament.KindJoin, tournament.Order{Player: "plate"})
	h.must(host, tournament.KindBye, tournament.Order{Player: "p1", Round: 3, Bye: tournament.ZeroBye}) // a step of a host meanwhile
	for _, kind := range []string{tournament.KindFinish, tournament.KindStart, tournament.KindDelete, tournament.KindResult} {
		h.refused(tournament.CodeOpening, host, kind, tournament.Order{Round: 2, Board: 1, Result: tournament.Drawn})
	}
	tasks := h.tasks(tournament.TaskRecall)
	var r tournament.Recall
	if len(tasks) != 1 || json.Unmarshal(tasks[0].Body, &r) != nil || !slices.Equal(r.Rooms, []string{first[0].Room, first[1].Room}) {
		t.Fatalf("tasks %+v", tasks)
	}
	h.must("", machine.KindDone, tournament.Order{Task: tasks[0].ID})
	if s := h.state(); s.Stage != tournament.Entry || len(s.Rounds) != 0 || len(s.Start) != 0 || s.Players[4].Joined != 0 {
		t.Errorf("stage %s, rounds %v, start %v, the late player %+v", s.Stage, s.Rounds, s.Start, s.Players[4])
	}
	h.refused(tournament.CodeNoBoard, "", tournament.KindReport, tournament.Order{Report: &tournament.Report{Room: first[0].Room, Report: match.Report{Round: 1, Board: 1, Game: 1}}})
	h.start()
	if again := h.openGames(); again[0].Room == first[0].Room {
		t.Error("a room is used again")
	}
	h.agrees()
}

// What is noted about the round that is taken back would be read as if it were about the next one.
func TestPairIsKeptApartInTheFileOfARoundThatIsPairedAgain(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	h.openGames()
	h.must(host, tournament.KindUndo, nil)
	pair := tournament.Order{Player: "p1", Other: "p3"}
	for _, kind := range []string{tournament.KindForbid, tournament.KindAllow} {
		h.refused(tournament.CodeOpening, host, kind, pair)
	}
	h.recalled(false)
	h.must(host, tournament.KindForbid, pair)
	h.start()
	s := h.state()
	if e := s.CrossTableBefore(1, names(s)); len(e.Forbidden) != 1 || len(s.Apart) != 0 {
		t.Errorf("the file of round 1 keeps %v apart; the state has %v", e.Forbidden, s.Apart)
	}
	h.agrees()
}

// The host takes the round back because these players have come too late for it.
func TestSubstitutesArePairedAfterTheirRoundIsTakenBack(t *testing.T) {
	for _, tt := range []struct {
		settings tournament.Settings
		before   int // rounds
	}{
		{tournament.Settings{Format: tournament.RoundRobin}, 0},
		{tournament.Settings{Format: tournament.Knockout}, 0},
		{tournament.Settings{Rounds: 2}, 1}, // substitutes join only in the last round of a Swiss
	} {
		t.Run(fmt.Sprint(tt.settings.Format, tt.before), func(t *testing.T) {
			h := open(t, tt.settings)
			h.join(5)
			h.must("p5", tournament.KindLeave, nil)
			for range tt.before {
				h.start()
				h.playRound(func() int { return 2 })
			}
			h.start()
			h.openGames()
			for _, player := range []string{"pstays", "pleaves", "pgets"} {
				h.must("", tournament.KindJoin, tournament.Order{Player: player})
			}
			h.must("pleaves", tournament.KindLeave, nil)
			h.must("", tournament.KindReplace, tournament.Order{Player: "p1", Other: "pgets"})
			h.confirm()
			h.must(host, tournament.KindUndo, nil)
			h.must("", tournament.KindJoin, tournament.Order{Player: "plast"})
			h.recalled(false)
			h.start()
			round := h.state().Rounds[tt.before]
			for _, p := range h.state().Players {
				want := slices.Contains([]string{"pgets", "p2", "p3", "p4", "pstays", "plast"}, p.ID)
				paired := slices.ContainsFunc(round, func(b tournament.Board) bool { return b.First == p.Number || b.Second == p.Number })
				if paired != want || p.Out == want {
					t.Errorf("player %+v is paired: %v, want %v", p, paired, want)
				}
			}
			h.agrees()
		})
	}
}

func TestSubstituteOfALaterRoundStaysOneAfterItIsTakenBack(t *testing.T) {
	h := open(t, tournament.Settings{Format: tournament.RoundRobin})
	h.join(4)
	h.start()
	h.playRound(func() int { return 2 })
	h.start()
	h.openGames()
	h.must("", tournament.KindJoin, tournament.Order{Player: "pnew"})
	h.must(host, tournament.KindUndo, nil)
	h.recalled(false)
	if p := h.state().Players[4]; !p.Out {
		t.Errorf("the table has no place for %+v", p)
	}
}

func TestRoundInWhichSomebodyHasMovedGoesOn(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	games := h.openGames()
	h.must(host, tournament.KindUndo, tournament.Order{})
	h.must("", machine.KindDone, tournament.Order{Task: h.tasks(tournament.TaskRecall)[0].ID, Moved: true})
	if s := h.state(); len(s.Rounds) != 1 || s.Recall != 0 || s.Undo != nil {
		t.Errorf("rounds %v, recall %d, undo %v", s.Rounds, s.Recall, s.Undo)
	}
	h.report(games[0], 0)
	h.refused(tournament.CodeNothing, host, tournament.KindUndo, tournament.Order{})
	h.agrees()
}

func TestResultThatComesWhileARoundIsTakenBackKeepsTheRound(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	games := h.openGames()
	h.must(host, tournament.KindUndo, tournament.Order{})
	h.report(games[0], 0)
	h.must("", machine.KindDone, tournament.Order{Task: h.tasks(tournament.TaskRecall)[0].ID})
	if s := h.state(); len(s.Rounds) != 1 || s.Rounds[0][games[0].Board-1].Result == "" || s.Recall != 0 {
		t.Errorf("rounds %+v, recall %d", s.Rounds, s.Recall)
	}
	h.agrees()
}

// recalled answers the task that takes the round back.
func (h *hall) recalled(moved bool) {
	h.Helper()
	for _, task := range h.tasks(tournament.TaskRecall) {
		h.must("", machine.KindDone, tournament.Order{Task: task.ID, Moved: moved})
	}
}

func TestActOfARoundThatIsTakenBackTouchesNoGameOfTheNextOne(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	h.openGames()
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActAdd, Ms: 1000})
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Board: 1, Act: match.ActEnd})
	h.must(host, tournament.KindUndo, tournament.Order{})
	h.recalled(false)
	for _, a := range h.acts() {
		if len(a.Games) > 0 {
			t.Errorf("after the round %+v is left", a)
		}
	}
	h.start()
	for _, task := range h.tasks(tournament.TaskOpen) {
		h.must("", machine.KindDone, tournament.Order{Task: task.ID})
	}
	acts := h.acts()
	for _, a := range acts {
		if len(a.Games) > 0 {
			t.Errorf("in the next round %+v is left", a)
		}
	}
	h.confirm()
	if left := h.acts(); len(acts) != 2 || len(left) != 0 {
		t.Errorf("%d acts waited, and %d still do", len(acts), len(left))
	}
	h.agrees()
}

func TestRoundIsTakenBackAfterTheRoomsHaveConfirmedItsPause(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	h.openGames()
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActResume})
	h.must(host, tournament.KindUndo, tournament.Order{})
	if tasks := h.tasks(tournament.TaskRecall); len(tasks) != 0 {
		t.Errorf("games are stopped while a host's order lets them go on: %+v", tasks)
	}
	h.refused(tournament.CodeOpening, host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActResume})
	h.confirm()
	h.recalled(false)
	if len(h.state().Rounds) != 0 {
		t.Error("the round is not taken back")
	}
	h.agrees()
}

func TestRoundThatIsNotTakenBackStaysPausedWhereAHostHadPausedIt(t *testing.T) {
	for name, board := range map[string]int{"one board": 1, "the round": 0} {
		t.Run(name, func(t *testing.T) {
			h := open(t, tournament.Settings{Rounds: 3})
			h.join(4)
			h.start()
			games := h.openGames()
			h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Board: board, Act: match.ActPause})
			h.confirm()
			before := h.state()
			h.must(host, tournament.KindUndo, tournament.Order{})
			want := []string{games[0].Room}
			if board == 0 {
				want = append(want, games[1].Room)
			}
			var r tournament.Recall
			if err := json.Unmarshal(h.tasks(tournament.TaskRecall)[0].Body, &r); err != nil || !slices.Equal(r.Paused, want) {
				t.Errorf("the games %q stay paused (%v), want %q", r.Paused, err, want)
			}
			h.recalled(true)
			if after := h.state(); after.Paused != before.Paused || after.Rounds[0][0].Games[0].Paused != before.Rounds[0][0].Games[0].Paused {
				t.Errorf("paused before: %+v; after: %+v", before.Rounds, after.Rounds)
			}
			h.agrees()
		})
	}
}

func TestActOnAGameThatEndsDoesNotTouchTheNextGameOfItsBoard(t *testing.T) {
	for name, o := range map[string]tournament.Order{
		"one board": {Round: 1, Board: 1, Act: match.ActEnd},
		"the round": {Round: 1, Act: match.ActPause},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, tournament.Settings{Rounds: 1, Games: 2})
			h.join(2)
			h.start()
			first := h.openGames()[0]
			h.must(host, tournament.KindArbiter, o)
			h.report(first, 0, 25, 23)
			for _, task := range h.tasks(tournament.TaskOpen) {
				h.must("", machine.KindDone, tournament.Order{Task: task.ID})
			}
			if a := h.acts(); len(a) != 1 || len(a[0].Games) != 0 { // what a new owner would carry out
				t.Errorf("the act is about %+v", a)
			}
			h.confirm()
			h.must(host, tournament.KindArbiter, o)
			if a := h.acts(); len(a) != 1 || len(a[0].Games) != 1 {
				t.Errorf("an act on the second game is about %+v", a)
			}
			h.agrees()
		})
	}
}
