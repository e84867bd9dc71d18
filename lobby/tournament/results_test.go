package tournament_test

import (
	"encoding/json"
	"slices"
	"testing"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
)

func TestGameIsCountedOnce(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1})
	h.join(2)
	h.start()
	g := h.openGames()[0]
	h.report(g, 0, 30, 18)
	again := tournament.Report{Room: g.Room, Report: match.Report{Round: 1, Board: 1, Game: 1, Played: true, Winners: []int{1}, Scores: []int{1, 47}}}
	if err := h.send("", tournament.KindReport, tournament.Order{Report: &again}); err != machine.ErrNothing {
		t.Errorf("a second report: %v", err)
	}
	again.Room = "other1"
	h.refused(tournament.CodeNoBoard, "", tournament.KindReport, tournament.Order{Report: &again})
	b := h.state().Rounds[0][0]
	if b.Result != tournament.FirstWins || b.Seeds != 12 || b.Games[0].Reason != "normal" {
		t.Errorf("board %+v", b)
	}
	s := h.state()
	if breaks := s.Standings()[0].Breaks; breaks[len(breaks)-1].Value != 1200 || breaks[len(breaks)-1].Why != "+12: +12" {
		t.Errorf("tie-breaks %+v", breaks)
	}
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn, Reason: "both agreed"})
	if b = h.state().Rounds[0][0]; b.Result != tournament.Drawn || !b.ByHost {
		t.Errorf("corrected board %+v", b)
	}
	h.must(host, tournament.KindUndo, nil)
	if b = h.state().Rounds[0][0]; b.Result != tournament.FirstWins || b.ByHost {
		t.Errorf("after undo: %+v", b)
	}
	h.refused(tournament.CodeNothing, host, tournament.KindUndo, nil)
	h.agrees()
}

func TestRunningGameHasNoOtherResult(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1})
	h.join(2)
	h.start()
	h.refused(tournament.CodeRunning, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn})
	h.refused(tournament.CodeRoundOpen, host, tournament.KindFinish, nil)
	h.refused(tournament.CodeRoundOpen, host, tournament.KindStart, tournament.Order{Round: 2})
}

// In the second game of a board the other player moves first.
func TestMiniMatchIsScoredByGamesOrBySeeds(t *testing.T) {
	for _, tt := range []struct {
		bySeeds  bool
		outcomes [2]int // the winning seats
		seeds    [2][2]int
		want     string
	}{
		{false, [2]int{0, 1}, [2][2]int{{25, 23}, {23, 25}}, tournament.FirstWins},
		{false, [2]int{0, 0}, [2][2]int{{40, 8}, {25, 23}}, tournament.Drawn},
		{true, [2]int{0, 0}, [2][2]int{{40, 8}, {25, 23}}, tournament.FirstWins},
		{true, [2]int{0, 0}, [2][2]int{{25, 23}, {40, 8}}, tournament.SecondWins},
		{true, [2]int{0, 0}, [2][2]int{{25, 23}, {25, 23}}, tournament.Drawn},
		{false, [2]int{2, 2}, [2][2]int{{24, 24}, {24, 24}}, tournament.Drawn},
	} {
		h := open(t, tournament.Settings{Rounds: 1, Games: 2, BySeeds: tt.bySeeds})
		h.join(2)
		h.start()
		first := h.openGames()
		h.report(first[0], tt.outcomes[0], tt.seeds[0][:]...)
		second := h.openGames()
		if len(second) != 1 || second[0].Seats != [2]string{first[0].Seats[1], first[0].Seats[0]} {
			t.Fatalf("second game %v after %v, want the first moves reversed", second, first)
		}
		h.report(second[0], tt.outcomes[1], tt.seeds[1][:]...)
		if got := h.state().Rounds[0][0].Result; got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestPlayerWhoDoesNotComeLosesWithoutASecondGame(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1, Games: 2})
	h.join(2)
	h.start()
	g := h.openGames()[0]
	h.must("", tournament.KindReport, tournament.Order{Report: &tournament.Report{Room: g.Room, Report: match.Report{Round: 1, Board: 1, Game: 1, Reason: "no-show", Winners: []int{1}}}})
	if b := h.state().Rounds[0][0]; b.Result != tournament.SecondUnplayed || len(b.Games) != 1 {
		t.Errorf("board %+v", b)
	}
}

// The first player leads by 12 seeds, and resigns or does not come.
func TestLeadInSeedsIsLostWithTheSecondGame(t *testing.T) {
	for _, settings := range []tournament.Settings{{Rounds: 1}, {Format: tournament.Knockout}} {
		for _, reason := range []string{"resign", "no-show"} {
			settings.Games, settings.BySeeds = 2, true
			h := open(t, settings)
			h.join(2)
			h.start()
			h.report(h.openGames()[0], 0, 30, 18)
			g := h.openGames()[0]
			h.must("", tournament.KindReport, tournament.Order{Report: &tournament.Report{Room: g.Room, Report: match.Report{
				Round: 1, Board: 1, Game: 2, Reason: reason, Played: reason == "resign", Winners: []int{0}, Scores: []int{0, 1}, Awarded: []int{47, 1},
			}}})
			if b := h.state().Rounds[0][0]; b.Result != tournament.SecondWins && b.Result != tournament.SecondUnplayed {
				t.Errorf("%s, %s: the board is %+v", h.state().Settings.Format, reason, b)
			}
		}
	}
}

func TestPlayersWithoutDevicesGetNoRooms(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1})
	h.join(2)
	h.must(host, tournament.KindLeave, tournament.Order{Player: "p2"})
	h.must("", tournament.KindJoin, tournament.Order{Player: "ppaper", Paper: true})
	h.start()
	if games := h.openGames(); len(games) > 0 {
		t.Errorf("games %v", games)
	}
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins})
	if got := h.machine.Players(); !slices.Equal(got, []string{host, "p1"}) {
		t.Errorf("players with devices: %v", got)
	}
	h.must(host, tournament.KindFinish, nil)
}

// A result that is taken back leaves the round open. It never brings back a countdown that the
// host has stopped.
func TestUndoOfAResultStopsTheNextRound(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2, Pause: 60})
	for _, player := range []string{"p1", "p2"} {
		h.must("", tournament.KindJoin, tournament.Order{Player: player, Paper: true})
	}
	h.start()
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn})
	h.must(host, tournament.KindUndo, nil)
	if s := h.state(); s.Due != 0 || s.Rounds[0][0].Result != "" {
		t.Errorf("the next round is due at %d, board %+v", s.Due, s.Rounds[0][0])
	}
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn})
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.FirstWins})
	h.must(host, tournament.KindWait, nil)
	h.must(host, tournament.KindUndo, nil)
	if s := h.state(); s.Due != 0 || s.Rounds[0][0].Result != tournament.Drawn {
		t.Errorf("the next round is due at %d, board %+v", s.Due, s.Rounds[0][0])
	}
}

// A game may be over before the task that opened it is. The next game of its board then joins the
// block, in another task.
func TestTaskIsReplacedWhenItsGamesChange(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1, Games: 2})
	h.join(4)
	h.start()
	first := h.machine.Tasks()[0]
	var o tournament.Opening
	if err := json.Unmarshal(first.Body, &o); err != nil {
		t.Fatal(err)
	}
	h.report(o.Games[0], 0, 25, 23)
	second := h.machine.Tasks()[0]
	if second.ID == first.ID || len(second.ID) > 32 {
		t.Errorf("task %q follows %q", second.ID, first.ID)
	}
	if err := h.send("", machine.KindDone, tournament.Order{Task: first.ID}); err != machine.ErrNothing {
		t.Errorf("the end of the replaced task: %v", err)
	}
	if games := h.openGames(); len(games) != 2 || len(h.machine.Tasks()) != 0 {
		t.Errorf("games %+v, tasks left %v", games, h.machine.Tasks())
	}
}

func TestGamesOfALargeRoundAreOpenedByFewTasks(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 1})
	h.join(240)
	h.start()
	if got := len(h.tasks(tournament.TaskOpen)); got != 3 {
		t.Errorf("%d tasks, want 3", got)
	}
	rooms := map[string]bool{}
	for _, g := range h.openGames() {
		rooms[g.Room] = true
	}
	if len(rooms) != 120 || len(h.machine.Tasks()) != 0 {
		t.Errorf("%d rooms, %d tasks are left", len(rooms), len(h.machine.Tasks()))
	}
}

func BenchmarkResultOfAThousandPlayers(b *testing.B) {
	h := open(&testing.T{}, tournament.Settings{Rounds: 9})
	h.join(1000)
	h.start()
	games := h.openGames()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		g := games[n%len(games)]
		body, _ := json.Marshal(tournament.Order{Report: &tournament.Report{Room: g.Room, Report: match.Report{Round: 1, Board: g.Board, Game: 1, Played: true, Winners: []int{0}, Scores: []int{30, 18}}}})
		e, err := h.machine.Decide(machine.Command{Kind: tournament.KindReport, Server: true, Body: body}, h.now)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(h.machine.AppendPublic(nil, e, machine.Watchers))), "bytes")
	}
}
