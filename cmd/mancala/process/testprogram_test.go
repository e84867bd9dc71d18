package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mancala/cmd/internal/server"
	"mancala/match/testenv"
)

const anyPort = "127.0.0.1:0"

// patience is how long a test waits for an event.
var patience = map[bool]time.Duration{false: 5 * time.Minute, true: time.Hour}[long()]

// long reports whether the long runs are wanted.
func long() bool { return os.Getenv("MANCALA_TEST_LONG") != "" }

// program is the real binary. It serves from a database on addresses that it keeps over
// restarts.
type program struct {
	testing.TB
	ctx    context.Context
	file   string // --database
	secure bool   // with TLS
	addr   string
	admin  string
	flags  []string

	path string          // of another program than the one that the tests build; usually empty
	run  *server.Process // nil while it does not run
	log  *testenv.Logbook
}

// startProgram starts the binary and waits until it is ready.
func startProgram(t testing.TB, file string, flags ...string) *program {
	t.Helper()
	p := newProgram(t, file, flags...)
	p.start()
	return p
}

// newProgram is [startProgram] without the start.
func newProgram(t testing.TB, file string, flags ...string) *program {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	p := &program{TB: t, ctx: ctx, file: file, addr: testenv.Addr(t), admin: testenv.Addr(t), flags: flags}
	p.secure = slices.Contains(flags, "--tls-cert") || slices.Contains(flags, "--domain")
	t.Cleanup(func() {
		p.kill()
		cancel()
	})
	return p
}

// built is the program of all tests.
var built = server.Program{Flags: server.ForTests}

func TestMain(m *testing.M) {
	testenv.AtOnce(3)
	_, _ = built.Path(context.Background()) // before any test's patience begins; the tests report an error
	code := m.Run()
	built.Remove()
	os.Exit(code)
}

// mancala returns a command that runs the program with these arguments.
func mancala(ctx context.Context, args ...string) *exec.Cmd {
	path, err := built.Path(context.Background()) // it outlives this test
	cmd := exec.CommandContext(ctx, path, args...)
	if err != nil {
		cmd.Err = err
	}
	return cmd
}

// inMemory is the --database that stores nothing.
const inMemory = "memory:"

// start starts the server, also again.
func (p *program) start() {
	p.Helper()
	p.log = new(testenv.Logbook)
	cmd := mancala(p.ctx, append([]string{"--addr", p.addr, "--admin", p.admin, "--database", p.file}, p.flags...)...)
	cmd.Stderr = p.log
	if p.path != "" {
		cmd.Path = p.path
	}
	run, err := server.Start(cmd)
	if err != nil {
		p.Fatalf("%v\n%s", err, p.log)
	}
	p.run = run
	if (run.Scheme == "https") != p.secure || run.Addr != p.addr {
		p.Fatalf("it is ready at %s://%s, want %s\n%s", run.Scheme, run.Addr, p.addr, p.log)
	}
}

// kill kills the server, as a power cut would, and waits for its end.
func (p *program) kill() {
	if p.run != nil {
		p.run.Kill()
		p.ended()
	}
}

// ended forgets a process. A process that is killed does not fail by itself when the race
// detector has found something.
func (p *program) ended() {
	p.run = nil
	if strings.Contains(p.log.String(), "DATA RACE") {
		p.Errorf("the race detector found something:\n%s", p.log)
	}
}

// signal sends a signal to the server.
func (p *program) signal(sig syscall.Signal) {
	p.Helper()
	if err := p.run.Signal(sig); err != nil {
		p.Fatal(err)
	}
}

// stop asks the server to shut down and returns its exit status.
func (p *program) stop() int {
	p.Helper()
	err := p.run.Stop()
	p.ended()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return 0
}

func (p *program) base() string { return "http://" + p.addr }

// get returns a page of the service.
func (p *program) get(path string) string {
	p.Helper()
	text, err := p.fetch(path)
	if err != nil {
		p.Fatal(err)
	}
	return text
}

// fetch is get with an error.
func (p *program) fetch(path string) (string, error) {
	q, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.base()+path, nil)
	if err != nil {
		return "", err
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s\n%s", path, r.Status, text)
	}
	return string(text), err
}

// refuses runs the binary. It must print one line that contains want and exit with status
// 1.
func refuses(t *testing.T, want string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var output strings.Builder
	cmd := mancala(ctx, args...)
	cmd.Stderr = &output
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("%v: exit with %v", args, err)
	}
	line := strings.TrimSuffix(output.String(), "\n")
	if !strings.HasPrefix(line, "mancala: ") || !strings.Contains(line, want) || strings.Contains(line, "\n") || strings.Contains(line, "goroutine") {
		t.Errorf("%v: printed %q, want one line with %q", args, output.String(), want)
	}
}
