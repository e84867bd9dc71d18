package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"mancala/engine"
	"mancala/engine/search"
	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/lobby/rating"
	"mancala/lobby/searchpool"
	"mancala/match/deadline"
	"mancala/match/room"
)

const (
	maxKept   = 20_000           // puzzles; then no more are made
	stepTime  = 10 * time.Second // for a position, on a busy machine
	waitBusy  = time.Second      // when the pool is full
	retryWait = time.Minute      // after a look that failed; then twice as long each time
	maxPlies  = 400              // of a game of the computer
	randomly  = 4                // plies at its beginning
	level     = 3                // of both players: games with mistakes have puzzles
	fruitless = 60               // games in a row without a puzzle, after which the computer stops
	settled   = 2 * time.Minute  // after which the list has every game that ended before; watchers lag a minute at most
)

// Want begins the work, if there may be new games or there are too few puzzles. It does not wait for it.
func (p *Puzzles) Want() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opt.Pool == nil || p.closed || p.working || p.opt.Now().Before(p.next) {
		return
	}
	p.working, p.next = true, p.opt.Now().Add(p.opt.Between)
	p.group.Go(func() {
		err := errors.Join(p.mineListed(p.ctx), p.fill(p.ctx))
		p.mu.Lock()
		p.working = false
		if err == nil {
			p.wait = 0
		} else {
			p.wait = min(max(2*p.wait, retryWait), p.opt.Between)
			p.next = p.opt.Now().Add(p.wait)
		}
		p.mu.Unlock()
		if err != nil && p.ctx.Err() == nil {
			lobby.Warn(p.opt.Log, "puzzles: not made", err)
		}
	})
}

// mineListed makes puzzles of games that are over and that every visitor may see. It begins after the last game
// that was looked at. A game that has just ended waits for the next look: one that ended before it may be listed
// later, and would be passed for ever.
func (p *Puzzles) mineListed(ctx context.Context) error {
	before := p.opt.Now().Add(-settled)
	for {
		var after lobby.Place
		var ms int64
		err := p.db.Reader().QueryRowContext(ctx, "SELECT COALESCE(MAX(finished), 0), COALESCE(MAX(room), '') FROM puzzle_progress").Scan(&ms, &after.Room)
		if err != nil {
			return fmt.Errorf("puzzles: progress: %w", err)
		}
		after.At = time.UnixMilli(ms)
		games, err := p.opt.Listed.OverAndListed(ctx, after, 20)
		if err != nil || len(games) == 0 {
			return err
		}
		for _, g := range games {
			if full, err := p.full(ctx, maxKept); err != nil || full {
				return err
			}
			if g.At.After(before) {
				return nil
			}
			switch err := p.mineRoom(ctx, g.Room); {
			case ctx.Err() != nil:
				return ctx.Err()
			case lobby.CodeOf(err) == room.CodeUnavailable:
				return err // the next look begins with it
			case err != nil:
				p.opt.Log.Debug("puzzles: game not looked at", "room", g.Room, "err", err)
			}
			err := p.db.Write(ctx, func(tx lobby.Tx) error {
				_, err := tx.Exec(`INSERT INTO puzzle_progress (one, finished, room) VALUES (1, $1, $2)
					ON CONFLICT (one) DO UPDATE SET finished = excluded.finished, room = excluded.room
					WHERE (puzzle_progress.finished, puzzle_progress.room) < (excluded.finished, excluded.room)`, g.At.UnixMilli(), g.Room)
				return err
			})
			if err != nil {
				return fmt.Errorf("puzzles: progress: %w", err)
			}
		}
	}
}

// full reports whether the number of puzzles is enough or more.
func (p *Puzzles) full(ctx context.Context, enough int) (bool, error) {
	n := 0
	err := p.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM puzzles").Scan(&n)
	return n >= enough, err
}

// mineRoom makes puzzles of a game, as watchers see it. House rules have none: the page leads to the rules of a
// system.
func (p *Puzzles) mineRoom(ctx context.Context, id string) error {
	story, err := analysis.Story(ctx, p.opt.Games, id, "")
	if err != nil {
		return err
	}
	g := story.Match.Game()
	system := systemOf(g)
	if !story.Match.Over() || system == "" || !Suits(g) {
		return nil
	}
	for _, c := range story.Rounds {
		replay := c.Replay(g)
		if _, err := p.mine(ctx, system, id, NewMiner(g, replay.Start, replay.Moves)); err != nil {
			return err
		}
	}
	return nil
}

func systemOf(g *engine.Game) string {
	for _, row := range engine.Systems {
		if rules, _ := engine.System(row.Name); rules.String() == g.Rules().String() {
			return row.Name
		}
	}
	return ""
}

// fill lets the computer play against itself until there are enough puzzles.
func (p *Puzzles) fill(ctx context.Context) error {
	var systems []engine.Row
	for _, row := range engine.Systems {
		if Suits(engine.MustCompile(row.Text)) {
			systems = append(systems, row)
		}
	}
	empty := 0
	for i := 0; empty < fruitless; i++ {
		if full, err := p.full(ctx, p.opt.Enough); err != nil || full {
			return err
		}
		row := systems[i%len(systems)]
		g := engine.MustCompile(row.Text)
		var moves []engine.Move
		start := g.Start()
		if err := p.work(ctx, func(ctx context.Context) { moves = selfPlay(ctx, g, start, p.opt.Run+p.played) }); err != nil {
			return err
		}
		p.played++
		n, err := p.mine(ctx, row.Name, "", NewMiner(g, start, moves))
		if err != nil {
			return err
		}
		empty++
		if n > 0 {
			empty = 0
		}
	}
	return nil
}

// selfPlay returns the moves of a game of the computer against itself.
func selfPlay(ctx context.Context, g *engine.Game, start engine.Position, number uint64) (moves []engine.Move) {
	random, player := rand.New(rand.NewPCG(number, 24)), search.Levels[level-1].Player(g)
	p, h := start, engine.History{}
	for len(moves) < maxPlies && p.Phase == engine.Play && ctx.Err() == nil {
		legal := g.LegalMoves(&p, nil)
		if len(legal) == 0 {
			break
		}
		m := legal[random.IntN(len(legal))]
		if len(moves) >= randomly {
			m, _ = player.Move(ctx, p, &h, number)
		}
		if g.Play(&p, &h, m, nil) != nil {
			break
		}
		moves = append(moves, m)
	}
	return moves
}

// mine stores the puzzles of a game and returns how many of them are new.
func (p *Puzzles) mine(ctx context.Context, system, room string, m *Miner) (added int, err error) {
	for m.More() {
		if err := p.work(ctx, func(ctx context.Context) { m.Step(ctx, p.opt.Nodes) }); err != nil {
			return added, err
		}
	}
	for _, x := range m.Found {
		x.System, x.Room = system, room
		n, err := p.add(ctx, x)
		if err != nil {
			return added, err
		}
		added += n
	}
	return added, nil
}

// add stores a puzzle. A board is one puzzle, whatever game it comes from and at whatever ply.
func (p *Puzzles) add(ctx context.Context, x Puzzle) (n int, err error) {
	x.ID, x.Rating = lobby.DerivedRoomID("puzzle", x.System, board(x.Position)), rating.New
	err = p.db.Write(ctx, func(tx lobby.Tx) error {
		added, err := tx.Exec(`INSERT INTO puzzles (id, system, position, solution, goal, theme, room, made, value, deviation, volatility)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO NOTHING`,
			x.ID, x.System, x.Position, x.Solution, x.Goal, x.Theme, x.Room, p.opt.Now().UnixMilli(), x.Rating.Value, x.Rating.Deviation, x.Rating.Volatility)
		n = int(added)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("puzzles: add %s: %w", x.ID, err)
	}
	return n, nil
}

// board returns the fields of a position that a reader sees: pits, stores and seat (engine/RULES.md §2).
func board(position string) string {
	fields := strings.Fields(position)
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// work runs a step on the pool with the lowest priority, that of analyses. It takes turns with the people
// who wait for an analysis.
func (p *Puzzles) work(ctx context.Context, step func(context.Context)) error {
	for {
		err := p.opt.Pool.Do(ctx, searchpool.Job{Kind: searchpool.Analysis, Who: "puzzles", Budget: stepTime}, step)
		if !errors.Is(err, searchpool.ErrBusy) {
			return err
		}
		if err := deadline.Wait(ctx, waitBusy); err != nil {
			return err
		}
	}
}
