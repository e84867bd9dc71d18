package memdb

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
)

func open(t *testing.T) *DB {
	t.Helper()
	db, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := db.Migrate(t.Context(), "test", []string{"CREATE TABLE n (v INTEGER)"}); err != nil {
		t.Fatal(err)
	}
	return db
}

func (db *DB) add(ctx context.Context, v int, then func() error) error {
	return db.Write(ctx, func(tx *Tx) error {
		if n, err := tx.Exec("INSERT INTO n VALUES ($1)", v); err != nil || n != 1 {
			return errors.Join(err, errors.New("not one row"))
		}
		return then()
	})
}

func ok() error { return nil }

func (db *DB) sum(t *testing.T) (sum int) {
	t.Helper()
	if err := db.Reader().QueryRow("SELECT COALESCE(SUM(v), 0) FROM n").Scan(&sum); err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestMigrateRunsEachStepOnceAndAllOrNone(t *testing.T) {
	db := open(t)
	steps := []string{"CREATE TABLE n (v INTEGER)", "INSERT INTO n VALUES (3); INSERT INTO n VALUES (4)"}
	for range 2 {
		if err := db.Migrate(t.Context(), "test", steps); err != nil {
			t.Fatal(err)
		}
	}
	if got := db.sum(t); got != 7 {
		t.Errorf("the sum is %d, want 7: a step was skipped or ran twice", got)
	}
	if err := db.Migrate(t.Context(), "test", append(steps, "INSERT INTO n VALUES (5)", "nonsense")); err == nil {
		t.Error("an invalid step was accepted")
	}
	if got := db.sum(t); got != 7 {
		t.Errorf("the sum is %d, want 7: a part of a failed migration stayed", got)
	}
	if err := db.Migrate(t.Context(), "test", steps[:1]); err == nil {
		t.Error("an older program was accepted")
	}
	if err := db.Migrate(t.Context(), "other", []string{"CREATE TABLE m (v INTEGER)"}); err != nil {
		t.Errorf("another package's migration failed: %v", err)
	}
}

func TestWriteCommitsOrRollsBackAndReturnsTheError(t *testing.T) {
	db := open(t)
	if err := db.add(t.Context(), 1, ok); err != nil {
		t.Fatal(err)
	}
	mine := errors.New("mine")
	if err := db.add(t.Context(), 10, func() error { return mine }); err != mine {
		t.Errorf("the error of the function was changed to %v", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Write swallowed a panic")
			}
		}()
		_ = db.add(t.Context(), 100, func() error { panic("mine") })
	}()
	ctx, cancel := context.WithCancel(t.Context())
	if err := db.add(ctx, 1000, func() error { cancel(); return ctx.Err() }); !errors.Is(err, context.Canceled) {
		t.Errorf("a write whose context ended returned %v", err)
	}
	if err := db.add(ctx, 1000, ok); !errors.Is(err, context.Canceled) {
		t.Errorf("a write with an ended context returned %v", err)
	}
	if got := db.sum(t); got != 1 {
		t.Errorf("the sum is %d, want 1", got)
	}
	var v int
	err := db.Write(t.Context(), func(tx *Tx) error { return tx.Scan("SELECT v FROM n WHERE v > $1", []any{1}, &v) })
	if !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("a missing row gave %v, want %v", err, sql.ErrNoRows)
	}
}

func TestReadersAndWritersTakeTurns(t *testing.T) {
	db := open(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				if err := db.add(t.Context(), 1, ok); err != nil {
					t.Error(err)
				}
				var n int
				if err := db.Reader().QueryRow("SELECT COUNT(*) FROM n").Scan(&n); err != nil || n == 0 {
					t.Errorf("read %d, %v", n, err)
				}
			}
		})
	}
	wg.Wait()
	if got := db.sum(t); got != 200 {
		t.Errorf("the sum is %d, want 200", got)
	}
}
