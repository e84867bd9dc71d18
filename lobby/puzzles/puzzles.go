// Package puzzles makes puzzles of games and keeps them, with a rating for each puzzle and each solver.
//
// A puzzle is a position in which exactly one move gets the best result, a win or a draw. A solver has proved
// the result of every move (miner.go). Positions come from games that are over and that every visitor may see. A
// server with few of them plays games against itself (work.go). The work begins when a person asks for puzzles.
package puzzles

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/lobby/rating"
	"mancala/lobby/searchpool"
	"mancala/match/refusal"
)

// CodeNone refuses a puzzle that does not exist.
const CodeNone refusal.Code = "no-puzzle"

// Themes are what the solution of a puzzle does. A puzzle has the first one that fits.
var Themes = []string{"end", "again", "capture", "relay", "quiet"}

// The goals: what only the solution gets.
const (
	Win  = "win"
	Draw = "draw"
)

// schema is the package's set of migrations. A released step is never changed. Times are ms since 1970.
var schema = []string{`
CREATE TABLE puzzles (
	id         TEXT PRIMARY KEY,
	system     TEXT NOT NULL,
	position   TEXT NOT NULL, -- South is on turn
	solution   TEXT NOT NULL,
	goal       TEXT NOT NULL,
	theme      TEXT NOT NULL,
	room       TEXT NOT NULL, -- the game that it comes from; empty: a game of the computer, or one that was deleted
	made       BIGINT NOT NULL,
	value      DOUBLE PRECISION NOT NULL,
	deviation  DOUBLE PRECISION NOT NULL,
	volatility DOUBLE PRECISION NOT NULL,
	tried      BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX puzzles_room ON puzzles (room) WHERE room <> '';
CREATE TABLE puzzle_days (
	day    TEXT PRIMARY KEY, -- 2026-11-27
	puzzle TEXT NOT NULL
);
CREATE TABLE puzzle_tries ( -- the first try of a player counts
	player TEXT NOT NULL,
	puzzle TEXT NOT NULL,
	solved INTEGER NOT NULL, -- 0 or 1
	PRIMARY KEY (player, puzzle)
);
CREATE TABLE puzzle_solvers (
	player     TEXT PRIMARY KEY,
	value      DOUBLE PRECISION NOT NULL,
	deviation  DOUBLE PRECISION NOT NULL,
	volatility DOUBLE PRECISION NOT NULL,
	tried      BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE puzzle_progress ( -- the last game that was looked at
	one      INTEGER PRIMARY KEY,
	finished BIGINT NOT NULL,
	room     TEXT NOT NULL
);
`}

// Puzzle is a position with one solution.
type Puzzle struct {
	ID, System, Position, Solution string
	Goal, Theme                    string
	Room                           string // the game that it comes from; may be empty
	Rating                         rating.Rating
	Tried                          int // players
}

// Options are what the work needs.
type Options struct {
	Pool    *searchpool.Pool // nil: no puzzles are made
	Games   analysis.Games   // the rooms
	Listed  *lobby.Games
	Log     *slog.Logger
	Enough  int           // with fewer puzzles the computer plays against itself; default 40
	Nodes   uint64        // for a position; default 300,000
	Between time.Duration // two looks for new games; default an hour
	Now     func() time.Time
	Run     uint64 // a number; the games of the computer follow from it; 0: it is drawn
}

// Puzzles are all puzzles. Its methods are safe from any goroutine.
type Puzzles struct {
	db  lobby.DB
	opt Options

	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup

	mu      sync.Mutex
	working bool
	next    time.Time     // when there may be new games
	wait    time.Duration // between the last look and the next if the last one failed; else 0
	closed  bool

	played uint64 // games of the computer; belongs to the work, of which there is one at a time
}

// Open migrates the tables, and registers them for the removal of deleted players and games. Close ends the work.
func Open(ctx context.Context, db lobby.DB, l *lobby.Lobby, opt Options) (*Puzzles, error) {
	if err := db.Migrate(ctx, "puzzles", schema); err != nil {
		return nil, err
	}
	l.People.WhenForgotten(lobby.DeleteSome("puzzle_tries", "player, puzzle", "player = $1"), lobby.DeleteSome("puzzle_solvers", "player", "player = $1"))
	l.Games.WhenDeleted("UPDATE puzzles SET room = '' WHERE room = $1")
	if opt.Enough == 0 {
		opt.Enough = 40
	}
	if opt.Nodes == 0 {
		opt.Nodes = 300_000
	}
	if opt.Run == 0 {
		opt.Run = rand.Uint64()
	}
	if opt.Between == 0 {
		opt.Between = time.Hour
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	p := &Puzzles{db: db, opt: opt}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p, nil
}

// Close ends the work and waits for it.
func (p *Puzzles) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.cancel()
	p.group.Wait()
}

const columns = "id, system, position, solution, goal, theme, room, value, deviation, volatility, tried"

func (x *Puzzle) fields() []any {
	return []any{&x.ID, &x.System, &x.Position, &x.Solution, &x.Goal, &x.Theme, &x.Room, &x.Rating.Value, &x.Rating.Deviation, &x.Rating.Volatility, &x.Tried}
}

// one returns the first puzzle of a query. It refuses with [CodeNone] if there is none.
func (p *Puzzles) one(ctx context.Context, where string, args ...any) (Puzzle, error) {
	return p.after(ctx, 0, where, args...)
}

// after returns the next puzzle of a query after the given number of others. It refuses with [CodeNone] if there
// is none.
func (p *Puzzles) after(ctx context.Context, others int, where string, args ...any) (x Puzzle, err error) {
	query := fmt.Sprintf("SELECT %s FROM puzzles %s LIMIT 1 OFFSET %d", columns, where, others)
	err = p.db.Reader().QueryRowContext(ctx, query, args...).Scan(x.fields()...)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return x, refusal.New(CodeNone)
	case err != nil:
		return x, fmt.Errorf("puzzles: read: %w", err)
	}
	return x, nil
}

// Find returns a puzzle. It refuses with [CodeNone].
func (p *Puzzles) Find(ctx context.Context, id string) (Puzzle, error) {
	return p.one(ctx, "WHERE id = $1", id)
}

// OfDay returns the puzzle of today (UTC), the same for all people. It refuses with [CodeNone] if there are no
// puzzles.
func (p *Puzzles) OfDay(ctx context.Context) (Puzzle, error) {
	day := p.opt.Now().UTC().Format(time.DateOnly)
	const ofDay = "WHERE id = (SELECT puzzle FROM puzzle_days WHERE day = $1)"
	x, err := p.one(ctx, ofDay, day)
	if lobby.CodeOf(err) != CodeNone {
		return x, err
	}
	// One that had no day yet, else the one whose last day is longest ago. IDs are in no order that means anything.
	x, err = p.one(ctx, `LEFT JOIN (SELECT puzzle, MAX(day) AS latest FROM puzzle_days GROUP BY puzzle) AS days ON days.puzzle = id
		ORDER BY COALESCE(days.latest, ''), id`)
	if err != nil {
		return x, err
	}
	err = p.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec("INSERT INTO puzzle_days (day, puzzle) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING", day, x.ID)
		return err
	})
	if err != nil {
		return x, fmt.Errorf("puzzles: day %s: %w", day, err)
	}
	return p.one(ctx, ofDay, day) // another instance may have chosen first
}

// near is the number of puzzles among which one that follows another is drawn.
const near = 10

// Next returns the puzzle nearest to a player's rating that they have not tried, of a theme or of all ("").
// The player may be "". If they leave a puzzle for it, it is another one, drawn among the nearest: so leaving that
// one too does not lead back. It refuses with [CodeNone] if none is left.
func (p *Puzzles) Next(ctx context.Context, player, theme, left string) (Puzzle, error) {
	at, _, err := p.Solver(ctx, player)
	if err != nil {
		return Puzzle{}, err
	}
	const untried = "WHERE (theme = $1 OR $1 = '') AND id NOT IN (SELECT puzzle FROM puzzle_tries WHERE player = $2)"
	const others = untried + " AND id <> $3"
	choices := 0
	if left != "" {
		err := p.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM puzzles "+others, theme, player, left).Scan(&choices)
		if err != nil {
			return Puzzle{}, fmt.Errorf("puzzles: count the next ones: %w", err)
		}
	}
	if choices == 0 {
		return p.one(ctx, untried+" ORDER BY ABS(value - $3), id", theme, player, at.Value)
	}
	return p.after(ctx, rand.IntN(min(choices, near)), others+" ORDER BY ABS(value - $4), id", theme, player, left, at.Value)
}

// Count returns the number of puzzles by theme.
func (p *Puzzles) Count(ctx context.Context) (map[string]int, error) {
	rows, err := p.db.Reader().QueryContext(ctx, "SELECT theme, COUNT(*) FROM puzzles GROUP BY theme")
	if err != nil {
		return nil, fmt.Errorf("puzzles: count: %w", err)
	}
	defer rows.Close()
	all := map[string]int{}
	for rows.Next() {
		var theme string
		var n int
		if err := rows.Scan(&theme, &n); err != nil {
			return nil, fmt.Errorf("puzzles: count: %w", err)
		}
		all[theme] = n
	}
	return all, rows.Err()
}

// Solver returns a player's rating at puzzles, and how many they have tried.
func (p *Puzzles) Solver(ctx context.Context, player string) (r rating.Rating, tried int, err error) {
	err = p.db.Reader().QueryRowContext(ctx, "SELECT value, deviation, volatility, tried FROM puzzle_solvers WHERE player = $1", player).
		Scan(&r.Value, &r.Deviation, &r.Volatility, &tried)
	if errors.Is(err, sql.ErrNoRows) {
		return rating.New, 0, nil
	}
	if err != nil {
		return r, 0, fmt.Errorf("puzzles: rating of %s: %w", player, err)
	}
	return r, tried, nil
}

// Tried reports whether a player has tried a puzzle.
func (p *Puzzles) Tried(ctx context.Context, player, id string) (bool, error) {
	n := 0
	err := p.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM puzzle_tries WHERE player = $1 AND puzzle = $2", player, id).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("puzzles: try of %s: %w", id, err)
	}
	return n > 0, nil
}

// Try notes that a player made a move in a puzzle, and reports whether it is the solution. The first try of a
// player is a game against the puzzle: it changes both ratings. It refuses with [CodeNone] and
// [lobby.CodeNoPlayer].
func (p *Puzzles) Try(ctx context.Context, player, id, move string) (solved bool, err error) {
	err = p.db.Write(ctx, func(tx lobby.Tx) error {
		var x Puzzle
		err := tx.Scan("SELECT "+columns+" FROM puzzles WHERE id = $1", []any{id}, x.fields()...)
		if errors.Is(err, sql.ErrNoRows) {
			return refusal.New(CodeNone)
		}
		if err != nil {
			return err
		}
		solved = move == x.Solution
		var there string
		err = tx.Scan("SELECT id FROM players WHERE id = $1", []any{player}, &there)
		if errors.Is(err, sql.ErrNoRows) {
			return refusal.New(lobby.CodeNoPlayer)
		}
		if err != nil {
			return err
		}
		first, err := tx.Exec("INSERT INTO puzzle_tries (player, puzzle, solved) VALUES ($1, $2, $3) ON CONFLICT (player, puzzle) DO NOTHING",
			player, id, lobby.Number(solved))
		if err != nil || first == 0 {
			return err
		}
		return count(tx, player, id, solved)
	})
	if err != nil {
		return false, fmt.Errorf("puzzles: try %s: %w", id, err)
	}
	return solved, nil
}

// count changes the ratings of a puzzle and of a player. Its first statements lock both rows.
func count(tx lobby.Tx, player, id string, solved bool) error {
	if _, err := tx.Exec("UPDATE puzzles SET tried = tried + 1 WHERE id = $1", id); err != nil {
		return err
	}
	n := rating.New
	if _, err := tx.Exec(`INSERT INTO puzzle_solvers (player, value, deviation, volatility, tried) VALUES ($1, $2, $3, $4, 1)
		ON CONFLICT (player) DO UPDATE SET tried = puzzle_solvers.tried + 1`, player, n.Value, n.Deviation, n.Volatility); err != nil {
		return err
	}
	var puzzle, solver rating.Rating
	if err := tx.Scan("SELECT value, deviation, volatility FROM puzzles WHERE id = $1", []any{id}, &puzzle.Value, &puzzle.Deviation, &puzzle.Volatility); err != nil {
		return err
	}
	if err := tx.Scan("SELECT value, deviation, volatility FROM puzzle_solvers WHERE player = $1", []any{player}, &solver.Value, &solver.Deviation, &solver.Volatility); err != nil {
		return err
	}
	score := float64(lobby.Number(solved))
	a, b := solver.Beat(puzzle, score, 0), puzzle.Beat(solver, 1-score, 0)
	if _, err := tx.Exec("UPDATE puzzle_solvers SET value = $2, deviation = $3, volatility = $4 WHERE player = $1", player, a.Value, a.Deviation, a.Volatility); err != nil {
		return err
	}
	_, err := tx.Exec("UPDATE puzzles SET value = $2, deviation = $3, volatility = $4 WHERE id = $1", id, b.Value, b.Deviation, b.Volatility)
	return err
}
