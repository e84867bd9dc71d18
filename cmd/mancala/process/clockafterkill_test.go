package process

import (
	"net"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"mancala/cmd/internal/ledger"
	"mancala/web/webtest"
)

// The server is killed several times while a player thinks and their clock runs. The
// player is charged at most for the time in which a server ran.
func TestClocksArePausedWithoutAServer(t *testing.T) {
	t.Parallel()
	p := startProgram(t, filepath.Join(t.TempDir(), "mancala.db"), fast...)
	a, _, began := beginClocked(t, p, p)
	const outages = 4
	var away time.Duration
	var before int
	for n := range outages {
		// Ada is connected again, and Ada's clock runs or will run soon.
		if err := a.Until(p.ctx, "a running clock", func(g *webtest.Game) bool {
			before = max(before, g.Numbers("clock")[0])
			return g.Number("ply") == 4 && g.Number("run") > 0
		}); err != nil {
			t.Fatal(err)
		}
		away += p.restart()
		await(t, p.ctx, func() bool { return len(a.Closes()) > n })
	}
	charged := movesCharged(p, a, before)
	running := time.Since(began) - away
	const rounding = (outages + 1) * time.Millisecond // clocks count in ms
	if charged < 0 || charged > running+rounding {
		t.Errorf("charged %v; a server ran for %v and was away for %v", charged, running, away)
	}
}

// The server shuts down in order while a player's clock runs, and starts again much later.
// The player is charged at most for the time in which a server ran.
func TestClocksArePausedAfterAShutdown(t *testing.T) {
	t.Parallel()
	p := startProgram(t, filepath.Join(t.TempDir(), "mancala.db"), fast...)
	away := 8 * time.Second
	if long() {
		away = 100 * time.Second // longer than a player who is not back is waited for
	}
	a, _, began := beginClocked(t, p, p)
	before := runningClock(p, a)
	p.stop()
	stopped := time.Now()
	await(t, p.ctx, func() bool { return time.Since(stopped) > away })
	gone := time.Since(stopped)
	p.start()
	charged := movesCharged(p, a, before)
	ran := time.Since(began) - gone
	if charged > ran+2*time.Millisecond {
		t.Errorf("charged %v; a server ran for %v and was away for %v", charged, ran, gone)
	}
}

// runningClock waits until Ada's clock runs after the four plies of [beginClocked], and returns
// what was left on it when it began to run, in ms.
func runningClock(p *program, a *webtest.Client) (left int) {
	p.Helper()
	if err := a.Until(p.ctx, "a running clock", func(g *webtest.Game) bool {
		left = g.Numbers("clock")[0]
		return g.Number("ply") == 4 && g.Number("run") > 0
	}); err != nil {
		p.Fatal(err)
	}
	return left
}

// movesCharged makes Ada's next move and returns how much thinking time it cost. left is what
// was on Ada's clock before, in ms.
func movesCharged(p *program, a *webtest.Client, left int) time.Duration {
	p.Helper()
	if err := a.Must(p.ctx, "move", map[string]any{"ply": 4, "move": "c"}); err != nil {
		p.Fatal(err)
	}
	const increment = 3000
	var after int
	a.Look(func(g *webtest.Game) { after = g.Numbers("clock")[0] })
	return time.Duration(left+increment-after) * time.Millisecond
}

// beginClocked begins a game with a clock and makes four plies, so that Ada's clock runs.
// Ada is connected to the first program and Ben to the second. It returns when the game
// began.
func beginClocked(t *testing.T, first, second *program) (a, b *webtest.Client, began time.Time) {
	t.Helper()
	ctx := first.ctx
	ada, ben := webtest.NewPerson(first.base()), webtest.NewPerson(second.base())
	t.Cleanup(func() { ledger.Leave([]*webtest.Person{ada, ben}) })
	room, err := ada.Make(ctx, url.Values{"rules": {"oware"}, "clock": {"5+3"}, "start": {"creator"}})
	if err == nil {
		err = ben.Sit(ctx, room)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, b = ada.Open(room), ben.Open(room)
	t.Cleanup(func() { a.Close(); b.Close() })
	began = time.Now()
	for ply, move := range []string{"a", "a", "b", "b"} {
		c := []*webtest.Client{a, b}[ply%2]
		if err := c.Until(ctx, "the turn", func(g *webtest.Game) bool { return g.Number("ply") == ply && g.Number("turn") == g.As }); err != nil {
			t.Fatal(err)
		}
		if err := c.Must(ctx, "move", map[string]any{"ply": ply, "move": move}); err != nil {
			t.Fatal(err)
		}
	}
	return a, b, began
}

// restart kills the server and starts it again. It returns the least time for which no
// client can have been connected.
func (p *program) restart() time.Duration {
	p.Helper()
	p.kill()
	gone := time.Now()
	away := make(chan time.Duration, 1)
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		last := gone
		for p.ctx.Err() == nil {
			tried := time.Now()
			conn, err := net.Dial("tcp", p.addr)
			if err == nil {
				_ = conn.Close()
				break
			}
			last = tried
			<-tick.C
		}
		away <- last.Sub(gone)
	}()
	p.start()
	return <-away
}
