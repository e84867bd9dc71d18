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
	who  string // for whom, as the pool counts
	from netip.Addr
}

// run is a goroutine at work on a game.
type run struct {
	ctx    context.Context // ends when the work is given up
	cancel context.CancelFunc
	done   chan struct{} // closed when nothing of it is left
}

// begin starts the work on a game; nothing if it has been started. Work that was given
// up may still be on its way out: the new one waits for that.
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
		// The row says whether the game waits for another try, unless it was left on purpose.
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

// errLost says that the game is another's now, or nobody's.
var errLost = errors.New("analysis: not ours any more")

// do looks at a game from its end to its beginning and writes down what was found.
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

// enter waits until there is a place, and holds the claim meanwhile.
func (a *Analyses) enter(ctx context.Context, c *claim) error {
	tick := time.NewTicker(renewing)
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

// step takes one step on a worker. If there is no room it tries again: somebody waits
// for the whole.
func (a *Analyses) step(ctx context.Context, w work, r *review.Reviewer) error {
	job := searchpool.Job{Kind: searchpool.Analysis, Who: w.who, Address: w.from, Budget: longest}
	for {
		var err error
		busy := a.opt.Pool.Do(ctx, job, func(ctx context.Context) { err = r.Step(ctx) })
		if busy == nil || !errors.Is(busy, searchpool.ErrBusy) {
			return errors.Join(busy, err)
		}
		select {
		case <-time.After(renewing):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// claim is this instance's right to a game, while it lasts.
type claim struct {
	a    *Analyses
	room string
	done int
	at   time.Time // when it was last renewed
}

// renew says how far the work has come, once a second.
func (c *claim) renew(ctx context.Context) error {
	if now := time.Now(); now.Sub(c.at) < renewing {
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

// takeUp goes on with what others have left, as far as there is a place here.
func (a *Analyses) takeUp(ctx context.Context) error {
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
