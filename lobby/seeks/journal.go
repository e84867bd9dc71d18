package seeks

import (
	"context"

	"mancala/match/journal"
	"mancala/match/journal/volatile"
)

// Journal is j with the lobby in it, of which no row is kept.
func Journal(ctx context.Context, j journal.Journal) (journal.Journal, error) {
	v := volatile.New(j, Room)
	return v, v.Open(ctx, Room, Kind)
}
