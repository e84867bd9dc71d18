package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"sync"

	"mancala/cmd/internal/server"
)

// program is the server's program. It is found when it is first needed.
type program struct {
	given  string // the value of --server
	beside string // the folder to search if none is given
	errOut io.Writer

	once sync.Once
	path string
	err  error

	built server.Program // of this repository
}

// find returns the path of the server's program: the given one, or else the one in the
// folder beside, or else one that it builds.
func (p *program) find(ctx context.Context) (string, error) {
	p.once.Do(func() { p.path, p.err = p.search(ctx) })
	return p.path, p.err
}

// search is find without its memory.
func (p *program) search(ctx context.Context) (string, error) {
	if p.given != "" {
		path, err := exec.LookPath(p.given)
		if err != nil {
			return "", fmt.Errorf("--server: %w", err)
		}
		return path, nil
	}
	if path, err := exec.LookPath(filepath.Join(p.beside, server.FileName())); err == nil {
		return path, nil
	}
	fmt.Fprintln(p.errOut, "mancala-bench: building the server (give one with --server to skip this)")
	path, err := p.built.Path(ctx)
	if err != nil {
		return "", fmt.Errorf("the server's program is missing: give it with --server, install it beside mancala-bench, or run mancala-bench in the repository: %w", err)
	}
	return path, nil
}

// remove removes a program that was built.
func (p *program) remove() { p.built.Remove() }
