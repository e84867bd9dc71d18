package sqljournal

import (
	"bytes"
	"os"
	"testing"
	"time"

	"mancala/match/journal"
)

func TestDiskKeepsAnEntrySoonWithoutFullSync(t *testing.T) {
	wals := make(chan []byte)
	db := reopen(t, Options{Path: file(t), sync: func(wal *os.File) error {
		contents, err := os.ReadFile(wal.Name())
		select {
		case wals <- contents:
		case <-t.Context().Done():
		}
		return err
	}})
	appendText(t, db, `"lift the seeds"`)
	patience := time.After(20 * time.Second)
	for {
		select {
		case wal := <-wals:
			if bytes.Contains(wal, []byte("lift the seeds")) {
				return
			}
		case <-patience:
			t.Fatal("the write-ahead log was not flushed after the entry was written")
		}
	}
}

func TestFullSyncLeavesNothingToFlush(t *testing.T) {
	flushed := false
	db := reopen(t, Options{Path: file(t), Full: true, sync: func(*os.File) error {
		flushed = true
		return nil
	}})
	appendText(t, db, `"lift the seeds"`)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if flushed {
		t.Error("the write-ahead log was flushed beside commits that wait for the disk")
	}
}

// appendText makes a room whose first entry has this text, a JSON string.
func appendText(t *testing.T, db *DB, text string) {
	t.Helper()
	if err := db.Create(t.Context(), journal.Room{ID: "r1", Kind: "match"}); err != nil {
		t.Fatal(err)
	}
	line, err := db.Claim(t.Context(), "r1", "here", 0)
	if err != nil {
		t.Fatal(err)
	}
	row := journal.Row{Seq: 1, Epoch: line.Epoch, Key: "k", Data: []byte(text)}
	if err := db.Append(t.Context(), "r1", row, time.Time{}); err != nil {
		t.Fatal(err)
	}
}
