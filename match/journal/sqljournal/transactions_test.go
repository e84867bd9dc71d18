package sqljournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"mancala/match/journal"
)

func TestMigrationStepsRunOnceAndAllOrNone(t *testing.T) {
	path := file(t)
	db := reopen(t, Options{Path: path})
	ctx := t.Context()
	one := []string{"CREATE TABLE players (id TEXT PRIMARY KEY)"}
	two := append(one, "ALTER TABLE players ADD COLUMN name TEXT; CREATE TABLE chat (id INTEGER PRIMARY KEY, said TEXT)")
	for _, steps := range [][]string{one, one, two, two} {
		if err := db.Migrate(ctx, "lobby", steps); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Migrate(ctx, "other", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Reader().Exec("SELECT name FROM players; SELECT said FROM chat"); err != nil {
		t.Error(err)
	}
	if err := db.Migrate(ctx, "lobby", one); code(err) != CodeNewer {
		t.Errorf("an older program: %v, want the code %s", err, CodeNewer)
	}
	// All or none.
	bad := append(two, "CREATE TABLE extra (id INTEGER)", "CREATE TABLE players (again TEXT)")
	if err := db.Migrate(ctx, "lobby", bad); err == nil {
		t.Error("a broken step went through")
	}
	var n int
	if err := db.Reader().QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'").Scan(&n); err != nil || n != 0 {
		t.Errorf("half a migration is there: %d, %v", n, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	again := reopen(t, Options{Path: path})
	if err := again.Migrate(ctx, "lobby", two); err != nil {
		t.Error(err)
	}
}

func TestWriteIsAtomicAndReturnsTheCallersError(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	ctx := t.Context()
	if err := db.Migrate(ctx, "lobby", []string{"CREATE TABLE players (id TEXT PRIMARY KEY, points INTEGER)"}); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		t.Helper()
		if err := db.Reader().QueryRow("SELECT count(*) FROM players").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	insert := func(tx *Tx, id string) error {
		n, err := tx.Exec("INSERT INTO players VALUES ($1, $2)", id, 1500)
		if err == nil && n != 1 {
			err = fmt.Errorf("%d rows", n)
		}
		return err
	}
	if err := db.Write(ctx, func(tx *Tx) error { return insert(tx, "anna") }); err != nil {
		t.Fatal(err)
	}
	if count() != 1 {
		t.Error("a read after the write does not see it")
	}
	mine := errors.New("mine")
	if err := db.Write(ctx, func(tx *Tx) error { return errors.Join(insert(tx, "ben"), mine) }); !errors.Is(err, mine) || errors.Is(err, journal.ErrUnavailable) {
		t.Errorf("got %v, want my own error", err)
	}
	// An error of the journal's own kind rolls back like any other.
	if err := db.Write(ctx, func(tx *Tx) error { return errors.Join(insert(tx, "ben"), journal.ErrConflict) }); !errors.Is(err, journal.ErrConflict) {
		t.Errorf("got %v, want a conflict", err)
	}
	if err := db.Write(ctx, func(tx *Tx) error { return insert(tx, "anna") }); err == nil {
		t.Error("the same key twice")
	}
	func() {
		defer func() {
			if p := recover(); p != "mine" {
				t.Errorf("recovered %v", p)
			}
		}()
		_ = db.Write(ctx, func(tx *Tx) error {
			if err := insert(tx, "cleo"); err != nil {
				return err
			}
			panic("mine")
		})
	}()
	if count() != 1 {
		t.Error("what failed was written")
	}
	if err := db.Write(ctx, func(tx *Tx) error {
		rows, err := tx.Query("SELECT id FROM players") // not closed by the caller
		if err != nil {
			return err
		}
		rows.Next()
		var points int
		if err := tx.Scan("SELECT points FROM players WHERE id = $1", []any{"nobody"}, &points); !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("no such player: %w", err)
		}
		if err := tx.Scan("SELECT points FROM players WHERE id = $1", []any{"anna"}, &points); err != nil || points != 1500 {
			return fmt.Errorf("%d, %w", points, err)
		}
		return insert(tx, "dora")
	}); err != nil {
		t.Error(err)
	}
	if _, err := db.Reader().Exec("DELETE FROM players"); code(db.wrap("", err)) != CodeReadOnly {
		t.Errorf("the reader wrote: %v", err)
	}
	// Rooms that append at full speed never lock the tables.
	var wg sync.WaitGroup
	for i := range 6 {
		id := fmt.Sprintf("r%d", i)
		newRoom(t, db, id)
		wg.Go(func() {
			for seq := uint64(1); seq <= 50; seq++ {
				if err := db.Append(ctx, id, entry(seq), time.Time{}); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for k := range 20 {
				if err := db.Write(ctx, func(tx *Tx) error { return insert(tx, fmt.Sprint(id, k)) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := count(); n != 2+6*20 {
		t.Errorf("%d players", n)
	}
}

// occupy begins a write that goes on until goOn is called. Operations wait in the queue
// meanwhile.
func occupy(t *testing.T, db *DB, wg *sync.WaitGroup) (goOn func()) {
	t.Helper()
	begun, end := make(chan struct{}), make(chan struct{})
	wg.Go(func() {
		if err := db.Write(t.Context(), func(*Tx) error { close(begun); <-end; return nil }); err != nil {
			t.Error(err)
		}
	})
	<-begun
	return func() { close(end) }
}

// awaitQueued waits until want operations are in the queue.
func awaitQueued(db *DB, want int) {
	for {
		db.mu.Lock()
		n := len(db.ops)
		db.mu.Unlock()
		if n == want {
			return
		}
	}
}

func TestFailedWriteDoesNotAffectOperationsBesideIt(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	var wg sync.WaitGroup
	goOn := occupy(t, db, &wg)
	mine := errors.New("mine")
	for i := range 4 {
		wg.Go(func() {
			if i%2 == 0 {
				if err := db.Create(t.Context(), journal.Room{ID: fmt.Sprint("r", i), Kind: "k"}); err != nil {
					t.Error(err)
				}
			} else if err := db.Write(t.Context(), func(*Tx) error { return mine }); !errors.Is(err, mine) {
				t.Error(err)
			}
		})
		awaitQueued(db, i+1) // so that the order is fixed
	}
	goOn()
	wg.Wait()
}

func TestOperationCancelledBeforeItBeginsIsNeverDone(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	var wg sync.WaitGroup
	goOn := occupy(t, db, &wg)
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error)
	go func() { answer <- db.Create(ctx, journal.Room{ID: "r", Kind: "k"}) }()
	awaitQueued(db, 1)
	cancel()
	if err := <-answer; !errors.Is(err, journal.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want unavailable and cancelled", err)
	}
	goOn()
	wg.Wait()
	if _, err := db.Room(t.Context(), "r"); !errors.Is(err, journal.ErrNoRoom) {
		t.Errorf("what was withdrawn was done: %v", err)
	}
	// An operation that has begun has an unknown outcome.
	ctx, cancel = context.WithCancel(t.Context())
	err := db.Write(ctx, func(*Tx) error { cancel(); <-ctx.Done(); return nil })
	if err != nil && !errors.Is(err, journal.ErrUnknown) {
		t.Errorf("got %v, want an unknown outcome, or none", err)
	}
}

// A function in a transaction sets variables of its caller. So Write doesn't return while
// the function runs, also when the caller's context has ended.
func TestCallerOfWriteWaitsForTheFunctionThatHasBegun(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	ctx, cancel := context.WithCancel(t.Context())
	value := 0
	err := db.Write(ctx, func(*Tx) error {
		cancel()
		runtime.Gosched() // a caller that doesn't wait goes on
		value = 1
		return nil
	})
	if err != nil && !errors.Is(err, journal.ErrUnknown) {
		t.Errorf("got %v, want none or ErrUnknown", err)
	}
	if value != 1 {
		t.Error("Write has returned before its function")
	}
}
