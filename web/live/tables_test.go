package live

import (
	"errors"
	"log/slog"
	"testing"

	"mancala/lobby/hosting"
	"mancala/match/refusal"
	"mancala/match/testenv"
)

func TestDeletedTournamentIsNoFailureToReadStandings(t *testing.T) {
	said := new(testenv.Logbook)
	log := slog.New(slog.NewTextHandler(said, nil))
	warnUnread(log, refusal.New(hosting.CodeNoTournament), "cup1")
	if said.String() != "" {
		t.Errorf("a deleted tournament is logged: %s", said)
	}
	warnUnread(log, errors.New("no database"), "cup1")
	if said.String() == "" {
		t.Error("a failure is not logged")
	}
}
