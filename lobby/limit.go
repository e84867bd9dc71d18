package lobby

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Rate is how often something may happen: N times at once, and again as often as
// time brings back, N in Per. The zero Rate is no limit. As a flag's text it is
// "20/1h", or "off".
type Rate struct {
	N   int
	Per time.Duration
}

func (r Rate) unlimited() bool { return r.N <= 0 || r.Per <= 0 }

// String is the rate as a flag's text.
func (r Rate) String() string {
	if r.unlimited() {
		return "off"
	}
	return strconv.Itoa(r.N) + "/" + r.Per.String()
}

// MarshalText implements [encoding.TextMarshaler].
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler], and with it flag.TextVar.
func (r *Rate) UnmarshalText(text []byte) error {
	if string(text) == "off" {
		*r = Rate{}
		return nil
	}
	n, per, _ := strings.Cut(string(text), "/")
	count, err := strconv.Atoi(n)
	d, err2 := time.ParseDuration(per)
	if err != nil || err2 != nil || count < 1 || d <= 0 || d/time.Duration(count) <= 0 {
		return fmt.Errorf("lobby: rate %q: want a number and a time like 20/1h, or off", text)
	}
	*r = Rate{count, d}
	return nil
}

// maxVisitors is how many visitors a limiter remembers, players and addresses
// each. When more come, those who have not come for the longest time are
// forgotten and begin anew; memory stays below some 10 MB.
const maxVisitors = 1 << 16

// Limiter holds visitors to a [Rate], each by itself: players by ID, strangers
// by address. Its methods are safe from any goroutine. It is in memory, for one
// instance; after a restart everybody begins anew.
type Limiter struct {
	players   buckets[string]
	addresses buckets[netip.Prefix]
}

// NewLimiter makes a limiter.
func NewLimiter(r Rate) *Limiter { return newLimiter(r, maxVisitors) }

func newLimiter(r Rate, visitors int) *Limiter {
	return &Limiter{
		players:   buckets[string]{rate: r, full: newRecent[string, time.Time](visitors)},
		addresses: buckets[netip.Prefix]{rate: r, full: newRecent[netip.Prefix, time.Time](visitors)},
	}
}

// Wait says when this player may do it: 0 is now, and counted; anything else is how
// long from now, and not counted.
func (l *Limiter) Wait(player string) time.Duration { return l.players.take(player) }

// WaitAddress says the same of somebody from this address. An IPv6 address stands for
// its /64, which one household has for itself.
func (l *Limiter) WaitAddress(a netip.Addr) time.Duration { return l.addresses.take(prefix(a)) }

// WaitAt says the same of a try at a name from an address: each address, or IPv6
// /64, has a bucket of its own for each name.
func (l *Limiter) WaitAt(name string, a netip.Addr) time.Duration {
	return l.players.take(name + "\x00" + prefix(a).String())
}

// prefix is what one visitor is taken to have. No address, as of a Unix socket,
// is a visitor too.
func prefix(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}

// buckets are token buckets, each of them one time: when it will be full again.
// Taking a token puts that off by Per/N; a bucket that would not be full within
// Per is empty. A full one is the same as none. It is what golang.org/x/time/rate
// counts, in a tenth of the memory and without a lock for each visitor.
type buckets[K comparable] struct {
	rate Rate
	mu   sync.Mutex
	full *recent[K, time.Time]
}

func (b *buckets[K]) take(k K) (wait time.Duration) {
	if b.rate.unlimited() {
		return 0
	}
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	full, ok := b.full.get(k)
	if !ok || full.Before(now) {
		full = now
	}
	full = full.Add(b.rate.Per / time.Duration(b.rate.N))
	if wait = full.Sub(now) - b.rate.Per; wait > 0 {
		return wait
	}
	b.full.put(k, full)
	return 0
}
