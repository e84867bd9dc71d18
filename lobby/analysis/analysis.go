// Package analysis reviews games that are over. Each game is reviewed once for all people
// and all instances.
//
// A row in the database is the claim to a game. The instance that writes it first does
// the work, ply by ply on the [searchpool]. It renews its claim meanwhile and writes down
// the result. If the instance dies, its claim expires, and another instance starts again.
// A review depends only on the game, so it does not matter which instance makes it.
//
// A review uses only what the watchers of a game may see. A game with a delay is over
// once its watchers have seen the end.
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
	"mancala/match/refusal"
)

// Codes of refusals.
const (
	CodeNotOver refusal.Code = "analysis-not-over" // the game goes on
	CodeEmpty   refusal.Code = "analysis-empty"    // the game has no moves
	CodeLong    refusal.Code = "analysis-long"     // the game has too many moves
)

var (
	errNotOver = refusal.New(CodeNotOver)
	errEmpty   = refusal.New(CodeEmpty)
	errLong    = refusal.New(CodeLong)
)

// ErrNone means that no analysis of a game was requested.
var ErrNone = errors.New("analysis: not requested")

// Options are the source of games and the limits of an analysis. A zero means the
// default.
type Options struct {
	Self  string // this instance
	Pool  *searchpool.Pool
	Games Games

	Budget  review.Budget // for a game
	Look    review.Budget // for a position
	AtOnce  int           // games that this instance analyses at a time; default 2
	Waiting int           // games that may wait here; default 50
	Kept    time.Duration // after which an analysis is deleted; it can be made again; default a year; less than 0: never
	Now     func() time.Time
}

const (
	claimFor   = 30 * time.Second // how long a claim holds without renewal
	renewEvery = time.Second
	sweepEvery = 10 * time.Second
	maxTries   = 3                // instances that may fail at a game
	plyBudget  = 30 * time.Second // for a ply, on a busy machine
)

// Analyses runs and stores the analyses of games. Its methods are safe from any
// goroutine.
type Analyses struct {
	db  lobby.DB
	opt Options

	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup
	slots  chan struct{} // one value for each game that is being analysed

	mu      sync.Mutex
	running map[string]*run // by room, with those that wait
	closed  bool
}

// Open migrates the table. Close ends the running analyses.
func Open(ctx context.Context, db lobby.DB, l *lobby.Lobby, opt Options) (*Analyses, error) {
	if err := db.Migrate(ctx, "analysis", schema); err != nil {
		return nil, err
	}
	l.People.WhenForgotten(lobby.UpdateSome("analyses", "room", "asker = ''", "asker = $1"))
	l.Games.WhenDeleted("DELETE FROM analyses WHERE room = $1")
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
	if opt.Kept == 0 {
		opt.Kept = 365 * 24 * time.Hour
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	a := &Analyses{db: db, opt: opt, slots: make(chan struct{}, opt.AtOnce), running: map[string]*run{}}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	return a, nil
}

// Close ends the running analyses and releases their claims, so that another instance
// can start them at once.
func (a *Analyses) Close() error {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.cancel()
	a.group.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), renewEvery)
	defer cancel()
	return a.release(ctx)
}

// Analysis is the progress and the result of the analysis of a game.
type Analysis struct {
	Asker     string           // the player who requested it
	Done, All int              // steps
	Failed    bool             // every try has failed
	Rounds    []*review.Review // nil until the analysis is complete
}

// Made reports whether the analysis is complete.
func (x *Analysis) Made() bool { return x.Rounds != nil }

// Look returns the value of each move in a position.
func (a *Analyses) Look(ctx context.Context, g *engine.Game, p engine.Position, who string, from netip.Addr) (ply review.Ply, err error) {
	job := searchpool.Job{Kind: searchpool.Analysis, Who: who, Address: from, Budget: plyBudget}
	busy := a.opt.Pool.Do(ctx, job, func(ctx context.Context) { ply, err = review.Position(ctx, g, p, a.opt.Look) })
	if busy != nil {
		return ply, busy
	}
	return ply, err
}
