package room

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

var (
	simRuns = flag.Int("sim.runs", usualRuns(), "how many simulations")
	onlyRun = flag.Uint64("sim.run", 0, "run only the simulation with this number")
)

// TestRoomsKeepTheirPromisesUnderFaults lets clients that leave, return, repeat and lie
// loose on rooms whose journal fails in every way that it may, whose ownership is stolen
// and whose registry dies. It compares the outcome with what a room promises.
func TestRoomsKeepTheirPromisesUnderFaults(t *testing.T) { testSimulation(t, *simRuns/slower, 1) }

// TestThreeInstancesKeepTheirPromisesUnderFaults does so with three instances and a link
// that loses and delays messages. Clients are connected to any of them.
func TestThreeInstancesKeepTheirPromisesUnderFaults(t *testing.T) {
	testSimulation(t, *simRuns/slower, 3)
}

func usualRuns() int {
	if os.Getenv("MANCALA_TEST_LONG") != "" {
		return 3000
	}
	return 200
}

func testSimulation(t *testing.T, count, instances int) {
	runs := make(chan uint64)
	go func() {
		defer close(runs)
		if *onlyRun != 0 {
			runs <- *onlyRun
			return
		}
		for n := range count {
			runs <- uint64(n) + 1
		}
	}()
	for run := range runs {
		ok := t.Run(fmt.Sprint(run), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { simulate(t, run, instances) })
		})
		if !ok {
			t.Logf("again: go test -run '^%s$' -sim.run %d", t.Name(), run)
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
	run     uint64
	broken  *broken
	flaky   *flaky
	worlds  []atomic.Pointer[world] // the registries of the moment
	wire    *wire                   // between them; nil if there is one
	stop    atomic.Bool
	ran     atomic.Int64 // of tasks
	authors sync.Map     // room and player → *atomic.Int64
}

func simulate(t *testing.T, run uint64, instances int) {
	rng := rand.New(rand.NewPCG(run, 1))
	s := &sim{T: t, run: run, worlds: make([]atomic.Pointer[world], instances)}
	if instances > 1 {
		s.wire = newWire(run)
	}
	s.flaky = newFlaky(run)
	s.broken = &broken{Journal: s.flaky}
	for i := range s.worlds {
		s.start(i)
	}
	var clients []*client
	for n := range simRooms {
		id := fmt.Sprint("r", n)
		s.worlds[0].Load().book(id)
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
	if s.wire != nil {
		for i := range s.worlds {
			s.worlds[i].Load().stop()
		}
		s.wire.group.Wait()
	}
}

var registries atomic.Int64

func (s *sim) start(i int) {
	w := newWorldOn(s.T, s.wire, fmt.Sprint("house", registries.Add(1)), s.broken, map[string]Handler{
		"fetch": func(context.Context, Task) (json.RawMessage, error) { return s.fetch() },
	}, func(c *Config) { c.checkpointEvery = 1 + s.run%10 })
	s.worlds[i].Store(w)
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
		if s.wire != nil {
			s.wire.set(on*rng.Float64(), time.Duration(on*5*float64(upTo(rng, 400*time.Millisecond))))
		}
	}
	for !s.stop.Load() {
		rates(0.2)
		time.Sleep(upTo(rng, 5*time.Second))
		i := rng.IntN(len(s.worlds))
		switch rng.IntN(6) {
		case 0: // the database goes away and comes back
			s.broken.set(nil, true)
			time.Sleep(upTo(rng, 8*time.Second))
			s.broken.set(nil, false)
		case 1: // a room's ownership is stolen and given up
			s.steal(fmt.Sprint("r", rng.IntN(simRooms)))
		case 2: // kill -9; the next registry opens what it can when this one counts as dead
			s.kill(i)
			s.start2(i)
		case 3: // in good order
			_ = s.worlds[i].Load().Drain(s.Context(), nil)
			s.kill(i)
			s.start2(i)
		case 4:
			if s.wire != nil {
				s.wire.hush(s.worlds[i].Load().self, upTo(rng, 8*time.Second))
			}
		}
	}
	rates(0)
	s.broken.set(nil, false)
}

// kill ends a registry without a word; the others notice, often by the database.
func (s *sim) kill(i int) {
	w := s.worlds[i].Load()
	w.stop()
	if len(w.self)%2 == 0 {
		s.flaky.Journal.(*memjournal.Journal).End(w.self)
	}
	if s.wire != nil {
		s.wire.gone(w.self)
	}
}

func (s *sim) start2(i int) {
	s.broken.set(nil, false) // a registry does not start without a database
	s.start(i)
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

// settle waits until all clients are connected and up to date.
func (s *sim) settle(clients []*client) {
	time.Sleep(30 * time.Second)
	for _, c := range clients {
		c.connect()
		c.retryOpen()
	}
	if s.wire != nil {
		// A living owner whose room was stolen, as happens only in tests, learns it when it writes.
		for i := range s.worlds {
			for n := range simRooms {
				_, _ = s.worlds[i].Load().Do(s.Context(), fmt.Sprint("r", n), cmd("ann", "add", 1))
			}
		}
	}
	time.Sleep(30 * time.Second)
	for _, c := range clients {
		c.connect()
	}
	synctest.Wait()
}

// verify holds the outcome against the promises.
func (s *sim) verify(clients []*client) {
	w := s.worlds[0].Load()
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
		whole, _, broken, err := w.replayFrom(s.Context(), id, "ledger", nil, span{})
		if err = errors.Join(broken, err); err != nil {
			s.Fatalf("%s: replay from the first entry: %v", id, err)
		}
		for _, a := range []machine.Audience{0, 1, machine.Watchers, machine.Host} {
			if got, want := m.Snapshot(a), whole.Snapshot(a); !bytes.Equal(got, want) {
				s.Errorf("%s: with the checkpoint it is\n%s, from the first entry\n%s", id, got, want)
			}
		}
		for i := range s.worlds {
			for _, player := range []string{"ann", "bob", "eve"} {
				v, err := s.worlds[i].Load().View(s.Context(), id, player)
				if want := m.Snapshot(m.Audience(player)); err != nil || v.Seq != seq || !bytes.Equal(v.Snapshot, want) {
					s.Errorf("%s: %s sees\n%s at %d, a replay gives\n%s at %d (%v)", id, player, v.Snapshot, v.Seq, want, seq, err)
				}
			}
		}
	}
	for i := range s.worlds {
		if st := s.worlds[i].Load().Stats(); st.Quarantined != 0 || st.Away != 0 || !st.Healthy {
			s.Errorf("at the end: %+v", st)
		}
	}
}
