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
)

// busy keeps the one worker of a pool until the test lets go; what was asked for
// meanwhile is done in the order of the queue.
func busy(t *testing.T, opt Options) (p *Pool, let func()) {
	opt.Workers = 1
	p = New(opt)
	t.Cleanup(p.Close)
	hold := make(chan struct{})
	go p.Do(context.Background(), Job{Kind: Move, Who: "first"}, func(context.Context) { <-hold })
	synctest.Wait()
	return p, func() { close(hold); synctest.Wait() }
}

// TestTurns: moves before hints before analysis, and among those of a kind people
// take turns.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, let := busy(t, Options{})
		var done []string
		for _, j := range []Job{
			{Kind: Analysis, Who: "ada"}, {Kind: Hint, Who: "ada"}, {Kind: Move, Who: "ada"}, {Kind: Move, Who: "ada"},
			{Kind: Move, Who: "ada"}, {Kind: Move, Who: "ben"}, {Kind: Move, Who: "ben"}, {Kind: Move, Who: "sol"},
		} {
			go p.Do(context.Background(), j, func(context.Context) { done = append(done, fmt.Sprint(j.Kind, " ", j.Who)) })
			synctest.Wait()
		}
		if s := p.Stats(); s.Waiting != [kinds]int{6, 1, 1} || s.Active != [kinds]int{1} {
			t.Errorf("stats %+v", s)
		}
		let()
		want := "move ada, move ben, move sol, move ada, move ben, move ada, hint ada, analysis ada"
		if got := strings.Join(done, ", "); got != want {
			t.Errorf("done in the order %s\nwant %s", got, want)
		}
	})
}

// TestBusy: one person, one address and all together have a share, and whoever wants
// more is told so by a code.
func TestBusy(t *testing.T) {
	for _, tt := range []struct {
		name string
		opt  Options
		job  func(i int) Job
	}{
		{"person", Options{PerPerson: 3}, func(int) Job { return Job{Who: "ada"} }},
		{"address", Options{PerAddress: 3}, func(i int) Job {
			return Job{Who: fmt.Sprint(i), Address: netip.MustParseAddr("10.0.0.1")}
		}},
		{"all", Options{Queue: 3}, func(i int) Job { return Job{Who: fmt.Sprint(i)} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				refused := 0
				tt.opt.Observe.Busy = func(Kind) { refused++ }
				p, let := busy(t, tt.opt)
				answers := make(chan error, 5)
				for i := range 5 {
					go func() { answers <- p.Do(context.Background(), tt.job(i), func(context.Context) {}) }()
					synctest.Wait()
				}
				let()
				var errs []error
				for range 5 {
					errs = append(errs, <-answers)
				}
				if want := []error{ErrBusy, ErrBusy, nil, nil, nil}; !slices.Equal(errs, want) || refused != 2 {
					t.Errorf("got %v and %d refusals observed, want %v", errs, refused, want)
				}
				if len(p.queue.addresses)+len(p.queue.lines[Move].jobs)+len(p.queue.lines[Move].turns) > 0 {
					t.Errorf("the queue still knows somebody: %+v", p.queue)
				}
			})
		})
	}
}

// TestCancel: who goes away takes back what waits and ends what runs, the budget ends
// what takes too long, and Do returns only when nothing runs any more.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, let := busy(t, Options{})
		ctx, cancel := context.WithCancel(context.Background())
		var waited error
		go func() {
			waited = p.Do(ctx, Job{Who: "ada"}, func(context.Context) { t.Error("it was done all the same") })
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if waited != context.Canceled || p.Stats().Waiting[Move] != 0 {
			t.Errorf("cancelled in the queue: %v, %+v", waited, p.Stats())
		}
		let()
		ctx, cancel = context.WithCancel(context.Background())
		time.AfterFunc(time.Second, cancel)
		ended := false
		began := time.Now()
		if err := p.Do(ctx, Job{Who: "ada"}, func(ctx context.Context) { <-ctx.Done(); ended = true }); err != nil || !ended || time.Since(began) != time.Second {
			t.Errorf("cancelled while it ran: %v, ended %v after %v", err, ended, time.Since(began))
		}
		began = time.Now()
		if err := p.Do(context.Background(), Job{Budget: 70 * time.Millisecond}, func(ctx context.Context) { <-ctx.Done() }); err != nil || time.Since(began) != 70*time.Millisecond {
			t.Errorf("a budget of 70 ms: %v after %v", err, time.Since(began))
		}
	})
}

// TestAnalysisLeavesAWorker: analysis never takes the last one.
func TestAnalysisLeavesAWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Options{Workers: 2})
		defer p.Close()
		hold := make(chan struct{})
		for range 3 {
			go p.Do(context.Background(), Job{Kind: Analysis}, func(context.Context) { <-hold })
		}
		synctest.Wait()
		if s := p.Stats(); s.Active[Analysis] != 1 || s.Waiting[Analysis] != 2 {
			t.Errorf("of three analyses run %d, wait %d", s.Active[Analysis], s.Waiting[Analysis])
		}
		if err := p.Do(context.Background(), Job{Kind: Move}, func(context.Context) {}); err != nil {
			t.Errorf("a move meanwhile: %v", err)
		}
		close(hold)
		synctest.Wait()
		if s := p.Stats(); s.Active[Analysis]+s.Waiting[Analysis] > 0 {
			t.Errorf("left over: %+v", s)
		}
	})
}

// TestEnds: a panic is an error and the worker goes on; a pool that closes ends what
// runs and refuses what waits and what comes.
func TestEnds(t *testing.T) {
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
				t.Errorf("at the end: %v", err)
			}
		}
		if err := p.Do(context.Background(), Job{}, func(context.Context) {}); !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// TestRoom: Go has threads for the workers while they have work, and for a while
// after.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		was := runtime.GOMAXPROCS(0)
		p := New(Options{Workers: 3})
		defer p.Close()
		p.MakeRoom()
		want := was
		if lowers {
			want += 3
		}
		look := func(when string, want int) {
			if got := runtime.GOMAXPROCS(0); got != want {
				t.Errorf("%s: %d threads, want %d", when, got, want)
			}
		}
		look("before any work", was)
		for range 2 {
			work := func(context.Context) { look("at work", want); time.Sleep(2 * restAfter); look("after long work", want) }
			if err := p.Do(t.Context(), Job{Kind: Hint, Who: "ada"}, work); err != nil {
				t.Error(err)
			}
			look("after work", want)
			time.Sleep(restAfter + time.Second)
			look("after rest", was)
		}
	})
}
