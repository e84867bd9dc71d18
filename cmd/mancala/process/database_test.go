package process

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // "sqlite" for database/sql

	"mancala/web/webtest"
)

// database returns a database file that a server has made and closed.
func database(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mancala.db")
	p := startProgram(t, file)
	if code := p.stop(); code != 0 {
		t.Fatalf("the server that makes the file: exit status %d\n%s", code, p.log)
	}
	return file
}

// change runs a statement on a database without the program.
func change(t *testing.T, file, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err == nil {
		_, err = db.Exec(statement)
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// serveFrom returns the flags of a server on this file.
func serveFrom(file string) []string {
	return []string{"--addr", "127.0.0.1:0", "--admin=", "--database", file}
}

func TestUnusableDatabasesAreRefusedInOneLine(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		spoil func(t *testing.T, file string)
		want  string
	}{
		"newer journal": {func(t *testing.T, file string) {
			change(t, file, "UPDATE migrations SET version = 99 WHERE name = 'journal'")
		}, "newer: "},
		"newer lobby": {func(t *testing.T, file string) {
			change(t, file, "UPDATE migrations SET version = 99 WHERE name = 'lobby'")
		}, "newer: "},
		"another program's": {func(t *testing.T, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			change(t, file, "CREATE TABLE notes (text)")
		}, "foreign: "},
		"text": {func(t *testing.T, file string) { write(t, file, strings.Repeat("no database. ", 1000)) }, "foreign: "},
		"broken": {func(t *testing.T, file string) {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			write(t, file, string(text[:200])+strings.Repeat("x", int(info.Size())-200))
		}, "corrupt: "},
		"a folder": {func(t *testing.T, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "cannot-open: "},
		"in no folder": {func(t *testing.T, file string) {
			if err := os.RemoveAll(filepath.Dir(file)); err != nil {
				t.Fatal(err)
			}
		}, "cannot-open: "},
	} {
		t.Run(name, func(t *testing.T) {
			file := database(t)
			tt.spoil(t, file)
			refuses(t, "database "+file+": "+tt.want, serveFrom(file)...)
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSecondServerOnOneFileIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mancala.db")
	p := startProgram(t, file)
	refuses(t, "in-use: another server (process ", serveFrom(file)...)
	if !strings.Contains(p.get("/"), "<h1>") {
		t.Error("the first server does not serve any more")
	}
	refuses(t, "address already in use", "--addr", p.addr, "--admin=", "--database", "memory:")
}

// The copy is made while people play. It has every acknowledged entry, and a server can
// start from it.
func TestBackupOfALiveDatabaseIsComplete(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startProgram(t, filepath.Join(dir, "mancala.db"), fast...)
	ada, ben := webtest.NewPerson(p.base()), webtest.NewPerson(p.base())
	defer ada.Leave()
	defer ben.Leave()
	room, err := ada.Make(p.ctx, url.Values{"rules": {"oware"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := ben.Sit(p.ctx, room); err != nil {
		t.Fatal(err)
	}
	players := []*webtest.Client{ada.Open(room), ben.Open(room)}
	played := make(chan error, len(players))
	for i, c := range players {
		defer c.Close()
		go func() { played <- c.PlayOn(p.ctx, rand.New(rand.NewPCG(5, uint64(i))), nil) }()
	}
	known := func() (seq uint64) {
		players[0].Look(func(g *webtest.Game) {
			if g != nil {
				seq = g.Seq
			}
		})
		return seq
	}
	if err := players[0].Until(p.ctx, "some moves", func(g *webtest.Game) bool { return g.Number("ply") > 5 }); err != nil {
		t.Fatal(err)
	}
	before := known()
	backup := filepath.Join(dir, "copy.db")
	if out, err := mancala(p.ctx, "db", "backup", backup, "--database", p.file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	refuses(t, "exists: the file is there already", "db", "backup", backup, "--database", p.file)
	for range players {
		if err := <-played; err != nil {
			t.Error(err)
		}
	}
	last := known()

	again := startProgram(t, backup)
	if seq := sequence(t, again, room); seq < before || seq > last {
		t.Errorf("the copy has the game up to entry %d, want %d to %d", seq, before, last)
	}
}

// sequence returns the number of a game's last entry from the API.
func sequence(t *testing.T, p *program, room string) uint64 {
	t.Helper()
	state, err := webtest.Decode([]byte(p.get("/api/v1/games/" + room)))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := state["seq"].(interface{ Int64() (int64, error) }).Int64()
	return uint64(n)
}

// fast are flags that lift the limits for clients that are faster than people.
var fast = []string{
	"--message-rate", "100000", "--message-burst", "100000",
	"--limit-games", "off", "--limit-games-per-address", "off", "--limit-guests", "off", "--limit-requests", "off",
}

func TestServerRunsOnADatabaseInMemory(t *testing.T) {
	t.Parallel()
	p := startProgram(t, inMemory)
	ada := webtest.NewPerson(p.base())
	defer ada.Leave()
	if _, err := ada.Make(context.Background(), nil); err != nil {
		t.Error(err)
	}
	if code := p.stop(); code != 0 {
		t.Errorf("exit status %d\n%s", code, p.log)
	}
}
