// Package analysis has games that are over looked at, each of them once, whoever asks
// and on whichever instance.
//
// A row in the database is the claim to a game: whoever writes it first does the work,
// ply by ply on the pool of [think], renews his claim as he goes on, and writes down
// what was found. If he dies his claim runs out, and another instance begins anew.
// Since a review depends on the game alone, it does not matter who has made it.
//
// All that is looked at is what watchers of a game may see: of a game with a delay, its
// end once they have seen it.
package analysis

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/lobby"
	"mancala/lobby/searchpool"
	"mancala/match/machine"
)

// Codes of refusals.
const (
	CodeNotOver machine.Code = "analysis-not-over" // the game goes on
	CodeEmpty   machine.Code = "analysis-empty"    // no move was made
	CodeLong    machine.Code = "analysis-long"     // too many were
)

var (
	errNotOver = &machine.Error{Code: CodeNotOver}
	errEmpty   = &machine.Error{Code: CodeEmpty}
	errLong    = &machine.Error{Code: CodeLong}
)

// ErrNone says that nobody has asked for the analysis of a game.
var ErrNone = errors.New("analysis: there is none")

// Options say where games come from and what an analysis may spend. A zero figure means
// the default.
type Options struct {
	Self  string // this instance
	Pool  *searchpool.Pool
	Games Games

	Budget  review.Budget // for a game
	Look    review.Budget // for a position
	AtOnce  int           // games that are looked at here at once; 2
	Waiting int           // games that may wait for that; 50
	Now     func() time.Time
}

const (
	held     = 30 * time.Second // a claim, without a word from who has it
	renewing = time.Second
	sweeping = 10 * time.Second
	tries    = 3                // instances that may fail at a game
	longest  = 30 * time.Second // for a ply, on a machine that has other things to do
)

// Analyses is what has been found out about games. Its methods are safe from any
// goroutine.
type Analyses struct {
	db  lobby.DB
	opt Options

	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup
	slots  chan struct{} // of those that are at work

	mu      sync.Mutex
	running map[string]*run // by room: those that wait, too
	closed  bool
}

// Open brings the table up to date. Close ends what is at work.
func Open(ctx context.Context, db lobby.DB, l *lobby.Lobby, opt Options) (*Analyses, error) {
	if err := db.Migrate(ctx, "analysis", schema); err != nil {
		return nil, err
	}
	l.People.WhenForgotten("UPDATE analyses SET asker = '' WHERE asker = $1")
	if opt.Budget == (review.Budget{}) {
		opt.Budget = review.Budget{Nodes: 60_000, Total: 8_000_000, Memory: 4 << 20}
	}
	if opt.Look == (review.Budget{}) {
		opt.Look = review.Budget{Nodes: 60_000, Memory: 2 << 20}
	}
	if opt.AtOnce <= 0 {
		opt.AtOnce = 2
	}
	if opt.Waiting <= 0 {
		opt.Waiting = 50
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	a := &Analyses{db: db, opt: opt, slots: make(chan struct{}, opt.AtOnce), running: map[string]*run{}}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	return a, nil
}

// Close ends what is at work here and gives it up, so that another instance goes on
// with it at once.
func (a *Analyses) Close() error {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.cancel()
	a.group.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), renewing)
	defer cancel()
	return a.giveUp(ctx)
}

// Analysis is how far that of a game has come, and what was found.
type Analysis struct {
	Asker     string           // who wanted it
	Done, All int              // steps
	Failed    bool             // it was tried again and again
	Rounds    []*review.Review // nil until it has been made
}

// Made says that it is there.
func (x *Analysis) Made() bool { return x.Rounds != nil }

// Find gives the analysis of a game; [ErrNone] if nobody has asked for it.
func (a *Analyses) Find(ctx context.Context, room string) (*Analysis, error) {
	return a.find(ctx, room)
}

// Ask has a game looked at, unless that has been done or is being done. It is refused
// with [searchpool.ErrBusy] if there is no room, and with a code of this package.
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

// Cancel gives up the analysis of a game that has not been made yet. Only who has asked
// for it may.
func (a *Analyses) Cancel(ctx context.Context, room, who string) error {
	gone, err := a.drop(ctx, room, who)
	if gone {
		a.mu.Lock()
		if r := a.running[room]; r != nil {
			r.cancel()
		}
		a.mu.Unlock()
	}
	return err
}

// Look says what each move of a position is worth.
func (a *Analyses) Look(ctx context.Context, g *engine.Game, p engine.Position, who string, from netip.Addr) (ply review.Ply, err error) {
	job := searchpool.Job{Kind: searchpool.Analysis, Who: who, Address: from, Budget: longest}
	busy := a.opt.Pool.Do(ctx, job, func(ctx context.Context) { ply, err = review.Position(ctx, g, p, a.opt.Look) })
	if busy != nil {
		return ply, busy
	}
	return ply, err
}

// Keep takes up, until ctx ends, what other instances have begun and not ended, and
// tells report what failed.
func (a *Analyses) Keep(ctx context.Context, report func(error)) {
	tick := time.NewTicker(sweeping)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := a.takeUp(ctx); err != nil && ctx.Err() == nil {
				report(err)
			}
		case <-ctx.Done():
			return
		}
	}
}
