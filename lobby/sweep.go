package lobby

import (
	"context"
	"time"
)

const (
	// A transaction of a sweep takes no further row after turnTime or turnRows. On a
	// single server rooms cannot write while it runs.
	turnTime = 5 * time.Millisecond
	turnRows = 50
)

// Trim runs a statement again and again, each time in a transaction of its own, until it
// changes no row. It returns the number of rows that were changed. The statement must
// change few rows at a time, by an index: it ends with "IN (SELECT … LIMIT 50)". Trim
// can be interrupted by ctx at any time, and continued later.
func Trim(ctx context.Context, db DB, statement string, args ...any) (total int64, err error) {
	for {
		var n int64
		begun := time.Now()
		err := db.Write(ctx, func(tx Tx) (err error) {
			n, err = tx.Exec(statement, args...)
			return err
		})
		total += n
		if err != nil || n == 0 {
			return total, err
		}
		if err := rest(ctx, time.Since(begun)); err != nil {
			return total, err
		}
	}
}

// rest waits as long as a transaction has taken, so that a sweep takes at most half of
// the time in which the database can be written.
func rest(ctx context.Context, took time.Duration) error {
	select {
	case <-time.After(took):
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
