package sqljournal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/match/journal"
)

// crash copies the files as a killed process would leave them at this moment. Nothing
// may be writing.
func crash(t *testing.T, db *DB) (path string) {
	t.Helper()
	path = file(t)
	for _, suffix := range []string{"", "-wal"} {
		from, err := os.Open(db.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		// The file is closed after the database, because closing it drops SQLite's
		// locks.
		t.Cleanup(func() { _ = from.Close() })
		to, err := os.Create(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(to, from); err != nil {
			t.Fatal(err)
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestRecoveredDatabaseEqualsTheOneBeforeTheCrash has logs that hold everything, and
// logs that are mostly split.
func TestRecoveredDatabaseEqualsTheOneBeforeTheCrash(t *testing.T) {
	for _, tail := range []int{0, 3000} { // everything is in the log; most of it is in segments
		t.Run(fmt.Sprint("tail ", tail), func(t *testing.T) {
			ctx := t.Context()
			db := reopen(t, Options{Path: file(t), Tail: tail})
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			rows := func(id string, from, to uint64, wake time.Time) {
				t.Helper()
				for seq := from; seq <= to; seq++ {
					must(db.Append(ctx, id, entry(seq), wake))
				}
			}
			wake := time.UnixMilli(1_700_000_000_000)
			for _, id := range []string{"long", "released", "woken", "short"} {
				newRoom(t, db, id)
				rows(id, 1, 5, time.Time{})
			}
			rows("long", 6, 300, time.Time{})
			rows("woken", 6, 7, wake.Add(time.Hour))
			rows("woken", 8, 9, wake)
			must(db.Release(ctx, "released", "self", 1, wake))
			seen, err := db.Alive(ctx, "self")
			must(err)

			path := crash(t, db)
			for range 2 { // a recovered database may crash again
				after := reopen(t, Options{Path: path})
				for id, want := range map[string]int{"long": 300, "released": 5, "woken": 9, "short": 5} {
					if got := len(readAll(t, after, id)); got != want {
						t.Errorf("%s has %d entries, want %d", id, got, want)
					}
					line, err := after.Room(ctx, id)
					must(err)
					was, err := db.Room(ctx, id)
					must(err)
					was.OwnerDead = was.Owner != ""
					if line != was {
						t.Errorf("%s is %+v, was %+v", id, line, was)
					}
				}
				// The owner is certainly dead, so nothing waits until it counts as
				// dead.
				due, err := after.Due(ctx, wake, 0)
				must(err)
				if len(due) != 2 {
					t.Errorf("due: %+v, want what was released and what slept with its owner", due)
				}
				path = crash(t, after)
			}
			after := reopen(t, Options{Path: path})
			claimed, err := after.Claim(ctx, "woken", "next", 1)
			must(err)
			if !claimed.OwnerSeen.Equal(seen) || claimed.Seq != 9 || claimed.Epoch != 2 {
				t.Errorf("claimed %+v, want the last sign of life %v", claimed, seen)
			}
			if err := after.Append(ctx, "long", entry(301), time.Time{}); !errors.Is(err, journal.ErrConflict) {
				t.Errorf("a room of the process before: %v, want a conflict", err)
			}
		})
	}
}

// TestTwoServersWithoutLocksNeverInterleave opens a second server on a file system
// where locks do not work.
func TestTwoServersWithoutLocksNeverInterleave(t *testing.T) {
	path := file(t)
	first := reopen(t, Options{Path: path, noLock: true, Tail: 3000})
	const rooms = 5
	var acked [rooms]uint64
	var wg sync.WaitGroup
	running := make(chan struct{}, rooms)
	for i := range rooms {
		id := fmt.Sprintf("r%d", i)
		newRoom(t, first, id)
		wg.Go(func() {
			for seq := uint64(1); ; seq++ {
				err := first.Append(t.Context(), id, entry(seq), time.Time{})
				if err != nil {
					if !errors.Is(err, journal.ErrUnavailable) || code(err) != CodeLost && code(err) != CodeLocked {
						t.Errorf("the older server was told: %v", err)
					}
					if code(err) == CodeLost {
						return
					}
					seq-- // the newer server is writing: try again
					continue
				}
				acked[i] = seq
				if seq == 20 {
					running <- struct{}{}
				}
			}
		})
	}
	for range rooms {
		<-running
	}
	second := reopen(t, Options{Path: path, noLock: true})
	var counts [rooms]int
	for i := range rooms {
		id := fmt.Sprintf("r%d", i)
		counts[i] = len(readAll(t, second, id))
		if _, err := second.Claim(t.Context(), id, "other", 1); err != nil {
			t.Fatal(err)
		}
		row := entry(uint64(counts[i]) + 1)
		row.Epoch = 2
		if err := second.Append(t.Context(), id, row, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	<-first.Lost()
	wg.Wait()
	for i := range rooms {
		if acked[i] != uint64(counts[i]) {
			t.Errorf("r%d: the older server acknowledged %d, the newer one found %d", i, acked[i], counts[i])
		}
		if rows := readAll(t, second, fmt.Sprintf("r%d", i)); len(rows) != counts[i]+1 {
			t.Errorf("r%d has %d entries, want %d", i, len(rows), counts[i]+1)
		}
	}
	for what, err := range map[string]error{
		"create":  first.Create(t.Context(), journal.Room{ID: "x", Kind: "k"}),
		"write":   first.Write(t.Context(), func(tx *Tx) error { _, err := tx.Exec("DELETE FROM rooms"); return err }),
		"release": first.Release(t.Context(), "r0", "self", 1, time.Time{}),
	} {
		if code(err) != CodeLost || !errors.Is(err, journal.ErrUnavailable) {
			t.Errorf("%s by the older server: %v", what, err)
		}
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if rows := readAll(t, second, "r0"); len(rows) != counts[0]+1 {
		t.Errorf("closing the older server changed r0 to %d entries", len(rows))
	}
}

// The fence is in every transaction, and not only in appends.
func TestReplacedServerCannotCreateARoom(t *testing.T) {
	path := file(t)
	first := reopen(t, Options{Path: path, noLock: true})
	newRoom(t, first, "r")
	second := reopen(t, Options{Path: path, noLock: true})
	if err := first.Create(t.Context(), journal.Room{ID: "s", Kind: "match"}); code(err) != CodeLost {
		t.Errorf("a room made by the older server: %v", err)
	}
	if _, err := second.Room(t.Context(), "s"); !errors.Is(err, journal.ErrNoRoom) {
		t.Error(err)
	}
	<-first.Lost()
}

// limit sets how large the file may get, as a full disk would.
func limit(t *testing.T, db *DB, pages int) {
	t.Helper()
	if err := db.Write(t.Context(), func(tx *Tx) error {
		var now int
		return tx.Scan(fmt.Sprint("PRAGMA max_page_count = ", pages), nil, &now)
	}); err != nil {
		t.Fatal(err)
	}
}

func TestFullDiskRefusesWritesUntilThereIsSpaceAgain(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	newRoom(t, db, "r")
	limit(t, db, 1) // SQLite raises this to the current size
	wrote := uint64(0)
	var err error
	for seq := uint64(1); seq < 500; seq++ {
		if err = db.Append(t.Context(), "r", entry(seq), time.Time{}); err != nil {
			break
		}
		wrote = seq
	}
	if !errors.Is(err, journal.ErrUnavailable) || code(err) != CodeFull {
		t.Fatalf("on a full disk: %v, want unavailable with the code %s", err, CodeFull)
	}
	if got := len(readAll(t, db, "r")); uint64(got) != wrote {
		t.Errorf("%d entries, %d were acknowledged", got, wrote)
	}
	if err := db.Create(t.Context(), journal.Room{ID: "big", Kind: "k"}, journal.Row{Seq: 1, Data: make([]byte, 1<<20)}); code(err) != CodeFull {
		t.Errorf("create: %v", err)
	}
	limit(t, db, 1<<30)
	if err := db.Append(t.Context(), "r", entry(wrote+1), time.Time{}); err != nil {
		t.Errorf("when there is space again: %v", err)
	}
	if got := len(readAll(t, db, "r")); uint64(got) != wrote+1 {
		t.Errorf("%d entries, want %d", got, wrote+1)
	}
}

// TestRowsBehindAFailedStatementFailWithIt also checks that all rooms then go on with
// the right row.
func TestRowsBehindAFailedStatementFailWithIt(t *testing.T) {
	db := reopen(t, Options{Path: file(t), Busy: time.Millisecond})
	const rooms = 8
	var wg sync.WaitGroup
	var stop atomic.Bool
	var acked [rooms]atomic.Uint64
	failed := make(chan struct{}, 1)
	for i := range rooms {
		id := fmt.Sprintf("r%d", i)
		newRoom(t, db, id)
		// Two writers a room, so that an entry can follow one that fails.
		for range 2 {
			wg.Go(func() {
				for seq := uint64(1); !stop.Load(); {
					err := db.Append(t.Context(), id, entry(seq), time.Time{})
					switch {
					case err == nil:
						acked[i].Add(1)
						seq++
					case errors.Is(err, journal.ErrUnavailable):
						select {
						case failed <- struct{}{}:
						default:
						}
					case errors.Is(err, journal.ErrConflict):
						rows, err := db.Read(t.Context(), id, seq-1, 1)
						if err != nil {
							t.Error(err)
							return
						}
						if len(rows) == 1 {
							seq++ // the other writer was first
						}
					default:
						t.Error(err)
						return
					}
				}
			})
		}
	}
	for range 3 {
		release := hold(t, db.path)
		<-failed // this may be a failure of the round before
		<-failed
		release()
	}
	stop.Store(true)
	wg.Wait()
	for i := range rooms {
		if rows := readAll(t, db, fmt.Sprintf("r%d", i)); uint64(len(rows)) != acked[i].Load() {
			t.Errorf("r%d has %d entries, %d were acknowledged", i, len(rows), acked[i].Load())
		}
	}
}

// A conflict must wait for the row that is still on its way: the caller reads that
// row next.
func TestConflictIsReportedOnlyWhenTheOtherRowCanBeRead(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	var first sync.Once
	db := reopen(t, Options{Path: file(t), Observe: func(journal.Batch) { first.Do(func() { close(begun); <-goOn }) }})
	newRoom(t, db, "other")
	newRoom(t, db, "r")
	if err := db.Append(t.Context(), "other", entry(1), time.Time{}); err != nil {
		t.Fatal(err)
	}
	<-begun // the writer is blocked
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error, 1)
	go func() { answer <- db.Append(ctx, "r", entry(1), time.Time{}) }()
	awaitRows(db, 1)
	cancel()
	if err := <-answer; !errors.Is(err, journal.ErrUnknown) {
		t.Errorf("on its way: %v, want an unknown outcome", err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := db.Append(soon, "r", entry(1), time.Time{}); !errors.Is(err, journal.ErrUnavailable) {
		t.Errorf("again, while it is on its way: %v, want no answer in time", err)
	}
	if rows := readAll(t, db, "r"); len(rows) != 0 {
		t.Errorf("%d rows before the commit", len(rows))
	}
	close(goOn)
	if err := db.Append(t.Context(), "r", entry(1), time.Time{}); !errors.Is(err, journal.ErrConflict) {
		t.Errorf("again: %v, want a conflict", err)
	}
	if rows := readAll(t, db, "r"); len(rows) != 1 {
		t.Errorf("%d rows after the conflict", len(rows))
	}
}

func TestLockedFileRefusesWritesUntilItIsFree(t *testing.T) {
	db := reopen(t, Options{Path: file(t), Busy: 10 * time.Millisecond})
	newRoom(t, db, "r")
	release := hold(t, db.path)
	for _, err := range []error{
		db.Append(t.Context(), "r", entry(1), time.Time{}),
		db.Release(t.Context(), "r", "self", 1, time.Time{}),
	} {
		if !errors.Is(err, journal.ErrUnavailable) || code(err) != CodeLocked {
			t.Errorf("while locked: %v, want unavailable with the code %s", err, CodeLocked)
		}
	}
	release()
	if err := db.Append(t.Context(), "r", entry(1), time.Time{}); err != nil {
		t.Errorf("when it is free: %v", err)
	}
}

// The log grows to twice its length first.
func TestAppendsAreRefusedWhileTheLogCannotBeSplit(t *testing.T) {
	var ahead atomic.Int64
	db := reopen(t, Options{Path: file(t), Tail: 20_000, now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	newRoom(t, db, "r")
	rename := func(from, to string) {
		if err := db.Write(t.Context(), func(tx *Tx) error {
			_, err := tx.Exec("ALTER TABLE " + from + " RENAME TO " + to)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	rename("segments", "away")
	var err error
	seq := uint64(1)
	for ; seq < 10_000; seq++ {
		if err = db.Append(t.Context(), "r", entry(seq), time.Time{}); err != nil {
			break
		}
	}
	if !errors.Is(err, journal.ErrUnavailable) || code(err) != CodeOther {
		t.Fatalf("after %d entries: %v", seq, err)
	}
	if s := db.Stats(); s.TailBytes < 40_000 || s.TailBytes > 60_000 {
		t.Errorf("the log has %d bytes, want a little over twice 20000", s.TailBytes)
	}
	rename("away", "segments")
	ahead.Add(int64(2 * time.Second)) // the next attempt is due
	for err != nil {                  // the attempt runs at the same time
		err = db.Append(t.Context(), "r", entry(seq), time.Time{})
	}
	if got := len(readAll(t, db, "r")); uint64(got) != seq {
		t.Errorf("%d entries, want %d", got, seq)
	}
}

func TestMemoryForTailsAndRoomsIsBounded(t *testing.T) {
	const tail = 64 << 10
	var most atomic.Int64
	var db *DB
	ready := make(chan struct{})
	db = reopen(t, Options{Path: file(t), Tail: tail, Observe: func(journal.Batch) {
		<-ready
		most.Store(max(most.Load(), int64(db.Stats().TailBytes)))
	}})
	close(ready)
	var wg sync.WaitGroup
	for i := range 20 {
		id := fmt.Sprintf("r%d", i)
		newRoom(t, db, id)
		wg.Go(func() {
			for seq := uint64(1); seq <= 200; seq++ {
				if err := db.Append(t.Context(), id, entry(seq), time.Time{}); err != nil {
					t.Error(err)
					return
				}
			}
			if err := db.Release(t.Context(), id, "self", 1, time.Time{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := most.Load(); got < tail/2 || got > 2*tail+maxBatch/8 {
		t.Errorf("the tail had up to %d bytes, want about %d", got, tail)
	}
	if s := db.Stats(); s.Rooms != 0 {
		t.Errorf("%d rooms are awake", s.Rooms)
	}
	for i := range 20 {
		if got := len(readAll(t, db, fmt.Sprintf("r%d", i))); got != 200 {
			t.Errorf("r%d has %d entries", i, got)
		}
	}
}

func TestObserveIsToldOfEveryBatch(t *testing.T) {
	var rows, batches, bytes int
	db := reopen(t, Options{Path: file(t), Observe: func(b journal.Batch) {
		rows += b.Rows
		bytes += b.Bytes
		batches++
		if b.Err != nil || b.Waited < 0 || b.Took < 0 {
			t.Errorf("observed %+v", b)
		}
	}})
	newRoom(t, db, "r")
	for seq := uint64(1); seq <= 10; seq++ {
		if err := db.Append(t.Context(), "r", entry(seq), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if rows != 10 || batches != 10 || bytes < 500 {
		t.Errorf("observed %d rows and %d bytes in %d batches", rows, bytes, batches)
	}
}

func TestEntriesThatComeDuringAStatementShareTheNextOne(t *testing.T) {
	var batches []int
	begun, goOn := make(chan struct{}), make(chan struct{})
	var first sync.Once
	db := reopen(t, Options{Path: file(t), Observe: func(b journal.Batch) {
		batches = append(batches, b.Rows)
		first.Do(func() { close(begun); <-goOn })
	}})
	const rooms = 30
	for i := range rooms {
		newRoom(t, db, fmt.Sprintf("r%d", i))
	}
	var wg sync.WaitGroup
	send := func(i int) {
		wg.Go(func() {
			if err := db.Append(t.Context(), fmt.Sprintf("r%d", i), entry(1), time.Time{}); err != nil {
				t.Error(err)
			}
		})
	}
	send(0)
	<-begun // the writer is blocked
	for i := 1; i < rooms; i++ {
		send(i)
	}
	awaitRows(db, rooms-1)
	close(goOn)
	wg.Wait()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if len(batches) != 2 || batches[0] != 1 || batches[1] != rooms-1 {
		t.Errorf("batches of %v, want 1 and %d", batches, rooms-1)
	}
}

// awaitRows waits until want rows are in the next batch.
func awaitRows(db *DB, want int) {
	for {
		db.mu.Lock()
		n := len(db.batch.recs)
		db.mu.Unlock()
		if n == want {
			return
		}
	}
}

func TestErrorsNameThePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "m.db")
	_, err := Open(t.Context(), Options{Path: path})
	var own *Error
	if !errors.As(err, &own) || own.Path != path {
		t.Errorf("%v does not name %s", err, path)
	}
}

// TestSignOfLifeGoesFirst fills the queue of operations. A sign of life must wait
// only for the transaction that is running, or a busy server would seem dead.
func TestSignOfLifeGoesFirst(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	ctx := t.Context()
	waiting := func() int {
		db.mu.Lock()
		defer db.mu.Unlock()
		return len(db.ops)
	}
	var group sync.WaitGroup
	defer group.Wait()
	var order []string // order of the writer
	write := func(fn func()) {
		err := db.Write(ctx, func(*Tx) error { fn(); return nil })
		if err != nil {
			t.Error(err)
		}
	}
	running, goOn := make(chan struct{}), make(chan struct{})
	group.Go(func() { write(func() { close(running); <-goOn }) })
	<-running
	const many = 50
	for range many {
		group.Go(func() { write(func() { order = append(order, "write") }) })
	}
	for waiting() < many {
		runtime.Gosched()
	}
	group.Go(func() {
		if _, err := db.Alive(ctx, "self"); err != nil {
			t.Error(err)
		}
	})
	for waiting() < many+1 {
		runtime.Gosched()
	}
	db.mu.Lock()
	apply := db.ops[0].apply
	db.ops[0].apply = func() {
		apply()
		order = append(order, "alive")
	}
	first := db.ops[0].name
	db.mu.Unlock()
	close(goOn)
	group.Wait()
	if first != "alive" || len(order) != many+1 || order[0] != "alive" {
		t.Errorf("%s was first in the queue, and they were written as %v", first, order)
	}
}
