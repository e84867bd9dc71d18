package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"mancala/cmd/internal/cli"
)

// measureIdleSockets measures the memory of a socket on which nothing happens.
func measureIdleSockets(ctx context.Context, t target, n int) (result, error) {
	room, err := t.driver.room(ctx, 0, 0)
	if err != nil {
		return result{}, err
	}
	const first = 50 // sockets that are not measured: the process grows once for the first ones
	var before watchers
	defer before.leave()
	if err := before.join(ctx, t.driver, room, roomLoad{watchers: first}); err != nil {
		return result{}, err
	}
	rss := t.proc.rss()
	var idle watchers
	defer idle.leave()
	if err := idle.join(ctx, t.driver, room, roomLoad{watchers: n}); err != nil {
		return result{}, err
	}
	// A server may use more memory while it accepts. Only what stays is measured.
	if err := cli.Pause(ctx, 5*time.Second); err != nil {
		return result{}, err
	}
	after := t.proc.rss()
	if err := t.atLeast(ctx, "mancala_sockets", first+n); err != nil {
		return result{}, err
	}
	return result{Sockets: n, Watchers: n, RSS: after, PerSocket: (after - rss) / int64(n)}, nil
}

const (
	pairRooms = 7                // rooms of a pair of players in each half
	pairPlies = 16               // of each game, before its players turn to the next
	tidied    = 40 * time.Second // after which a room has dropped its short-lived state and the collector has freed it
)

// measureLiveRooms measures the memory of a live room without its sockets. Each pair of
// players has two sockets that follow many games. The players make some plies in each
// game, and then they think in all games.
//
// The first half of the games is not measured. It pays for the sockets, for the process
// itself and for caches of bounded size, such as the part of the journal in memory. Only
// the second half is measured.
func measureLiveRooms(ctx context.Context, t target, rooms int) (result, error) {
	d, ok := t.driver.(*mancalaDriver)
	if !ok {
		return result{}, errors.New("only mancala has such rooms")
	}
	d.short = pairPlies
	games := make([]*game, max(1, rooms/pairRooms))
	defer func() {
		for _, g := range games {
			if g != nil {
				g.leave()
			}
		}
	}()
	err := inParallel(ctx, len(games), func(i int) error {
		room, err := d.room(ctx, i, 0)
		if err == nil {
			games[i], err = sitDown(ctx, d, room)
		}
		return err
	})
	if err != nil {
		return result{}, err
	}
	var rss, live [2]int64
	for half := range rss {
		if err := playAll(games, pairRooms*pairPlies); err != nil {
			return result{}, err
		}
		if err := cli.Pause(ctx, tidied); err != nil {
			return result{}, err
		}
		rss[half] = t.proc.rss()
		live[half] = t.liveBytes(ctx)
		if err := t.atLeast(ctx, "mancala_rooms_live", (half+1)*len(games)*pairRooms); err != nil {
			return result{}, err
		}
	}
	n := int64(len(games) * pairRooms)
	r := result{Rooms: int(n), Sockets: 2 * len(games), RSS: rss[1], PerRoom: (rss[1] - rss[0]) / n, LivePerRoom: (live[1] - live[0]) / n}
	for _, g := range games {
		g.leave()
	}
	r.Awake = t.roomsAwake(ctx)
	return r, ctx.Err()
}

// playAll makes the given number of moves in each game.
func playAll(games []*game, moves int) error {
	var wg sync.WaitGroup
	for _, g := range games {
		wg.Go(func() { g.play(time.Now(), time.Minute, moves, nil) })
	}
	wg.Wait()
	var errs []error
	for _, g := range games {
		errs = append(errs, g.err)
	}
	return firstOf(errs)
}
