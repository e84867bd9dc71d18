package main

import (
	"context"
	"sync"
	"time"
)

// roomLoad is games of two players, with or without watchers.
type roomLoad struct {
	rooms    int
	length   time.Duration
	rate     float64 // moves per second of all rooms; 0: full speed
	watchers int     // watchers of each room
	stalled  int     // how many of the watchers never read
	most     int     // moves of each room; 0: as many as the time allows
	busy     bool    // the server has other load too, and will not become idle
	whole    bool    // each game is made when the one before has ended, and is of the usual length
	begun    func()  // called when the measured time begins, unless it is nil
}

// fastest is more moves per second than one of many rooms makes at full speed.
const fastest = 200

// moves returns about how many moves each room will have.
func (l roomLoad) moves() int {
	if l.most > 0 {
		return l.most
	}
	rate := l.rate / float64(l.rooms)
	if l.rate == 0 {
		rate = min(fastest, 20_000/float64(l.rooms))
	}
	return int(rate * l.length.Seconds())
}

// playRooms plays for a while and measures the server meanwhile.
func playRooms(ctx context.Context, t target, l roomLoad) (result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if d, ok := t.driver.(*mancalaDriver); ok {
		d.whole = l.whole
	}
	var crowd watchers
	defer crowd.leave()
	games := make([]*game, l.rooms)
	err := inParallel(ctx, l.rooms, func(i int) error {
		room, err := t.driver.room(ctx, i, l.moves())
		if err != nil {
			return err
		}
		if games[i], err = sitDown(ctx, t.driver, room); err != nil {
			return err
		}
		if l.stalled == 0 { // otherwise crowd.stall reads the messages that it sends
			games[i].listen()
		}
		return crowd.join(ctx, t.driver, room, l)
	})
	hangUp := func() {
		for _, g := range games {
			g.close()
		}
	}
	defer hangUp()
	context.AfterFunc(ctx, hangUp) // also ends reads from a server that hangs
	if err != nil {
		return result{}, err
	}

	if l.stalled > 0 {
		if err := crowd.stall(ctx, games[0], l); err != nil {
			return result{}, err
		}
	}
	if !l.busy {
		if err := t.proc.settle(ctx); err != nil {
			return result{}, err
		}
	}

	profiled := t.profile(ctx, l.length)
	before := t.usage(ctx)
	cpu, seen, began := t.proc.cpu(), crowd.seen.Load(), time.Now()
	if l.begun != nil {
		l.begun()
	}
	var wg sync.WaitGroup
	for i, g := range games {
		wg.Go(func() { g.play(began, l.length, l.most, pace(l, i)) })
	}
	wg.Wait()
	r := result{
		Took: time.Since(began), CPU: t.proc.cpu() - cpu, RSS: t.proc.rss(),
		Rooms: l.rooms, Sockets: l.rooms * (2 + l.watchers), Watchers: l.rooms * l.watchers, Stalled: l.rooms * l.stalled,
	}
	r.usage = r.plus(before, t.usage(ctx)) // before the players leave: that sends messages too
	errs := []error{profiled()}
	for _, g := range games {
		g.leave()
		r.Moves += g.moves
		r.latency = append(r.latency, g.latency...)
		errs = append(errs, g.err)
	}
	// Deliveries are counted on arrival: what a stalled watcher is not sent costs
	// nothing.
	r.Deliveries = int(crowd.seen.Load()-seen) + 2*r.Moves
	return r, firstOf(errs)
}

// pace returns when the moves of a room are due: at equal intervals, and at different
// times in different rooms, so that the load is even.
func pace(l roomLoad, room int) func(n int) time.Duration {
	if l.rate == 0 {
		return nil
	}
	between := time.Duration(float64(time.Second) * float64(l.rooms) / l.rate)
	first := between * time.Duration(room) / time.Duration(l.rooms)
	return func(n int) time.Duration { return first + time.Duration(n)*between }
}
