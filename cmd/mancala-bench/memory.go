package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// measureIdleSockets opens sockets on which nothing happens and sees what they hold.
func measureIdleSockets(ctx context.Context, t target, n int) (result, error) {
	room, err := t.driver.room(ctx, 0, 0)
	if err != nil {
		return result{}, err
	}
	const first = 50 // sockets pay for what the process needs anyway
	var before spectators
	defer before.leave()
	if err := before.join(ctx, t.driver, room, roomLoad{watchers: first}); err != nil {
		return result{}, err
	}
	rss := t.proc.rss()
	var idle spectators
	defer idle.leave()
	if err := idle.join(ctx, t.driver, room, roomLoad{watchers: n}); err != nil {
		return result{}, err
	}
	// A server may use memory while it accepts; what counts is what stays.
	if err := pause(ctx, 5*time.Second); err != nil {
		return result{}, err
	}
	after := t.proc.rss()
	if err := t.atLeast(ctx, "mancala_sockets", first+n); err != nil {
		return result{}, err
	}
	return result{Sockets: n, Watchers: n, RSS: after, PerSocket: (after - rss) / int64(n)}, nil
}

const (
	pairRooms = 7                // rooms that a pair of players plays in before measuring, and as many while
	pairPlies = 16               // of each game, before they turn to the next
	tidied    = 40 * time.Second // after which a room has laid aside what it only keeps for a moment, and that has been collected
)

// measureLiveRooms sees what a live room holds beside its sockets: pairs of players
// whose two sockets follow many games play a little of each and then think, in all
// of them.
//
// The first half of the games pays for the sockets, for what the process needs
// anyway and for what is bounded however many rooms there are, like the part of
// the journal that is still in memory; the second half is measured.
func measureLiveRooms(ctx context.Context, t target, rooms int) (result, error) {
	d, ok := t.driver.(*mancalaDriver)
	if !ok {
		return result{}, errors.New("only a server of ours has such rooms")
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
		if err := pause(ctx, tidied); err != nil {
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

// playAll plays so many moves in each game.
func playAll(games []*game, moves int) error {
	var wg sync.WaitGroup
	for _, g := range games {
		wg.Go(func() { g.play(time.Now().Add(time.Minute), moves, nil) })
	}
	wg.Wait()
	var errs []error
	for _, g := range games {
		errs = append(errs, g.err)
	}
	return firstOf(errs)
}
