package journal

import (
	"context"
	"time"
)

// Rest waits as long as a transaction has taken, so that work in the background takes at
// most half of the time in which the database can be written. It returns the error of
// ctx when that ends.
func Rest(ctx context.Context, took time.Duration) error {
	select {
	case <-time.After(took):
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
