package pgjournal

import (
	"context"
	"fmt"
	"math"
	"time"

	"mancala/match/journal"
)

// batch collects rows while the statements before it run. DB.mu guards it until a
// lane takes it. From then on it belongs to the lane.
type batch struct {
	index   map[string]int // place of a room's row
	rooms   []string
	seqs    []int64
	epoch   []int64
	keys    [][]byte
	data    [][]byte
	wakes   []int64
	bytes   []byte // memory of keys and data
	begun   time.Time
	done    chan struct{} // closed when the outcome is known
	written []bool        // whether each row was written
	err     error         // the error of the statement; then the outcome of every row is unknown
}

const maxBatch = 1 << 20 // largest batch in bytes; a larger row has a batch of its own

func newBatch() *batch {
	return &batch{index: map[string]int{}, bytes: make([]byte, 0, 512), done: make(chan struct{})} // bytes is never nil, because nil would be NULL
}

// fits reports whether the batch can take a row. It holds at most one row of each
// room, because a statement sees a room's line as it was when the statement began.
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

// copy copies bytes into the batch. The caller may change its own bytes when it no
// longer waits.
func (b *batch) copy(p []byte) []byte {
	start := len(b.bytes)
	b.bytes = append(b.bytes, p...)
	return b.bytes[start:len(b.bytes):len(b.bytes)]
}

// Append implements [journal.Journal].
func (db *DB) Append(ctx context.Context, room string, row journal.Row, wake time.Time) error {
	if err := ctx.Err(); err != nil {
		return contextError("append", room, journal.ErrUnavailable, err)
	}
	if !journal.ValidID(room) || row.Seq > math.MaxInt64 || row.Epoch > math.MaxInt64 {
		return fail("append", room, journal.ErrConflict) // the room or the number cannot exist
	}
	b, n, err := db.enqueue(ctx, room, row, journal.ToMS(wake))
	if err != nil {
		return err
	}
	select {
	case <-b.done:
	case <-ctx.Done():
		return contextError("append", room, journal.ErrUnknown, ctx.Err())
	}
	switch {
	case b.err != nil:
		return b.err
	case !b.written[n]:
		return fail("append", room, journal.ErrConflict)
	}
	return nil
}

// enqueue adds a row to the current batch and returns its place there.
func (db *DB) enqueue(ctx context.Context, room string, row journal.Row, wake int64) (*batch, int, error) {
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
			default: // every lane has been woken already
			}
			return b, n, nil
		}
		db.mu.Unlock()
		select {
		case <-b.done: // then there is a new batch
		case <-ctx.Done():
			return nil, 0, contextError("append", room, journal.ErrUnavailable, ctx.Err())
		}
	}
}

// write is a lane: it writes the current batch, again and again.
func (db *DB) write() {
	for {
		select {
		case <-db.wake:
			db.step()
		case <-db.quit:
			db.step() // rows that were accepted before the end
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
	b.written, b.err = db.commit(b)
	if db.opt.Observe != nil {
		db.opt.Observe(journal.Batch{Rows: len(b.rooms), Bytes: len(b.bytes), Waited: start.Sub(b.begun), Took: time.Since(start), Err: b.err})
	}
	close(b.done)
}

// The statement changes the room's line first, so that no instance can take the room
// over in between. A takeover just before is seen, because the line is checked again
// when it is locked. The result names the written rows by their place.
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

// commit writes a batch in one statement. Two instances that both believe to own the
// same rooms can deadlock. The database then ends one of the two statements and
// writes nothing of it, and that instance tries again.
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
