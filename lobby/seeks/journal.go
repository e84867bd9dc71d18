package seeks

import (
	"context"

	"mancala/match/journal"
	"mancala/match/journal/ephemeral"
)

// Journal returns j with the room of the lobby, whose rows are dropped.
func Journal(ctx context.Context, j journal.Journal) (journal.Journal, error) {
	e := ephemeral.New(j, Room)
	return e, e.Open(ctx, Room, Kind)
}
