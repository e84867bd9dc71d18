package engine_test

import (
	"os/exec"
	"strings"
	"testing"

	"mancala/engine"
)

// TestImports: the engine imports the standard library only.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(string(out)); got != "mancala/engine" {
		t.Errorf("the engine needs\n%s", got)
	}
}

// TestPlayDoesNotAllocate plays whole games of every system, legal moves included,
// with a history that is used again.
func TestPlayDoesNotAllocate(t *testing.T) {
	for _, row := range engine.Systems {
		t.Run(row.Name, func(t *testing.T) {
			g := game(t, row.Name)
			start, h, tr := benchStart(g), &engine.History{}, &engine.Trace{}
			games := func(tr *engine.Trace) func() {
				return func() {
					for seed := range dice(20) {
						playout(g, start, h, tr, seed)
					}
				}
			}
			if n := testing.AllocsPerRun(3, games(nil)); n > 0 {
				t.Errorf("%v allocations in 20 games", n)
			}
			if n := testing.AllocsPerRun(3, games(tr)); n > 0 {
				t.Errorf("%v allocations in 20 games with a trace that is used again", n)
			}
		})
	}
}
