package seeks

import (
	"context"
	"sync"
	"time"
)

// leaseFor is how long a program's place in the lobby is kept without a socket, from
// the last time that it asked.
const leaseFor = 15 * time.Second

// Leases keep the places of programs that wait in the lobby by the API and have no
// socket there.
type Leases struct {
	client *Client

	mu     sync.Mutex
	copy   *Copy                  // nil while there is no lease
	timers map[string]*time.Timer // by player, until the lease ends
}

// NewLeases returns an empty set of leases.
func (c *Client) NewLeases() *Leases { return &Leases{client: c, timers: map[string]*time.Timer{}} }

// Keep keeps a player's place for a while, or keeps it longer.
func (l *Leases) Keep(ctx context.Context, player string) error {
	next, err := l.client.Hold(ctx) // may take long; no other caller waits for it
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.copy == next {
		next.Release() // held already
	} else {
		l.clear()
		l.copy = next
	}
	l.join(player)
	return nil
}

// join keeps a place, or keeps it longer. Called with mu held.
func (l *Leases) join(player string) {
	if old := l.timers[player]; old != nil {
		old.Stop() // if that was too late, the timer finds that another one has its place
	} else {
		l.copy.Join(player)
	}
	var timer *time.Timer
	timer = time.AfterFunc(leaseFor, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.timers[player] == timer {
			l.leave(player)
		}
	})
	l.timers[player] = timer
}

// leave gives a place up. Called with mu held.
func (l *Leases) leave(player string) {
	delete(l.timers, player)
	l.copy.Leave(player)
	if len(l.timers) == 0 {
		l.clear()
	}
}

// clear gives all up. Called with mu held.
func (l *Leases) clear() {
	for player, timer := range l.timers {
		timer.Stop()
		l.copy.Leave(player) // others may hold the copy too
	}
	clear(l.timers)
	if l.copy != nil {
		l.copy.Release()
		l.copy = nil
	}
}

// Len returns how many places are kept. Only tests call it.
func (l *Leases) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.timers)
}

// Expire ends all leases, as if their time were over. Only tests call it.
func (l *Leases) Expire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, timer := range l.timers {
		timer.Reset(0)
	}
}
