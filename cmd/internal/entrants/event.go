package entrants

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/ledger"
	"mancala/lobby/tournament"
	"mancala/web/webtest"
)

// Options say who plays in a tournament, and how.
type Options struct {
	Settings tournament.Settings
	Players  int
	Think    time.Duration // the average time before a move; 0: none
	CheckIn  bool          // every player checks in
	Run      uint64        // its number; the moves follow from it
}

// Event is a tournament that is played. Its methods are for one goroutine.
type Event struct {
	Options
	id      string
	service *Service
	host    *host
	players []*player
	stop    context.CancelCauseFunc
	ctx     context.Context // of the sockets
	group   sync.WaitGroup

	entered, seated atomic.Int64 // players who have seen themselves in the list, and their games

	mu      sync.Mutex
	games   map[string]*ledger.Game // by room
	latency []time.Duration         // from the end of a game until its players know that it counts
}

// Open makes a tournament. Its players join, each on another instance than the one before, and
// follow it. The caller must close it, unless there is an error.
func Open(ctx context.Context, s *Service, o Options) (*Event, error) {
	e := &Event{Options: o, service: s, games: map[string]*ledger.Game{}}
	e.ctx, e.stop = context.WithCancelCause(ctx)
	creator := s.person(0)
	var err error
	if e.id, err = creator.make(ctx, o.Settings); err != nil {
		return nil, err
	}
	e.host = &host{room: e.id, changed: make(chan struct{}), done: map[string]bool{}}
	e.open(&e.host.line, creator, e.host.takes)
	if err := e.enter(); err != nil {
		e.Close()
		return nil, err
	}
	for _, p := range e.players {
		e.open(&p.line, p.person, p.takes)
	}
	err = e.host.until(e.ctx, "the host's page", func(*tournament.State) bool { return true })
	for err == nil && e.entered.Load() < int64(len(e.players)) {
		if cli.Pause(e.ctx, 5*time.Millisecond) != nil {
			err = fmt.Errorf("entrants: %d of %d players see themselves in the list: %w", e.entered.Load(), len(e.players), context.Cause(e.ctx))
		}
	}
	if err == nil && o.CheckIn { // so that no round starts among the entries of all who check in
		err = e.host.until(e.ctx, "all players to check in", func(t *tournament.State) bool {
			return !slices.ContainsFunc(t.Players, func(p tournament.Player) bool { return !p.Here })
		})
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// enter lets all players join.
func (e *Event) enter() error {
	e.players = make([]*player, e.Players)
	var next atomic.Int64
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < e.Players && e.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				p := &player{event: e, random: rand.New(rand.NewPCG(e.Run, uint64(i)))}
				p.person = e.service.person(i)
				if err := p.join(e.ctx, e.id, fmt.Sprintf("Player %d", i+1)); err != nil {
					e.stop(err)
				}
				e.players[i] = p
			}
		})
	}
	group.Wait()
	if e.ctx.Err() != nil {
		return context.Cause(e.ctx)
	}
	return nil
}

// open opens the page of a tournament.
func (e *Event) open(l *line, p *person, take func(frame) error) {
	l.person, l.take, l.fail, l.rooms = p, take, e.stop, map[string]*following{e.id: {}}
	e.group.Go(func() { l.run(e.ctx) })
}

// Close closes all sockets.
func (e *Event) Close() {
	e.stop(nil)
	e.group.Wait()
	e.service.Leave()
}

// ID returns the ID of the tournament's room.
func (e *Event) ID() string { return e.id }

// acknowledge notes that the service has acknowledged a ply.
func (e *Event) acknowledge(room string, t webtest.Turn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	g := e.games[room]
	if g == nil {
		g = ledger.NewGame(room, e.Settings.Rules)
		e.games[room] = g
	}
	g.Acknowledge([]webtest.Turn{t})
}

// counted notes how long it took until a game was counted.
func (e *Event) counted(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.latency = append(e.latency, d)
}

// Counted returns how long it took after each game until its players knew that it counts.
func (e *Event) Counted() []time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.latency)
}

// Plies returns how many plies the service has acknowledged.
func (e *Event) Plies() (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, g := range e.games {
		n += len(g.Plies)
	}
	return n
}

// A Started round says how long its start took.
type Started struct {
	Games  int
	Opened time.Duration // until the host saw that every game was open
	Seated time.Duration // until every player had their game before them
}

// Start starts the next round, and waits until all its games are open. asked is called once the
// command is on its way, unless it is nil.
func (e *Event) Start(asked func()) (s Started, err error) {
	round := 0
	e.host.mu.Lock()
	if e.host.state != nil {
		round = len(e.host.state.Rounds) + 1
	}
	e.host.mu.Unlock()
	seated := e.seated.Load()
	began := time.Now()
	answered := make(chan error, 1)
	go func() { answered <- e.host.order(e.ctx, tournament.KindStart, map[string]any{"round": round}) }()
	if asked != nil {
		asked()
	}
	if err := <-answered; err != nil {
		return s, err
	}
	err = e.host.until(e.ctx, "the games of the round", func(t *tournament.State) bool {
		if len(t.Rounds) < round || len(t.Rounds[round-1]) == 0 {
			return false
		}
		s.Games = 0
		for _, b := range t.Rounds[round-1] {
			if len(b.Games) > 0 {
				s.Games++
				if !b.Games[0].Opened {
					return false
				}
			}
		}
		return true
	})
	s.Opened = time.Since(began)
	for err == nil && e.seated.Load() < seated+2*int64(s.Games) {
		if err = cli.Pause(e.ctx, 2*time.Millisecond); err != nil {
			err = fmt.Errorf("entrants: %d of %d players sit before their games: %w", e.seated.Load()-seated, 2*s.Games, context.Cause(e.ctx))
		}
	}
	s.Seated = time.Since(began)
	return s, err
}

// Until waits until enough(over, all) returns true. over is the number of boards of the last round with a
// result, and all the number of its boards.
func (e *Event) Until(enough func(over, all int) bool) error {
	return e.host.until(e.ctx, "results", func(t *tournament.State) bool {
		over, all := 0, 0
		if n := len(t.Rounds); n > 0 {
			all = len(t.Rounds[n-1])
			for _, b := range t.Rounds[n-1] {
				if b.Result != "" {
					over++
				}
			}
		}
		return enough(over, all)
	})
}

// Play waits until every board of the last round has a result.
func (e *Event) Play() error {
	return e.Until(func(over, all int) bool { return over == all && all > 0 })
}

// StopWaves lets no player of an arena or a class be paired any more.
func (e *Event) StopWaves() error { return e.host.order(e.ctx, tournament.KindWait, nil) }

// Finish ends the tournament.
func (e *Event) Finish() error {
	if err := e.host.order(e.ctx, tournament.KindFinish, nil); err != nil {
		return err
	}
	return e.host.until(e.ctx, "the end", func(t *tournament.State) bool { return t.Stage == tournament.Over })
}

// Rounds returns how many rounds the tournament has.
func (e *Event) Rounds() int {
	switch e.Settings.Format {
	case tournament.Swiss:
		return e.Settings.Rounds
	case tournament.Knockout:
		return bits.Len(uint(e.Players - 1))
	}
	return 1
}
