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
	b, err := db.enqueue(ctx, id, row, journal.ToMS(wake))
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

// enqueue adds a row to the current batch if the fence allows it.
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
		switch busy := db.busyRooms[id]; {
		case busy != nil:
			wait = busy // an operation may be changing the owner
		case r == nil || r.owner == "" || r.epoch != row.Epoch || r.queued+1 != row.Seq:
			if r == nil || r.queued == r.seq {
				db.mu.Unlock()
				return nil, fail("append", id, journal.ErrConflict)
			}
			// A caller that gets a conflict reads the room. So the rows on their way
			// must be stored first.
			wait = r.pending.done
		case len(b.recs) > 0 && len(b.buf)+len(row.Key)+len(row.Data) > maxBatch:
			wait = b.done
		case db.splitErr != nil && db.tailBytes > 2*db.opt.Tail:
			err := db.splitErr
			db.wakeWriter() // it may be time to try again
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
			r.queued, r.pending = row.Seq, b
			db.wakeWriter()
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
