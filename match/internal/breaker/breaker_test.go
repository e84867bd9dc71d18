package breaker

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

// server counts the tries to connect to it.
type server struct {
	breaker Breaker
	away    atomic.Bool
	tries   atomic.Int64
}

func (s *server) connect(ctx context.Context) (err error) {
	if err := s.breaker.Allow(ctx); err != nil {
		return err
	}
	s.tries.Add(1)
	time.Sleep(roundTrip)
	if s.away.Load() {
		err = errRefused
	}
	s.breaker.Report(err)
	return err
}

// A hundred callers want to connect all the time. Most get an error at once. When the
// server is back, all of them soon connect.
func TestAServerThatIsAwayIsTriedAboutOnceASecond(t *testing.T) {
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
		if most, least := 100+4+int64(2*away/longestPause), 100+int64(away/longestPause); tries > most || tries < least {
			t.Errorf("%d tries in %v, want %d to %d", tries, away, least, most)
		}
		for range 100 {
			if took := (<-connected).Sub(back); took > longestPause+10*time.Millisecond+2*roundTrip {
				t.Errorf("a caller connected again only after %v", took)
			}
		}
	})
}

func TestAfterOneRefusalCallersWaitAMomentAndGetNoError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s server
		s.breaker.Report(errRefused)
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
		if took := time.Since(began); took > firstPause+2*roundTrip { // of the next try, and of those that waited for it
			t.Errorf("that took %v, want at most %v", took, firstPause)
		}
	})
}

// The error of the last try may be a deadline. It must not look like the caller's own
// deadline, and the caller must not wait when waiting is useless.
func TestOpenBreakerReturnsTheErrorOfTheLastTryAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Breaker
		late := fmt.Errorf("dial: %w", context.DeadlineExceeded)
		for range 3 {
			if err := b.Allow(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.Report(late)
			time.Sleep(2 * firstPause)
		}
		began := time.Now()
		b.Report(late)
		err := b.Allow(t.Context())
		var open *OpenError
		if !errors.As(err, &open) || open.Last != late || errors.Is(err, context.DeadlineExceeded) || err.Error() != late.Error() {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("the answer took %v", took)
		}
	})
}

// Some tries are never reported. They must not keep others from trying.
func TestCancelledAndUnreportedTriesDoNotBlockOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Breaker
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		b.Report(fmt.Errorf("dial: %w", context.Canceled))
		if err := b.Allow(ended); err != nil {
			t.Errorf("opened by a cancelled try: %v", err)
		}
		b.Report(errRefused)
		if err := b.Allow(ended); err == nil {
			t.Error("a caller whose context had ended was allowed")
		}
		for n := range 10 {
			time.Sleep(longestPause)
			if err := b.Allow(t.Context()); err != nil {
				t.Errorf("try %d: %v", n, err)
			}
		}
	})
}
