package sqljournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mancala/match/journal"
)

// room is the state in memory of a room that has been owned since the database was
// opened. DB.mu guards it. The tail and the other results of commits change only on
// the writing goroutine.
type room struct {
	num      int64
	id, kind string
	owner    string
	epoch    uint64
	seq      uint64 // number of the last entry that is written
	queued   uint64 // number of the last entry that is written or on its way
	pending  *batch // the batch that holds entry queued, while that is on its way
	wake     int64  // ms; 0 means never

	tail               [][]byte // bodies of the last entries up to seq, which are in the log and not in segments
	firstLogRow        int64    // log row of the first entry in tail
	prevTail, nextTail *room    // neighbours in DB.tails while there is a tail
}

// split returns the number of the last entry in segments.
func (r *room) split() uint64 { return r.seq - uint64(len(r.tail)) }

// tailList is a queue from which any room can leave.
type tailList struct{ head, last *room }

func (l *tailList) push(r *room) {
	r.prevTail, r.nextTail = l.last, nil
	if l.last == nil {
		l.head = r
	} else {
		l.last.nextTail = r
	}
	l.last = r
}

func (l *tailList) remove(r *room) {
	if r.prevTail == nil && l.head != r {
		return // r is not in the queue
	}
	if r.prevTail == nil {
		l.head = r.nextTail
	} else {
		r.prevTail.nextTail = r.nextTail
	}
	if r.nextTail == nil {
		l.last = r.prevTail
	} else {
		r.nextTail.prevTail = r.prevTail
	}
	r.prevTail, r.nextTail = nil, nil
}

// lastSeen returns the last sign of life of an instance, and whether the instance
// counts as alive. The caller holds mu.
func (db *DB) lastSeen(id string) (at time.Time, alive bool) {
	in, ok := db.instances[id]
	if !ok {
		return time.Time{}, false
	}
	return journal.FromMS(in.seen), !in.dead && db.nowMS()-in.seen < journal.DeadAfter.Milliseconds()
}

// line returns a room in the form of the contract. The caller holds mu.
func (db *DB) line(r *room) journal.Room {
	seen, alive := db.lastSeen(r.owner)
	return journal.Room{
		ID: r.id, Kind: r.kind, Owner: r.owner, Epoch: r.epoch, Seq: r.seq, Wake: journal.FromMS(r.wake),
		OwnerSeen: seen, OwnerDead: r.owner != "" && !alive,
	}
}

const columns = "num, id, kind, owner, epoch, seq, wake_at"

func (r *room) scan(from interface{ Scan(...any) error }) error {
	err := from.Scan(&r.num, &r.id, &r.kind, &r.owner, &r.epoch, &r.seq, &r.wake)
	r.queued = r.seq
	return err
}

// load reads a room by its id or num.
func load(tx *Tx, column string, key any) (*room, error) {
	r := new(room)
	err := r.scan(tx.db.conn.QueryRowContext(context.Background(), "SELECT "+columns+" FROM rooms WHERE "+column+" = $1", key))
	if errors.Is(err, sql.ErrNoRows) {
		err = journal.ErrNoRoom
	}
	return r, err
}

// find is load for an operation: it takes the room from memory if it is there. The
// operation has marked the room as busy, so the room does not change.
func (db *DB) find(tx *Tx, id string) (*room, error) {
	db.mu.Lock()
	r := db.rooms[id]
	db.mu.Unlock()
	if r != nil {
		return r, nil
	}
	return load(tx, "id", id)
}

func fail(op, id string, err error) error { return fmt.Errorf("sqljournal: %s %q: %w", op, id, err) }

// onRoom runs an operation that concerns one room.
func (db *DB) onRoom(ctx context.Context, op_, id string, o *op) error {
	o.name, o.room = op_, id
	err := db.submit(ctx, o)
	if err != nil && isJournalError(err) {
		err = fail(op_, id, err)
	}
	return err
}
