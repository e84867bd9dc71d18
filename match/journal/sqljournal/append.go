package sqljournal

import (
	"context"
	"fmt"
	"time"

	"mancala/match/journal"
)

// Append implements [journal.Journal].
func (db *DB) Append(ctx context.Context, id string, row journal.Row, wake time.Time) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sqljournal: append %q: %w: %w", id, journal.ErrUnavailable, err)
	}
	b, err := db.enqueue(ctx, id, row, toMS(wake))
	if err != nil {
		return err
	}
	if ctx.Done() == nil {
		<-b.done
		return b.err
	}
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return fmt.Errorf("sqljournal: append %q: %w: %w", id, journal.ErrUnknown, ctx.Err())
	}
}

// enqueue adds an entry to what gathers, if the fence lets it.
func (db *DB) enqueue(ctx context.Context, id string, row journal.Row, wake int64) (*batch, error) {
	db.mu.Lock()
	for {
		if db.stopped != nil {
			err := db.stopped
			db.mu.Unlock()
			return nil, db.unavailable("append", err)
		}
		r, b := db.rooms[id], db.batch
		var wait <-chan struct{}
		switch busy := db.busy[id]; {
		case busy != nil:
			wait = busy // its owner may be changing
		case r == nil || r.owner == "" || r.epoch != row.Epoch || r.next+1 != row.Seq:
			if r == nil || r.next == r.seq {
				db.mu.Unlock()
				return nil, fail("append", id, journal.ErrConflict)
			}
			// Whoever is told of a conflict reads what is there; so first it
			// must be there.
			wait = r.pending.done
		case len(b.recs) > 0 && len(b.buf)+len(row.Key)+len(row.Data) > maxBatch:
			wait = b.done
		case db.stuck != nil && db.tailBytes > 2*db.opt.Tail:
			err := db.stuck
			db.kick() // if it is time to try again
			db.mu.Unlock()
			return nil, db.unavailable("append", err)
		default:
			if len(b.recs) == 0 {
				b.begun = db.opt.now()
			}
			b.buf = appendRecord(b.buf, r.num, row.Seq, wake)
			start := len(b.buf)
			b.buf = appendBody(b.buf, row)
			b.recs = append(b.recs, record{room: r, body: [2]int{start, len(b.buf)}, seq: row.Seq, wake: wake})
			r.next, r.pending = row.Seq, b
			db.kick()
			db.mu.Unlock()
			return b, nil
		}
		db.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, fmt.Errorf("sqljournal: append %q: %w: %w", id, journal.ErrUnavailable, ctx.Err())
		}
		db.mu.Lock()
	}
}
