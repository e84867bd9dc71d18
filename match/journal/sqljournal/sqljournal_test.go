package sqljournal

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
)

// reopen opens a database and closes it at the end of the test.
func reopen(t testing.TB, opt Options) *DB {
	t.Helper()
	db, err := Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func file(t testing.TB) string { return filepath.Join(t.TempDir(), "mancala.db") }

func TestSqljournalKeepsTheContract(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Journal { return reopen(t, Options{Path: file(t)}) })
}

// The log is so short that it is split all the time.
func TestSqljournalKeepsTheContractWhileTheLogIsSplit(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Journal { return reopen(t, Options{Path: file(t), Tail: 1200}) })
}

func TestSilentInstanceLosesItsRooms(t *testing.T) {
	start := time.Now()
	var ahead atomic.Int64
	db := reopen(t, Options{Path: file(t), now: func() time.Time { return start.Add(time.Duration(ahead.Load())) }})
	journaltest.RunClock(t, db, func(d time.Duration) { ahead.Add(int64(d)) })
}

// A batch holds rows of all rooms, so an idle room must not keep the batch of its
// last entry.
func TestRoomKeepsNothingOfItsLastBatch(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	ctx := t.Context()
	if err := db.Create(ctx, journal.Room{ID: "r1", Kind: "match"}); err != nil {
		t.Fatal(err)
	}
	line, err := db.Claim(ctx, "r1", "here", 0)
	if err != nil {
		t.Fatal(err)
	}
	for seq := range uint64(3) {
		if err := db.Append(ctx, "r1", journal.Row{Seq: seq + 1, Epoch: line.Epoch, Key: "k", Data: []byte("{}")}, time.Time{}); err != nil {
			t.Fatal(err)
		}
		db.mu.Lock()
		if db.rooms["r1"].pending != nil {
			t.Errorf("after entry %d a batch is held", seq+1)
		}
		db.mu.Unlock()
	}
}
