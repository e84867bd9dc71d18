//go:build unix

package server_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"mancala/cmd/internal/server"
)

func shell(script string) *exec.Cmd { return exec.Command("sh", "-c", script) }

func TestStartWaitsForTheAddress(t *testing.T) {
	for _, tt := range []struct{ line, scheme, addr string }{
		{"mancala v1 is ready: http://127.0.0.1:4711", "http", "127.0.0.1:4711"},
		{"mancala v1 is ready: https://mancala.test:443 and, in this network, http://10.0.0.7:80", "https", "mancala.test:443"},
		{"127.0.0.1:4712", "", "127.0.0.1:4712"},
	} {
		p, err := server.Start(shell("echo '" + tt.line + "'; exec sleep 600"))
		if err != nil {
			t.Fatal(err)
		}
		if p.Scheme != tt.scheme || p.Addr != tt.addr {
			t.Errorf("%q is %q, %q; want %q, %q", tt.line, p.Scheme, p.Addr, tt.scheme, tt.addr)
		}
		p.Kill()
		p.Kill() // allowed again
	}
}

func TestStartReportsAServerThatEndsBeforeItIsReady(t *testing.T) {
	_, err := server.Start(shell("printf half; exit 3"))
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), `"half"`) {
		t.Errorf("got %v, want the exit status and what the server printed", err)
	}
}

func TestStopReportsAServerThatDoesNotShutDownInOrder(t *testing.T) {
	for status, script := range map[int]string{
		0: `trap 'exit 0' TERM; echo 127.0.0.1:1; while :; do sleep 1; done`,
		7: `trap 'exit 7' TERM; echo 127.0.0.1:1; while :; do sleep 1; done`,
	} {
		p, err := server.Start(shell(script))
		if err != nil {
			t.Fatal(err)
		}
		err = p.Stop()
		var exit *exec.ExitError
		if got := errors.As(err, &exit); got != (status != 0) || got && exit.ExitCode() != status {
			t.Errorf("Stop: %v, want status %d", err, status)
		}
	}
}
