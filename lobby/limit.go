package lobby

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"mancala/lobby/address"
)

// Rate is how often something may happen: N times at once, and then N times in each Per,
// spread evenly. The zero Rate is no limit. As the text of a flag it is "20/1h", or
// "off".
type Rate struct {
	N   int
	Per time.Duration
}

func (r Rate) unlimited() bool { return r.N <= 0 || r.Per <= 0 }

// String returns the rate as the text of a flag.
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

// maxVisitors is how many players, and how many addresses, a limiter remembers. Beyond
// that it forgets the visitors that came longest ago, and they start with a full bucket.
// So a limiter needs less than about 10 MB.
const maxVisitors = 1 << 16

// Limiter holds each visitor to a [Rate]: a player by ID, a client without an identity by
// address. Its methods are safe from any goroutine. It is in memory, for one instance. A
// restart resets every visitor's limit.
type Limiter struct {
	rate      Rate
	players   buckets[string]
	addresses buckets[netip.Prefix]
	sites     buckets[string] // by name, if the attempt is at a name, and [address.Site]
}

func NewLimiter(r Rate) *Limiter { return newLimiter(r, maxVisitors) }

func newLimiter(r Rate, visitors int) *Limiter {
	return &Limiter{
		rate:      r,
		players:   newBuckets[string](r, visitors),
		addresses: newBuckets[netip.Prefix](r, visitors),
		sites:     newBuckets[string](Rate{r.N * address.PerSite, r.Per}, visitors),
	}
}

// Wait takes one use for a player. It returns 0 if the use is allowed now, and counts
// it. Otherwise it returns how long the player must wait, and counts nothing.
func (l *Limiter) Wait(player string) time.Duration { return l.players.take(player, 1) }

// WaitMany takes n uses for a player at once, or none of them. More uses than the [Rate] allows at once
// count as that many, so that they are possible for a player who has used none.
func (l *Limiter) WaitMany(player string, n int) time.Duration {
	return l.players.take(player, max(1, min(n, l.rate.N)))
}

// WaitAddress does the same for a client at this address, as [address.Network] counts it. The
// networks of one [address.Site] together are allowed [address.PerSite] times as much.
func (l *Limiter) WaitAddress(a netip.Addr) time.Duration {
	return l.inSite("", a, func() time.Duration { return l.addresses.take(address.Network(a), 1) })
}

// WaitAt does the same for an attempt at a name from an address. Each pair of a name and
// a network has its own bucket, and each pair of a name and a site has one.
func (l *Limiter) WaitAt(name string, a netip.Addr) time.Duration {
	return l.inSite(name, a, func() time.Duration { return l.players.take(name+"\x00"+address.Network(a).String(), 1) })
}

// inSite takes one use for the site of an address after take has taken one for its
// network. If the site must wait, inSite takes neither.
func (l *Limiter) inSite(name string, a netip.Addr, take func() time.Duration) time.Duration {
	site, ok := address.Site(address.Network(a))
	if !ok {
		return take()
	}
	key := name + "\x00" + site.String()
	wait := l.sites.look(key)
	if wait == 0 {
		if wait = take(); wait == 0 {
			l.sites.take(key, 1)
		}
	}
	return wait
}

// buckets are token buckets. It is an interface for the reason that [recent] is one.
type buckets[K comparable] interface {
	// take takes n tokens, at most N, or none of them.
	take(k K, n int) (wait time.Duration)
	// look returns what take would return for one token, and takes nothing.
	look(k K) (wait time.Duration)
}

// fullTimes are [buckets] of which each is stored as one time: when it will be full again.
// Taking a token moves that time by Per/N; a bucket that would need more than Per to
// fill is empty. A full bucket is not stored. This is the algorithm of
// golang.org/x/time/rate, in a tenth of the memory and without a lock for each visitor.
type fullTimes[K comparable] struct {
	rate Rate
	mu   sync.Mutex
	full recent[K, time.Time]
}

func newBuckets[K comparable](r Rate, visitors int) buckets[K] {
	return &fullTimes[K]{rate: r, full: newRecent[K, time.Time](visitors)}
}

func (b *fullTimes[K]) take(k K, n int) (wait time.Duration) { return b.use(k, n, true) }

func (b *fullTimes[K]) look(k K) (wait time.Duration) { return b.use(k, 1, false) }

func (b *fullTimes[K]) use(k K, n int, take bool) (wait time.Duration) {
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
	full = full.Add(time.Duration(n) * (b.rate.Per / time.Duration(b.rate.N)))
	if wait = full.Sub(now) - b.rate.Per; wait > 0 {
		return wait
	}
	if take {
		b.full.put(k, full)
	}
	return 0
}
