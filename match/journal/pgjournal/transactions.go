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

// Tx is a write transaction. It belongs to the function it was given to and ends
// with it. Placeholders are $1, $2, …
type Tx struct {
	ctx context.Context
	tx  *sql.Tx
}

// Exec runs a statement and says how many rows it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	res, err := tx.tx.ExecContext(tx.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Scan runs a query for one row. [sql.ErrNoRows] if there is none.
func (tx *Tx) Scan(query string, args []any, dest ...any) error {
	return tx.tx.QueryRowContext(tx.ctx, query, args...).Scan(dest...)
}

const (
	// attempts is how often a transaction is tried that others have got in the
	// way of.
	attempts = 30
	// clashes is how often, if a line was there already: once is enough where
	// somebody else has added it.
	clashes = 3
	// writers is how many of them an instance runs at a time: enough to share the
	// disk's pauses. With dozens on small tables most got in each other's way, and
	// some ran out of attempts.
	writers = 4
)

// Write runs fn in a write transaction, as if it were alone: others may write at
// the same time, and if both have looked at what the other has changed one of
// them is run again. So fn does its statements, sets what it gives out, and adds
// to nothing outside. An error from fn rolls back and is returned as it is.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	select {
	case db.writing <- struct{}{}:
		defer func() { <-db.writing }()
	case <-ctx.Done():
		return over("write", "", journal.ErrUnavailable, ctx.Err())
	}
	for try := 0; ; try++ {
		err := db.attempt(ctx, fn)
		again := isCode(err, serialization) || isCode(err, deadlock) || isCode(err, duplicate) && try < clashes
		if !again {
			return err
		}
		if try == attempts {
			return db.unavailable("write", err)
		}
		select {
		case <-time.After(rand.N(time.Duration(1+min(try, 20)) * time.Millisecond)):
		case <-ctx.Done():
			return over("write", "", journal.ErrUnavailable, ctx.Err())
		}
	}
}

func (db *DB) attempt(ctx context.Context, fn func(*Tx) error) error {
	tx, err := db.tables.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return db.met(ctx, "write", "", err)
	}
	defer func() { _ = tx.Rollback() }() // also if fn panics; after a commit it does nothing
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
		return over("write", "", journal.ErrUnavailable, ctx.Err())
	}
	return db.outcome("write", err)
}

// Reader is a pool for the tables of other packages. Its reads see every write
// that has returned.
func (db *DB) Reader() *sql.DB { return db.tables }
