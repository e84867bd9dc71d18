//go:build unix

package process

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"mancala/web/webtest"
)

// A single server is stopped for a moment and for longer, and goes on, while players think
// whose clocks run. The time for which it was stopped is charged to none of them.
func TestFrozenServerCostsNoTime(t *testing.T) {
	t.Parallel()
	p := startProgram(t, filepath.Join(t.TempDir(), "mancala.db"), fast...)
	const games = 8
	var ada [games]*webtest.Client
	var began [games]time.Time
	var before [games]int
	for i := range games {
		ada[i], _, began[i] = beginClocked(t, p, p)
	}
	for i, a := range ada {
		if err := a.Until(p.ctx, "a running clock", func(g *webtest.Game) bool {
			before[i] = g.Numbers("clock")[0]
			return g.Number("ply") == 4 && g.Number("run") > 0
		}); err != nil {
			t.Fatal(err)
		}
	}
	linger(t, 2*time.Second) // all clocks run
	var frozen time.Duration
	for _, d := range []time.Duration{3 * time.Second, 12 * time.Second} {
		p.freeze()
		stopped := time.Now()
		linger(t, d)
		frozen += time.Since(stopped)
		p.signal(syscall.SIGCONT)
		linger(t, time.Second)
	}
	const increment = 3000
	for i, a := range ada {
		if err := a.Must(p.ctx, "move", map[string]any{"ply": 4, "move": "c"}); err != nil {
			t.Fatal(err)
		}
		ran := time.Since(began[i]) - frozen
		var after int
		a.Look(func(g *webtest.Game) { after = g.Numbers("clock")[0] })
		if charged := time.Duration(before[i]+increment-after) * time.Millisecond; charged > ran+2*time.Millisecond {
			t.Errorf("game %d: charged %v; the server ran for %v and was stopped for %v", i, charged, ran, frozen)
		}
	}
}

// freeze stops the server where it is. When it returns, the server runs no thread.
func (p *program) freeze() {
	p.Helper()
	if err := p.run.Freeze(); err != nil {
		p.Fatal(err)
	}
}
