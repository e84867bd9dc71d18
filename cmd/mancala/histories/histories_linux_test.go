package histories

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/cmd/internal/history"
	"mancala/match/journal"
	"mancala/match/testenv"
)

const (
	usual = 3  // schedules in the usual tests
	many  = 30 // schedules in the long run
)

// Three short schedules together have every kind of fault.
func TestPromisesAreKeptUnderShortFaults(t *testing.T) {
	for n := range usual {
		t.Run(fmt.Sprint("schedule ", n), func(t *testing.T) {
			t.Parallel()
			run(t, uint64(n), usualSchedule(n))
		})
	}
}

// The faults of these schedules last up to 90 seconds.
func TestPromisesAreKeptUnderLongFaults(t *testing.T) {
	if os.Getenv("MANCALA_TEST_LONG") == "" {
		t.Skip("a long run: needs MANCALA_TEST_LONG=1")
	}
	for number := range uint64(many) {
		t.Run(fmt.Sprint("run ", number), func(t *testing.T) {
			t.Parallel()
			run(t, number, longSchedule(number))
		})
	}
}

func TestUsualSchedulesHaveEveryFault(t *testing.T) {
	found := map[string]bool{}
	for n := range usual {
		long := false
		for _, f := range usualSchedule(n) {
			found[f.name] = true
			long = long || f.stops && f.length > journal.DeadAfter
		}
		if !long {
			t.Errorf("schedule %d has no outage that is longer than a lease", n)
		}
	}
	for _, m := range moves {
		if !found[m.name] {
			t.Errorf("no schedule has: %s", m.name)
		}
	}
}

// usualSchedule returns the schedule with a number. All moves are dealt to the schedules in
// an order that is always the same.
func usualSchedule(n int) (list []fault) {
	order := rand.New(rand.NewPCG(8, 0)).Perm(len(moves))
	r := rand.New(rand.NewPCG(uint64(n), 1))
	long := false
	for i := n; i < len(order); i += usual {
		f := fault{move: moves[order[i]], victim: r.IntN(places), length: time.Duration(500+r.IntN(2000)) * time.Millisecond, r: r}
		if f.stops && !long {
			long = true
			f.length = journal.DeadAfter + time.Duration(1500+r.IntN(1500))*time.Millisecond
		}
		list = append(list, f)
	}
	return list
}

// longSchedule returns a schedule that the number of the run decides.
func longSchedule(number uint64) (list []fault) {
	r := rand.New(rand.NewPCG(number, 2))
	for range 8 {
		list = append(list, fault{
			move: moves[r.IntN(len(moves))], victim: r.IntN(places),
			length: time.Second + time.Duration(r.Int64N(int64(89*time.Second))), r: r,
		})
	}
	return list
}

const (
	patience = 20 * time.Minute // how long a schedule may take
	// lastGames is how long the games may take that are going on at its end: some wait for a
	// flag, which may be due in half a minute after an outage that is held for as long. On a
	// machine that is busy with other tests the rest takes minutes.
	lastGames = 5 * time.Minute
)

// run plays games while the faults of a schedule happen one by one, and checks the history.
func run(t *testing.T, number uint64, schedule []fault) {
	s := startService(t, number)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var ending atomic.Bool
	var gate sync.RWMutex
	var group sync.WaitGroup
	var seated []*table
	for n := range tables {
		table, err := s.sit(ctx, n, &ending, &gate)
		if err != nil {
			t.Fatal(err)
		}
		seated = append(seated, table)
	}
	for n, table := range seated {
		group.Go(func() {
			if err := table.playOn(ctx, rand.New(rand.NewPCG(number, uint64(100+n)))); err != nil {
				t.Error(err)
			}
		})
	}
	r := rand.New(rand.NewPCG(number, 3))
	began := time.Now()
	s.linger(2 * time.Second)
	for _, f := range schedule {
		f.gate = &gate
		since := time.Since(began)
		err := f.do(s, f)
		t.Logf("%5.1f s, for %.1f s: %v", since.Seconds(), (time.Since(began) - since).Seconds(), f)
		if err != nil {
			t.Errorf("%v: %v", f, err)
			break
		}
		s.linger(time.Duration(r.IntN(1500)) * time.Millisecond)
		s.wellAgain(f.name)
		s.sendHome()
		s.linger(500 * time.Millisecond)
	}
	ending.Store(true)
	defer time.AfterFunc(lastGames, cancel).Stop()
	for _, table := range seated {
		table.wake()
	}
	group.Wait()
	s.judge(number)
	for _, x := range s.instances {
		if err := x.stop(); err != nil {
			t.Error(err)
		}
	}
}

// judge checks the history. After a failure it saves the history and prints where it is.
func (s *service) judge(number uint64) {
	h := s.rec.History()
	rooms, err := s.journal(h)
	if err != nil {
		s.Fatal(err)
	}
	report := history.Check(h, rooms)
	s.Logf("run %d: %d games, %d acknowledged commands (%d lost by a failover that may lose them), %d views, %d losses on time",
		number, len(rooms), report.Commands, report.Lost, report.Views, report.Flags)
	if len(report.Violations) > 0 {
		s.Errorf("%d violations:\n%s", len(report.Violations), report.Summary(30))
	}
	if !s.Failed() {
		return
	}
	var faults strings.Builder
	for _, f := range h.Faults {
		fmt.Fprintf(&faults, "\n\t%8v to %8v %s", f.From.Round(time.Millisecond), f.To.Round(time.Millisecond), f.Name)
	}
	dir, err := os.MkdirTemp("", "mancala-history-")
	file := filepath.Join(dir, "history.json")
	if err == nil {
		err = history.Save(file, h, rooms)
	}
	for _, x := range s.instances {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("instance%d.log", x.n)), []byte(x.log.String()), 0o600)
		}
	}
	s.Logf("run %d, faults:%s\nthe history is %s, with the logs of the instances beside it (%v)", number, &faults, file, err)
}

// TestClockOfOneProcessCanBeSet checks that testdata/clock works with this release of Go.
func TestClockOfOneProcessCanBeSet(t *testing.T) {
	x := &instance{addr: testenv.Addr(t), admin: testenv.Addr(t), clock: filepath.Join(t.TempDir(), "clock")}
	x.args = []string{"--addr", x.addr, "--admin", x.admin, "--database", "memory:"}
	x.endsWith(t)
	if err := x.start(); err != nil {
		t.Fatal(err)
	}
	for _, by := range []time.Duration{0, 600 * time.Second, -600 * time.Second, 0} {
		if err := x.jump(by); err != nil {
			t.Fatal(err)
		}
		r, err := http.Get("http://" + x.admin + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		date, err := http.ParseTime(r.Header.Get("Date"))
		if off := time.Until(date) - by; err != nil || off.Abs() > 5*time.Second {
			t.Errorf("after a jump of %v the program takes %v for now, which is %v off (%v)", by, date, off, err)
		}
	}
}
