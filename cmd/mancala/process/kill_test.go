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

// TestKillsAtRandomMomentsLoseNothing kills the server at random moments while people play,
// and starts it again on the same file and port. The clients reconnect automatically and
// repeat commands without an answer. In the end every acknowledged ply is in the journal,
// once and at its place, and every client has the server's board.
func TestKillsAtRandomMomentsLoseNothing(t *testing.T) {
	t.Parallel()
	testKilled(t, 12, startProgram(t, filepath.Join(t.TempDir(), "mancala.db"), fast...))
}

// TestKillsWithPostgresLoseNothing does the same with PostgreSQL. It has fewer kills, because each
// takes longer: the next server of a file knows that the last one is dead, but in PostgreSQL
// it waits until the leases of the last one have expired.
func TestKillsWithPostgresLoseNothing(t *testing.T) {
	t.Parallel()
	testKilled(t, 4, startProgram(t, pgtest.Open(t), fast...))
}

// TestKillsAmongThreeInstancesLoseNothing does the same with three instances of one
// service. The players of each game are connected to different instances.
func TestKillsAmongThreeInstancesLoseNothing(t *testing.T) {
	t.Parallel()
	testKilled(t, 5, startInstances(t, 3)...)
}

// startInstances starts n instances of one service.
func startInstances(t *testing.T, n int) (list []*program) {
	database := pgtest.Open(t)
	flags := append([]string{"--redis", ownRedis(t)}, fast...)
	for range n {
		list = append(list, startProgram(t, database, flags...))
	}
	return list
}

// ownRedis starts a Redis for one test and returns its URL. Tests run beside each other,
// and instances of one would hear those of another through a shared one.
func ownRedis(t *testing.T) string {
	t.Helper()
	redistest.Open(t) // skips the test without Redis
	redis, err := redistest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(redis.Remove)
	return redis.URL()
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

// testFaults lets people play while faults happen at random moments, and stops the
// instances. Their logs must have no errors.
func testFaults(t *testing.T, instances []*program, faults []func()) {
	run := rand.Uint64()
	t.Logf("run %d", run)
	playThrough(t, instances, run, []string{"kalah", "oware", "giuthi", "maruba", "basic-four"}, faults)
	for _, p := range instances {
		if code := p.stop(); code != 0 {
			t.Errorf("exit status %d\n%s", code, p.log)
		}
		if strings.Contains(p.log.String(), "level=ERROR") {
			t.Errorf("the log has errors:\n%s", p.log)
		}
	}
}

// playThrough lets people play games of all these rules until all faults have happened. It
// then compares what the clients know with the journal.
func playThrough(t *testing.T, instances []*program, run uint64, rules []string, faults []func()) {
	p := instances[0]
	r := rand.New(rand.NewPCG(run, 0))
	all := playOn(t, instances, run, rules)
	for _, fault := range faults {
		// A random moment may be in the middle of a batch or before the first one.
		all.looks(r.Int64N(600))
		fault()
	}
	plies := 0
	games := all.stop()
	for _, g := range games {
		checkOn(t, p, g)
		plies += len(g.Plies)
	}
	t.Logf("%d games, %d plies", len(games), plies)
}

// crowd are people who play one game after the other.
type crowd struct {
	t      *testing.T
	ctx    context.Context
	pulse  atomic.Int64 // how often any client has looked at its game
	ending atomic.Bool
	games  ledger.Ledger
	group  sync.WaitGroup
}

// playOn lets people play games of all these rules, on all instances, until stop or the end
// of the test.
func playOn(t *testing.T, instances []*program, run uint64, rules []string) *crowd {
	c := &crowd{t: t, ctx: instances[0].ctx}
	t.Cleanup(func() { c.stop() })
	for i, rules := range rules {
		c.group.Go(func() {
			people, err := gather(instances, i, rules)
			if err != nil {
				t.Error(err)
				return
			}
			defer ledger.Leave(people)
			for n := uint64(0); !c.ending.Load(); n++ {
				g, err := ledger.Play(c.ctx, people, rules, rand.New(rand.NewPCG(run, uint64(i)<<32|n)), &c.pulse)
				if err != nil {
					t.Error(err)
					return
				}
				c.games.Add(g)
			}
		})
	}
	return c
}

// looks waits until clients have looked at their games n more times.
func (c *crowd) looks(n int64) {
	c.t.Helper()
	until := c.pulse.Load() + n
	await(c.t, c.ctx, func() bool { return c.pulse.Load() >= until })
}

// stop waits for the end of the games that are being played. It returns all games.
func (c *crowd) stop() []*ledger.Game {
	c.ending.Store(true)
	c.group.Wait()
	return c.games.Games()
}

// await waits until cond returns true.
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

// gather returns the players of a game. They are connected to successive instances, from
// the one with the index first on.
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

// checkOn compares what the clients know with the answers of p.
func checkOn(t *testing.T, p *program, g *ledger.Game) {
	t.Helper()
	// The first request after a fault may find a dead connection.
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
