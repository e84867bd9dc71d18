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

func TestPauseOfTheRoundIsKnownUntilItIsResumedOrTheNextRoundStarts(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2})
	h.join(4)
	h.start()
	games := h.openGames()
	h.must(host, tournament.KindArbiter, tournament.Order{Act: "pause", Round: 1, Board: 1})
	if got := h.state().Paused; got != 0 {
		t.Errorf("one board is paused, and the state says %d", got)
	}
	for _, step := range []struct {
		act  string
		want int
	}{{"pause", 2}, {"resume", 0}, {"pause", 2}} {
		h.must(host, tournament.KindArbiter, tournament.Order{Act: step.act, Round: 1})
		if got := h.state().Paused; got != step.want {
			t.Errorf("after %s: the boards up to %d are paused, want %d", step.act, got, step.want)
		}
	}
	for board := range 2 {
		h.must(host, tournament.KindArbiter, tournament.Order{Act: "resume", Round: 1, Board: board + 1})
	}
	if got := h.state().Paused; got != 0 {
		t.Errorf("all games have been resumed one by one, and the boards up to %d are paused", got)
	}
	h.must(host, tournament.KindArbiter, tournament.Order{Act: "pause", Round: 1})
	for _, g := range games {
		h.report(g, 0, 30, 18)
	}
	h.start()
	if got := h.state().Paused; got != 0 {
		t.Errorf("in the next round the boards up to %d are paused", got)
	}
	h.agrees()
}

func (h *hall) paused() (boards []int) {
	h.Helper()
	for _, b := range h.state().Rounds[0] {
		if g := b.Running(); g != nil && g.Paused {
			boards = append(boards, b.Number)
		}
	}
	return boards
}

// A host pauses boards one by one, and lets all of them go on at once. The orders are carried out one after
// the other, so that no game is paused after it was resumed.
func TestAllBoardsRunAfterTheRoundIsResumedAlsoThoseThatWerePausedSingly(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2})
	h.join(6)
	h.start()
	games := h.openGames()
	for _, step := range []struct {
		act   string
		board int
		want  []int
	}{
		{"pause", 1, []int{1}}, {"pause", 3, []int{1, 3}}, {"resume", 0, nil}, {"pause", 0, []int{1, 2, 3}}, {"resume", 2, []int{1, 3}},
	} {
		h.must(host, tournament.KindArbiter, tournament.Order{Act: step.act, Round: 1, Board: step.board})
		if got := h.paused(); !slices.Equal(got, step.want) {
			t.Errorf("after %s %d the boards %v are paused, want %v", step.act, step.board, got, step.want)
		}
	}
	runs := map[string]bool{}
	for tasks := h.tasks(tournament.TaskAct); len(tasks) > 0; tasks = h.tasks(tournament.TaskAct) {
		touched := map[string]string{}
		for _, task := range slices.Backward(tasks) { // they are carried out at the same time
			var a tournament.Acting
			if err := json.Unmarshal(task.Body, &a); err != nil {
				t.Fatal(err)
			}
			for _, g := range a.Games {
				if touched[g.Room] != "" {
					t.Errorf("%s and %s touch a game at the same time", a.Kind, touched[g.Room])
				}
				touched[g.Room], runs[g.Room] = a.Kind, a.Kind == match.ActResume
			}
		}
		for _, task := range tasks {
			h.must("", machine.KindDone, tournament.Order{Task: task.ID})
		}
	}
	if runs[games[0].Room] || !runs[games[1].Room] || runs[games[2].Room] {
		t.Errorf("in the end %v run, want the second of %v alone", runs, games)
	}
	h.agrees()
}

// A host pauses the round, and the service is upgraded before they resume it. The desk must still offer to
// resume the games.
func TestRoundThatTheReleaseBeforePausedIsStillPaused(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2})
	h.join(4)
	h.start()
	games := h.openGames()
	h.report(games[1], 0, 30, 18)
	for _, paused := range []int{0, 2} {
		old := h.state()
		old.Paused = paused
		checkpoint, err := json.Marshal(map[string]any{"version": 0, "state": old})
		if err != nil {
			t.Fatal(err)
		}
		h.machine = tournament.New("cup1")
		if err := h.machine.LoadCheckpoint(checkpoint); err != nil {
			t.Fatal(err)
		}
		if got := h.paused(); len(got) != min(1, paused) {
			t.Errorf("with the boards up to %d paused, the games of %v are", paused, got)
		}
	}
}

func TestSecondSubstituteIsSeatedAfterTheFirst(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 2})
	h.join(2)
	h.start()
	h.openGames()
	for i, player := range []string{"p1", "pnew0"} {
		other := fmt.Sprint("pnew", i)
		h.must("", tournament.KindJoin, tournament.Order{Player: other})
		h.must("", tournament.KindReplace, tournament.Order{Player: player, Other: other})
	}
	if a := h.acts(); len(a) != 1 || a[0].Person != "pnew0" {
		t.Errorf("acts %+v", a)
	}
	h.must("", machine.KindDone, tournament.Order{Task: h.tasks(tournament.TaskAct)[0].ID})
	if a := h.acts(); len(a) != 1 || a[0].Person != "pnew1" {
		t.Errorf("then acts %+v", a)
	}
}
