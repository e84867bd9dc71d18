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
)

// Set is all sockets of an instance. It pings them, counts them, and closes
// them when the instance stops, which http.Server.Shutdown would not.
type Set struct {
	config Config
	wg     sync.WaitGroup // read loops, flushers and the pinger
	stop   chan struct{}  // closed once, ends the pinger

	mu        sync.Mutex
	slots     [slots]map[*Socket]struct{} // all sockets, by when they are pinged
	slot      int                         // the one whose turn it was last
	open      int
	byAddress map[netip.Prefix]int
	leaving   bool // refuses newcomers
	draining  bool // and starts nothing more for those who are here
	closes    map[Code]int64

	stats struct {
		accepted, lagged atomic.Int64
		refused          [refusals]atomic.Int64
	}
}

var errDraining = errors.New("the set is draining")

// slots is into how many portions the sockets are split, so that pings go out
// evenly and not to everybody at once.
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

// add counts a socket and the goroutine it is about to get, or says why it
// can't have one.
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
	set.wg.Add(1)
	set.open++
	set.byAddress[s.addr]++
	// By lot, so that those who came together are not all pinged at one moment. It
	// pings once when it starts.
	s.slot = int8(rand.N(slots))
	set.slots[s.slot][s] = struct{}{}
	set.stats.accepted.Add(1)
	return 0, 0, nil
}

func (set *Set) remove(s *Socket, code Code) {
	set.mu.Lock()
	defer set.mu.Unlock()
	set.open--
	if set.byAddress[s.addr]--; set.byAddress[s.addr] == 0 {
		delete(set.byAddress, s.addr)
	}
	delete(set.slots[s.slot], s)
	set.closes[code]++
}

// spawn runs f in a goroutine that Shutdown waits for, or reports that it is
// too late for that.
func (set *Set) spawn(f func()) bool {
	set.mu.Lock()
	defer set.mu.Unlock()
	if !set.draining {
		set.wg.Go(f)
	}
	return !set.draining
}

// pingAll pings one portion of the sockets after the other.
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
		clear(due) // or closed sockets would stay in memory
		due = due[:0]
	}
}

// HandOver refuses new sockets and closes all with [Restarting], one after the
// other at a pace: each may come back at once, to another instance. So everybody
// is away for a moment, and they do not all arrive at the same one. When ctx ends
// those that are left are told together. [Set.Shutdown] comes next: until then
// whoever is still here hears everything.
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

const handOverRetry = 50 * time.Millisecond

// within is the time over which so many come back who leave together. A handshake
// costs about a millisecond with TLS, so it grows with the crowd that will arrive
// at the other instances, which have two cores between them. Nobody is kept waiting
// longer: for players it is a pause.
func (set *Set) within(n int) time.Duration {
	return max(set.config.RetryWithin, time.Duration(n)*time.Millisecond/2)
}

// comeBack closes a socket and says after which time to come back, by lot.
func (s *Socket) comeBack(within time.Duration) {
	s.Close(Restarting, fmt.Sprintf("retry-ms=%d", rand.N(within).Milliseconds()))
}

// Shutdown refuses new sockets, closes all with [Restarting] and each with its
// own random delay to come back after, and waits until they are gone. When ctx
// ends first, those that are left are cut off and ctx's error is returned.
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

// all is every socket. mu is held.
func (set *Set) all() []*Socket {
	var all []*Socket
	for _, slot := range set.slots {
		for s := range slot {
			all = append(all, s)
		}
	}
	return all
}

// CloseThose closes the sockets for which which, asked about their handlers,
// gives a code; who shall come back does so in a second, when he has the answer
// to whatever he has just done. It looks at every socket: it is for what happens
// rarely.
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
	refusedSubprotocol = iota // a page of another version, or no page
	refusedHandshake          // a foreign origin, or no WebSocket
	refusedDraining
	refusedFull    // all sockets of this instance are taken
	refusedAddress // all sockets of this address are
	refusals
)

func (set *Set) refused() map[string]int64 {
	by := make(map[string]int64, refusals)
	for i := range set.stats.refused {
		by[Refusals[i]] = set.stats.refused[i].Load()
	}
	return by
}

// Stats are counts since the set was made, except Open.
type Stats struct {
	Open     int              // sockets now
	Accepted int64            // upgrades that became a socket
	Refused  map[string]int64 // upgrades that were refused, by one of [Refusals]
	Lagged   int64            // times a reader was too far behind
	Closed   map[Code]int64   // ended sockets, by the code of whoever closed first
}

// Stats returns what an operator would ask.
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
