package histories

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The clock of one process cannot be set. So the program is built with another time.Now,
// whose wall clock has an offset that a test can change. Its monotonic clock stays as it is.
// The files of the Go release that builds the program are changed in a copy (go build
// -overlay).
const (
	nowAnchor = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	nowJumps  = nowAnchor + "\tsec += jumped.Load()\n"

	jumpSource = `package time

import "sync/atomic"

var jumped atomic.Int64

// Jump sets how many seconds the wall clock of this process is ahead.
func Jump(seconds int64) { jumped.Store(seconds) }
`
	hookSource = `package main

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The file MANCALA_TEST_CLOCK sets the clock when the program starts, if it is there, and
// after the signal USR2. The file with ".set" then has the same text.
func init() {
	file := os.Getenv("MANCALA_TEST_CLOCK")
	if file == "" {
		return
	}
	set := func() {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err != nil {
			panic(err)
		}
		time.Jump(seconds)
		if err := os.WriteFile(file+".set", text, 0o600); err != nil {
			panic(err)
		}
	}
	if _, err := os.Stat(file); err == nil {
		set()
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR2)
	go func() {
		for range signals {
			set()
		}
	}()
}
`
)

// overlay writes the changed files into dir and returns the flag of go build that uses them.
func overlay(dir string) (flag string, err error) {
	root, err := goEnv("GOROOT")
	if err != nil {
		return "", err
	}
	module, err := goEnv("GOMOD")
	if err != nil {
		return "", err
	}
	source := filepath.Join(root, "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	changed, err := jumpingNow(string(text))
	if err != nil {
		return "", fmt.Errorf("%s: %w", source, err)
	}
	replace := map[string]string{}
	for path, text := range map[string]string{
		source: changed,
		filepath.Join(root, "src", "time", "mancala_jump.go"):                            jumpSource,
		filepath.Join(filepath.Dir(module), "cmd", "mancala", "clock_hook_for_tests.go"): hookSource,
	} {
		copy := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(copy, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[path] = copy
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return "-overlay=" + file, os.WriteFile(file, list, 0o600)
}

// jumpingNow returns the source of package time with the offset in time.Now.
func jumpingNow(source string) (string, error) {
	if strings.Count(source, nowAnchor) != 1 {
		return "", fmt.Errorf("this release of Go has another time.Now; nowAnchor must be its beginning:\n%s", nowAnchor)
	}
	return strings.Replace(source, nowAnchor, nowJumps, 1), nil
}

func goEnv(name string) (string, error) {
	out, err := exec.Command("go", "env", name).Output()
	return strings.TrimSpace(string(out)), err
}

func TestUnknownTimeNowIsRefused(t *testing.T) {
	if _, err := jumpingNow("package time\n\nfunc Now() Time { return Time{} }\n"); err == nil || !strings.Contains(err.Error(), "another time.Now") {
		t.Errorf("got %v, want an error that names the anchor", err)
	}
}
