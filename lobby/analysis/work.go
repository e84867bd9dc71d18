package analysis

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"mancala/engine/search/review"
	"mancala/lobby/searchpool"
)

// work is a game that this instance has claimed.
type work struct {
	room string
	who  string // the person whom the pool counts
	from netip.Addr
}

// run is the goroutine that analyses a game.
type run struct {
	ctx    context.Context // ends when the work is cancelled
	cancel context.CancelFunc
	done   chan struct{} // closed when the goroutine has ended
}

// begin starts the work on a game, unless it is running. If cancelled work on the game
// has not ended yet, the new work waits for its end.
func (a *Analyses) begin(w work) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.running[w.room]
	if a.closed || before != nil && before.ctx.Err() == nil {
		return
	}
	ctx, cancel := context.WithCancel(a.ctx)
	r := &run{ctx, cancel, make(chan struct{})}
	a.running[w.room] = r
	a.group.Go(func() {
		defer close(r.done)
		if before != nil {
			<-before.done
		}
		err := a.do(ctx, w)
		// The row records the failed try, unless the work was cancelled.
		if err != nil && ctx.Err() == nil {
			_ = a.fail(ctx, w.room)
		}
		cancel()
		a.mu.Lock()
		if a.running[w.room] == r {
			delete(a.running, w.room)
		}
		a.mu.Unlock()
	})
}

// errLost means that this instance no longer has the claim.
var errLost = errors.New("analysis: claim lost")

// do analyses a game from its end to its beginning and writes down the result.
func (a *Analyses) do(ctx context.Context, w work) error {
	claim := &claim{a: a, room: w.room}
	if err := a.enter(ctx, claim); err != nil {
		return err
	}
	defer func() { <-a.slots }()
	games, err := a.games(ctx, w.room)
	if err != nil {
		return err
	}
	rounds := make([]*review.Review, len(games))
	for i, game := range games {
		r, err := review.New(game, a.opt.Budget)
		if err != nil {
			return err
		}
		for r.More() {
			if err := a.step(ctx, w, r); err != nil {
				return err
			}
			claim.done++
			if err := claim.renew(ctx); err != nil {
				return err
			}
		}
		rounds[i] = r.Review()
	}
	_, err = a.finish(ctx, w.room, rounds)
	return err
}

// enter waits for a slot, and renews the claim meanwhile.
func (a *Analyses) enter(ctx context.Context, c *claim) error {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for {
		select {
		case a.slots <- struct{}{}:
			return nil
		case <-tick.C:
			if err := c.renew(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// step takes one step on a worker. While the pool is full it tries again.
func (a *Analyses) step(ctx context.Context, w work, r *review.Reviewer) error {
	job := searchpool.Job{Kind: searchpool.Analysis, Who: w.who, Address: w.from, Budget: plyBudget}
	for {
		var err error
		busy := a.opt.Pool.Do(ctx, job, func(ctx context.Context) { err = r.Step(ctx) })
		if busy == nil || !errors.Is(busy, searchpool.ErrBusy) {
			return errors.Join(busy, err)
		}
		select {
		case <-time.After(renewEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// claim is this instance's claim to a game.
type claim struct {
	a    *Analyses
	room string
	done int       // steps
	at   time.Time // of the last renewal
}

// renew renews the claim with the progress, at most once a second.
func (c *claim) renew(ctx context.Context) error {
	if now := time.Now(); now.Sub(c.at) < renewEvery {
		return nil
	} else {
		c.at = now
	}
	mine, err := c.a.renew(ctx, c.room, c.done)
	if err == nil && !mine {
		err = errLost
	}
	return err
}

// takeOverAbandoned takes over abandoned games while there are free slots.
func (a *Analyses) takeOverAbandoned(ctx context.Context) error {
	rooms, err := a.abandoned(ctx)
	for _, room := range rooms {
		if len(a.slots) == cap(a.slots) {
			break
		}
		var mine bool
		if mine, err = a.takeOver(ctx, room); err != nil {
			break
		}
		if mine {
			a.begin(work{room: room, who: room})
		}
	}
	return err
}
