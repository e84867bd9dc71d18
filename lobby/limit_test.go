package lobby

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby/address"
)

func TestRatesAreReadAndWritten(t *testing.T) {
	for text, want := range map[string]Rate{
		"20/1h": {20, time.Hour}, "1/10s": {1, 10 * time.Second}, "600/1m30s": {600, 90 * time.Second}, "off": {},
	} {
		var got Rate
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.TextVar(&got, "rate", Rate{5, time.Second}, "")
		if err := flags.Parse([]string{"-rate", text}); err != nil || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
		var again Rate
		if err := again.UnmarshalText([]byte(got.String())); err != nil || again != got {
			t.Errorf("%v as text is %q, and that is %v, %v", got, got, again, err)
		}
	}
	for _, text := range []string{"", "20", "20/", "/1h", "0/1h", "-1/1h", "20/0s", "20/-1h", "20/h", "a/1h", "20/1h/2", "1000/1ns"} {
		var got Rate
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		flags.TextVar(&got, "rate", Rate{}, "")
		if err := flags.Parse([]string{"-rate", text}); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestLimiterTakesManyUsesAtOnceOrNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Rate{10, 10 * time.Minute})
		for i, step := range []struct {
			after time.Duration
			n     int
			want  time.Duration
		}{
			{0, 6, 0},
			{0, 6, 2 * time.Minute},
			{0, 4, 0}, // the refused six cost nothing
			{0, 1, time.Minute},
			{0, 500, 10 * time.Minute},
			{10 * time.Minute, 500, 0}, // more than the rate allows: all of it
			{0, 1, time.Minute},
		} {
			time.Sleep(step.after)
			if got := l.WaitMany("pa", step.n); got != step.want {
				t.Errorf("step %d: %d uses wait %v, want %v", i, step.n, got, step.want)
			}
		}
		if got := NewLimiter(Rate{}).WaitMany("pa", 500); got != 0 {
			t.Errorf("without a limit they wait %v", got)
		}
	})
}

func TestLimiterAllowsABurstAndRefills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Rate{3, time.Minute})
		for _, step := range []struct {
			after time.Duration
			who   string
			want  time.Duration
		}{
			{0, "pa", 0},
			{0, "pa", 0},
			{0, "pb", 0},
			{0, "pa", 0},
			{0, "pa", 20 * time.Second},
			{0, "pa", 20 * time.Second}, // a refused use costs nothing
			{5 * time.Second, "pa", 15 * time.Second},
			{15 * time.Second, "pa", 0},
			{0, "pa", 20 * time.Second},
			{time.Hour, "pa", 0}, // a bucket holds no more than N
			{0, "pa", 0},
			{0, "pa", 0},
			{0, "pa", 20 * time.Second},
			{0, "pb", 0},
		} {
			time.Sleep(step.after)
			if got := l.Wait(step.who); got != step.want {
				t.Fatalf("%v later %s waits %v, want %v", step.after, step.who, got, step.want)
			}
		}
		if l.allow("pa") || !l.allow("pc") {
			t.Error("Allow and Wait disagree")
		}
	})
}

func TestNoRateIsNoLimit(t *testing.T) {
	l := NewLimiter(Rate{})
	for range 1000 {
		if !l.allow("pa") || !l.allowAddress(netip.Addr{}) {
			t.Fatal("no rate is a limit")
		}
	}
}

func TestLimiterCountsIPv6NetworksAsOne(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"fe80::1%eth0", "fe80::2%eth1", true},
		{"", "", true},
		{"", "192.0.2.1", false},
	} {
		l := NewLimiter(Rate{1, time.Hour})
		a, _ := netip.ParseAddr(tt.a) // an empty text gives the zero address
		b, _ := netip.ParseAddr(tt.b)
		if !l.allowAddress(a) || l.allowAddress(b) == tt.same {
			t.Errorf("%q and %q: want same visitor %t", tt.a, tt.b, tt.same)
		}
		if wait := l.WaitAddress(a); wait <= 0 || wait > time.Hour {
			t.Errorf("%q waits %v", tt.a, wait)
		}
	}
}

// TestLimiterAllowsNoMoreThanItsRate: in any span of time a limiter allows at most N uses
// plus what the span refills. It never refuses a visitor that keeps to the rate.
func TestLimiterAllowsNoMoreThanItsRate(t *testing.T) {
	for run := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(run, 1))
			rate := Rate{1 + r.IntN(20), time.Duration(1+r.IntN(100)) * time.Second}
			each := rate.Per / time.Duration(rate.N)
			l := NewLimiter(rate)
			var allowed []time.Time
			for range 300 {
				time.Sleep(time.Duration(r.Int64N(int64(each))))
				if l.allow("greedy") {
					allowed = append(allowed, time.Now())
				}
			}
			for i := range allowed {
				for k := i; k < len(allowed); k++ {
					if most := rate.N + int(allowed[k].Sub(allowed[i])/each); k-i+1 > most {
						t.Fatalf("run %d: %d within %v at %v", run, k-i+1, allowed[k].Sub(allowed[i]), rate)
					}
				}
			}
			for range 100 {
				if !l.allow("modest") {
					t.Fatalf("run %d: refused at %v", run, rate)
				}
				time.Sleep(each)
			}
		})
	}
}

// TestLimiterForgetsOnlyAbsentVisitors: a limiter's memory is bounded for any number of
// visitors. It does not forget a visitor that keeps coming.
func TestLimiterForgetsOnlyAbsentVisitors(t *testing.T) {
	const visitors = 100
	l := newLimiter(Rate{1, time.Hour}, visitors)
	l.allow("regular")
	for i := range 10_000 {
		l.allow(fmt.Sprint("p", i))
		if i%10 == 0 && l.allow("regular") {
			t.Fatalf("after %d others the regular begins anew", i)
		}
		if n := l.players.(*fullTimes[string]).full.(*generations[string, time.Time]).size(); n > visitors {
			t.Fatalf("%d visitors are remembered, want at most %d", n, visitors)
		}
	}
}

func TestLimiterCountsConcurrentCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in a bubble no time passes
		l := NewLimiter(Rate{50, time.Hour})
		var allowed atomic.Int64
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for range 10 {
					if l.allow("pa") {
						allowed.Add(1)
					}
				}
			})
		}
		wg.Wait()
		if got := allowed.Load(); got != 50 {
			t.Errorf("%d were allowed, want 50", got)
		}
	})
}

func BenchmarkLimiter(b *testing.B) {
	l := NewLimiter(Rate{100, time.Second})
	a := netip.MustParseAddr("2001:db8::1")
	b.ReportAllocs()
	for range b.N {
		l.allowAddress(a)
	}
}

func (l *Limiter) allow(player string) bool { return l.Wait(player) == 0 }

func (l *Limiter) allowAddress(a netip.Addr) bool { return l.WaitAddress(a) == 0 }

// Attempts at a name from one address, or its /64, do not limit attempts from other
// addresses.
func TestLimitAtOneAddressLeavesTheNameToOthers(t *testing.T) {
	l := NewLimiter(Rate{2, time.Hour})
	for i, tt := range []struct {
		name, from string
		waits      bool
	}{
		{"ada", "192.0.2.1", false}, {"ada", "192.0.2.1", false}, {"ada", "192.0.2.1", true}, {"ada", "::ffff:192.0.2.1", true},
		{"ada", "192.0.2.2", false}, {"ben", "192.0.2.1", false},
		{"ada", "2001:db8:1:1::1", false}, {"ada", "2001:db8:1:1::2", false}, {"ada", "2001:db8:1:1:ffff::3", true}, {"ada", "2001:db8:1:2::1", false},
	} {
		if wait := l.WaitAt(tt.name, netip.MustParseAddr(tt.from)); (wait > 0) != tt.waits {
			t.Errorf("try %d, of %s from %s, waits %v", i, tt.name, tt.from, wait)
		}
	}
}

// The 65,536 networks of one /48 together are allowed as much as 16 networks.
func TestLimiterBoundsTheNetworksOfOneSite(t *testing.T) {
	for name, wait := range map[string]func(*Limiter, netip.Addr) time.Duration{
		"requests": (*Limiter).WaitAddress,
		"tries":    func(l *Limiter, a netip.Addr) time.Duration { return l.WaitAt("Ada", a) },
	} {
		l := NewLimiter(Rate{2, time.Hour})
		allowed := 0
		for i := range 100 {
			for range 2 {
				if wait(l, netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i))) == 0 {
					allowed++
				}
			}
		}
		if allowed != 2*address.PerSite {
			t.Errorf("%s: %d are allowed to a /48, want %d", name, allowed, 2*address.PerSite)
		}
		if wait(l, netip.MustParseAddr("2001:db8:2:1::1")) > 0 || wait(l, netip.MustParseAddr("192.0.2.1")) > 0 {
			t.Errorf("%s: other sites have to wait", name)
		}
	}
}
