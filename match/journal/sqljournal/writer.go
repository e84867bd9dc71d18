package sqljournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"mancala/match/journal"
)

const (
	maxBatch = 1 << 20 // bytes that may gather; an entry that is larger goes alone
	maxOps   = 64      // in one transaction
	maxQueue = 8192    // ops that may wait
)

// batch is what gathers while the statement before runs. Under DB.mu until it
// is taken; then it belongs to the writer and buf never changes again.
type batch struct {
	buf   []byte // a log row in the making
	recs  []record
	begun time.Time     // when the first entry came
	done  chan struct{} // closed when the outcome is known
	err   error         // the outcome, of all
}

// record is one entry of a batch.
type record struct {
	room *room
	body [2]int // where in buf
	seq  uint64
	wake int64 // ms, 0 for none
}

func newBatch(size int) *batch {
	return &batch{buf: append(make([]byte, 0, max(512, size)), format), done: make(chan struct{})}
}

// op is everything but an append: it has a transaction, with others or alone.
type op struct {
	name string
	room string // ID; no two ops of one transaction concern the same, and no append goes on meanwhile
	solo bool   // has the transaction for itself, and its errors are the caller's
	life bool   // a sign of life: waits for nothing but what runs, else a busy server would seem dead
	// run works in the transaction, on the writing goroutine. If it is not solo
	// it answers with one of the journal's errors before it has written
	// anything, or with the database's, which fail the whole transaction.
	run   func(*Tx) error
	apply func() // under DB.mu once it is committed; may be nil

	err      error
	panicked any
	done     chan struct{}
}

// Tx is a write transaction. It belongs to the function it was given to and
// ends with it. Placeholders are $1, $2, …
type Tx struct {
	db   *DB
	rows []*sql.Rows
}

// Exec runs a statement and says how many rows it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	res, err := tx.db.conn.ExecContext(context.Background(), query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Query runs a query; what the caller does not close ends with the transaction.
func (tx *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	rows, err := tx.db.conn.QueryContext(context.Background(), query, args...)
	if err == nil {
		tx.rows = append(tx.rows, rows)
	}
	return rows, err
}

// Scan runs a query for one row. [sql.ErrNoRows] if there is none.
func (tx *Tx) Scan(query string, args []any, dest ...any) error {
	return tx.db.conn.QueryRowContext(context.Background(), query, args...).Scan(dest...)
}

// Write runs fn in a write transaction, alone. While it runs nothing else is
// written, in no room: fn does its statements and returns; it must not call
// methods of the DB, nor wait for anything. An error from fn rolls back and is
// returned as it is. Otherwise the error is the database's, and if it is
// [journal.ErrUnknown] the caller's context ended meanwhile.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	return db.do(ctx, &op{name: "write", solo: true, run: fn})
}

// do hands an op to the writer and waits for it.
func (db *DB) do(ctx context.Context, o *op) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sqljournal: %s: %w: %w", o.name, journal.ErrUnavailable, err)
	}
	o.done = make(chan struct{})
	db.mu.Lock()
	if err := db.stopped; err != nil {
		db.mu.Unlock()
		return db.unavailable(o.name, err)
	}
	switch {
	case o.life:
		db.ops = slices.Insert(db.ops, 0, o)
	case len(db.ops) >= maxQueue:
		db.mu.Unlock()
		return db.unavailable(o.name, errors.New("too much waits already"))
	default:
		db.ops = append(db.ops, o)
	}
	db.kick()
	db.mu.Unlock()
	select {
	case <-o.done:
	case <-ctx.Done():
		db.mu.Lock()
		i := slices.Index(db.ops, o)
		if i >= 0 { // not begun: withdrawn
			db.ops = slices.Delete(db.ops, i, i+1)
		}
		err := ctx.Err()
		if db.trouble != nil { // why it took so long
			err = fmt.Errorf("%w (%w)", err, db.wrap(o.name, db.trouble))
		}
		db.mu.Unlock()
		if i >= 0 {
			return fmt.Errorf("sqljournal: %s: %w: %w", o.name, journal.ErrUnavailable, err)
		}
		return fmt.Errorf("sqljournal: %s: %w: %w", o.name, journal.ErrUnknown, err)
	}
	if o.panicked != nil {
		panic(o.panicked) // where the caller's stack and handlers are
	}
	return o.err
}

// kick wakes the writer if it waits. Under DB.mu.
func (db *DB) kick() {
	if db.idle {
		db.idle = false
		db.wake <- struct{}{}
	}
}

// write is the goroutine that writes, all there is to write.
func (db *DB) write() {
	for {
		select {
		case <-db.wake:
			for db.step() {
			}
		case <-db.quit:
			db.finish()
			return
		}
	}
}

// step writes what has gathered, once. It says false when nothing had.
func (db *DB) step() bool {
	// Rooms that are ready to run add their entry to this batch instead of
	// paying for the next; nobody is waited for.
	runtime.Gosched()
	db.mu.Lock()
	b := db.batch
	lives, ops := db.takeLives(), db.takeOps()
	if len(b.recs) == 0 {
		b = nil
	} else {
		db.batch = newBatch(len(b.buf) + len(b.buf)/8)
	}
	long := db.logBytes > db.opt.Tail && db.opt.now().After(db.holdOff)
	if b == nil && len(lives)+len(ops) == 0 && !long {
		db.idle = true
		db.mu.Unlock()
		return false
	}
	db.mu.Unlock()

	if b != nil {
		db.commit(b)
	}
	for _, ops := range [][]*op{lives, ops} { // apart, so that neither waits for ever behind the other
		if len(ops) > 0 {
			db.runOps(ops)
		}
	}
	if long {
		db.shorten()
	}
	return true
}

// takeLives takes the signs of life, which stand before everything else. Under
// DB.mu.
func (db *DB) takeLives() (lives []*op) {
	n := 0
	for n < len(db.ops) && db.ops[n].life {
		n++
	}
	lives = slices.Clone(db.ops[:n])
	db.ops = slices.Delete(db.ops, 0, n)
	return lives
}

// takeOps takes the ops for one transaction and marks their rooms as busy.
// Under DB.mu, together with the taking of the batch: entries that were
// accepted before are written before, and none is accepted until the op is over.
func (db *DB) takeOps() (ops []*op) {
	n := 0
	for n < len(db.ops) && n < maxOps {
		o := db.ops[n]
		if o.solo && n > 0 || o.room != "" && db.busy[o.room] != nil {
			break
		}
		if o.room != "" {
			db.busy[o.room] = o.done
		}
		n++
		if o.solo {
			break
		}
	}
	ops = slices.Clone(db.ops[:n])
	db.ops = slices.Delete(db.ops, 0, n)
	return ops
}

const insertLog = `INSERT INTO log (id, data) SELECT $1, $2 FROM lease WHERE generation = $3`

// commit writes a batch as one row of the log.
func (db *DB) commit(b *batch) {
	start := db.opt.now()
	db.logID++
	err := db.insert(b)
	took := db.opt.now().Sub(start)

	db.mu.Lock()
	db.trouble = err
	if err == nil {
		for i := range b.recs {
			db.landed(b, &b.recs[i])
		}
		db.logRows = append(db.logRows, logRow{db.logID, cap(b.buf)})
		db.logBytes += cap(b.buf)
		db.tailBytes = db.logBytes
	} else {
		// What gathered meanwhile may follow an entry that is not there. The
		// rooms go back to what is written.
		if !errors.Is(err, journal.ErrUnknown) {
			err = db.unavailable("append", err)
		}
		for _, lost := range []*batch{b, db.batch} {
			for i := range lost.recs {
				r := lost.recs[i].room
				r.next, r.pending = r.seq, nil
			}
			lost.err = err
			close(lost.done)
		}
		db.batch = newBatch(0)
	}
	db.mu.Unlock()
	if err == nil {
		close(b.done)
	}
	if db.opt.Observe != nil {
		db.opt.Observe(journal.Batch{Rows: len(b.recs), Bytes: len(b.buf), Waited: start.Sub(b.begun), Took: took, Err: err})
	}
}

// insert writes the batch's row. A statement that failed is looked for, since
// an error says what went wrong, not always what was written; until that is
// known nothing else is.
func (db *DB) insert(b *batch) error {
	res, err := db.conn.ExecContext(context.Background(), insertLog, db.logID, b.buf, db.generation)
	if err == nil {
		if n, _ := res.RowsAffected(); n == 0 {
			return db.lose()
		}
		return nil
	}
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		var n int
		if db.conn.QueryRowContext(context.Background(), "SELECT count(*) FROM log WHERE id = $1", db.logID).Scan(&n) == nil {
			if n == 1 {
				return nil
			}
			return err
		}
		select {
		case <-time.After(wait):
		case <-db.quit:
			return fmt.Errorf("%w: %w", journal.ErrUnknown, err)
		}
	}
}

// landed tells a room that its entry is written. Under DB.mu.
func (db *DB) landed(b *batch, rec *record) {
	r := rec.room
	r.seq = rec.seq
	if r.pending == b {
		r.pending = nil // or every room would keep the whole batch that its last entry was in
	}
	if rec.wake != 0 && (r.wake == 0 || rec.wake < r.wake) {
		r.wake = rec.wake
	}
	if len(r.tail) == 0 {
		r.since = db.logID
		db.fifo.push(r)
	}
	r.tail = append(r.tail, b.buf[rec.body[0]:rec.body[1]:rec.body[1]])
}

// lose is called when the lease has a newer generation than ours.
func (db *DB) lose() error {
	err := &Error{Code: CodeLost, Op: "write", Path: db.path, Err: errors.New("another server has taken over")}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.stopped == nil {
		db.stopped = err
		close(db.lost)
	}
	return err
}

// transact runs fn in a transaction on the writer's connection.
func (db *DB) transact(fn func() error) (err error) {
	ctx := context.Background()
	if _, err := db.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed { // an error, or a panic on its way up
			// Some errors have rolled back already; then this fails, and no harm.
			_, _ = db.conn.ExecContext(ctx, "ROLLBACK")
		}
	}()
	if err := fn(); err != nil {
		return err
	}
	_, err = db.conn.ExecContext(ctx, "COMMIT")
	committed = err == nil
	return err
}

// checkLease is the fence of a transaction, as the condition in insertLog is of
// a batch.
func (db *DB) checkLease(tx *Tx) error {
	var generation int64
	if err := tx.Scan("SELECT generation FROM lease", nil, &generation); err != nil {
		return err
	}
	if generation != db.generation {
		return db.lose()
	}
	return nil
}

// fenced runs fn in a transaction if the database is still ours.
func (db *DB) fenced(fn func(*Tx) error) error {
	return db.transact(func() error {
		tx := &Tx{db: db}
		defer func() {
			for _, rows := range tx.rows {
				_ = rows.Close()
			}
		}()
		if err := db.checkLease(tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// runOps runs ops in one transaction and tells each what became of it.
func (db *DB) runOps(ops []*op) {
	err := db.fenced(func(tx *Tx) error {
		for _, o := range ops {
			if o.err = o.try(tx); o.err != nil && (o.solo || !verdict(o.err)) {
				return o.err
			}
		}
		return nil
	})
	db.mu.Lock()
	defer db.mu.Unlock()
	if !ops[0].solo { // whose errors may be anything
		db.trouble = err
	}
	for _, o := range ops {
		switch {
		case o.err == nil && err != nil, !o.solo && o.err != nil && !verdict(o.err):
			o.err = db.unavailable(o.name, err)
		case o.err == nil && o.apply != nil:
			o.apply()
		}
		delete(db.busy, o.room)
		close(o.done)
	}
}

// try runs an op; a panic is kept for the caller.
func (o *op) try(tx *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			o.panicked, err = p, errors.New("panicked")
		}
	}()
	return o.run(tx)
}

// verdict says whether an error is the journal's answer, not the database's.
func verdict(err error) bool {
	return errors.Is(err, journal.ErrConflict) || errors.Is(err, journal.ErrNoRoom)
}

// finish writes what has been accepted and splits the log, so that the next
// start has nothing to recover.
func (db *DB) finish() {
	db.mu.Lock()
	lost := db.stopped != nil
	if !lost {
		db.stopped = &Error{Code: CodeClosed, Op: "use", Path: db.path, Err: errors.New("the database is closed")}
	}
	db.mu.Unlock()
	for db.step() {
	}
	for !lost && db.logBytes > 0 && db.split(0) == nil {
	}
}
