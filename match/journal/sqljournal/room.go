package sqljournal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mancala/match/journal"
)

// room is what memory knows of a room that has been owned since opening. Under
// DB.mu; but tail and what else follows from commits changes only on the
// writing goroutine.
type room struct {
	num      int64
	id, kind string
	owner    string
	epoch    uint64
	seq      uint64 // of the last entry that is written
	next     uint64 // of the last that is written or on its way
	pending  *batch // the one that next is in, if that is on its way
	wake     int64  // ms, 0 for never

	tail         [][]byte // bodies of the last entries up to seq, which the log has and segments have not
	since        int64    // log row of the first in tail
	prev_, next_ *room    // in DB.fifo while there is a tail
}

// split is the last entry that segments have.
func (r *room) split() uint64 { return r.seq - uint64(len(r.tail)) }

// list is a queue from which any room can leave.
type list struct{ head, last *room }

func (l *list) push(r *room) {
	r.prev_, r.next_ = l.last, nil
	if l.last == nil {
		l.head = r
	} else {
		l.last.next_ = r
	}
	l.last = r
}

func (l *list) remove(r *room) {
	if r.prev_ == nil && l.head != r {
		return // not in it
	}
	if r.prev_ == nil {
		l.head = r.next_
	} else {
		r.prev_.next_ = r.next_
	}
	if r.next_ == nil {
		l.last = r.prev_
	} else {
		r.next_.prev_ = r.prev_
	}
	r.prev_, r.next_ = nil, nil
}

func toMS(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return cmp.Or(t.UnixMilli(), 1) // 0 is never
}

func fromMS(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// seen is an instance's last sign of life, and whether it still counts.
// Under DB.mu.
func (db *DB) seen(id string) (at time.Time, alive bool) {
	in, ok := db.instances[id]
	if !ok {
		return time.Time{}, false
	}
	return fromMS(in.seen), !in.gone && db.nowMS()-in.seen < journal.DeadAfter.Milliseconds()
}

// line is a room as the contract has it. Under DB.mu.
func (db *DB) line(r *room) journal.Room {
	seen, alive := db.seen(r.owner)
	return journal.Room{
		ID: r.id, Kind: r.kind, Owner: r.owner, Epoch: r.epoch, Seq: r.seq, Wake: fromMS(r.wake),
		OwnerSeen: seen, OwnerDead: r.owner != "" && !alive,
	}
}

const columns = "num, id, kind, owner, epoch, seq, wake_at"

func (r *room) scan(from interface{ Scan(...any) error }) error {
	err := from.Scan(&r.num, &r.id, &r.kind, &r.owner, &r.epoch, &r.seq, &r.wake)
	r.next = r.seq
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

// find is load for an op: from memory if it is there. The op has marked the
// room as busy, so it stays as it is.
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

// onRoom runs an op that concerns one room.
func (db *DB) onRoom(ctx context.Context, op_, id string, o *op) error {
	o.name, o.room = op_, id
	err := db.do(ctx, o)
	if err != nil && verdict(err) {
		err = fail(op_, id, err)
	}
	return err
}
