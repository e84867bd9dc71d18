package server

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// Process is a running server. Its methods are safe from any goroutine.
type Process struct {
	Scheme string // "http" or "https", of the address that it printed
	Addr   string // host:port

	cmd   *exec.Cmd
	ended chan struct{}
	err   error // of the end; to be read when ended is closed
}

// Start starts a server and waits for its first line, which ends with "is ready: " and its
// address, or is the address alone. The caller sets everything of the command but its output.
func Start(cmd *exec.Cmd) (*Process, error) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, ended: make(chan struct{})}
	reader := bufio.NewReader(out)
	line, err := reader.ReadString('\n')
	go func() {
		_, _ = io.Copy(io.Discard, reader)
		p.err = cmd.Wait()
		close(p.ended)
	}()
	if err != nil {
		p.Kill()
		return nil, fmt.Errorf("the server has ended before it was ready (%w); it printed %q", p.err, line)
	}
	where := strings.TrimSpace(line)
	if _, after, found := strings.Cut(where, "is ready: "); found {
		where, _, _ = strings.Cut(after, " ") // a second address may follow
	}
	p.Addr = where
	if scheme, addr, found := strings.Cut(where, "://"); found {
		p.Scheme, p.Addr = scheme, addr
	}
	return p, nil
}

// Pid returns the ID of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Signal sends a signal to the process.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill kills the process, as a power cut would, and waits for its end.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// Stop asks the process to shut down and waits for its end. The error is not nil if it did not
// shut down in good order.
func (p *Process) Stop() error {
	if err := p.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.Wait()
}

// Wait waits for the end of the process, and returns an error as [exec.Cmd.Wait] does.
func (p *Process) Wait() error {
	<-p.ended
	return p.err
}
