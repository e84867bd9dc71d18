package journal

import (
	"context"
	"time"

	"mancala/match/deadline"
)

// Rest waits as long as a transaction has taken, so that work in the background takes at
// most half of the time in which the database can be written. It returns the error of
// ctx when that ends.
func Rest(ctx context.Context, took time.Duration) error {
	return deadline.Wait(ctx, took)
}
