package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// child is a server that the benchmark has started itself: only a process of its
// own has a CPU time and a memory to read.
type child struct {
	cmd  *exec.Cmd
	addr string
}

// startSelf runs one of the servers hidden in this program.
func startSelf(ctx context.Context, stderr io.Writer, server string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return startChild(ctx, stderr, self, server)
}

// startChild runs a server and waits for the address it prints.
func startChild(ctx context.Context, stderr io.Writer, program string, args ...string) (*child, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return nil, fmt.Errorf("%s ended without saying where it listens: %w", args[0], err)
	}
	words := strings.Fields(line) // "mancala v1 is ready: http://127.0.0.1:4711"
	if len(words) == 0 {
		words = []string{""}
	}
	return &child{cmd, strings.TrimPrefix(words[len(words)-1], "http://")}, nil
}

func (c *child) process() process { return process{[]int{c.cmd.Process.Pid}} }

func (c *child) stop() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

// process reads what the system knows of a server, or of several as if they were
// one. The zero value is a server of another machine, of which nothing is known.
type process struct{ pids []int }

// cpu returns the time that the process has spent computing, for itself and in
// the kernel on its behalf.
func (p process) cpu() (sum time.Duration) {
	for _, pid := range p.pids {
		// After the name utime and stime are the 12th and 13th, in hundredths of a
		// second.
		if f := procStat(pid); len(f) >= 13 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			sum += time.Duration(user+system) * 10 * time.Millisecond
		}
	}
	return sum
}

// procStat are the fields that the system tells of a process after its name, which
// stands in parentheses and may hold anything.
func procStat(pid int) []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(b[strings.LastIndexByte(string(b), ')'):]), " ")
	return strings.Fields(rest)
}

// processTree is a process with all that it has started, and they.
func processTree(root int) (p process) {
	parents := map[int]int{}
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if f := procStat(pid); err == nil && len(f) > 1 {
			parents[pid], _ = strconv.Atoi(f[1])
		}
	}
	for pid := range parents {
		for up := pid; up > 1; up = parents[up] {
			if up == root {
				p.pids = append(p.pids, pid)
			}
		}
	}
	return p
}

// rss returns the resident memory of the process in bytes, without pages of
// files: of the program the kernel keeps more or less as it likes.
func (p process) rss() (sum int64) {
	for _, pid := range p.pids {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		f := strings.Fields(string(b))
		if err != nil || len(f) < 3 {
			continue
		}
		resident, _ := strconv.ParseInt(f[1], 10, 64)
		ofFiles, _ := strconv.ParseInt(f[2], 10, 64)
		sum += (resident - ofFiles) * int64(os.Getpagesize())
	}
	return sum
}

// settle waits until the process has done what it still had to do: until it has
// hardly computed for half a second. On a busy machine a shorter rest may only
// mean that others had their turn. It waits less than the 30 s in which a game with a
// clock must begin: people may sit there already.
func (p process) settle(ctx context.Context) error {
	const look = 100 * time.Millisecond
	began, last, quiet := time.Now(), p.cpu(), 0
	for len(p.pids) > 0 && quiet < 5 && time.Since(began) < 20*time.Second {
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

// sharedWriter is a writer for several: what children say is copied to it at once.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}
