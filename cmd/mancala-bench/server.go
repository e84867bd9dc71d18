package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// program is the server's program, which is found when it is first needed.
type program struct {
	given  string // by --server
	beside string // the folder to look in if none is given
	errOut io.Writer

	once sync.Once
	path string
	err  error
	temp string // the folder of a program that was built here
}

// find returns the path of the server's program: the given one, or else the one that
// is installed beside this program, or else one that it builds.
func (b *program) find(ctx context.Context) (string, error) {
	b.once.Do(func() { b.path, b.err = b.search(ctx) })
	return b.path, b.err
}

func (b *program) search(ctx context.Context) (string, error) {
	name := "mancala"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if b.given != "" {
		path, err := exec.LookPath(b.given)
		if err != nil {
			return "", fmt.Errorf("--server: %w", err)
		}
		return path, nil
	}
	if path, err := exec.LookPath(filepath.Join(b.beside, name)); err == nil {
		return path, nil
	}
	temp, err := os.MkdirTemp("", "mancala-bench-")
	if err != nil {
		return "", err
	}
	b.temp = temp
	path := filepath.Join(temp, name)
	fmt.Fprintln(b.errOut, "mancala-bench: building the server; --server measures one that is built already")
	if err := build(ctx, path); err != nil {
		return "", fmt.Errorf("there is no server to measure: name its program with --server, install it beside mancala-bench, or start this in the repository: %w", err)
	}
	return path, nil
}

// remove removes a program that was built.
func (b *program) remove() {
	if b.temp != "" {
		_ = os.RemoveAll(b.temp)
	}
}

// build builds the server with the go tool.
func build(ctx context.Context, path string, flags ...string) error {
	args := append([]string{"build", "-o", path}, flags...)
	if out, err := exec.CommandContext(ctx, "go", append(args, "mancala/cmd/mancala")...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}
