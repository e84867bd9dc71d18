package histories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"mancala/cmd/internal/history"
	"mancala/cmd/mancala/proxytest"
	"mancala/match/testenv"
)

// move is a kind of fault.
type move struct {
	name  string
	stops bool // some players can do nothing meanwhile
	do    func(s *service, f fault) error
}

// fault is a move with all that the number of the run decides about it.
type fault struct {
	move
	victim int           // an instance
	length time.Duration // about how long it lasts
	r      *rand.Rand
	gate   *sync.RWMutex // locked while no game may begin
}

func (f fault) String() string {
	return fmt.Sprintf("%s (instance %d, %v)", f.name, f.victim, f.length.Round(10*time.Millisecond))
}

// moves are all kinds of faults.
var moves = append([]move{
	{"an instance is killed", true, (*service).killInstance},
	{"an instance is restarted", false, (*service).restartInstance},
	{"an instance is paused", true, (*service).pauseInstance},
	{"all instances freeze", true, (*service).freezeAll},
	{"the clock of an instance jumps", false, (*service).jumpClock},
	{"Redis is paused", true, (*service).pauseRedis},
	{"PostgreSQL is paused", true, (*service).pausePostgres},
	{"PostgreSQL is killed", false, (*service).killPostgres},
	{"a standby that has lost rows is promoted", false, (*service).failOver},
	{"a synchronous standby is gone, and then promoted", false, (*service).failOverInStep},
	{"the disk of PostgreSQL is full", false, (*service).fillDisk},
	{"the disk of PostgreSQL is slow", false, (*service).slowDisk},
	{"a process of PostgreSQL hangs again and again", false, (*service).hangBackends},
}, partitions()...)

// everyone are all instances.
var everyone = []int{0, 1, 2}

// during does something wrong, waits, and does what ends it. The fault counts from when begin
// has returned until end is called.
func (s *service) during(f fault, what history.Fault, begin, end func() error) error {
	if err := begin(); err != nil {
		return fmt.Errorf("%v: %w", f, err)
	}
	what.Name = f.String()
	over := s.rec.Fail(what)
	s.linger(f.length)
	over()
	if err := end(); err != nil {
		return fmt.Errorf("the end of %v: %w", f, err)
	}
	return nil
}

func (s *service) killInstance(f fault) error {
	x := s.instances[f.victim]
	return s.during(f, history.Fault{Stopped: []int{x.n}, Slow: true}, func() error { x.kill(); return nil }, x.start)
}

func (s *service) restartInstance(f fault) error {
	x := s.instances[f.victim]
	return s.during(f, history.Fault{Stopped: []int{x.n}, Slow: true}, x.stop, x.start)
}

func (s *service) pauseInstance(f fault) error {
	x := s.instances[f.victim]
	return s.during(f, history.Fault{Stopped: []int{x.n}, Slow: true},
		x.freeze,
		func() error { return x.signal(syscall.SIGCONT) })
}

func (s *service) freezeAll(f fault) error {
	each := func(do func(*instance) error) (err error) {
		for _, x := range s.instances {
			err = errors.Join(err, do(x))
		}
		return err
	}
	return s.during(f, history.Fault{Stopped: everyone, Slow: true},
		func() error { return each((*instance).freeze) },
		func() error { return each(func(x *instance) error { return x.signal(syscall.SIGCONT) }) })
}

// jumpClock sets the clock of an instance by one second to ten minutes, and back later.
func (s *service) jumpClock(f fault) error {
	x := s.instances[f.victim]
	by := time.Second * time.Duration(1+f.r.IntN(600))
	if f.r.IntN(3) == 0 {
		by = time.Second * time.Duration(1+f.r.IntN(10))
	}
	if f.r.IntN(2) == 0 {
		by = -by
	}
	f.name = fmt.Sprintf("the clock of an instance jumps by %v", by)
	return s.during(f, history.Fault{}, func() error { return x.jump(by) }, func() error { return x.jump(0) })
}

func (s *service) pauseRedis(f fault) error {
	return s.during(f, history.Fault{NoRedis: everyone, Slow: true},
		func() error { return s.freezeBelow(s.redis.Pid) },
		func() error { return signalBelow(s.redis.Pid, syscall.SIGCONT) })
}

func (s *service) pausePostgres(f fault) error {
	return s.during(f, history.Fault{NoPostgres: everyone, Slow: true},
		func() error { return s.freezeBelow(s.primary().Pid) },
		func() error { return signalBelow(s.primary().Pid, syscall.SIGCONT) })
}

func (s *service) killPostgres(f fault) error {
	return s.during(f, history.Fault{NoPostgres: everyone, Slow: true},
		func() error { s.primary().Stop(); return nil }, func() error { return s.primary().Restart() })
}

// failOver makes a standby, cuts the link to it, lets people play on, kills the primary and
// promotes the standby. It may lose what was written after the cut.
func (s *service) failOver(f fault) error {
	var cut time.Duration
	apart := func(old *testenv.Postgres, link *proxytest.Proxy) error {
		cut = s.rec.Now()
		if err := s.caughtUp(old); err != nil { // the standby may be behind on a busy machine
			return err
		}
		link.Cut()
		s.linger(min(f.length, 10*time.Second)) // moves that the standby does not get
		return nil
	}
	return s.replacePrimary(f, apart, func() error { return s.recordLoss(cut) })
}

// failOverInStep is [service.failOver] with a primary that confirms nothing before its
// standby has it. So nothing that was acknowledged may be lost, and nothing that was seen.
func (s *service) failOverInStep(f fault) error {
	inStep := func(old *testenv.Postgres, link *proxytest.Proxy) error {
		const both = "SELECT 1 / count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
		err := errors.Join(
			old.Exec("ALTER SYSTEM SET synchronous_standby_names = '*'"), old.Exec("SELECT pg_reload_conf()"),
			old.Await(func() error { return old.Exec(both) }))
		if err != nil {
			return err
		}
		s.linger(500 * time.Millisecond) // moves that both have
		over := s.rec.Fail(history.Fault{Name: "the synchronous standby is gone", NoPostgres: everyone, Slow: true})
		defer over()
		link.Cut()
		s.linger(max(f.length, 6*time.Second)) // after five a commit is cut off, and its row can be read
		return nil
	}
	return s.replacePrimary(f, inStep, func() error { return nil })
}

// replacePrimary makes a standby, calls part, which parts it from the primary, kills the
// primary and promotes the standby. It calls promoted before any instance reaches the new
// primary.
func (s *service) replacePrimary(f fault, part func(old *testenv.Postgres, link *proxytest.Proxy) error, promoted func() error) error {
	f.gate.Lock() // a game that is lost whole would never end for its people
	defer f.gate.Unlock()
	old := s.primary()
	link := proxytest.New(s, old.Address)
	standby, err := old.StartStandby(link.Addr())
	if err != nil {
		return err
	}
	const following = "SELECT 1 / count(*) FROM pg_stat_replication WHERE state = 'streaming'"
	if err := old.Await(func() error { return old.Exec(following) }); err != nil {
		return err
	}
	s.linger(500 * time.Millisecond)
	if err := part(old, link); err != nil {
		return err
	}
	for _, x := range s.instances {
		x.postgres.Cut() // no instance may write before we know what the standby has
	}
	over := s.rec.Fail(history.Fault{Name: f.String(), NoPostgres: everyone, Slow: true})
	old.Stop()
	if err := standby.Promote(); err != nil {
		return err
	}
	s.mu.Lock()
	s.postgres = standby
	s.mu.Unlock()
	err = promoted()
	over()
	for _, x := range s.instances {
		x.postgres.Heal()
	}
	old.Remove()
	return err
}

// recordLoss records which rows the present primary has, and that it got nothing since a
// moment.
func (s *service) recordLoss(since time.Duration) error {
	kept := map[string]uint64{}
	err := s.query(context.Background(), "SELECT id, seq FROM rooms", func(scan func(...any) error) error {
		var room string
		var seq uint64
		err := scan(&room, &seq)
		kept[room] = seq
		return err
	})
	s.rec.Lose(since, kept)
	return err
}

// caughtUp waits until the standby has all that the primary has written so far.
func (s *service) caughtUp(primary *testenv.Postgres) error {
	var written string
	if err := primary.Await(func() error {
		return s.query(context.Background(), "SELECT pg_current_wal_lsn()::text", func(scan func(...any) error) error { return scan(&written) })
	}); err != nil {
		return err
	}
	return primary.Await(func() error {
		return primary.Exec("SELECT 1 / count(*) FROM pg_stat_replication WHERE flush_lsn >= '" + written + "'")
	})
}

// diskSize is the size of the small disk: what PostgreSQL needs, and some more.
const diskSize = 160 << 20

// fillDisk fills the disk of PostgreSQL. Where this process may not mount a small disk, it
// forbids PostgreSQL to make files longer.
func (s *service) fillDisk(f fault) error {
	begin, end := func() error { return s.ballast(f.r.IntN(2) == 0) }, s.freeDisk
	if s.disk == "" || !strings.HasPrefix(s.primary().Dir, s.disk) {
		begin, end = s.limitFiles("0"), s.limitFiles("unlimited")
	}
	return s.during(f, history.Fault{Slow: true}, begin, func() error {
		if err := end(); err != nil {
			return err
		}
		// Without a place for its log the server ends, and an operator starts it again.
		var err error // nil if the server is not there at once
		deadline := time.Now().Add(10 * time.Second)
		for len(below(s.primary().Pid)) > 0 && time.Now().Before(deadline) {
			if err = s.primary().Exec("CREATE TEMPORARY TABLE proof (n int)"); err == nil {
				return nil
			}
			s.linger(100 * time.Millisecond)
		}
		s.Logf("PostgreSQL has ended on the full disk: %v", err)
		s.primary().Stop()
		return s.primary().Restart()
	})
}

// ballast fills the small disk. With log it also uses up the files that PostgreSQL has for its
// log, so that the server ends.
func (s *service) ballast(log bool) error {
	file, err := os.Create(filepath.Join(s.disk, "ballast"))
	if err != nil {
		return err
	}
	if _, err = io.Copy(file, zeros{}); !errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk cannot be filled: %w", err)
	}
	for n := 0; log && n < 100 && s.primary().Exec("SELECT pg_logical_emit_message(true, 'ballast', repeat('.', 1000000))") == nil; n++ {
	}
	return file.Close()
}

func (s *service) freeDisk() error { return os.Remove(filepath.Join(s.disk, "ballast")) }

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// limitFiles returns a function that limits the size of files that PostgreSQL may write. Only
// the server's own user may do that without further rights.
func (s *service) limitFiles(size string) func() error {
	return func() error {
		for _, pid := range below(s.primary().Pid) {
			err := testenv.Run(s.primary().Dir, "prlimit", "--pid", fmt.Sprint(pid), "--fsize="+size+":")
			if err != nil && syscall.Kill(pid, 0) == nil {
				return err
			}
		}
		return nil
	}
}

// slowDisk makes every write of entries take 0.3 to 4 seconds.
func (s *service) slowDisk(f fault) error {
	takes := func(seconds float64) error {
		return s.primary().Exec(fmt.Sprintf("CREATE OR REPLACE FUNCTION slow_disk() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(%f); RETURN NULL; END'", seconds))
	}
	seconds := 0.3 + 3.7*f.r.Float64()
	f.name = fmt.Sprintf("%s: a write takes %.1f s", f.name, seconds)
	return s.during(f, history.Fault{Slow: true}, func() error {
		if err := takes(seconds); err != nil {
			return err
		}
		return s.primary().Exec("CREATE OR REPLACE TRIGGER slow_disk AFTER INSERT ON entries FOR EACH STATEMENT EXECUTE FUNCTION slow_disk()")
	}, func() error { return takes(0) })
}

// hangBackends stops one process of PostgreSQL after the other for 0.3 to 4 seconds.
func (s *service) hangBackends(f fault) error {
	over := s.rec.Fail(history.Fault{Name: f.String(), Slow: true})
	defer over()
	for end := time.Now().Add(f.length); time.Now().Before(end); {
		pids := below(s.primary().Pid)
		pid := pids[f.r.IntN(len(pids))]
		if syscall.Kill(pid, syscall.SIGSTOP) != nil {
			continue // it has ended meanwhile
		}
		s.linger(min(time.Until(end), time.Duration(300+f.r.IntN(3700))*time.Millisecond))
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	return nil
}

// partitions returns a move for each network and each way in which it can fail.
func partitions() (list []move) {
	for _, network := range []string{"its clients", "Redis", "PostgreSQL"} {
		for _, way := range []struct {
			name string
			fail func(p *proxytest.Proxy, r *rand.Rand)
			lags bool
		}{
			{"is cut off from", func(p *proxytest.Proxy, _ *rand.Rand) { p.Cut() }, false},
			{"sends nothing to", func(p *proxytest.Proxy, _ *rand.Rand) { p.Lose(outward(network)) }, false},
			{"receives nothing from", func(p *proxytest.Proxy, _ *rand.Rand) { p.Lose(1 - outward(network)) }, false},
			{"has a slow network to", func(p *proxytest.Proxy, r *rand.Rand) { p.Lag(time.Duration(10+r.IntN(90)) * time.Millisecond) }, true},
		} {
			list = append(list, move{fmt.Sprintf("an instance %s %s", way.name, network), !way.lags && network != "its clients", func(s *service, f fault) error {
				return s.partition(f, network, way.lags, func(p *proxytest.Proxy) { way.fail(p, f.r) })
			}})
		}
	}
	return list
}

// outward returns the direction in which an instance sends. Its clients connect to it, and it
// connects to its servers.
func outward(network string) proxytest.Direction {
	if network == "its clients" {
		return proxytest.Down
	}
	return proxytest.Up
}

// partition lets a network of an instance fail.
func (s *service) partition(f fault, network string, lags bool, fail func(*proxytest.Proxy)) error {
	x := s.instances[f.victim]
	what := history.Fault{Slow: true}
	var proxies []*proxytest.Proxy
	heal := (*proxytest.Proxy).Heal
	switch network {
	case "Redis":
		proxies = append(proxies, x.redis)
		what.NoRedis = []int{x.n}
	case "PostgreSQL":
		proxies = append(proxies, x.postgres)
		what.NoPostgres = []int{x.n}
	default:
		for _, l := range s.linesAt(x.n) {
			proxies = append(proxies, l.proxy)
		}
		what.NoClients = []int{x.n}
		heal = func(p *proxytest.Proxy) { // like a phone that leaves a tunnel with another address
			p.Cut()
			p.Heal()
		}
	}
	if lags {
		what.NoRedis, what.NoPostgres, what.NoClients = nil, nil, nil
		heal = (*proxytest.Proxy).Heal
	}
	return s.during(f, what, func() error {
		for _, p := range proxies {
			fail(p)
		}
		return nil
	}, func() error {
		for _, p := range proxies {
			heal(p)
		}
		return nil
	})
}

// signalBelow sends a signal to all processes that a process has started.
func signalBelow(pid int, sig syscall.Signal) (err error) {
	for _, pid := range below(pid) {
		if e := syscall.Kill(pid, sig); e != nil && !errors.Is(e, syscall.ESRCH) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// freezeBelow stops all processes that a process has started. When it returns, none of their
// threads runs: on a busy machine they run on for a while after the signal, and start others.
func (s *service) freezeBelow(pid int) error {
	for {
		if err := signalBelow(pid, syscall.SIGSTOP); err != nil {
			return err
		}
		if !slices.ContainsFunc(below(pid), runs) || s.Context().Err() != nil {
			return nil
		}
		s.linger(time.Millisecond)
	}
}

// runs reports whether a process has a thread that has not been stopped.
func runs(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/[0-9]*/stat", pid))
	return slices.ContainsFunc(threads, func(file string) bool {
		fields := statFields(file)
		return len(fields) > 0 && !strings.Contains("TtZX", fields[0])
	})
}

// statFields returns what a file in /proc tells of a process or thread, from its state on, or
// nothing if it has ended meanwhile.
func statFields(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	// The name of the program, in parentheses, may hold spaces.
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}

// below returns the processes that a process has started, and those that they have started.
func below(pid int) (list []int) {
	children := map[int][]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		fields := statFields(file)
		if len(fields) < 2 {
			continue // it has ended meanwhile
		}
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if parent, err := strconv.Atoi(fields[1]); err == nil && fields[0] != "Z" { // a zombie has ended, and its parent has not read its status
			children[parent] = append(children[parent], child)
		}
	}
	for rest := children[pid]; len(rest) > 0; rest = rest[1:] {
		list = append(list, rest[0])
		rest = append(rest, children[rest[0]]...)
	}
	return list
}
