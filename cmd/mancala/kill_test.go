package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/engine"
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
	p := instances[0]
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))

	var pulse atomic.Int64 // of all clients: how often one has looked at its game
	var ending atomic.Bool
	var games ledger
	var group sync.WaitGroup
	for i, rules := range []string{"kalah", "oware", "giuthi", "maruba", "basic-four"} {
		group.Go(func() {
			people, err := gather(instances, i, rules)
			if err != nil {
				t.Error(err)
				return
			}
			defer leave(people)
			for n := uint64(0); !ending.Load(); n++ {
				g, err := playWhole(p, people, rules, rand.New(rand.NewPCG(seed, uint64(i)<<32|n)), &pulse)
				if err != nil {
					t.Error(err)
					return
				}
				games.add(g)
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
	for _, g := range games.list {
		g.check(t, p)
		plies += len(g.plies)
	}
	t.Logf("%d games, %d plies", len(games.list), plies)
	for _, p := range instances {
		if code := p.stop(); code != 0 {
			t.Errorf("ended with %d\n%s", code, p.log)
		}
		if strings.Contains(p.log.String(), "level=ERROR") {
			t.Errorf("it logged\n%s", p.log)
		}
	}
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

// ledger is the games that have been played.
type ledger struct {
	mu   sync.Mutex
	list []*played
}

func (l *ledger) add(g *played) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, g)
}

// played is a game that people have played to its end, and what they know of it.
type played struct {
	room, rules string
	plies       map[int]string // that were acknowledged
	seq         []uint64       // what each client has reached
	states      []map[string]any
}

// gather are as many people as a game takes. Each has been here before: were the
// answer to somebody's very first action lost, his seat would be a stranger's.
// They are connected to one instance after the other, from the first on.
func gather(instances []*program, first int, rules string) ([]*webtest.Person, error) {
	seats := 2
	if rules == "basic-four" {
		seats = 4
	}
	var people []*webtest.Person
	for i := range seats {
		p := instances[(first+i)%len(instances)]
		person := webtest.NewPerson(p.base())
		people = append(people, person)
		if err := retry(p.ctx, func() error { _, err := person.Make(p.ctx, nil); return err }); err != nil {
			return people, err
		}
	}
	return people, nil
}

func leave(people []*webtest.Person) {
	for _, p := range people {
		p.Leave()
	}
}

// playWhole plays a game of random plies from its making to its end, whatever
// happens to the server meanwhile.
func playWhole(p *program, people []*webtest.Person, rules string, r *rand.Rand, pulse *atomic.Int64) (*played, error) {
	g := &played{rules: rules, plies: map[int]string{}}
	var clients []*webtest.Client
	for i, person := range people {
		err := retry(p.ctx, func() (err error) {
			if i == 0 {
				g.room, err = person.Make(p.ctx, url.Values{"rules": {rules}})
				return err
			}
			return person.Sit(p.ctx, g.room)
		})
		if err != nil {
			return nil, err
		}
		c := person.Open(g.room)
		defer c.Close()
		clients = append(clients, c)
	}
	errs := make(chan error, len(clients))
	for i, c := range clients {
		random := rand.New(rand.NewPCG(r.Uint64(), uint64(i)))
		go func() {
			errs <- c.PlayOn(p.ctx, random, func(*webtest.Game) bool { pulse.Add(1); return false })
		}()
	}
	var err error
	for range clients {
		err = errors.Join(err, <-errs)
	}
	if err != nil {
		return nil, err
	}
	return g, g.note(p.ctx, clients)
}

// retry repeats what needs a server until one is there.
func retry(ctx context.Context, f func() error) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := f()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// note writes down what the clients know.
func (g *played) note(ctx context.Context, clients []*webtest.Client) error {
	for _, c := range clients {
		if err := c.Until(ctx, "the end", (*webtest.Game).Over); err != nil {
			return err
		}
		for _, t := range c.Played() {
			if before, twice := g.plies[t.Ply]; twice {
				return fmt.Errorf("%s: ply %d was acknowledged as %s and as %s", g.room, t.Ply, before, t.Move)
			}
			g.plies[t.Ply] = t.Move
		}
		c.Look(func(game *webtest.Game) {
			g.seq = append(g.seq, game.Seq)
			g.states = append(g.states, game.State)
		})
	}
	return nil
}

// check compares what people know with what the server has.
func (g *played) check(t *testing.T, p *program) {
	t.Helper()
	var api struct {
		Seq  uint64
		Snap json.RawMessage
	}
	if err := json.Unmarshal([]byte(p.get("/api/v1/games/"+g.room)), &api); err != nil {
		t.Fatal(err)
	}
	state, err := webtest.Decode(api.Snap)
	if err != nil {
		t.Fatal(err)
	}
	for i := range g.states {
		if g.seq[i] != api.Seq || !reflect.DeepEqual(g.states[i], state) {
			t.Errorf("%s in %s: client %d has at %d\n%v\nthe server has at %d\n%v", g.rules, g.room, i, g.seq[i], g.states[i], api.Seq, state)
		}
	}
	var replay struct{ Plies []struct{ Move string } }
	if err := json.Unmarshal([]byte(p.get("/api/v1/games/"+g.room+"/replay")), &replay); err != nil {
		t.Fatal(err)
	}
	if len(replay.Plies) != len(g.plies) {
		t.Errorf("%s in %s: %d plies are in the journal, %d were acknowledged", g.rules, g.room, len(replay.Plies), len(g.plies))
	}
	for i, ply := range replay.Plies {
		if g.plies[i] != ply.Move {
			t.Errorf("%s in %s: ply %d is %s in the journal and was acknowledged as %s", g.rules, g.room, i, ply.Move, g.plies[i])
		}
	}
	record, err := engine.ParseRecord(p.get("/" + g.room + "/record"))
	if err == nil {
		_, err = record.Replay()
	}
	if err != nil {
		t.Errorf("%s in %s: %v", g.rules, g.room, err)
	}
}
