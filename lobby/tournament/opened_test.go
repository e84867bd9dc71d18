package tournament_test

import (
	"encoding/json"
	"testing"

	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
)

// named returns the state after an entry for a reader of the numbers of the opened boards, or nil: the entry
// does more.
func (h *hall) named(e machine.Entry) *tournament.State {
	h.Helper()
	opened := tournament.OpenedBy(e)
	if opened == nil {
		return nil
	}
	s := h.state()
	for _, n := range opened.Boards {
		games := s.Rounds[opened.Round-1][n-1].Games
		games[len(games)-1].Opened, games[len(games)-1].Acted = true, s.Acted
	}
	return &s
}

// Every test of this package compares the rows of opened boards with those that follow from their numbers.
func TestOpenedBoardsAreNamedByAFewBytes(t *testing.T) {
	const players = 240
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(players)
	h.start()
	for tasks := h.tasks(tournament.TaskOpen); len(tasks) > 0; tasks = h.tasks(tournament.TaskOpen) {
		h.must("", machine.KindDone, tournament.Order{Task: tasks[0].ID})
		h.must(host, tournament.KindArbiter, tournament.Order{Round: 1, Board: 1, Act: match.ActAdd, Player: id(1), Ms: 1000})
	}
	count := 0
	for _, e := range h.entries {
		opened := tournament.OpenedBy(e)
		if opened == nil {
			continue
		}
		count += len(opened.Boards)
		if text, err := json.Marshal(opened.OpenedBoards); err != nil || len(text) > 250 {
			t.Errorf("%d bytes: %s, %v", len(text), text, err)
		}
	}
	if count != players/2 {
		t.Errorf("%d boards are named, want %d", count, players/2)
	}
}

func TestEntryThatDoesMoreThanOpenGamesNamesNoBoards(t *testing.T) {
	const boards = `"round":1,"boards":[{"n":1,"first":1,"second":2,"games":[{"room":"r1","opened":true}]}]`
	for body, want := range map[string]bool{
		`{` + boards + `}`:                   true,
		`{` + boards + `,"actDone":1}`:       false,
		`{` + boards + `,"later":"release"}`: false,
		`{"round":1,"boards":[{"n":1,"first":1,"second":2,"later":true,"games":[{"room":"r1","opened":true}]}]}`: false,
		`{"actDone":1}`: false,
		`{}`:            false,
		`7`:             false,
	} {
		if got := tournament.OpenedBy(machine.Entry{Kind: machine.KindDone, Body: []byte(body)}); (got != nil) != want {
			t.Errorf("%s: got %v, want boards: %t", body, got, want)
		}
	}
	e := machine.Entry{Kind: tournament.KindResult, Body: []byte(`{` + boards + `}`)}
	if got := tournament.OpenedBy(e); got != nil {
		t.Errorf("a result opens %v", got)
	}
}
