package process

import (
	"database/sql"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mancala/web/webtest"
)

// The disk becomes full, or another program locks the file, while people play. The players
// are told, no acknowledged move is lost, and the game goes on automatically afterwards.
func TestGameGoesOnAfterAFullDiskAndAfterALock(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		begin func(t *testing.T, file string) (end func())
		logs  string // part of the log; SQLite waits for a lock before it gives up
	}{
		"full disk": {fillDisk, "full: "},
		"locked":    {lockFile, "sign of life not written"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(smallDisk(t), "mancala.db")
			p := startProgram(t, file, fast...)
			ada, ben := webtest.NewPerson(p.base()), webtest.NewPerson(p.base())
			defer ada.Leave()
			defer ben.Leave()
			room, err := ada.Make(p.ctx, url.Values{"rules": {"oware"}})
			if err == nil {
				err = ben.Sit(p.ctx, room)
			}
			if err != nil {
				t.Fatal(err)
			}
			tabs := []*webtest.Client{ada.Open(room), ben.Open(room)}
			for _, c := range tabs {
				defer c.Close()
			}
			play := func(r *rand.Rand, stop func(*webtest.Game) bool) <-chan error {
				played := make(chan error, len(tabs))
				for _, c := range tabs {
					r := rand.New(rand.NewPCG(r.Uint64(), 0))
					go func() { played <- c.PlayOn(p.ctx, r, stop) }()
				}
				return played
			}
			all := func(played <-chan error) {
				t.Helper()
				for range tabs {
					if err := <-played; err != nil {
						t.Error(err)
					}
				}
			}
			r := rand.New(rand.NewPCG(7, 0))
			all(play(r, func(g *webtest.Game) bool { return g.Number("ply") >= 6 }))

			end := tt.begin(t, file)
			defer end()
			played := play(r, nil)
			for _, c := range tabs {
				_, err := c.Expect(p.ctx, "the note that the server cannot write", func(f webtest.Frame) bool {
					return f.T == "note" && f.Kind == "unavailable" && !strings.Contains(f.Raw, `"over"`)
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if page, err := ben.Get(p.ctx, "/"+room); err != nil || page.Status != http.StatusOK {
				t.Errorf("the page of the game meanwhile: %d %v", page.Status, err)
			}
			if name == "locked" {
				// a new game would wait for the lock
			} else if page, err := ben.Post(p.ctx, "/new", nil); err != nil || page.Status != http.StatusServiceUnavailable {
				t.Errorf("a new game meanwhile: %d %v", page.Status, err)
			}
			end()
			all(played)
			whole := p.get("/api/v1/games/" + room + "/replay")
			if got, want := strings.Count(whole, `"move":`), len(tabs[0].Played())+len(tabs[1].Played()); got < want {
				t.Errorf("%d plies are stored, %d were acknowledged", got, want)
			}
			log := p.log
			p.kill()
			if !strings.Contains(log.String(), tt.logs) {
				t.Errorf("the log does not have %q:\n%s", tt.logs, log)
			}
			p.start()
			if again := p.get("/api/v1/games/" + room + "/replay"); again != whole {
				t.Errorf("after a kill the game is\n%s\nand was\n%s", again, whole)
			}
		})
	}
}

func TestServerStartsOnlyOnceADiskIsNotFull(t *testing.T) {
	t.Parallel()
	file := filepath.Join(smallDisk(t), "mancala.db")
	end := fillDisk(t, file)
	refuses(t, "database "+file+": full: ", serveFrom(file)...)
	end()
	p := startProgram(t, file)
	if code := p.stop(); code != 0 {
		t.Errorf("exit status %d\n%s", code, p.log)
	}
}

// smallDisk returns a folder on a separate disk of 4 MB. Only root can make one.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("only root can make a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fillDisk fills the disk of a file until end is called.
func fillDisk(t *testing.T, file string) (end func()) {
	t.Helper()
	name := filepath.Join(filepath.Dir(file), "ballast")
	ballast, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(ballast, zeros{})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk cannot be filled: %v", err)
	}
	if err := ballast.Close(); err != nil {
		t.Fatal(err)
	}
	return func() { _ = os.Remove(name) }
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// lockFile holds SQLite's write lock, as another program might, until end is called.
func lockFile(t *testing.T, file string) (end func()) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		_, _ = db.Exec("ROLLBACK")
		_ = db.Close()
	}
}
