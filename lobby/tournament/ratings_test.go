package tournament_test

import (
	"encoding/json"
	"slices"
	"testing"

	"mancala/lobby/tournament"
	"mancala/match/machine"
)

func (h *hall) change(change func(*tournament.Settings)) {
	h.Helper()
	s := h.state().Settings
	change(&s)
	h.must(host, tournament.KindSettings, tournament.Order{Settings: &s})
}

// rerating returns the task that reads the players' ratings again.
func (h *hall) rerating() (task machine.Task, r tournament.Rerating) {
	h.Helper()
	tasks := h.tasks(tournament.TaskRatings)
	if len(tasks) != 1 || json.Unmarshal(tasks[0].Body, &r) != nil {
		h.Fatalf("tasks %+v", tasks)
	}
	return tasks[0], r
}

func TestPlayersAreOrderedByTheirRatingsInTheGameThatIsPlayed(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3, Clock: "5+3"})
	h.must("", tournament.KindImport, tournament.Order{Entrants: []tournament.Entrant{{ID: "pfile", Rating: 1700}}})
	h.join(3)
	h.change(func(s *tournament.Settings) { s.Rules = "oware" })
	h.change(func(s *tournament.Settings) { s.Rules, s.Clock = "oware", "10+5" }) // before the first answer
	task, r := h.rerating()
	if want := (tournament.RatedGame{System: "oware", Speed: h.speed()}); r.RatedGame != want || !slices.Equal(r.Players, []string{"pfile", "p1", "p2", "p3"}) {
		t.Errorf("asked for %+v, want %+v", r, want)
	}
	h.must("", tournament.KindJoin, tournament.Order{Player: "plate", Rating: 1650})
	h.must("", machine.KindDone, tournament.Order{Task: task.ID, Ratings: []int{0, 1600, 1800, 0}})
	var ratings []int
	for _, p := range h.state().Players {
		ratings = append(ratings, p.Rating)
	}
	if want := []int{1700, 1600, 1800, 0, 1650}; !slices.Equal(ratings, want) {
		t.Errorf("ratings %v, want %v", ratings, want)
	}
	h.start()
	if got, want := h.state().Start, []int{3, 1, 5, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("starting order %v, want %v", got, want)
	}
	h.agrees()
}

func TestRatingThatWasReadBeforeTheGameChangedIsReadAgain(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3, Clock: "5+3"})
	s := h.state().Settings
	before := s.RatedGame()
	h.join(1)
	h.change(func(s *tournament.Settings) { s.Rules = "oware" })
	first, _ := h.rerating()
	h.must("", machine.KindDone, tournament.Order{Task: first.ID, Ratings: []int{1600}})
	h.must("", tournament.KindJoin, tournament.Order{Player: "plate", Rating: 1900, For: &before})
	task, r := h.rerating()
	if want := []string{"p1", "plate"}; !slices.Equal(r.Players, want) || task.ID == first.ID {
		t.Fatalf("task %s asks for %v, want another one for %v", task.ID, r.Players, want)
	}
	h.must("", machine.KindDone, tournament.Order{Task: task.ID, Ratings: []int{1600, 1500}})
	if got := h.state().Players[1].Rating; got != 1500 {
		t.Errorf("rating %d, want that in the new game", got)
	}
	s = h.state().Settings
	h.must("", tournament.KindJoin, tournament.Order{Player: "plast", Rating: 1700, For: new(s.RatedGame())})
	if tasks := h.tasks(tournament.TaskRatings); len(tasks) > 0 {
		t.Errorf("a rating in the game that is played is read again: %+v", tasks)
	}
	h.agrees()
}

// The room's clock stands still for as long as it was set back.
func TestEachReadingOfRatingsIsATaskOfItsOwnWhileTheClockStandsStill(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3, Clock: "5+3"})
	h.join(1)
	seen := map[string]bool{}
	for _, rules := range []string{"oware", "kalah", "oware", "kalah"} {
		h.change(func(s *tournament.Settings) { s.Rules = rules })
		task, _ := h.rerating()
		if seen[task.ID] {
			t.Errorf("the ID %s is that of an earlier task", task.ID)
		}
		seen[task.ID] = true
		h.must("", machine.KindDone, tournament.Order{Task: task.ID, Ratings: []int{1500}})
	}
	h.agrees()
}

func (h *hall) speed() string {
	s := h.state().Settings
	return s.RatedGame().Speed
}

func TestRatingsAreReadAgainOnlyForAnotherGameBeforeTheStart(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3, Clock: "5+3"})
	h.change(func(s *tournament.Settings) { s.Rules = "oware" }) // nobody has entered
	h.join(4)
	h.change(func(s *tournament.Settings) { s.Name, s.NoShow = "Spring Cup", 60 })
	if tasks := h.tasks(tournament.TaskRatings); len(tasks) != 0 {
		t.Errorf("tasks %+v", tasks)
	}
	h.change(func(s *tournament.Settings) { s.Options = "seeds=5" }) // house rules have no ratings
	if _, r := h.rerating(); r.Speed != "" {
		t.Errorf("asked for %+v", r)
	}
	task, _ := h.rerating()
	h.start()
	h.change(func(s *tournament.Settings) { s.Clock = "20+5" })
	if tasks := h.tasks(tournament.TaskRatings); len(tasks) != 0 {
		t.Errorf("after the start: tasks %+v", tasks)
	}
	if err := h.send("", machine.KindDone, tournament.Order{Task: task.ID, Ratings: make([]int, 4)}); err != machine.ErrNothing {
		t.Errorf("an answer after the start: %v", err)
	}
	h.agrees()
}
