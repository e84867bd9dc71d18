package lobby

import (
	"context"
	"time"

	"mancala/match/journal"
)

const (
	// A transaction of a sweep takes no further row after turnTime or turnRows. On a
	// single server rooms cannot write while it runs.
	turnTime  = 5 * time.Millisecond
	turnRows  = 50
	turnFirst = 5 // rows of the first transaction of [Trim], whose rows may be large
)

// Trim runs a statement again and again, each time in a transaction of its own, until it
// changes no row. It returns the number of rows that were changed. The statement must find
// its rows by an index, and end with "IN (SELECT … LIMIT $n)": after args comes the largest
// number of rows as its last argument. Trim begins with few rows, and goes on with as many
// as take less than turnTime. Trim can be interrupted by ctx at any time, and continued
// later.
func Trim(ctx context.Context, db DB, statement string, args ...any) (total int64, err error) {
	return trim(ctx, db, time.Now, statement, args...)
}

func trim(ctx context.Context, db DB, timer func() time.Time, statement string, args ...any) (total int64, err error) {
	for limit := turnFirst; ; {
		var n int64
		var took time.Duration
		begun := time.Now()
		err := db.Write(ctx, func(tx Tx) (err error) {
			begun := timer()
			n, err = tx.Exec(statement, append(args[:len(args):len(args)], limit)...)
			took = timer().Sub(begun)
			return err
		})
		total += n
		if err != nil || n == 0 {
			return total, err
		}
		switch {
		case took > turnTime:
			limit = max(1, limit/2)
		case took < turnTime/2:
			limit = min(turnRows, 2*limit)
		}
		if err := journal.Rest(ctx, time.Since(begun)); err != nil {
			return total, err
		}
	}
}

// inTurns calls do for each element of a list, for a few of them in each transaction, and
// returns how often do reported that it did something.
func inTurns[T any](ctx context.Context, db DB, timer func() time.Time, list []T, do func(Tx, T) (bool, error)) (total int, err error) {
	for len(list) > 0 {
		tried, done := 0, 0
		whole := time.Now()
		err := db.Write(ctx, func(tx Tx) error {
			tried, done = 0, 0
			begun := timer()
			for _, x := range list[:min(len(list), turnRows)] {
				did, err := do(tx, x)
				if err != nil {
					return err
				}
				if did {
					done++
				}
				if tried++; timer().Sub(begun) >= turnTime {
					break
				}
			}
			return nil
		})
		if err != nil {
			return total, err
		}
		total += done
		list = list[tried:]
		if err := journal.Rest(ctx, time.Since(whole)); err != nil {
			return total, err
		}
	}
	return total, nil
}
