package socket

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"mancala/lobby/address"
)

// Set holds all sockets of an instance. It pings and counts them. It also closes
// them when the instance stops, which http.Server.Shutdown would not do.
type Set struct {
	config Config
	wg     sync.WaitGroup // counts read loops, flushers and the pinger
	stop   chan struct{}  // closed once, ends the pinger

	mu        sync.Mutex
	slots     [slots]map[*Socket]struct{} // all sockets, by the turn in which they are pinged
	slot      int                         // the last turn
	open      int
	byAddress map[netip.Prefix]int
	leaving   bool // new sockets are refused
	draining  bool // and no goroutine is started for present sockets
	closes    map[Code]int64

	stats struct {
		accepted, lagged atomic.Int64
		refused          [refusals]atomic.Int64
	}
}

var errDraining = errors.New("the set is draining")

// slots is the number of groups of sockets. Each group is pinged in its own turn, so
// that pings are spread evenly.
const slots = 16

// NewSet returns an empty set. [Set.Shutdown] ends it.
func NewSet(c Config) *Set {
	c.setDefaults()
	set := &Set{config: c, stop: make(chan struct{}), byAddress: map[netip.Prefix]int{}, closes: map[Code]int64{}}
	for i := range set.slots {
		set.slots[i] = map[*Socket]struct{}{}
	}
	set.wg.Go(set.pingAll)
	return set
}

// add counts a socket and the goroutine that it is about to get. If the socket is
// refused, add returns the code, the index in [Refusals] and the error.
func (set *Set) add(s *Socket) (code Code, why int, err error) {
	set.mu.Lock()
	defer set.mu.Unlock()
	switch {
	case set.leaving:
		return Restarting, refusedDraining, errDraining
	case set.open >= set.config.Sockets:
		return TooMany, refusedFull, fmt.Errorf("%d sockets are open", set.open)
	case set.byAddress[s.addr] >= set.config.PerAddress:
		return TooMany, refusedAddress, fmt.Errorf("%d sockets from %v are open", set.byAddress[s.addr], s.addr)
	}
	site, wide := address.Site(s.addr)
	if wide && set.byAddress[site] >= set.config.PerAddress*address.PerSite {
		return TooMany, refusedAddress, fmt.Errorf("%d sockets from %v are open", set.byAddress[site], site)
	}
	set.wg.Add(1)
	set.open++
	set.byAddress[s.addr]++
	if wide {
		set.byAddress[site]++
	}
	// The slot is random, so that sockets opened together are pinged at different
	// times. Each socket also pings once when it starts.
	s.slot = int8(rand.N(slots))
	set.slots[s.slot][s] = struct{}{}
	set.stats.accepted.Add(1)
	return 0, 0, nil
}

func (set *Set) remove(s *Socket, code Code) {
	set.mu.Lock()
	defer set.mu.Unlock()
	set.open--
	set.uncount(s.addr)
	if site, wide := address.Site(s.addr); wide {
		set.uncount(site)
	}
	delete(set.slots[s.slot], s)
	set.closes[code]++
}

func (set *Set) uncount(from netip.Prefix) {
	if set.byAddress[from]--; set.byAddress[from] == 0 {
		delete(set.byAddress, from)
	}
}

// spawn runs f in a goroutine that Shutdown waits for. It reports false, without
// running f, if the set drains.
func (set *Set) spawn(f func()) bool {
	set.mu.Lock()
	defer set.mu.Unlock()
	if !set.draining {
		set.wg.Go(f)
	}
	return !set.draining
}

// pingAll pings one group of sockets after the other.
func (set *Set) pingAll() {
	tick := time.NewTicker(max(set.config.PingInterval/slots, time.Millisecond))
	defer tick.Stop()
	var due []*Socket
	for {
		select {
		case <-set.stop:
			return
		case <-tick.C:
		}
		set.mu.Lock()
		set.slot = (set.slot + 1) % slots
		for s := range set.slots[set.slot] {
			due = append(due, s)
		}
		set.mu.Unlock()
		for _, s := range due {
			s.ping()
		}
		clear(due) // otherwise closed sockets would stay in memory
		due = due[:0]
	}
}

// HandOver refuses new sockets and closes all sockets with [Restarting], one after
// the other at the given pace. A closed client may reconnect to another instance at
// once. So each client is away for a moment, and the clients do not all arrive there
// together. When ctx ends, HandOver closes the remaining sockets immediately. The
// caller calls [Set.Shutdown] next. Until then, every open socket still gets all
// frames.
func (set *Set) HandOver(ctx context.Context, pace *rate.Limiter) {
	set.mu.Lock()
	set.leaving = true
	all := set.all()
	set.mu.Unlock()
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	within := handOverRetry
	for i, s := range all {
		if pace.Wait(ctx) != nil && within == handOverRetry {
			within = set.within(len(all) - i)
		}
		s.comeBack(within)
	}
}

// SendElsewhere closes a socket with [Restarting], although the instance goes on. The
// client reconnects at a random time within a period that grows with the open sockets,
// since others may be sent elsewhere too.
func (set *Set) SendElsewhere(s *Socket) {
	set.mu.Lock()
	n := set.open
	set.mu.Unlock()
	s.comeBack(set.within(n))
}

const handOverRetry = 50 * time.Millisecond

// within returns the period over which n clients that are closed together reconnect.
// A handshake costs about a millisecond of CPU with TLS, so the period grows with n.
// It assumes two cores at the other instances. It is no longer than needed, because
// it is a pause for players.
func (set *Set) within(n int) time.Duration {
	return max(set.config.RetryWithin, time.Duration(n)*time.Millisecond/2)
}

// comeBack closes a socket and tells the client a random delay before it reconnects.
func (s *Socket) comeBack(within time.Duration) {
	s.Close(Restarting, fmt.Sprintf("retry-ms=%d", rand.N(within).Milliseconds()))
}

// Shutdown refuses new sockets, and closes all sockets with [Restarting] and a
// random delay for each. It waits until they have ended. When ctx ends first,
// Shutdown cuts off the remaining sockets and returns ctx's error.
func (set *Set) Shutdown(ctx context.Context) error {
	all := set.drain()
	within := set.within(len(all))
	for _, s := range all {
		s.comeBack(within)
	}
	gone := make(chan struct{})
	go func() {
		set.wg.Wait()
		close(gone)
	}()
	var err error
	select {
	case <-gone:
	case <-ctx.Done():
		err = fmt.Errorf("socket: shutdown: %w", ctx.Err())
		for _, s := range all {
			s.mu.Lock()
			s.breakOff()
			s.mu.Unlock()
		}
		<-gone
	}
	return err
}

func (set *Set) drain() []*Socket {
	set.mu.Lock()
	defer set.mu.Unlock()
	if set.leaving = true; !set.draining {
		set.draining = true
		close(set.stop)
	}
	return set.all()
}

// all returns every socket. Called with mu held.
func (set *Set) all() []*Socket {
	var all []*Socket
	for _, slot := range set.slots {
		for s := range slot {
			all = append(all, s)
		}
	}
	return all
}

// CloseThose calls which with the handler of every socket, and closes the socket if which
// returns a code. A client that should reconnect does so after a second, when it has the
// answer to its last request. CloseThose visits every socket, so it is for rare events.
func (set *Set) CloseThose(which func(Handler) Code) {
	set.mu.Lock()
	all := set.all()
	set.mu.Unlock()
	for _, s := range all {
		switch code := which(s.handler); {
		case code == 0:
		case code.Reconnect():
			s.Close(code, "retry-ms=1000")
		default:
			s.Close(code, "")
		}
	}
}

// Refusals are the reasons for which an upgrade is refused.
var Refusals = [refusals]string{"subprotocol", "handshake", "draining", "full", "address"}

const (
	refusedSubprotocol = iota // a page of another version, or a client that is not a page
	refusedHandshake          // a foreign origin, or no WebSocket handshake
	refusedDraining
	refusedFull    // this instance has reached its limit of sockets
	refusedAddress // this address has reached its limit of sockets
	refusals
)

func (set *Set) refused() map[string]int64 {
	by := make(map[string]int64, refusals)
	for i := range set.stats.refused {
		by[Refusals[i]] = set.stats.refused[i].Load()
	}
	return by
}

// Stats are counts since the set was made. Only Open is the present number.
type Stats struct {
	Open     int              // sockets open now
	Accepted int64            // upgrades that became a socket
	Refused  map[string]int64 // upgrades that were refused, by one of [Refusals]
	Lagged   int64            // times a reader was too far behind
	Closed   map[Code]int64   // ended sockets, by the code of the side that closed first
}

// Stats returns the counts for operators.
func (set *Set) Stats() Stats {
	set.mu.Lock()
	defer set.mu.Unlock()
	return Stats{
		Open:     set.open,
		Accepted: set.stats.accepted.Load(),
		Refused:  set.refused(),
		Lagged:   set.stats.lagged.Load(),
		Closed:   maps.Clone(set.closes),
	}
}
