package sqljournal

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"mancala/match/journal"
)

func TestRefusedFileIsNamedByItsCodeAndStaysUnchanged(t *testing.T) {
	write := func(t *testing.T, path string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name    string
		want    Code
		prepare func(t *testing.T, path string)
	}{
		{"a folder", CodeCannotOpen, func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{"not a database", CodeForeign, func(t *testing.T, path string) {
			write(t, path, bytes.Repeat([]byte("no database\n"), 1000))
		}},
		{"another program's database", CodeForeign, func(t *testing.T, path string) {
			change(t, path, "CREATE TABLE books (title TEXT)")
		}},
		{"another program's with the same tables", CodeForeign, func(t *testing.T, path string) {
			change(t, path, "CREATE TABLE migrations (name TEXT PRIMARY KEY, version INTEGER NOT NULL)", "PRAGMA application_id = 7")
		}},
		{"from a newer version", CodeNewer, func(t *testing.T, path string) {
			fill(t, path)
			change(t, path, "UPDATE migrations SET version = 99 WHERE name = 'journal'")
		}},
		{"cut short", CodeCorrupt, func(t *testing.T, path string) {
			fill(t, path)
			if err := os.Truncate(path, pageSize); err != nil {
				t.Fatal(err)
			}
		}},
		{"pages overwritten", CodeCorrupt, func(t *testing.T, path string) {
			fill(t, path)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := pageSize; i < len(data); i++ {
				data[i] = byte(i * 7)
			}
			write(t, path, data)
		}},
		{"a log that makes no sense", CodeCorrupt, func(t *testing.T, path string) {
			fill(t, path)
			change(t, path, "INSERT INTO log VALUES (900, x'01ffffff')")
		}},
		{"a log of an unknown format", CodeCorrupt, func(t *testing.T, path string) {
			fill(t, path)
			change(t, path, "INSERT INTO log VALUES (900, x'02')")
		}},
		{"a log with a hole", CodeCorrupt, func(t *testing.T, path string) {
			fill(t, path)
			// Room 1 has 40 entries; this one would be the 42nd: 1, 42, wake 0, epoch 1, no
			// key, no data.
			change(t, path, "INSERT INTO log VALUES (900, x'01012a00010000')")
		}},
		{"locked by another program", CodeLocked, func(t *testing.T, path string) {
			fill(t, path)
			hold(t, path)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := file(t)
			tt.prepare(t, path)
			before, _ := os.ReadFile(path)
			db, err := Open(t.Context(), Options{Path: path, Busy: 10 * time.Millisecond})
			if err == nil {
				_ = db.Close()
			}
			var own *Error
			if !errors.As(err, &own) || own.Code != tt.want || own.Path == "" {
				t.Fatalf("got %v, want the code %s with the path", err, tt.want)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("what was refused has been changed")
			}
		})
	}
	t.Run("no folder", func(t *testing.T) {
		_, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "no", "m.db")})
		if code(err) != CodeCannotOpen {
			t.Errorf("got %v", err)
		}
	})
}

// change runs statements on a file that no server serves from.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	raw, err := connect(path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for _, s := range statements {
		if _, err := raw.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// hold is another program that has begun to write and does not end.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	raw, err := connect(path, busyTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	tx, err := raw.Begin() // immediate
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

// fill makes a database with a room of 40 entries.
func fill(t *testing.T, path string) {
	t.Helper()
	db := reopen(t, Options{Path: path})
	newRoom(t, db, "r")
	for seq := uint64(1); seq <= 40; seq++ {
		if err := db.Append(t.Context(), "r", entry(seq), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// firstStillWorks checks that a database works, after another server on its file was refused,
// and that the file can be opened by its other name once the database is closed.
func firstStillWorks(t *testing.T, db *DB, link string) {
	t.Helper()
	newRoom(t, db, "r")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	again := reopen(t, Options{Path: link})
	if r, err := again.Room(t.Context(), "r"); err != nil || r.Owner != "self" {
		t.Errorf("room %+v, %v", r, err)
	}
}

func TestSecondServerOnTheSameFileIsRefused(t *testing.T) {
	path := file(t)
	db := reopen(t, Options{Path: path})
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, link} {
		if _, err := Open(t.Context(), Options{Path: p}); code(err) != CodeInUse {
			t.Errorf("a second server: %v, want the code %s", err, CodeInUse)
		}
	}
	firstStillWorks(t, db, link)
}

// A hard link in another folder has a lock file of its own, and a write-ahead log of its
// own: two servers would destroy the database.
func TestSecondServerOnAHardLinkIsRefused(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has locks on a file's contents beside those of SQLite")
	}
	path := file(t)
	db := reopen(t, Options{Path: path})
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Link(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Path: link}); code(err) != CodeInUse {
		t.Errorf("a second server: %v, want the code %s", err, CodeInUse)
	}
	firstStillWorks(t, db, link)
}

func TestFileNamesMayHoldCharactersOfURLs(t *testing.T) {
	for _, name := range []string{"a b.db", "q?mode=memory", "h#x", "p%41.db", "ü.db", "file:x"} {
		path := filepath.Join(t.TempDir(), name)
		fill(t, path)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%q: %v", name, err)
		}
		readAll(t, reopen(t, Options{Path: path}), "r")
	}
}

func TestClosedDatabaseHasAnEmptyLogAndAllSegments(t *testing.T) {
	path := file(t)
	fill(t, path)
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for query, want := range map[string]int64{
		"SELECT count(*) FROM log":                              0, // Close leaves nothing to recover
		"SELECT count(*) FROM rooms":                            1,
		"SELECT seq FROM rooms":                                 40,
		"SELECT sum(last - first + 1) FROM segments":            40,
		"PRAGMA application_id":                                 applicationID,
		"PRAGMA page_size":                                      pageSize,
		"SELECT version FROM migrations WHERE name = 'journal'": int64(len(schema)),
		"SELECT generation FROM lease":                          1,
	} {
		var got int64
		if err := raw.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", query, got, err, want)
		}
	}
}

func TestClosedDatabaseRefusesEveryCall(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	newRoom(t, db, "r")
	if err := errors.Join(db.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	check := func(_ any, err error) {
		t.Helper()
		if !errors.Is(err, journal.ErrUnavailable) || code(err) != CodeClosed {
			t.Errorf("got %v, want unavailable with the code %s", err, CodeClosed)
		}
	}
	check(nil, db.Append(t.Context(), "r", entry(1), time.Time{}))
	check(db.Room(t.Context(), "r"))
	check(db.Read(t.Context(), "r", 0, 0))
	check(db.Due(t.Context(), time.Now(), 0))
	check(db.Claim(t.Context(), "r", "self", 1))
	check(nil, db.Write(t.Context(), func(*Tx) error { return nil }))
}
