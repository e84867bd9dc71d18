package sqljournal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/match/journal"
)

// TestBackupHoldsEverythingAcknowledgedBefore makes copies while rooms write. The
// rows of a copy must be in order, and a server must be able to serve from it.
func TestBackupHoldsEverythingAcknowledgedBefore(t *testing.T) {
	path := file(t)
	db := reopen(t, Options{Path: path, Tail: 16 << 10})
	if err := db.Migrate(t.Context(), "lobby", []string{"CREATE TABLE players (id TEXT PRIMARY KEY)"}); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(tx *Tx) error {
		_, err := tx.Exec("INSERT INTO players VALUES ($1)", "anna")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	const rooms = 8
	var acked [rooms]atomic.Uint64
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	enough := make(chan struct{}, 3) // the log and the segments hold rows
	for i := range rooms {
		id := fmt.Sprintf("r%d", i)
		newRoom(t, db, id)
		wg.Go(func() {
			for seq := uint64(1); ctx.Err() == nil; seq++ {
				if err := db.Append(t.Context(), id, entry(seq), time.Time{}); err != nil {
					t.Errorf("append: %v", err)
					return
				}
				acked[i].Store(seq)
				if i == 0 && seq%200 == 0 {
					select {
					case enough <- struct{}{}:
					default:
					}
				}
			}
		})
	}
	for n := range 3 {
		<-enough
		var before [rooms]uint64
		for i := range rooms {
			before[i] = acked[i].Load()
		}
		dst := filepath.Join(t.TempDir(), "a copy?.db")
		if err := Backup(t.Context(), path, dst); err != nil {
			t.Fatal(err)
		}
		if parts, _ := filepath.Glob(dst + "*.part*"); len(parts) > 0 {
			t.Errorf("left behind: %v", parts)
		}
		dup := reopen(t, Options{Path: dst})
		for i := range rooms {
			rows := readAll(t, dup, fmt.Sprintf("r%d", i))
			if uint64(len(rows)) < before[i] {
				t.Errorf("copy %d of r%d has %d entries, %d were acknowledged before", n, i, len(rows), before[i])
			}
		}
		var player string
		if err := dup.Reader().QueryRow("SELECT id FROM players").Scan(&player); err != nil || player != "anna" {
			t.Errorf("player %q, %v", player, err)
		}
		if err := Backup(t.Context(), path, dst); code(err) != CodeExists {
			t.Errorf("a second backup to the same file: %v", err)
		}
	}
	stop()
	wg.Wait()
}

func TestBackupAcceptsARelativePath(t *testing.T) {
	path := file(t)
	db := reopen(t, Options{Path: path})
	newRoom(t, db, "r1")
	t.Chdir(t.TempDir())
	if err := os.Mkdir("copies", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b.db", filepath.Join("copies", "b.db")} {
		if err := Backup(t.Context(), path, name); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		copied := reopen(t, Options{Path: name})
		if _, err := copied.Room(t.Context(), "r1"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFailedBackupNamesItsCodeAndLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	ours := filepath.Join(dir, "ours.db")
	if err := reopen(t, Options{Path: ours}).Close(); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("this is not a database, but it is as long as a header of one is, and longer than that"), 0o600); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name, src, dst string
		ctx            context.Context
		want           Code
	}{
		{"no source", filepath.Join(dir, "none.db"), filepath.Join(dir, "1"), t.Context(), CodeCannotOpen},
		{"a folder", dir, filepath.Join(dir, "2"), t.Context(), CodeCannotOpen},
		{"no folder for it", ours, filepath.Join(dir, "no", "3"), t.Context(), CodeCannotOpen},
		{"no database", text, filepath.Join(dir, "4"), t.Context(), CodeForeign},
		{"over itself", ours, ours, t.Context(), CodeExists},
		{"cancelled", ours, filepath.Join(dir, "5"), cancelled, CodeOther},
	} {
		err := Backup(tt.ctx, tt.src, tt.dst)
		if code(err) != tt.want {
			t.Errorf("%s: %v, want the code %s", tt.name, err, tt.want)
		}
		if tt.ctx.Err() != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		switch f.Name() {
		case "ours.db", "ours.db.lock", "text":
		default:
			t.Errorf("left behind: %s", f.Name())
		}
	}
}

// code returns an error's code, or an empty code.
func code(err error) Code {
	var own *Error
	if errors.As(err, &own) {
		return own.Code
	}
	return ""
}

func entry(seq uint64) journal.Row {
	return journal.Row{Seq: seq, Epoch: 1, Key: fmt.Sprint("k", seq), Data: fmt.Appendf(nil, "%0*d", 50+seq%200, seq)}
}

func newRoom(t testing.TB, db *DB, id string) {
	t.Helper()
	if err := db.Create(t.Context(), journal.Room{ID: id, Kind: "match"}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Claim(t.Context(), id, "self", 0); err != nil {
		t.Fatal(err)
	}
}

// readAll reads a room and checks that its rows are those of [entry], in order and
// without gaps.
func readAll(t testing.TB, j journal.Journal, id string) []journal.Row {
	t.Helper()
	rows, err := j.Read(t.Context(), id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		want := entry(uint64(i) + 1)
		if r.Seq != want.Seq || r.Key != want.Key || string(r.Data) != string(want.Data) {
			t.Fatalf("entry %d of %s is %d, key %q, data %.30q", i+1, id, r.Seq, r.Key, r.Data)
		}
	}
	return rows
}
