package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// roomLoad is games of two players, some of them watched.
type roomLoad struct {
	rooms    int
	length   time.Duration
	rate     float64 // moves per second of all rooms; 0 is as fast as they go
	watchers int     // of each room
	stalled  int     // of the watchers, how many never read
}

// playRooms plays for a while and measures the server meanwhile.
func playRooms(ctx context.Context, t target, l roomLoad) (benchResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var crowd crowd
	defer crowd.leave()
	games := make([]*game, l.rooms)
	err := inParallel(ctx, l.rooms, func(i int) error {
		room, err := t.driver.room(ctx, i)
		if err != nil {
			return err
		}
		g := &game{turn: make(chan int, 1)}
		for seat := range g.seats {
			if g.seats[seat], err = t.driver.join(ctx, room, seat); err != nil {
				return err
			}
		}
		games[i] = g
		return crowd.join(ctx, t.driver, room, l)
	})
	defer func() {
		for _, g := range games {
			g.close()
		}
	}()
	if err != nil {
		return benchResult{}, err
	}

	if l.stalled > 0 {
		if err := crowd.stick(ctx, games[0], l); err != nil {
			return benchResult{}, err
		}
	}

	cpu, seen, began := t.proc.cpu(), crowd.seen.Load(), time.Now()
	end := began.Add(l.length)
	var wg sync.WaitGroup
	for i, g := range games {
		wg.Go(func() { g.play(end, pace(l, i)) })
	}
	wg.Wait()
	r := benchResult{
		Took: time.Since(began), CPU: t.proc.cpu() - cpu, RSS: t.proc.rss(),
		Rooms: l.rooms, Sockets: l.rooms * (2 + l.watchers), Watchers: l.rooms * l.watchers,
	}
	var errs []error
	for _, g := range games {
		r.Moves += g.moves
		r.latency = append(r.latency, g.latency...)
		errs = append(errs, g.err)
	}
	// Counted where they arrive: what a stalled reader is not sent costs nothing.
	r.Deliveries = int(crowd.seen.Load()-seen) + 2*r.Moves
	return r, errors.Join(errs...)
}

// pace says when a game's moves are due: evenly, and each room at a moment of
// its own, so that there is no pulse.
func pace(l roomLoad, room int) func(n int) time.Duration {
	if l.rate == 0 {
		return nil
	}
	between := time.Duration(float64(time.Second) * float64(l.rooms) / l.rate)
	first := between * time.Duration(room) / time.Duration(l.rooms)
	return func(n int) time.Duration { return first + time.Duration(n)*between }
}

// game is one room as its two players see it.
type game struct {
	seats [2]session
	turn  chan int // the number of the next move, once both have seen the last

	mu      sync.Mutex
	sent    time.Time
	number  int // of the move under way
	missing int // how many have yet to see it

	moves   int
	latency []time.Duration // from a command to both players
	err     error
}

func (g *game) close() {
	if g == nil {
		return
	}
	for _, s := range g.seats {
		if s != nil {
			s.close()
		}
	}
}

// play plays until the end, by the pace if there is one. A move that is due
// while the one before is still under way counts from when it was due, so that
// a slow server can't make itself look good by being asked less.
func (g *game) play(end time.Time, due func(int) time.Duration) {
	var readers sync.WaitGroup
	for _, s := range g.seats {
		readers.Go(func() { g.read(s) })
	}
	began := time.Now()
	g.turn <- 0
	for n := range g.turn {
		at := time.Now()
		if due != nil {
			if late := at.Sub(began.Add(due(n))); late < 0 {
				time.Sleep(-late)
				at = time.Now()
			} else if n > 0 {
				at = at.Add(-late)
			}
		}
		if !at.Before(end) {
			break
		}
		g.mu.Lock()
		g.sent, g.number, g.missing = at, n, 2
		g.mu.Unlock()
		if err := g.seats[n%2].move(n); err != nil {
			break // the readers will say why
		}
	}
	g.close() // ends the readers
	readers.Wait()
}

func (g *game) read(s session) {
	for {
		n, err := s.seen()
		g.mu.Lock()
		switch {
		case g.err != nil || err != nil && g.missing == 0:
			g.mu.Unlock() // the game is over, or hangs up after its last move
			return
		case err == nil && n != g.number:
			err = fmt.Errorf("saw move %d while move %d was under way", n, g.number)
		}
		if err != nil {
			g.err = err
			close(g.turn)
			g.mu.Unlock()
			return
		}
		if g.missing--; g.missing == 0 {
			g.latency = append(g.latency, time.Since(g.sent))
			g.moves++
			g.turn <- n + 1
		}
		g.mu.Unlock()
	}
}
