// Package memdb is a database in memory, for tests and for a server that keeps nothing.
// It has the same methods as the SQL journals for packages with tables of their own, so
// the same statements run on it.
package memdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"mancala/match/journal/sqlite"
)

// DB is a database. Close discards it. Its methods are safe from any goroutine.
type DB struct {
	pool *sql.DB

	mu   sync.Mutex     // guards done
	done map[string]int // number of steps that have run, by name
}

// Open returns an empty database.
func Open() (*DB, error) {
	pool, err := sqlite.Open(":memory:")
	if err != nil {
		return nil, fmt.Errorf("memdb: open: %w", err)
	}
	// The database lives in its connection: there must be exactly one, and it must stay open.
	pool.SetMaxOpenConns(1)
	pool.SetMaxIdleConns(1)
	return &DB{pool: pool, done: map[string]int{}}, nil
}

// Close discards the database and its contents.
func (db *DB) Close() error { return db.pool.Close() }

// Reader returns the database itself: reads and writes take turns.
func (db *DB) Reader() *sql.DB { return db.pool }

// Migrate runs the steps that have not run under that name yet. It runs all of them or
// none.
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

// Write runs fn in a transaction, without others at the same time. fn must use the
// database only through its Tx. An error from fn rolls back and is returned unchanged.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) (err error) {
	sqlTx, err := db.pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("memdb: write: %w", err)
	}
	defer func() { // also after a panic in fn; after a commit Rollback does nothing
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

// Tx is a write transaction. It ends with the function that received it.
type Tx struct{ tx *sql.Tx }

// Exec runs a statement and returns how many rows it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	res, err := tx.tx.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Scan runs a query for one row. It returns [sql.ErrNoRows] if there is none.
func (tx *Tx) Scan(query string, args []any, dest ...any) error {
	return tx.tx.QueryRow(query, args...).Scan(dest...)
}
