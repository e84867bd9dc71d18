package pgjournal

import (
	"context"
	"fmt"
	"math"
	"time"

	"mancala/match/journal"
)

// batch is what gathers while the statements before run. Under DB.mu until it is
// taken; then it belongs to a lane.
type batch struct {
	index map[string]int // where a room's row is
	rooms []string
	seqs  []int64
	epoch []int64
	keys  [][]byte
	data  [][]byte
	wakes []int64
	bytes []byte // what keys and data point into
	begun time.Time
	done  chan struct{} // closed when the outcome is known
	kept  []bool        // which rows went in
	err   error         // the outcome of all: then nothing is known of any
}

const maxBatch = 1 << 20 // bytes that may gather; a row that is larger goes alone

func newBatch() *batch {
	return &batch{index: map[string]int{}, bytes: make([]byte, 0, 512), done: make(chan struct{})} // bytes is never nil: that would be NULL
}

// fits says whether the batch can take a row. It holds one of each room: a
// statement sees a room's line as it was when it began.
func (b *batch) fits(room string, row journal.Row) bool {
	if len(b.rooms) == 0 {
		return true
	}
	_, there := b.index[room]
	return !there && len(b.bytes)+len(row.Key)+len(row.Data) <= maxBatch
}

func (b *batch) add(room string, row journal.Row, wake int64) int {
	if len(b.rooms) == 0 {
		b.begun = time.Now()
	}
	n := len(b.rooms)
	b.index[room] = n
	b.rooms = append(b.rooms, room)
	b.seqs = append(b.seqs, int64(row.Seq))
	b.epoch = append(b.epoch, int64(row.Epoch))
	b.keys = append(b.keys, b.copy([]byte(row.Key)))
	b.data = append(b.data, b.copy(row.Data))
	b.wakes = append(b.wakes, wake)
	return n
}

// copy makes bytes the batch's own: they are the caller's again when he no
// longer waits.
func (b *batch) copy(p []byte) []byte {
	start := len(b.bytes)
	b.bytes = append(b.bytes, p...)
	return b.bytes[start:len(b.bytes):len(b.bytes)]
}

// Append implements [journal.Journal].
func (db *DB) Append(ctx context.Context, room string, row journal.Row, wake time.Time) error {
	if err := ctx.Err(); err != nil {
		return over("append", room, journal.ErrUnavailable, err)
	}
	if !journal.ValidID(room) || row.Seq > math.MaxInt64 || row.Epoch > math.MaxInt64 {
		return fail("append", room, journal.ErrConflict) // there is no such room, or number
	}
	b, n, err := db.gather(ctx, room, row, toMS(wake))
	if err != nil {
		return err
	}
	select {
	case <-b.done:
	case <-ctx.Done():
		return over("append", room, journal.ErrUnknown, ctx.Err())
	}
	switch {
	case b.err != nil:
		return b.err
	case !b.kept[n]:
		return fail("append", room, journal.ErrConflict)
	}
	return nil
}

// gather adds a row to what gathers, and says at which place.
func (db *DB) gather(ctx context.Context, room string, row journal.Row, wake int64) (*batch, int, error) {
	for {
		db.mu.Lock()
		b := db.batch
		if db.stopped {
			db.mu.Unlock()
			return nil, 0, db.unavailable("append", errClosed)
		}
		if b.fits(room, row) {
			n := b.add(room, row, wake)
			db.mu.Unlock()
			select {
			case db.wake <- struct{}{}:
			default: // all lanes will look
			}
			return b, n, nil
		}
		db.mu.Unlock()
		select {
		case <-b.done: // then another gathers
		case <-ctx.Done():
			return nil, 0, over("append", room, journal.ErrUnavailable, ctx.Err())
		}
	}
}

// write is a lane: it writes what has gathered, again and again.
func (db *DB) write() {
	for {
		select {
		case <-db.wake:
			db.step()
		case <-db.quit:
			db.step() // what has been accepted before
			return
		}
	}
}

func (db *DB) step() {
	db.mu.Lock()
	b := db.batch
	if len(b.rooms) == 0 {
		db.mu.Unlock()
		return
	}
	db.batch = newBatch()
	db.mu.Unlock()

	start := time.Now()
	b.kept, b.err = db.commit(b)
	if db.opt.Observe != nil {
		db.opt.Observe(journal.Batch{Rows: len(b.rooms), Bytes: len(b.bytes), Waited: start.Sub(b.begun), Took: time.Since(start), Err: b.err})
	}
	close(b.done)
}

// The line is changed first, so that nobody can take the room over in between;
// whoever has done so just before is seen, since the line is looked at again
// when it is locked. What went in is told by its place.
const insertEntries = `
WITH given AS MATERIALIZED (
	SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bigint[])
		WITH ORDINALITY AS g (id, seq, epoch, key, data, wake, place)
), taken AS (
	UPDATE rooms r
	SET seq = g.seq, wake_at = CASE WHEN g.wake <> 0 AND (r.wake_at = 0 OR g.wake < r.wake_at) THEN g.wake ELSE r.wake_at END
	FROM given g
	WHERE r.id = g.id AND r.owner <> '' AND r.epoch = g.epoch AND r.seq = g.seq - 1
	RETURNING r.num, g.place, g.seq, g.epoch, g.key, g.data
), kept AS (
	INSERT INTO entries (room, seq, epoch, key, data)
	SELECT num, seq, epoch, key, data FROM taken
	ON CONFLICT DO NOTHING
	RETURNING room
)
SELECT t.place FROM taken t JOIN kept k ON k.room = t.num`

// commit writes a batch in one statement. If two instances that both believe
// they own the same rooms have locked each other out the database ends one of
// the two, of which nothing is written: that one tries again.
func (db *DB) commit(b *batch) (kept []bool, err error) {
	for range 5 {
		kept, err = db.insert(b)
		if !isCode(err, deadlock) {
			break
		}
	}
	if err != nil {
		return nil, db.outcome("append", err)
	}
	return kept, nil
}

func (db *DB) insert(b *batch) ([]bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	rows, err := db.append.QueryContext(ctx, insertEntries, b.rooms, b.seqs, b.epoch, b.keys, b.data, b.wakes)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	kept := make([]bool, len(b.rooms))
	for rows.Next() {
		var place int
		if err := rows.Scan(&place); err != nil {
			return nil, fmt.Errorf("place: %w", err)
		}
		kept[place-1] = true
	}
	return kept, rows.Err()
}
