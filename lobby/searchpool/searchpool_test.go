package searchpool

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/engine/tuning"
	"mancala/lobby/address"
)

// busy returns a pool whose only worker is busy until the test calls release. Jobs added
// meanwhile run in the order of the queue.
func busy(t *testing.T, opt Options) (p *Pool, release func()) {
	opt.Workers = 1
	p = New(opt)
	t.Cleanup(p.Close)
	hold := make(chan struct{})
	go p.Do(context.Background(), Job{Kind: Move, Who: "first"}, func(context.Context) { <-hold })
	synctest.Wait()
	return p, func() { close(hold); synctest.Wait() }
}

func TestKindsHavePriorityAndPeopleTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, release := busy(t, Options{})
		var done []string
		for _, j := range []Job{
			{Kind: Analysis, Who: "ada"}, {Kind: Drawing, Who: "ada"}, {Kind: Hint, Who: "ada"}, {Kind: Move, Who: "ada"}, {Kind: Move, Who: "ada"},
			{Kind: Move, Who: "ada"}, {Kind: Move, Who: "ben"}, {Kind: Move, Who: "ben"}, {Kind: Move, Who: "sol"},
		} {
			go p.Do(context.Background(), j, func(context.Context) { done = append(done, fmt.Sprint(j.Kind, " ", j.Who)) })
			synctest.Wait()
		}
		if s := p.Stats(); s.Waiting != [kinds]int{6, 1, 1, 1} || s.Active != [kinds]int{1} {
			t.Errorf("the stats are %+v", s)
		}
		release()
		want := "move ada, move ben, move sol, move ada, move ben, move ada, hint ada, drawing ada, analysis ada"
		if got := strings.Join(done, ", "); got != want {
			t.Errorf("done in the order %s\nwant %s", got, want)
		}
	})
}

func TestJobsBeyondALimitAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		opt  Options
		job  func(i int) Job
	}{
		{"person", Options{PerPerson: 3}, func(int) Job { return Job{Who: "ada"} }},
		{"address", Options{PerAddress: 3}, func(i int) Job {
			return Job{Who: fmt.Sprint(i), Address: netip.MustParseAddr("10.0.0.1")}
		}},
		{"IPv6 network", Options{PerAddress: 3}, func(i int) Job {
			return Job{Who: fmt.Sprint(i), Address: netip.MustParseAddr(fmt.Sprintf("2001:db8:0:1::%d", i+1))}
		}},
		{"all", Options{Queue: 3}, func(i int) Job { return Job{Who: fmt.Sprint(i)} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				refused := 0
				tt.opt.Observe.Busy = func(Kind) { refused++ }
				p, release := busy(t, tt.opt)
				answers := make(chan error, 5)
				for i := range 5 {
					go func() { answers <- p.Do(context.Background(), tt.job(i), func(context.Context) {}) }()
					synctest.Wait()
				}
				release()
				var errs []error
				for range 5 {
					errs = append(errs, <-answers)
				}
				if want := []error{ErrBusy, ErrBusy, nil, nil, nil}; !slices.Equal(errs, want) || refused != 2 {
					t.Errorf("got %v and %d refusals observed, want %v", errs, refused, want)
				}
				if len(p.queue.from)+len(p.queue.lines[Move].jobs)+len(p.queue.lines[Move].turns) > 0 {
					t.Errorf("the queue is not empty: %+v", p.queue)
				}
			})
		})
	}
}

// A /48 has 65,536 networks, so its jobs have a bound of their own.
func TestJobsOfOneSiteAreBounded(t *testing.T) {
	for size, want := range map[int]int{1000: address.PerSite, 40: 10} { // by the size of the queue
		q, added := newQueue(), 0
		for i := range 2 * address.PerSite {
			w := &queued{Job: Job{Who: fmt.Sprint(i), Address: netip.MustParseAddr(fmt.Sprintf("2001:db8:0:%x::1", i))}}
			if q.add(w, Options{Queue: size, PerPerson: 1, PerAddress: 1}) {
				added++
			}
		}
		if added != want {
			t.Errorf("%d jobs from networks of one site were added, want %d", added, want)
		}
	}
}

func TestDoReturnsOnlyWhenItsJobHasEndedOrWasRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, release := busy(t, Options{})
		ctx, cancel := context.WithCancel(context.Background())
		var waited error
		go func() {
			waited = p.Do(ctx, Job{Who: "ada"}, func(context.Context) { t.Error("a cancelled job was run") })
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if waited != context.Canceled || p.Stats().Waiting[Move] != 0 {
			t.Errorf("cancelled in the queue: Do returned %v, the stats are %+v", waited, p.Stats())
		}
		release()
		ctx, cancel = context.WithCancel(context.Background())
		time.AfterFunc(time.Second, cancel)
		ended := false
		began := time.Now()
		if err := p.Do(ctx, Job{Who: "ada"}, func(ctx context.Context) { <-ctx.Done(); ended = true }); err != nil || !ended || time.Since(began) != time.Second {
			t.Errorf("cancelled while it ran: Do returned %v after %v, the job has ended: %t", err, time.Since(began), ended)
		}
		began = time.Now()
		if err := p.Do(context.Background(), Job{Budget: 70 * time.Millisecond}, func(ctx context.Context) { <-ctx.Done() }); err != nil || time.Since(began) != 70*time.Millisecond {
			t.Errorf("with a budget of 70 ms: Do returned %v after %v", err, time.Since(began))
		}
	})
}

func TestDrawingsAndAnalysisNeverTakeTheLastWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Options{Workers: 2})
		defer p.Close()
		hold := make(chan struct{})
		for _, k := range []Kind{Drawing, Analysis, Drawing} {
			go p.Do(context.Background(), Job{Kind: k}, func(context.Context) { <-hold })
			synctest.Wait()
		}
		if s := p.Stats(); s.Active != [kinds]int{Drawing: 1} || s.Waiting != [kinds]int{Drawing: 1, Analysis: 1} {
			t.Errorf("of two drawings and an analysis run %v and wait %v, by kind", s.Active, s.Waiting)
		}
		if err := p.Do(context.Background(), Job{Kind: Move}, func(context.Context) {}); err != nil {
			t.Errorf("a move meanwhile returned %v", err)
		}
		close(hold)
		synctest.Wait()
		if s := p.Stats(); s.Active != [kinds]int{} || s.Waiting != [kinds]int{} {
			t.Errorf("at the end the stats are %+v", s)
		}
	})
}

func TestPanicIsAnErrorAndCloseCancelsAndRefusesJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Options{Workers: 1})
		if err := p.Do(context.Background(), Job{}, func(context.Context) { panic("boo") }); err == nil || !strings.Contains(err.Error(), "boo") {
			t.Errorf("a panic came back as %v", err)
		}
		errs := make(chan error, 2)
		for range 2 {
			go func() { errs <- p.Do(context.Background(), Job{}, func(ctx context.Context) { <-ctx.Done() }) }()
			synctest.Wait()
		}
		p.Close()
		for range 2 {
			if err := <-errs; !errors.Is(err, context.Canceled) {
				t.Errorf("Close ended a job with %v", err)
			}
		}
		if err := p.Do(context.Background(), Job{}, func(context.Context) {}); !errors.Is(err, context.Canceled) {
			t.Errorf("a job after Close returned %v", err)
		}
	})
}

func TestThreadsAreRaisedWhileWorkersHaveWorkAndAWhileAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		was := runtime.GOMAXPROCS(0)
		p := New(Options{Workers: 3})
		defer p.Close()
		p.RaiseThreads()
		want := was
		if tuning.CanLowerThread {
			want += 3
		}
		look := func(when string, want int) {
			if got := runtime.GOMAXPROCS(0); got != want {
				t.Errorf("%s: %d threads, want %d", when, got, want)
			}
		}
		look("before any work", was)
		for range 2 {
			work := func(context.Context) {
				look("at work", want)
				time.Sleep(2 * restoreAfter)
				look("after long work", want)
			}
			if err := p.Do(t.Context(), Job{Kind: Hint, Who: "ada"}, work); err != nil {
				t.Error(err)
			}
			look("after work", want)
			time.Sleep(restoreAfter + time.Second)
			look("after rest", was)
		}
	})
}
