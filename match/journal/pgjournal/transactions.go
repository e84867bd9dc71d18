package pgjournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"mancala/match/journal"
)

// Tx is a write transaction. It belongs to the function that receives it and ends
// with that function. Placeholders are $1, $2, …
type Tx struct {
	ctx context.Context
	tx  *sql.Tx
}

// Exec runs a statement and returns the number of rows that it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	res, err := tx.tx.ExecContext(tx.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Scan runs a query for one row. It returns [sql.ErrNoRows] if there is none.
func (tx *Tx) Scan(query string, args []any, dest ...any) error {
	return tx.tx.QueryRowContext(tx.ctx, query, args...).Scan(dest...)
}

const (
	// maxAttempts is the number of retries of a transaction that conflicts with others.
	maxAttempts = 30
	// duplicateAttempts is that number if a line exists already. One retry is enough if
	// another transaction has added it.
	duplicateAttempts = 3
	// maxWriters is the number of transactions that an instance runs at a time: enough to
	// use the disk's pauses. With dozens on small tables most transactions conflicted, and
	// some ran out of attempts.
	maxWriters = 4
)

// Write runs fn in a write transaction, as if no other transaction ran. Others may
// write at the same time. If two have read what the other has changed, one of them is
// run again. So fn must only run its statements and set its results, and must not add
// to anything outside. An error from fn rolls back and is returned unchanged.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	select {
	case db.writing <- struct{}{}:
		defer func() { <-db.writing }()
	case <-ctx.Done():
		return contextError("write", "", journal.ErrUnavailable, ctx.Err())
	}
	for try := 0; ; try++ {
		err := db.attempt(ctx, fn)
		again := isCode(err, serialization) || isCode(err, deadlock) || isCode(err, duplicate) && try < duplicateAttempts
		if !again {
			return err
		}
		if try == maxAttempts {
			return db.unavailable("write", err)
		}
		select {
		case <-time.After(rand.N(time.Duration(1+min(try, 20)) * time.Millisecond)):
		case <-ctx.Done():
			return contextError("write", "", journal.ErrUnavailable, ctx.Err())
		}
	}
}

func (db *DB) attempt(ctx context.Context, fn func(*Tx) error) error {
	tx, err := db.tables.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return db.statementError(ctx, "write", "", err)
	}
	defer func() { _ = tx.Rollback() }() // runs after a panic of fn too; does nothing after a commit
	if err := fn(&Tx{ctx, tx}); err != nil {
		if lost := connectionLost(err); lost || ctx.Err() != nil {
			return fmt.Errorf("%w: %w", db.unavailable("write", err), err)
		}
		return err
	}
	err = tx.Commit()
	switch {
	case err == nil, isCode(err, serialization), isCode(err, deadlock):
		return err
	case errors.Is(err, sql.ErrTxDone):
		return contextError("write", "", journal.ErrUnavailable, ctx.Err())
	}
	return db.outcome("write", err)
}

// Reader returns a pool for the tables of other packages. Its reads see every write
// that has returned.
func (db *DB) Reader() *sql.DB { return db.tables }
