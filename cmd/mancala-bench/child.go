package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"mancala/cmd/internal/server"
)

// child is a server that was started here. It is a process of its own, so that its CPU
// time and memory can be read.
type child struct{ *server.Process }

// runAsChild runs the yardstick or the load for which this program has started itself again, and
// reports whether its arguments ask for one. --help does not list these sub-commands.
func runAsChild(ctx context.Context, args []string, out io.Writer) (isChild bool, err error) {
	if len(args) == 0 {
		return false, nil
	}
	if serve := yardsticks[args[0]]; serve != nil {
		return true, serve(ctx, out)
	}
	if args[0] == "others" {
		return true, playOthers(ctx, args[1:], out)
	}
	return false, nil
}

// startSelf starts this program again as one of its [yardsticks].
func startSelf(ctx context.Context, stderr io.Writer, name string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return startChild(ctx, stderr, self, name)
}

// startChild starts a server and waits for the address that it prints.
func startChild(ctx context.Context, stderr io.Writer, program string, args ...string) (*child, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	run, err := server.Start(cmd)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	return &child{run}, nil
}

func (c *child) process() process { return process{[]int{c.Pid()}} }

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
