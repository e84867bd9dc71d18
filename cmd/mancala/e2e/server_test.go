package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	program "mancala/cmd/internal/server"
	"mancala/match/testenv"
)

// server is the binary as a process, on a separate database. It can be killed
// and started again with the same data.
type server struct {
	t     *testing.T
	file  string          // the database's file or address
	addr  string          // host:port, the same after every start
	admin string          // host:port for operators, the same after every start
	log   testenv.Logbook // the process's standard error
	next  bool            // starts the binary of the next release
	whole bool            // see inWholeBrowser
	small bool            // see withBrotli
	drawn bool            // see painted

	flags []string

	run *program.Process // nil while it does not run
	out atomic.Bool      // it has been away at least once, so pages may complain of that
}

// serve starts a server for a test. At the end of the test the server must stop
// cleanly and have logged no problems.
func serve(t *testing.T, flags ...string) *server {
	t.Helper()
	return serveOn(t, filepath.Join(t.TempDir(), "mancala.db"), flags...)
}

// inWholeBrowser opens the pages of a server in the whole of Chromium, which installs service
// workers, asks for permissions and shows notifications. All other pages are opened in its
// headless shell and have no service worker. That is the same engine with the same pages for
// two fifths of the processor time.
func (s *server) inWholeBrowser() *server {
	s.whole = true
	return s
}

// withBrotli lets pages in the headless shell ask for files with Brotli, as all pages do in the whole of
// Chromium. The others ask for gzip: each server compresses its files when they are first asked for, and
// Brotli took a third of the processor time of the servers in these tests.
func (s *server) withBrotli() *server {
	s.small = true
	return s
}

// painted lets pages in the headless shell draw gradients and shadows, as all pages do in the whole of
// Chromium. The others leave them out, for three quarters of the processor time. A test that looks at
// colours needs painted pages.
func (s *server) painted() *server {
	s.drawn = true
	return s
}

// serveOn is serve with a database that other servers may use too.
func serveOn(t *testing.T, database string, flags ...string) *server {
	t.Helper()
	needs(t)
	s := &server{t: t, file: database, addr: testenv.Addr(t), admin: testenv.Addr(t), flags: flags}
	s.start()
	t.Cleanup(func() {
		if s.run != nil {
			s.stop()
		}
		if bad := complaint.FindAllString(s.log.String(), 5); bad != nil {
			t.Errorf("the server complained: %s", strings.Join(bad, "\n"))
		}
		if t.Failed() {
			t.Logf("the server said:\n%s", s.log.String())
		}
	})
	return s
}

var complaint = regexp.MustCompile(`(?m)^.*(level=ERROR|DATA RACE|panic:).*$`)

// start starts the process and returns once it reports that it is ready.
func (s *server) start() {
	s.t.Helper()
	release := &binary
	if s.next {
		release = &nextBinary
	}
	path, err := release.Path(context.Background()) // it outlives this test
	if err != nil {
		s.t.Fatal(err)
	}
	// After a kill the kernel may hold the port for a short time.
	for deadline := time.Now().Add(patience); ; {
		if err = s.try(path); err == nil {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the server does not start: %v\n%s", err, s.log.String())
		}
	}
}

func (s *server) try(path string) error {
	cmd := exec.Command(path, append([]string{"--addr", s.addr, "--admin", s.admin, "--database", s.file}, s.flags...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MANCALA_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Stderr = &s.log
	run, err := program.Start(cmd)
	if err != nil {
		return err
	}
	if run.Addr != s.addr {
		run.Kill()
		return errors.New("it is ready at " + run.Addr)
	}
	s.run = run
	return nil
}

// kill ends the process abruptly, like a power cut.
func (s *server) kill() {
	s.out.Store(true)
	s.run.Kill()
	s.run = nil
}

// stop asks the process to stop and waits until it has ended.
func (s *server) stop() {
	s.t.Helper()
	s.out.Store(true)
	run := s.run
	late := time.AfterFunc(patience, func() {
		s.t.Error("the server did not leave when asked to")
		run.Kill()
	})
	if err := run.Stop(); err != nil {
		s.t.Errorf("the server left badly: %v", err)
	}
	late.Stop()
	s.run = nil
}

// view is the API's public state of a game (web/PROTOCOL.md, snapshot).
type view struct {
	Seq  int
	Snap struct {
		State, Phase, Rules, Options, Title, ClockText, Rematch string
		Turn, Ply, Round                                        int
		Shape, Pits, Stores                                     []int
		Marks                                                   map[int]string
		Sitters, Seats, Moves                                   []string
		Offers                                                  []struct{ What string }
		Rounds                                                  []struct{ Scores []int }
		Result                                                  *struct {
			Reason          string
			Scores, Winners []int
		}
	}
}

// game requests a game from the API, without a cookie.
func (s *server) game(id string) view {
	s.t.Helper()
	var v view
	if err := json.Unmarshal([]byte(s.get("/api/v1/games/"+id)), &v); err != nil {
		s.t.Fatal(err)
	}
	return v
}

// get fetches a page without a cookie.
func (s *server) get(path string) string {
	s.t.Helper()
	resp, err := http.Get("http://" + s.addr + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		s.t.Fatalf("GET %s: %s %v\n%s", path, resp.Status, err, body)
	}
	return string(body)
}
