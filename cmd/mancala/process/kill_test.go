package process

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/cmd/internal/ledger"
	"mancala/match/bus/redistest"
	"mancala/match/journal/pgtest"
	"mancala/web/webtest"
)

// TestKilledAgainAndAgain kills the server at random moments while people play,
// and starts it again on the same file and port. People's clients come back by
// themselves and repeat what was not answered. In the end every ply that was
// acknowledged is in the journal, at its place and once, and every client has
// the server's board.
func TestKilledAgainAndAgain(t *testing.T) {
	testKilled(t, 12, startProgram(t, filepath.Join(t.TempDir(), "mancala.db"), fast...))
}

// TestKilledWithPostgres does the same. Fewer kills: that a file's last server is
// dead is certain to the next, in PostgreSQL its rooms are free when it has given
// no sign of life for a while.
func TestKilledWithPostgres(t *testing.T) {
	testKilled(t, 4, startProgram(t, pgtest.Open(t), fast...))
}

// TestKilledAmongOthers does so with three instances of one service. The people
// of each game are connected to different ones.
func TestKilledAmongOthers(t *testing.T) {
	testKilled(t, 5, startInstances(t, 3)...)
}

// startInstances starts several instances of one service.
func startInstances(t *testing.T, n int) (list []*program) {
	database := pgtest.Open(t)
	flags := append([]string{"--redis", redistest.Open(t)}, fast...)
	for range n {
		list = append(list, startProgram(t, database, flags...))
	}
	return list
}

func testKilled(t *testing.T, kills int, instances ...*program) {
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	var faults []func()
	for range kills {
		victim := instances[random.IntN(len(instances))]
		faults = append(faults, func() { victim.kill(); victim.start() })
	}
	testFaults(t, instances, faults)
}

// testFaults lets people play, on one instance after the other, while faults
// happen at random moments.
func testFaults(t *testing.T, instances []*program, faults []func()) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	playThrough(t, instances, seed, []string{"kalah", "oware", "giuthi", "maruba", "basic-four"}, faults)
	for _, p := range instances {
		if code := p.stop(); code != 0 {
			t.Errorf("ended with %d\n%s", code, p.log)
		}
		if strings.Contains(p.log.String(), "level=ERROR") {
			t.Errorf("it logged\n%s", p.log)
		}
	}
}

// playThrough lets people play games of all these rules until all faults have
// happened, and holds what they were told against the journal.
func playThrough(t *testing.T, instances []*program, seed uint64, rules []string, faults []func()) {
	p := instances[0]
	r := rand.New(rand.NewPCG(seed, 0))
	var pulse atomic.Int64 // of all clients: how often one has looked at its game
	var ending atomic.Bool
	var games ledger.Ledger
	var group sync.WaitGroup
	t.Cleanup(func() { // also if a fault cannot be brought about
		ending.Store(true)
		group.Wait()
	})
	for i, rules := range rules {
		group.Go(func() {
			people, err := gather(instances, i, rules)
			if err != nil {
				t.Error(err)
				return
			}
			defer ledger.Leave(people)
			for n := uint64(0); !ending.Load(); n++ {
				g, err := ledger.Play(p.ctx, people, rules, rand.New(rand.NewPCG(seed, uint64(i)<<32|n)), &pulse)
				if err != nil {
					t.Error(err)
					return
				}
				games.Add(g)
			}
		})
	}
	for _, fault := range faults {
		// At any moment: also in the middle of a batch, or before the first.
		more := pulse.Load() + r.Int64N(600)
		await(t, p.ctx, func() bool { return pulse.Load() >= more })
		fault()
	}
	ending.Store(true)
	group.Wait()
	plies := 0
	for _, g := range games.Games() {
		checkOn(t, p, g)
		plies += len(g.Plies)
	}
	t.Logf("%d games, %d plies", len(games.Games()), plies)
}

// await waits for what other goroutines bring about.
func await(t *testing.T, ctx context.Context, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		}
	}
}

// gather are as many people as a game takes. They are connected to one instance
// after the other, from the first on.
func gather(instances []*program, first int, rules string) ([]*webtest.Person, error) {
	seats := 2
	if rules == "basic-four" {
		seats = 4
	}
	var people []*webtest.Person
	for i := range seats {
		people = append(people, webtest.NewPerson(instances[(first+i)%len(instances)].base()))
	}
	return people, ledger.Arrive(instances[0].ctx, people)
}

// checkOn compares what people know with what the server has.
func checkOn(t *testing.T, p *program, g *ledger.Game) {
	t.Helper()
	// A connection that a fault has lost may be found out by this very question.
	get := func(path string) (text string, err error) {
		err = ledger.Retry(p.ctx, func() (err error) {
			text, err = p.fetch(path)
			return err
		})
		return text, err
	}
	for _, wrong := range g.Check(get) {
		t.Error(wrong)
	}
}
