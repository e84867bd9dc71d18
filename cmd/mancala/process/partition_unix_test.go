//go:build unix

package process

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"mancala/cmd/mancala/proxytest"
	"mancala/match/bus/redistest"
	"mancala/match/journal"
	"mancala/match/journal/pgtest"
)

// place is an instance whose networks to Redis and PostgreSQL can fail.
type place struct {
	*program
	redis, postgres *proxytest.Proxy
}

// servers are the Redis and the PostgreSQL of a service.
type servers struct {
	redis    *redistest.Server
	postgres *pgtest.Server
}

func startServers(t *testing.T) *servers {
	t.Helper()
	pgtest.Open(t) // skips the test without PostgreSQL
	redistest.Open(t)
	s := new(servers)
	var err error
	if s.postgres, err = pgtest.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.postgres.Remove)
	if s.redis, err = redistest.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.redis.Remove)
	return s
}

// start starts n instances of one service.
func (s *servers) start(t *testing.T, n int) (places []*place) {
	t.Helper()
	for range n {
		x := &place{redis: proxytest.New(t, s.redis.Address), postgres: proxytest.New(t, s.postgres.Address)}
		x.postgres.Probe() // the journal asks the database to: see pgjournal
		flags := append([]string{"--redis", "redis://" + x.redis.Addr()}, fast...)
		x.program = startProgram(t, s.postgres.URLVia(x.postgres.Addr(), "postgres"), flags...)
		places = append(places, x)
	}
	return places
}

// programs returns the instances of places.
func programs(places []*place) (list []*program) {
	for _, x := range places {
		list = append(list, x.program)
	}
	return list
}

// TestInstanceThatWasCutOffLosesNothing cuts off one of three instances while people on all
// of them play, in every way in which a network can fail. Other instances take its rooms.
// When the network is back, the instance notices that by itself.
func TestInstanceThatWasCutOffLosesNothing(t *testing.T) {
	t.Parallel()
	places := startServers(t).start(t, 3)
	x := places[1]
	heal := func(after time.Duration) {
		linger(t, after)
		x.redis.Heal()
		x.postgres.Heal()
	}
	const short, taken = 2 * time.Second, journal.DeadAfter + 2*time.Second
	testFaults(t, programs(places), []func(){
		func() { x.redis.Cut(); x.postgres.Cut(); heal(taken) },
		func() { x.redis.Stall(); x.postgres.Stall(); heal(taken) },
		func() { x.redis.Lose(proxytest.Down); heal(taken) }, // it can send but not receive
		func() { x.redis.Lose(proxytest.Up); heal(taken) },
		func() { x.postgres.Lose(proxytest.Down); heal(taken) }, // its writes arrive, but not the answers
		func() { x.redis.Lag(150 * time.Millisecond); x.postgres.Lag(50 * time.Millisecond); heal(short) },
	})
}

// All instances lose Redis, then PostgreSQL, then both, for longer than their leases. They
// must not try to connect all the time. The test prints the memory of the instances.
func TestGamesGoOnAfterRedisAndPostgreSQLWereAway(t *testing.T) {
	t.Parallel()
	away := journal.DeadAfter + 3*time.Second
	if long() {
		away = time.Minute
	}
	places := startServers(t).start(t, 3)
	begun := time.Now()
	report := func(what string) {
		var memory, tries []string
		for _, x := range places {
			memory = append(memory, fmt.Sprint(resident(x.run.Pid())>>20))
			tries = append(tries, fmt.Sprint(x.redis.Tries(), "+", x.postgres.Tries()))
		}
		t.Logf("%5.1f s %-16s MiB resident: %s; connections tried, Redis+PostgreSQL: %s",
			time.Since(begun).Seconds(), what, strings.Join(memory, " "), strings.Join(tries, " "))
	}
	without := func(what string, which ...func(*place) *proxytest.Proxy) func() {
		return func() {
			report("before " + what)
			before := map[*proxytest.Proxy]int{}
			cut := time.Now()
			for _, x := range places {
				for _, of := range which {
					of(x).Cut()
					before[of(x)] = of(x).Tries()
				}
			}
			linger(t, away)
			report("after " + what)
			gone := time.Since(cut) // longer than away on a slow machine
			for network, tries := range before {
				// All its connections may be opening at the cut. Afterwards it tries one at a time.
				if tries, most := network.Tries()-tries, 40+20*int(gone/time.Second); tries > most {
					t.Errorf("without %s an instance tried %d times to connect in %v, want at most %d", what, tries, gone, most)
				}
				network.Heal()
			}
		}
	}
	redis := func(x *place) *proxytest.Proxy { return x.redis }
	postgres := func(x *place) *proxytest.Proxy { return x.postgres }
	testFaults(t, programs(places), []func(){
		without("Redis", redis), without("PostgreSQL", postgres), without("both", redis, postgres),
		func() {
			report("the end")
			for _, x := range places { // before they are stopped
				if strings.Contains(x.log.String(), "another instance has died") {
					t.Errorf("no instance has died, but the log is\n%s", x.log)
				}
			}
		},
	})
}

// resident returns the resident memory of a process in bytes, or 0 without /proc.
func resident(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, pages int
	_, _ = fmt.Sscan(string(text), &size, &pages)
	return pages * os.Getpagesize()
}

func TestRandomFaultsLoseNothing(t *testing.T) {
	t.Parallel()
	const group = 4 // schedules on the same instances
	groups := 5
	if long() {
		groups = 50
	}
	for g := range groups {
		t.Run(fmt.Sprint("from ", g*group), func(t *testing.T) {
			t.Parallel()
			s := startServers(t)
			places := s.start(t, 3)
			for n := range group {
				run := uint64(g*group + n)
				faults, names := s.schedule(t, run, places)
				t.Logf("run %d: %s", run, strings.Join(names, ", "))
				playThrough(t, programs(places), run, []string{"kalah", "oware", "basic-four"}, faults)
			}
			for _, x := range places {
				if code := x.stop(); code != 0 || strings.Contains(x.log.String(), "level=ERROR") {
					t.Errorf("exit status %d\n%s", code, x.log)
				}
			}
		})
	}
}

// schedule chooses faults with their instances and lengths, which depend only on the number of the run.
func (s *servers) schedule(t *testing.T, run uint64, places []*place) (faults []func(), names []string) {
	r := rand.New(rand.NewPCG(run, 2))
	for range 2 + r.IntN(2) {
		n := r.IntN(len(places))
		x, d := places[n], time.Duration(r.IntN(2500))*time.Millisecond
		network, of := x.redis, "Redis"
		if r.IntN(2) == 0 {
			network, of = x.postgres, "PostgreSQL"
		}
		on := func(do func()) func() {
			return func() { do(); linger(t, d); network.Heal() }
		}
		kinds := []struct {
			name string
			do   func()
		}{
			{fmt.Sprintf("%d is killed", n), func() { x.kill(); x.start() }},
			{fmt.Sprintf("%d is restarted", n), func() { x.stop(); x.start() }},
			{fmt.Sprintf("%d is paused for %v", n, d), func() { x.freeze(); linger(t, d); x.signal(syscall.SIGCONT) }},
			{fmt.Sprintf("%d is cut off %s for %v", n, of, d), on(network.Cut)},
			{fmt.Sprintf("%d receives nothing from %s for %v", n, of, d), on(func() { network.Lose(proxytest.Down) })},
			{fmt.Sprintf("%d sends nothing to %s for %v", n, of, d), on(func() { network.Lose(proxytest.Up) })},
			{fmt.Sprintf("%d has a slow network to %s for %v", n, of, d), on(func() { network.Lag(d / 20) })},
			{"Redis is killed", func() {
				s.redis.Stop()
				linger(t, d)
				if err := s.redis.Restart(); err != nil {
					t.Error(err)
				}
			}},
			{"PostgreSQL is killed", func() {
				s.postgres.Stop()
				if err := s.postgres.Restart(); err != nil {
					t.Error(err)
				}
			}},
		}
		k := kinds[r.IntN(len(kinds))]
		faults, names = append(faults, k.do), append(names, k.name)
	}
	return faults, names
}
