package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// child is a server that the benchmark has started itself, from its own
// binary: only a process of its own has a CPU time and a memory to read.
type child struct {
	cmd  *exec.Cmd
	addr string
}

// startChild runs one of the servers hidden in the bench sub-command and waits
// for the address it prints.
func startChild(ctx context.Context, stderr io.Writer, server string, args ...string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{"bench", server}, args...)...)
	cmd.Stderr = stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("bench: start %s: %w", server, err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return nil, fmt.Errorf("bench: %s ended without saying where it listens: %w", server, err)
	}
	words := strings.Fields(line) // "mancala v1 is ready: http://127.0.0.1:4711"
	if len(words) == 0 {
		words = []string{""}
	}
	return &child{cmd, strings.TrimPrefix(words[len(words)-1], "http://")}, nil
}

func (c *child) stop() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

// process reads what the system knows of a server. The zero value is a server
// of another machine, of which nothing is known.
type process struct{ pid int }

// cpu returns the time that the process has spent computing, for itself and in
// the kernel on its behalf.
func (p process) cpu() time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return 0
	}
	// The second field is a name in parentheses and may hold anything; after
	// it utime and stime are the 12th and 13th, in hundredths of a second.
	_, rest, _ := strings.Cut(string(b[strings.LastIndexByte(string(b), ')'):]), " ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// rss returns the resident memory of the process in bytes, without pages of
// files: of the program the kernel keeps more or less as it likes.
func (p process) rss() int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(b))
	if len(f) < 3 {
		return 0
	}
	resident, _ := strconv.ParseInt(f[1], 10, 64)
	ofFiles, _ := strconv.ParseInt(f[2], 10, 64)
	return (resident - ofFiles) * int64(os.Getpagesize())
}

// settle waits until the process has done what it still had to do: until it has
// hardly computed for half a second. On a busy machine a shorter rest may only
// mean that others had their turn.
func (p process) settle(ctx context.Context) error {
	const look = 100 * time.Millisecond
	began, last, quiet := time.Now(), p.cpu(), 0
	for p.pid != 0 && quiet < 5 && time.Since(began) < 40*time.Second {
		if err := pause(ctx, look); err != nil {
			return err
		}
		now := p.cpu()
		if quiet++; now-last > look/10 {
			quiet = 0
		}
		last = now
	}
	return ctx.Err()
}
