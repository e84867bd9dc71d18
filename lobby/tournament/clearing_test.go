package tournament_test

import (
	"testing"

	"mancala/lobby/tournament"
	"mancala/match/machine"
)

// paperHall is a tournament of two players without devices whose first round has started.
func paperHall(t *testing.T, s tournament.Settings) *hall {
	t.Helper()
	h := open(t, s)
	for _, player := range []string{"p1", "p2"} {
		h.must("", tournament.KindJoin, tournament.Order{Player: player, Paper: true})
	}
	h.start()
	return h
}

func (h *hall) set(round int, result string) error {
	h.Helper()
	return h.send(host, tournament.KindResult, tournament.Order{Round: round, Board: 1, Result: result})
}

func TestClearedResultLeavesTheRoundOpen(t *testing.T) {
	for _, format := range []tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.Knockout} {
		h := paperHall(t, tournament.Settings{Format: format, Pause: 60})
		if err := h.set(1, ""); err != machine.ErrNothing {
			t.Errorf("%s: clearing a board without a result: %v", format, err)
		}
		h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.FirstWins})
		h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Reason: "wrong board"})
		if s := h.state(); s.Rounds[0][0].Result != "" || s.Rounds[0][0].ByHost || s.Due != 0 {
			t.Errorf("%s: the next round is due at %d, board %+v", format, s.Due, s.Rounds[0][0])
		}
		h.refused(tournament.CodeRoundOpen, host, tournament.KindFinish, nil)
		h.must(host, tournament.KindUndo, nil)
		if b := h.state().Rounds[0][0]; b.Result != tournament.FirstWins || !b.ByHost {
			t.Errorf("%s: after undo: %+v", format, b)
		}
		h.agrees()
	}
}

func TestResultIsNotClearedAfterTheNextRoundWasPaired(t *testing.T) {
	h := open(t, tournament.Settings{Rounds: 3})
	for i := range 4 {
		h.must("", tournament.KindJoin, tournament.Order{Player: id(i + 1), Paper: true})
	}
	h.start()
	for board := range 2 {
		h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: board + 1, Result: tournament.FirstWins})
	}
	h.start()
	h.refused(tournament.CodePaired, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1})
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins})
}

// Otherwise the players of an arena would be on two boards at once.
func TestResultOfAnArenaStaysOnceItsPlayersHaveALaterBoard(t *testing.T) {
	h := paperHall(t, tournament.Settings{Format: tournament.Arena, Minutes: 60})
	paired := func(boards int) {
		for len(h.state().Rounds[0]) < boards {
			h.now = h.machine.Wake()
			h.must("", machine.KindWake, nil)
		}
	}
	won := tournament.Order{Round: 1, Board: 1, Result: tournament.FirstWins}
	paired(1)
	h.must(host, tournament.KindResult, won)
	h.must(host, tournament.KindUndo, nil) // neither player has a later board yet
	h.must(host, tournament.KindResult, won)
	paired(2)
	h.refused(tournament.CodePaired, host, tournament.KindUndo, nil)
	h.refused(tournament.CodePaired, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1})
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins})
	h.must(host, tournament.KindUndo, nil) // to the result before
	h.nobodyPlaysTwice()
	h.agrees()
}

func TestResultIsNotClearedAfterTheEnd(t *testing.T) {
	h := paperHall(t, tournament.Settings{Rounds: 1})
	h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.FirstWins})
	h.must(host, tournament.KindFinish, nil)
	h.refused(tournament.CodeClosed, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1})
}

// A game that was played keeps its result when the host's correction of it is cleared.
func TestClearedCorrectionGivesBackTheResultOfTheGame(t *testing.T) {
	for _, format := range []tournament.Format{tournament.Swiss, tournament.Knockout} {
		h := open(t, tournament.Settings{Format: format})
		h.join(2)
		h.start()
		g := h.openGames()[0]
		h.refused(tournament.CodeRunning, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1})
		h.report(g, 0, 30, 18)
		want := h.state().Rounds[0][0].Result
		if err := h.set(1, ""); err != machine.ErrNothing {
			t.Errorf("%s: clearing the result of a game: %v", format, err)
		}
		h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins})
		h.must(host, tournament.KindResult, tournament.Order{Round: 1, Board: 1})
		if b := h.state().Rounds[0][0]; b.Result != want || b.ByHost {
			t.Errorf("%s: board %+v, want the result %s", format, b, want)
		}
		h.agrees()
	}
}
