package sqljournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"mancala/engine/tuning"
	"mancala/match/journal"
)

const (
	maxBatch = 1 << 20 // largest batch in bytes; a larger entry has a batch of its own
	maxOps   = 64      // operations in one transaction
	maxQueue = 8192    // operations in the queue
)

// batch collects rows while the statement before it runs. DB.mu guards it until the
// writer takes it. From then on it belongs to the writer, and buf does not change
// again.
type batch struct {
	buf   []byte // the log row so far
	recs  []record
	begun time.Time     // when the first entry was added
	done  chan struct{} // closed when the outcome is known
	err   error         // the outcome of all entries
}

// record is one entry of a batch.
type record struct {
	room *room
	body [2]int // start and end in buf
	seq  uint64
	wake int64 // ms; 0 for none
}

func newBatch(size int) *batch {
	return &batch{buf: append(make([]byte, 0, max(512, size)), format), done: make(chan struct{})}
}

// op is every operation except an append. It has a transaction, with others or alone.
type op struct {
	name       string
	room       string // ID; one transaction has at most one op for a room, and appends to the room wait meanwhile
	alone      bool   // has a transaction of its own, and its errors are the caller's
	signOfLife bool   // goes first in the queue, or a busy server would seem dead
	// run works in the transaction, on the writing goroutine. If the op is not alone,
	// run returns one of the journal's errors before it has written anything, or an
	// error of the database, which makes the whole transaction fail.
	run   func(*Tx) error
	apply func() // called with DB.mu held after the commit; may be nil

	state    atomic.Int32  // waiting, begun or given up
	ran      chan struct{} // closed when run will not be called, or has returned
	err      error
	panicked any
	done     chan struct{} // closed when the outcome is known
}

// States of an op.
const (
	opWaits = iota
	opBegun
	opGivenUp // its caller's context has ended first
)

// Tx is a write transaction. It belongs to the function that receives it and ends
// with that function. Placeholders are $1, $2, …
type Tx struct {
	db   *DB
	rows []*sql.Rows
}

// Exec runs a statement and returns the number of rows that it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	res, err := tx.db.conn.ExecContext(context.Background(), query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Query runs a query. Rows that the caller does not close are closed with the
// transaction.
func (tx *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	rows, err := tx.db.conn.QueryContext(context.Background(), query, args...)
	if err == nil {
		tx.rows = append(tx.rows, rows)
	}
	return rows, err
}

// Scan runs a query for one row. It returns [sql.ErrNoRows] if there is none.
func (tx *Tx) Scan(query string, args []any, dest ...any) error {
	return tx.db.conn.QueryRowContext(context.Background(), query, args...).Scan(dest...)
}

// Write runs fn in a write transaction of its own. While fn runs, nothing else is
// written, in no room. So fn must only run its statements and return: it must not
// call methods of the DB and must not wait. An error from fn rolls back and is
// returned unchanged. Any other error is the database's; [journal.ErrUnknown] means
// that the caller's context ended meanwhile.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	return db.submit(ctx, &op{name: "write", alone: true, run: fn})
}

// submit hands an op to the writer and waits for the result.
func (db *DB) submit(ctx context.Context, o *op) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sqljournal: %s: %w: %w", o.name, journal.ErrUnavailable, err)
	}
	o.done, o.ran = make(chan struct{}), make(chan struct{})
	db.mu.Lock()
	if err := db.stopped; err != nil {
		db.mu.Unlock()
		return db.unavailable(o.name, err)
	}
	switch {
	case o.signOfLife:
		db.ops = slices.Insert(db.ops, 0, o)
	case len(db.ops) >= maxQueue:
		db.mu.Unlock()
		return db.unavailable(o.name, errors.New("the queue of operations is full"))
	default:
		db.ops = append(db.ops, o)
	}
	db.wakeWriter()
	db.mu.Unlock()
	select {
	case <-o.done:
	case <-ctx.Done():
		// run sets variables of the caller, so the caller may not return while it runs.
		// Its transaction may take longer: the disk may hang.
		givenUp := o.state.CompareAndSwap(opWaits, opGivenUp)
		if !givenUp {
			<-o.ran
		}
		db.mu.Lock()
		if i := slices.Index(db.ops, o); i >= 0 {
			db.ops = slices.Delete(db.ops, i, i+1)
		}
		err := ctx.Err()
		if db.lastErr != nil { // the reason for the delay
			err = fmt.Errorf("%w (%w)", err, db.wrap(o.name, db.lastErr))
		}
		db.mu.Unlock()
		if givenUp {
			return fmt.Errorf("sqljournal: %s: %w: %w", o.name, journal.ErrUnavailable, err)
		}
		return fmt.Errorf("sqljournal: %s: %w: %w", o.name, journal.ErrUnknown, err)
	}
	if o.panicked != nil {
		panic(o.panicked) // the panic belongs to the caller's stack and handlers
	}
	return o.err
}

// wakeWriter wakes the writer if it is idle. The caller holds mu.
func (db *DB) wakeWriter() {
	if db.idle {
		db.idle = false
		db.wake <- struct{}{}
	}
}

// write is the goroutine that does all writing.
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

// step writes the collected work once. It returns false if there was none.
func (db *DB) step() bool {
	tuning.Yield() // goroutines that are ready to run can add their entries to this batch
	db.mu.Lock()
	b := db.batch
	lives, ops := db.takeSignsOfLife(), db.takeOps()
	if len(b.recs) == 0 {
		b = nil
	} else {
		db.batch = newBatch(len(b.buf) + len(b.buf)/8)
	}
	long := db.logBytes > db.opt.Tail && db.opt.now().After(db.splitAfter)
	if b == nil && len(lives)+len(ops) == 0 && !long {
		db.idle = true
		db.mu.Unlock()
		return false
	}
	db.mu.Unlock()

	if b != nil {
		db.commit(b)
	}
	for _, ops := range [][]*op{lives, ops} { // separate transactions, so that neither kind can block the other for ever
		if len(ops) > 0 {
			db.runOps(ops)
		}
	}
	if long {
		db.shortenLog()
	}
	db.walGrew()
	return true
}

// takeSignsOfLife takes the signs of life, which are at the front of the queue. The
// caller holds mu.
func (db *DB) takeSignsOfLife() (lives []*op) {
	n := 0
	for n < len(db.ops) && db.ops[n].signOfLife {
		n++
	}
	lives = slices.Clone(db.ops[:n])
	db.ops = slices.Delete(db.ops, 0, n)
	return lives
}

// takeOps takes the ops for one transaction and marks their rooms as busy. The caller
// holds mu and takes the batch under the same lock: entries that were accepted before
// are written before, and no entry is accepted until the op is done.
func (db *DB) takeOps() (ops []*op) {
	n := 0
	for n < len(db.ops) && n < maxOps {
		o := db.ops[n]
		if o.alone && n > 0 || o.room != "" && db.busyRooms[o.room] != nil {
			break
		}
		if o.room != "" {
			db.busyRooms[o.room] = o.done
		}
		n++
		if o.alone {
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
	db.lastErr = err
	if err == nil {
		for i := range b.recs {
			db.entryCommitted(b, &b.recs[i])
		}
		db.logRows = append(db.logRows, logRow{db.logID, cap(b.buf)})
		db.logBytes += cap(b.buf)
		db.tailBytes = db.logBytes
	} else {
		// Rows that were collected meanwhile may follow a row that is not there. So
		// both batches fail, and the rooms go back to the last written row.
		if !errors.Is(err, journal.ErrUnknown) {
			err = db.unavailable("append", err)
		}
		for _, lost := range []*batch{b, db.batch} {
			for i := range lost.recs {
				r := lost.recs[i].room
				r.queued, r.pending = r.seq, nil
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

// insert writes the batch's row. After a failed statement it looks for the row,
// because an error does not always tell whether the row was written. Until that is
// known, nothing else is written.
func (db *DB) insert(b *batch) error {
	res, err := db.conn.ExecContext(context.Background(), insertLog, db.logID, b.buf, db.generation)
	if err == nil {
		if n, _ := res.RowsAffected(); n == 0 {
			return db.loseLease()
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

// entryCommitted updates a room after one of its entries was written. The caller
// holds mu.
func (db *DB) entryCommitted(b *batch, rec *record) {
	r := rec.room
	r.seq = rec.seq
	if r.pending == b {
		r.pending = nil // otherwise every room would keep the whole batch of its last entry
	}
	if rec.wake != 0 && (r.wake == 0 || rec.wake < r.wake) {
		r.wake = rec.wake
	}
	if len(r.tail) == 0 {
		r.firstLogRow = db.logID
		db.tails.push(r)
	}
	r.tail = append(r.tail, b.buf[rec.body[0]:rec.body[1]:rec.body[1]])
}

// loseLease is called when the lease has a newer generation than this process.
func (db *DB) loseLease() error {
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
		if !committed { // fn returned an error or panicked
			// After some errors SQLite has rolled back already. Then this statement
			// fails, which does no harm.
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

// checkLease is the fence of a transaction. The fence of a batch is the condition in
// insertLog.
func (db *DB) checkLease(tx *Tx) error {
	var generation int64
	if err := tx.Scan("SELECT generation FROM lease", nil, &generation); err != nil {
		return err
	}
	if generation != db.generation {
		return db.loseLease()
	}
	return nil
}

// fenced runs fn in a transaction if this process still owns the database.
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

// runOps runs ops in one transaction and sets the result of each.
func (db *DB) runOps(ops []*op) {
	err := db.fenced(func(tx *Tx) error {
		for _, o := range ops {
			if o.err = o.try(tx); o.err != nil && (o.alone || !isJournalError(o.err)) {
				return o.err
			}
		}
		return nil
	})
	db.mu.Lock()
	defer db.mu.Unlock()
	if !ops[0].alone { // the error of a lone op may be the caller's own
		db.lastErr = err
	}
	for _, o := range ops {
		switch {
		case o.err == nil && err != nil, !o.alone && o.err != nil && !isJournalError(o.err):
			o.err = db.unavailable(o.name, err)
		case o.err == nil && o.apply != nil:
			o.apply()
		}
		delete(db.busyRooms, o.room)
		close(o.done)
	}
}

// try runs an op, unless its caller has given up. It keeps a panic for the caller.
func (o *op) try(tx *Tx) (err error) {
	if !o.state.CompareAndSwap(opWaits, opBegun) {
		o.apply = nil
		return nil
	}
	defer close(o.ran)
	defer func() {
		if p := recover(); p != nil {
			o.panicked, err = p, errors.New("panicked")
		}
	}()
	return o.run(tx)
}

// isJournalError reports whether an error is the journal's answer and not the
// database's.
func isJournalError(err error) bool {
	return errors.Is(err, journal.ErrConflict) || errors.Is(err, journal.ErrNoRoom)
}

// finish writes what has been accepted and splits the log, so that the next start has
// nothing to recover.
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
