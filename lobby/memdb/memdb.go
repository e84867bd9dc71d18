// Package memdb is a database in memory, for a server that is to keep nothing
// and for tests. It offers what the SQL journals offer to packages with tables
// of their own, so the same statements run on it.
package memdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"mancala/match/journal/sqlite"
)

// DB is a database that ends with Close. Its methods are safe from any
// goroutine.
type DB struct {
	pool *sql.DB

	mu   sync.Mutex     // guards done
	done map[string]int // steps run, by name
}

// Open makes an empty database.
func Open() (*DB, error) {
	pool, err := sqlite.Open(":memory:")
	if err != nil {
		return nil, fmt.Errorf("memdb: open: %w", err)
	}
	// The database is its connection: there must be one, and it must stay.
	pool.SetMaxOpenConns(1)
	pool.SetMaxIdleConns(1)
	return &DB{pool: pool, done: map[string]int{}}, nil
}

// Close ends the database and what was in it.
func (db *DB) Close() error { return db.pool.Close() }

// Reader is the database itself: reads and writes take turns.
func (db *DB) Reader() *sql.DB { return db.pool }

// Migrate runs the steps that have not been run under that name, all or none.
func (db *DB) Migrate(ctx context.Context, name string, steps []string) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	have := db.done[name]
	if have > len(steps) {
		return fmt.Errorf("memdb: migrate %s: at version %d, only %d are known", name, have, len(steps))
	}
	err := db.Write(ctx, func(tx *Tx) error {
		for i, step := range steps[have:] {
			if _, err := tx.Exec(step); err != nil {
				return fmt.Errorf("memdb: migrate %s: step %d: %w", name, have+i+1, err)
			}
		}
		return nil
	})
	if err == nil {
		db.done[name] = len(steps)
	}
	return err
}

// Write runs fn in a transaction, alone. fn must not use the database but
// through its Tx. An error from fn rolls back and is returned as it is.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) (err error) {
	sqlTx, err := db.pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("memdb: write: %w", err)
	}
	defer func() { // also if fn panics; after a commit it does nothing
		if back := sqlTx.Rollback(); back != nil && !errors.Is(back, sql.ErrTxDone) {
			err = errors.Join(err, fmt.Errorf("memdb: roll back: %w", back))
		}
	}()
	if err := fn(&Tx{sqlTx}); err != nil {
		return err
	}
	if err := sqlTx.Commit(); err != nil {
		return fmt.Errorf("memdb: commit: %w", err)
	}
	return nil
}

// Tx is a write transaction. It ends with the function it was given to.
type Tx struct{ tx *sql.Tx }

// Exec runs a statement and says how many rows it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	res, err := tx.tx.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Scan runs a query for one row; [sql.ErrNoRows] if there is none.
func (tx *Tx) Scan(query string, args []any, dest ...any) error {
	return tx.tx.QueryRow(query, args...).Scan(dest...)
}
