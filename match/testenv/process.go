// Package testenv starts the servers that a service of several instances needs, in
// temporary folders, for tests and for the benchmark. The service itself must not import it.
//
// A server ends when the process that started it ends, in whatever way. A shell runs beside
// the server and reads from a pipe; this process holds the other end. So one server can
// serve all tests of a binary, and no TestMain has to stop it.
package testenv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// Find returns the path of a program. It looks in PATH first, then in folders, which may be
// patterns.
func Find(name string, folders ...string) (string, error) {
	path, err := exec.LookPath(name)
	for _, pattern := range folders {
		if err == nil {
			return path, nil
		}
		found, _ := filepath.Glob(filepath.Join(pattern, name))
		for _, f := range found {
			path, err = exec.LookPath(f)
		}
	}
	if err != nil {
		return "", fmt.Errorf("%s is not installed: %w", name, exec.ErrNotFound)
	}
	return path, nil
}

// Process is a running server.
type Process struct {
	Dir  string   // the server's folder, which is removed when it ends
	Pid  int      // of the shell that runs beside the server
	hold *os.File // the end of the pipe that this process holds

	end  sync.Once
	done chan struct{} // closed when the server has ended and its folder is removed
}

// guard is the shell script that runs beside a server, in the server's folder. $1 is the
// signal that ends the server.
const guard = `stop=$1; shift
cd "$0" || exit 1
"$@" </dev/null >>log 2>&1 &
server=$!
read -r word
kill -"$stop" $server
wait $server
[ "$word" = keep ] || { cd /; rm -rf "$0"; }`

// TempDir makes a temporary folder that a server may write to.
func TempDir(name string) (string, error) {
	dir, err := os.MkdirTemp("", "mancala-"+name+"-")
	if err != nil {
		return "", err
	}
	return dir, giveToServer(dir)
}

// Start starts a program in a folder, which is removed when the program ends. stop is the
// signal that ends the program at once. If this process runs as root, the program runs as
// the user nobody.
func Start(dir, stop, program string, args ...string) (*Process, error) {
	read, hold, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	cmd := exec.Command("sh", append([]string{"-c", guard, dir, stop, program}, args...)...)
	cmd.Stdin = read
	cmd.SysProcAttr = serverAttributes()
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, hold.Close())
	}
	p := &Process{Dir: dir, Pid: cmd.Process.Pid, hold: hold, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// Run runs a program to its end, as the user that servers run as.
func Run(dir, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = serverAttributes()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
	}
	return nil
}

// Await calls try until it succeeds or the server has ended.
func (p *Process) Await(try func() error) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("the server has ended: %w\n%s", err, p.Log())
		case <-time.After(wait):
		}
	}
}

// Log returns the server's output.
func (p *Process) Log() string {
	text, err := fs.ReadFile(os.DirFS(p.Dir), "log")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Stop ends the server. It removes the server's folder unless keep is set.
func (p *Process) Stop(keep bool) {
	p.end.Do(func() {
		if keep {
			_, _ = p.hold.WriteString("keep\n")
		}
		_ = p.hold.Close()
	})
	<-p.done
}
