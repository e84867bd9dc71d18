package seeks

import (
	"context"

	"mancala/match/journal"
	"mancala/match/journal/volatile"
)

// Journal returns j with the room of the lobby, whose rows are dropped.
func Journal(ctx context.Context, j journal.Journal) (journal.Journal, error) {
	v := volatile.New(j, Room)
	return v, v.Open(ctx, Room, Kind)
}
