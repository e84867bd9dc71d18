// Package daemon starts the servers that a service of several instances needs, in
// temporary folders: for tests and for the benchmark.
//
// A server ends with the process that started it, however that ends: a shell
// stands beside it and reads from a pipe whose other end is ours. So one server
// serves all tests of a binary, and no TestMain needs to know of it.
package daemon

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

// Find gives a program's path: from PATH, or else from one of these folders.
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

// Daemon is a running server.
type Daemon struct {
	Dir  string   // its folder, removed when it ends
	Pid  int      // of the shell beside it
	hold *os.File // our end of the pipe

	end  sync.Once
	done chan struct{} // closed when it has ended and its folder is gone
}

// guard runs in the folder. $1 is the signal that ends the server.
const guard = `stop=$1; shift
cd "$0" || exit 1
"$@" </dev/null >>log 2>&1 &
server=$!
read -r word
kill -"$stop" $server
wait $server
[ "$word" = keep ] || { cd /; rm -rf "$0"; }`

// Folder makes a folder that a server may have for itself.
func Folder(name string) (string, error) {
	dir, err := os.MkdirTemp("", "mancala-"+name+"-")
	if err != nil {
		return "", err
	}
	return dir, give(dir)
}

// Start starts a program in a folder, which will be removed with it. stop is the
// signal that ends it at once. If this process is root it runs as nobody.
func Start(dir, stop, program string, args ...string) (*Daemon, error) {
	read, hold, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	cmd := exec.Command("sh", append([]string{"-c", guard, dir, stop, program}, args...)...)
	cmd.Stdin = read
	cmd.SysProcAttr = apart()
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, hold.Close())
	}
	d := &Daemon{Dir: dir, Pid: cmd.Process.Pid, hold: hold, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(d.done)
	}()
	return d, nil
}

// Run runs a program to its end, as the same user as servers.
func Run(dir, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = apart()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
	}
	return nil
}

// Await calls try until it works, or the server has ended.
func (d *Daemon) Await(try func() error) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-d.done:
			return fmt.Errorf("it has ended: %w\n%s", err, d.Log())
		case <-time.After(wait):
		}
	}
}

// Log is what the server has said.
func (d *Daemon) Log() string {
	text, err := fs.ReadFile(os.DirFS(d.Dir), "log")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Stop ends the server and removes its folder, unless it is to be kept for the
// next start.
func (d *Daemon) Stop(keep bool) {
	d.end.Do(func() {
		if keep {
			_, _ = d.hold.WriteString("keep\n")
		}
		_ = d.hold.Close()
	})
	<-d.done
}
