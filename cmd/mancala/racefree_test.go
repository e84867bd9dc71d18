package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// deploy/test.sh tests some packages without the race detector. They may start no
// goroutine and use nothing of package sync.
func TestPackagesTestedWithoutTheRaceDetectorShareNothing(t *testing.T) {
	alone := regexp.MustCompile(`(?m)^alone=\((.*)\)$`).FindStringSubmatch(readDeploy(t, "test.sh"))
	if alone == nil {
		t.Fatal("deploy/test.sh names no packages")
	}
	list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-f", `{{.Dir}} {{join .GoFiles " "}}`}, strings.Fields(alone[1])...)...)
	list.Dir = filepath.Join("..", "..")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for _, name := range words[1:] {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(words[0], name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, imported := range file.Imports {
				if path := imported.Path.Value; path == `"sync"` || path == `"sync/atomic"` {
					t.Errorf("%s imports %s", filepath.Join(words[0], name), path)
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if _, ok := n.(*ast.GoStmt); ok {
					t.Errorf("%s starts a goroutine", filepath.Join(words[0], name))
				}
				return true
			})
		}
	}
}
