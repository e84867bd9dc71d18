package analysis

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"mancala/lobby/searchpool"
)

// Find returns the analysis of a game, or [ErrNone] if it was not requested.
func (a *Analyses) Find(ctx context.Context, room string) (*Analysis, error) {
	return a.find(ctx, room)
}

// Ask requests the analysis of a game, unless it exists or is in progress. who and from
// are the person and the address that the pool counts. The error is [searchpool.ErrBusy]
// if too many games wait, or has a code of this package.
func (a *Analyses) Ask(ctx context.Context, room, who string, from netip.Addr) (*Analysis, error) {
	found, err := a.find(ctx, room)
	if err == nil && !found.Failed || err != nil && !errors.Is(err, ErrNone) {
		return found, err
	}
	all, err := a.size(ctx, room)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	full := a.closed || len(a.running) >= a.opt.Waiting+a.opt.AtOnce
	a.mu.Unlock()
	if full {
		return nil, searchpool.ErrBusy
	}
	mine, err := a.claim(ctx, room, who, all)
	if err != nil {
		return nil, err
	}
	if mine {
		a.begin(work{room, who, from})
	}
	return a.find(ctx, room)
}

// Cancel cancels the analysis of a game that is not complete. It does nothing if another player has
// requested the analysis.
func (a *Analyses) Cancel(ctx context.Context, room, player string) error {
	dropped, err := a.drop(ctx, room, player)
	if dropped {
		a.mu.Lock()
		if r := a.running[room]; r != nil {
			r.cancel()
		}
		a.mu.Unlock()
	}
	return err
}

// Keep takes over the analyses that other instances have abandoned, until ctx ends. It
// passes errors to report.
func (a *Analyses) Keep(ctx context.Context, report func(error)) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := a.takeOverAbandoned(ctx); err != nil && ctx.Err() == nil {
				report(err)
			}
		case <-ctx.Done():
			return
		}
	}
}
