package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// game is one room as its two players see it.
type game struct {
	seats   [2]session
	turn    chan int // the number of the next move, sent when both players have seen the last
	next    int      // the same number, between two calls of play
	readers sync.WaitGroup
	hearing sync.Once
	closing sync.Once

	mu      sync.Mutex
	sent    time.Time
	number  int // of the move under way
	missing int // players who have not seen it yet

	moves   int
	latency []time.Duration // from sending a move until both players have it
	err     error
}

// sitDown opens the sockets of both players of a room.
func sitDown(ctx context.Context, d driver, room string) (*game, error) {
	g := &game{turn: make(chan int, 1)}
	for seat := range g.seats {
		s, err := d.join(ctx, room, seat)
		if err != nil {
			if seat > 0 {
				g.seats[0].Close()
			}
			return nil, err
		}
		g.seats[seat] = s
	}
	return g, nil
}

func (g *game) close() {
	if g == nil {
		return
	}
	g.closing.Do(func() {
		for _, s := range g.seats {
			s.Close()
		}
	})
}

// leave closes the sockets and waits for the goroutines that read them.
func (g *game) leave() {
	g.close()
	g.readers.Wait()
}

// listen begins to read. Reading also answers pings, so it begins before the players of
// all other games are seated.
func (g *game) listen() {
	g.hearing.Do(func() {
		for _, s := range g.seats {
			g.readers.Go(func() { g.read(s) })
		}
	})
}

// play plays for a while after began, or until it has made most moves if most is above 0. due, if
// there is one, returns when each move is due after began. The latency of a move
// counts from when it was due, also if the move before was still under way then.
// Otherwise a slow server would get fewer moves and look faster. A first move that is due
// in that while is made also if the machine was too busy until then.
func (g *game) play(began time.Time, while time.Duration, most int, due func(int) time.Duration) {
	g.listen()
	end, first := began.Add(while), g.next
	g.turn <- first
	for n := range g.turn {
		g.next = n
		if most > 0 && n >= first+most {
			break
		}
		mover, err := g.mover(n)
		if err != nil {
			g.fail(err)
			break
		}
		at := time.Now()
		inTime := n == first && (due == nil || due(n) < while)
		if due != nil {
			if late := at.Sub(began.Add(due(n))); late < 0 {
				time.Sleep(-late)
				at = time.Now()
			} else if n > 0 {
				at = at.Add(-late)
			}
		}
		if !at.Before(end) && !inTime {
			break
		}
		g.mu.Lock()
		g.sent, g.number, g.missing = at, n, 2
		g.mu.Unlock()
		if err := mover.move(n); err != nil {
			break // the readers keep the error
		}
	}
}

// mover gets both players ready and returns the one whose turn move n is.
func (g *game) mover(n int) (session, error) {
	for _, s := range g.seats {
		if err := s.ready(); err != nil {
			return nil, err
		}
	}
	var mover session
	for _, s := range g.seats {
		mine, err := s.turn(n)
		if err != nil {
			return nil, err
		}
		if mine {
			mover = s
		}
	}
	if mover == nil {
		return nil, fmt.Errorf("no player can make move %d", n)
	}
	return mover, nil
}

// fail keeps the first error of the game.
func (g *game) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
	}
}

// read reads the moves that one player sees until the socket closes.
func (g *game) read(s session) {
	for {
		n, err := s.seen()
		g.mu.Lock()
		switch {
		case g.err != nil || err != nil && g.missing == 0:
			g.mu.Unlock() // the game has failed, or its sockets were closed after the last move
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
