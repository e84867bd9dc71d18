package tournament_test

import (
	"encoding/json"
	"slices"
	"testing"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
)

// boardsOf returns the boards whose games an act is still about.
func (h *hall) boardsOf(a tournament.Acting) (boards []int) {
	h.Helper()
	for _, b := range h.state().Rounds[a.Round-1] {
		if slices.ContainsFunc(a.Games, func(g tournament.Target) bool { return g.Room == b.Games[0].Room }) {
			boards = append(boards, b.Number)
		}
	}
	return boards
}

// boardsByAct returns the boards that each act is about.
func (h *hall) boardsByAct() (boards [][]int) {
	h.Helper()
	for _, a := range h.acts() {
		boards = append(boards, h.boardsOf(a))
	}
	return boards
}

// openPaused opens a tournament whose first round is paused. It returns the games of the round.
func openPaused(t *testing.T, players int) (*hall, []tournament.NewGame) {
	t.Helper()
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(players)
	h.start()
	games := h.openGames()
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActPause})
	return h, games
}

// misses answers the task of the last act: these games could not be reached.
func (h *hall) misses(games ...tournament.NewGame) {
	h.Helper()
	o := tournament.Order{}
	tasks := h.tasks(tournament.TaskAct)
	o.Task = tasks[len(tasks)-1].ID
	for _, g := range games {
		o.Left = append(o.Left, g.Room)
	}
	h.must("", machine.KindDone, o)
}

func TestOrderIsBroughtAgainToTheGamesThatItHasNotReached(t *testing.T) {
	h, games := openPaused(t, 8)
	for left := 3; left > 0; left-- {
		h.misses(games[:left]...)
		acts, s := h.acts(), h.state()
		if len(acts) != 1 || len(acts[0].Games) != left || len(s.Acts) != 1 || !slices.Equal(s.Acts[0].Left, h.boardsOf(acts[0])) {
			t.Fatalf("%d are left, the tasks are %+v, the host reads %+v", left, acts, s.Acts)
		}
	}
	h.misses()
	if acts := h.state().Acts; len(acts) != 0 {
		t.Errorf("all are reached, and %+v is left", acts)
	}
	h.agrees()
}

// A host pauses the round, one game cannot be reached, and the host lets the round go on.
func TestLaterOrderReplacesTheEarlierOneForGamesThatItHasNotReached(t *testing.T) {
	for _, tt := range []struct {
		resume int     // board; 0: all
		left   [][]int // boards that the acts are about afterwards
	}{{0, [][]int{{1, 2, 3, 4}}}, {2, [][]int{{1}, {2}}}, {4, [][]int{{1, 2}, {4}}}} {
		h, games := openPaused(t, 8)
		h.misses(games[:2]...)
		h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActResume, Board: tt.resume})
		if left := h.boardsByAct(); !slices.EqualFunc(left, tt.left, slices.Equal) {
			t.Errorf("board %d is resumed: the acts are about %v, want %v", tt.resume, left, tt.left)
		}
		h.agrees()
	}
}

func TestOrderAboutOnePlayerReplacesTheEarlierOneAtTheirBoardAlone(t *testing.T) {
	h, games := openPaused(t, 8)
	h.misses(games[:2]...)
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActResume, Player: games[0].Seats[0]})
	acts := h.acts()
	if len(acts) != 2 || !slices.Equal(h.boardsOf(acts[0]), []int{2}) || !slices.Equal(h.boardsOf(acts[1]), []int{1}) {
		t.Errorf("acts %+v", acts)
	}
	h.agrees()
}

// A host pauses the round, and resumes some boards before the pause has answered. A pause and a resume of the
// same game must not run at the same time.
func TestOrderIsNotBroughtAgainToAGameThatALaterOneIsAbout(t *testing.T) {
	for _, tt := range []struct {
		resumed []int
		left    [][]int // boards that the acts are about once the pause has not reached boards 1 and 2
	}{{[]int{2}, [][]int{{1}, {2}}}, {[]int{1, 2}, [][]int{{1}, {2}}}, {[]int{0}, [][]int{{1, 2, 3, 4}}}, {[]int{3}, [][]int{{1, 2}, {3}}}} {
		h, games := openPaused(t, 8)
		for _, board := range tt.resumed {
			h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActResume, Board: board})
		}
		if acts := h.acts(); len(acts) != 1 || acts[0].Kind != match.ActPause {
			t.Fatalf("before the pause has answered, the acts are %+v", acts)
		}
		h.misses(games[:2]...)
		if left := h.boardsByAct(); !slices.EqualFunc(left, tt.left, slices.Equal) {
			t.Errorf("%v are resumed: the acts are about %v, want %v", tt.resumed, left, tt.left)
		}
		h.agrees()
	}
}

func TestHostReadsWhichGamesKeepARoundFromBeingTakenBack(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(4)
	h.start()
	games := h.openGames()
	h.must(host, tournament.KindUndo, tournament.Order{})
	recall := func() (id string, r tournament.Recall) {
		tasks := h.tasks(tournament.TaskRecall)
		if len(tasks) != 1 || json.Unmarshal(tasks[0].Body, &r) != nil {
			t.Fatalf("tasks %+v", tasks)
		}
		return tasks[0].ID, r
	}
	first, _ := recall()
	h.must("", machine.KindDone, tournament.Order{Task: first, Left: []string{games[1].Room}})
	second, r := recall()
	if s := h.state(); second == first || r.Left != 1 || len(r.Rooms) != 2 || !slices.Equal(s.Left, []int{games[1].Board}) || s.Recall != 1 {
		t.Fatalf("the task %s is followed by %s, %+v; the host reads %v", first, second, r, s.Left)
	}
	h.must("", machine.KindDone, tournament.Order{Task: second})
	if s := h.state(); len(s.Rounds) != 0 || s.Left != nil {
		t.Errorf("rounds %v, left %v", s.Rounds, s.Left)
	}
	h.agrees()
}

// A player has moved, so the round goes on. One game stands still and cannot be reached.
func TestGameThatStandsStillIsResumedOnceItCanBeReached(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(6)
	h.start()
	games := h.openGames()
	h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Act: match.ActPause, Board: 1})
	h.confirm()
	h.must(host, tournament.KindUndo, tournament.Order{})
	h.must("", machine.KindDone, tournament.Order{Task: h.tasks(tournament.TaskRecall)[0].ID, Moved: true, Left: []string{games[1].Room}})
	acts := h.acts()
	if len(acts) != 1 || acts[0].Kind != match.ActResume || acts[0].By != host || !at(acts[0], games[1].Room, 0) {
		t.Errorf("acts %+v", acts)
	}
	if got := h.paused(); !slices.Equal(got, []int{1}) || h.state().Recall != 0 {
		t.Errorf("the boards %v stay paused, want the first", got)
	}
	h.agrees()
}

func TestEntryWithAnActOfNoRoundIsNotUnderstood(t *testing.T) {
	h, _ := openPaused(t, 4)
	for _, round := range []int{-1, 0, 2} {
		body, err := json.Marshal(tournament.Change{Act: &tournament.Act{Number: 2, Kind: match.ActPause, Round: round, Boards: 2}})
		if err != nil {
			t.Fatal(err)
		}
		if h.machine.Apply(machine.Entry{Kind: tournament.KindArbiter, By: host, Body: body}) == nil {
			t.Errorf("an act of round %d of 1 is applied", round)
		}
	}
}
