package room

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var (
	simRuns = flag.Int("sim.runs", 300/slower, "how many simulations")
	simSeed = flag.Uint64("sim.seed", 0, "run only the simulation with this seed number")
)

// TestSimulation lets clients that leave, return, repeat and lie loose on rooms
// whose journal fails in every way it may, whose ownership is stolen and whose
// house dies, and holds the outcome against what a room promises.
func TestSimulation(t *testing.T) {
	seeds := make(chan uint64)
	go func() {
		defer close(seeds)
		if *simSeed != 0 {
			seeds <- *simSeed
			return
		}
		for n := range *simRuns {
			seeds <- uint64(n) + 1
		}
	}()
	for seed := range seeds {
		ok := t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { simulate(t, seed) })
		})
		if !ok {
			t.Logf("again: go test -run TestSimulation -sim.seed %d", seed)
		}
	}
}

const (
	simRooms = 3
	simFor   = time.Minute
)

// sim is one run.
type sim struct {
	*testing.T
	seed    uint64
	broken  *broken
	flaky   *flaky
	world   atomic.Pointer[world] // the house of the moment
	stop    atomic.Bool
	ran     atomic.Int64 // of tasks
	authors sync.Map     // room and player → *atomic.Int64
}

func simulate(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &sim{T: t, seed: seed}
	s.flaky = newFlaky(seed)
	s.broken = &broken{Journal: s.flaky}
	s.start()
	var clients []*client
	for n := range simRooms {
		id := fmt.Sprint("r", n)
		s.world.Load().book(id)
		for i, player := range []string{"ann", "bob", "ann", "eve", "zoe"} {
			clients = append(clients, newClient(s, id, player, uint64(n*8+i)))
		}
	}
	var group sync.WaitGroup
	for _, c := range clients {
		group.Go(c.live)
	}
	group.Go(func() { s.chaos(rng) })
	time.Sleep(simFor)
	s.stop.Store(true)
	group.Wait()
	s.settle(clients)
	s.verify(clients)
}

var houses atomic.Int64

func (s *sim) start() {
	w := newWorld(s.T, fmt.Sprint("house", houses.Add(1)), s.broken, map[string]Handler{
		"fetch": func(context.Context, Task) (json.RawMessage, error) { return s.fetch() },
	})
	s.world.Store(w)
}

// fetch is a task's handler: it fails now and then.
func (s *sim) fetch() (json.RawMessage, error) {
	if s.ran.Add(1)%3 == 0 {
		return nil, errors.New("not now")
	}
	return json.RawMessage(`{"got":"it"}`), nil
}

// chaos breaks things until the run ends, and heals them then.
func (s *sim) chaos(rng *rand.Rand) {
	rates := func(on float64) {
		s.flaky.set(on * rng.Float64())
	}
	for !s.stop.Load() {
		rates(0.2)
		time.Sleep(upTo(rng, 5*time.Second))
		switch rng.IntN(6) {
		case 0: // the database goes away and comes back
			s.broken.set(nil, true)
			time.Sleep(upTo(rng, 8*time.Second))
			s.broken.set(nil, false)
		case 1: // a room's ownership is stolen and given up
			s.steal(fmt.Sprint("r", rng.IntN(simRooms)))
		case 2: // kill -9; the next house opens what it can when this one counts as dead
			s.world.Load().kill()
			s.world.Load().Wait()
			s.start2()
		case 3: // in good order
			_ = s.world.Load().Drain(s.Context())
			s.world.Load().stop()
			s.start2()
		}
	}
	rates(0)
	s.broken.set(nil, false)
}

func (s *sim) start2() {
	s.broken.set(nil, false) // a house does not start without a database
	s.start()
}

func (s *sim) steal(id string) {
	j := s.flaky.Journal
	line, err := j.Room(s.Context(), id)
	if err != nil || line.Owner == "" {
		return
	}
	_ = j.Release(s.Context(), id, line.Owner, line.Epoch, time.Time{})
	if line, err = j.Claim(s.Context(), id, "thief", line.Epoch); err == nil {
		_ = j.Release(s.Context(), id, "thief", line.Epoch, time.Now())
	}
}

// settle lets everybody come to rest: all are connected and up to date.
func (s *sim) settle(clients []*client) {
	time.Sleep(30 * time.Second)
	for _, c := range clients {
		c.connect()
		c.retryOpen()
	}
	time.Sleep(30 * time.Second)
	for _, c := range clients {
		c.connect()
	}
	synctest.Wait()
}

// verify holds the outcome against the promises.
func (s *sim) verify(clients []*client) {
	w := s.world.Load()
	for n := range simRooms {
		id := fmt.Sprint("r", n)
		list, err := w.Entries(s.Context(), id, "")
		if err != nil {
			s.Fatal(err)
		}
		at := map[string]uint64{} // author and command ID → sequence
		var last int64
		for _, p := range list {
			if p.Entry.At < last {
				s.Errorf("%s: entry %d goes back in time", id, p.Seq)
			}
			last = p.Entry.At
			if p.Entry.Command == "" {
				continue
			}
			key := p.Entry.By + " " + p.Entry.Command
			if first, twice := at[key]; twice {
				s.Errorf("%s: %s is in the journal at %d and %d", id, key, first, p.Seq)
			}
			at[key] = p.Seq
		}
		for _, c := range clients {
			if c.room == id {
				c.verify(list, at)
			}
		}
		m, seq, err := w.Replay(s.Context(), id)
		if err != nil || seq != uint64(len(list)) {
			s.Fatalf("%s: replay to %d: %v", id, seq, err)
		}
		for _, player := range []string{"ann", "bob", "eve"} {
			v, err := w.View(s.Context(), id, player)
			if want := m.Snapshot(m.Audience(player)); err != nil || v.Seq != seq || !bytes.Equal(v.Snapshot, want) {
				s.Errorf("%s: %s sees\n%s at %d, a replay gives\n%s at %d (%v)", id, player, v.Snapshot, v.Seq, want, seq, err)
			}
		}
	}
	if st := w.Stats(); st.Quarantined != 0 || st.Away != 0 || !st.Healthy {
		s.Errorf("at the end: %+v", st)
	}
}
