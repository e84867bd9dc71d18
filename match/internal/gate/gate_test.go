package gate

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var errRefused = errors.New("refused")

const roundTrip = time.Millisecond

// server counts who tries to connect while it is away.
type server struct {
	gate  Gate
	away  atomic.Bool
	tries atomic.Int64
}

func (s *server) connect(ctx context.Context) (err error) {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	s.tries.Add(1)
	time.Sleep(roundTrip)
	if s.away.Load() {
		err = errRefused
	}
	s.gate.Tell(err)
	return err
}

// TestHerd: a hundred want to connect all the time, and most are told at once that
// they cannot. When the server is back that is soon known to all.
func TestHerd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, connected := new(server), make(chan time.Time)
		s.away.Store(true)
		for range 100 {
			go func() {
				for s.connect(t.Context()) != nil {
					time.Sleep(10 * time.Millisecond)
				}
				connected <- time.Now()
			}()
		}
		const away = 30 * time.Second
		time.Sleep(away)
		s.away.Store(false)
		tries, back := s.tries.Load(), time.Now()
		// All at first, then one after 0.05 to 0.1 s, 0.2, 0.4, 0.8 and every second.
		if most, least := 100+4+int64(2*away/longest), 100+int64(away/longest); tries > most || tries < least {
			t.Errorf("%d tries in %v, want %d to %d", tries, away, least, most)
		}
		for range 100 {
			if took := (<-connected).Sub(back); took > longest+10*time.Millisecond+2*roundTrip {
				t.Errorf("somebody could connect again after %v", took)
			}
		}
	})
}

// TestOneRefused: whoever wants to connect after somebody was refused waits for a
// moment and meets no error.
func TestOneRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s server
		s.gate.Tell(errRefused)
		done := make(chan error)
		began := time.Now()
		for range 10 {
			go func() { done <- s.connect(t.Context()) }()
		}
		for range 10 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took > first+2*roundTrip { // of the first, and of those who waited for it
			t.Errorf("that took %v, want at most %v", took, first)
		}
	})
}

// TestAway: who may not try learns what the last try met, which is not the end of
// his own time, and does not wait when that is of no use.
func TestAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		late := fmt.Errorf("dial: %w", context.DeadlineExceeded)
		for range 3 {
			if err := g.Enter(t.Context()); err != nil {
				t.Fatal(err)
			}
			g.Tell(late)
			time.Sleep(2 * first)
		}
		began := time.Now()
		g.Tell(late)
		err := g.Enter(t.Context())
		var away *Away
		if !errors.As(err, &away) || away.Last != late || errors.Is(err, context.DeadlineExceeded) || err.Error() != late.Error() {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("the answer took %v", took)
		}
	})
}

// TestGivenUp: a try that its caller gave up says nothing, and one of which nothing
// is ever heard keeps nobody else from trying.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		g.Tell(fmt.Errorf("dial: %w", context.Canceled))
		if err := g.Enter(ended); err != nil {
			t.Errorf("closed by who gave up: %v", err)
		}
		g.Tell(errRefused)
		if err := g.Enter(ended); err == nil {
			t.Error("who has no more time was let through")
		}
		for n := range 10 {
			time.Sleep(longest)
			if err := g.Enter(t.Context()); err != nil {
				t.Errorf("try %d: %v", n, err)
			}
		}
	})
}
