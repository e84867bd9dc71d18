package server_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mancala/cmd/internal/server"
)

// A process that answers requests after it was frozen would spoil the tests that freeze it.
func TestFrozenProcessRunsNoThread(t *testing.T) {
	p, err := server.Start(shell("echo 127.0.0.1:1; while :; do :; done"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	for range 100 {
		if err := p.Freeze(); err != nil {
			t.Fatal(err)
		}
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.Pid()))
		if err != nil || len(threads) == 0 {
			t.Fatalf("the process has the threads %v, %v", threads, err)
		}
		for _, file := range threads {
			text, err := os.ReadFile(file)
			_, rest, _ := strings.Cut(string(text), ") ")
			if err != nil || !strings.HasPrefix(rest, "T ") {
				t.Errorf("a thread of a frozen process: %s, %v", text, err)
			}
		}
		if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFreezeReportsAnEndedProcess(t *testing.T) {
	p, err := server.Start(shell("echo 127.0.0.1:1; exec sleep 600"))
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	if err := p.Freeze(); err == nil {
		t.Error("a process that has ended is frozen")
	}
}
