package tournament_test

import (
	"testing"

	"mancala/lobby/tournament"
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
	for _, g := range games {
		h.report(g, 0, 30, 18)
	}
	h.start()
	if got := h.state().Paused; got != 0 {
		t.Errorf("in the next round the boards up to %d are paused", got)
	}
	h.agrees()
}
