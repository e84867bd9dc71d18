package analysis

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"mancala/engine/search/review"
	"mancala/lobby/searchpool"
	"mancala/match/deadline"
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

// do analyses a game and writes down the result.
func (a *Analyses) do(ctx context.Context, w work) error {
	rounds, err := a.review(ctx, w)
	if err != nil {
		return err
	}
	_, err = a.finish(ctx, w.room, rounds)
	return err
}

// review reviews each round of a game, from its end to its beginning. It renews the claim meanwhile.
func (a *Analyses) review(ctx context.Context, w work) ([]*review.Review, error) {
	claim := &claim{a: a, room: w.room}
	ctx, end := context.WithCancelCause(ctx)
	var renewal sync.WaitGroup
	renewal.Go(func() { end(claim.keep(ctx)) })
	defer renewal.Wait()
	defer end(nil)

	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	games, err := a.games(ctx, w.room)
	if err != nil {
		return nil, err
	}
	rounds := make([]*review.Review, len(games))
	for i, game := range games {
		r, err := review.New(game, a.opt.Budget)
		if err != nil {
			return nil, err
		}
		for r.More() {
			if err := a.step(ctx, w, r); err != nil {
				return nil, err
			}
			claim.done.Add(1)
		}
		rounds[i] = r.Review()
	}
	return rounds, nil
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
		if err := deadline.Wait(ctx, renewEvery); err != nil {
			return err
		}
	}
}

// claim is this instance's claim to a game.
type claim struct {
	a    *Analyses
	room string
	done atomic.Int64 // steps
}

// keep renews the claim with the progress once a second, also while a step waits for a worker. It returns when ctx
// ends, or with [errLost].
func (c *claim) keep(ctx context.Context) error {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			mine, err := c.a.renew(ctx, c.room, int(c.done.Load()))
			if err == nil && !mine {
				err = errLost
			}
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
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
