package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// child is a server that was started here. It is a process of its own, so that its CPU
// time and memory can be read.
type child struct {
	cmd  *exec.Cmd
	addr string
}

// startSelf starts this program again as one of its [yardsticks].
func startSelf(ctx context.Context, stderr io.Writer, server string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return startChild(ctx, stderr, self, server)
}

// startChild starts a server and waits for the address that it prints.
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
		return nil, fmt.Errorf("%s ended before it printed its address: %w", args[0], err)
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

// sharedWriter is a writer for several goroutines: each child's standard error is
// copied to it by one.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}
