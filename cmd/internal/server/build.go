// Package server builds the server's program and runs it as a process, for measurements and
// for tests.
package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
)

// Program is the server's program, built from this module when it is first needed. Its zero
// value is built as for a release.
type Program struct {
	// Flags returns further flags of go build. It may write files to dir, which [Program.Remove]
	// removes.
	Flags func(dir string) ([]string, error)

	once sync.Once
	dir  string
	path string
	err  error
}

// Path builds the program, once for all calls, and returns its path. It works in any folder of
// this module.
func (p *Program) Path(ctx context.Context) (string, error) {
	p.once.Do(func() { p.path, p.err = p.build(ctx) })
	return p.path, p.err
}

func (p *Program) build(ctx context.Context) (string, error) {
	var err error
	if p.dir, err = os.MkdirTemp("", "mancala-program-"); err != nil {
		return "", err
	}
	path := filepath.Join(p.dir, FileName())
	args := []string{"build", "-o", path}
	if p.Flags != nil {
		more, err := p.Flags(p.dir)
		if err != nil {
			return "", err
		}
		args = append(args, more...)
	}
	if out, err := exec.CommandContext(ctx, "go", append(args, "mancala/cmd/mancala")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// Remove removes the program, if it was built.
func (p *Program) Remove() {
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}

// FileName returns the name of the program's file.
func FileName() string {
	if runtime.GOOS == "windows" {
		return "mancala.exe"
	}
	return "mancala"
}

// ForTests returns the flags of a program for tests. The program has the race detector if the
// running test has it. It is built without the processor profile, and so shares the packages
// that other tests have compiled.
func ForTests(string) ([]string, error) {
	flags := []string{"-pgo=off"}
	info, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		flags = append(flags, "-race")
	}
	return flags, nil
}
