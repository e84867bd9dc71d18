package rating

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"mancala/lobby"
)

// Ratings is the ratings of all players. Its methods are safe from any goroutine, and any
// number of instances may share the tables.
type Ratings struct {
	db  lobby.DB
	now func() time.Time

	boards  atomic.Pointer[boardList] // nil before the first read
	reading singleflight.Group        // of boards
}

// Open migrates the tables, and registers them with people for the removal of deleted
// players.
func Open(ctx context.Context, db lobby.DB, people *lobby.People) (*Ratings, error) {
	if err := db.Migrate(ctx, "rating", schema); err != nil {
		return nil, fmt.Errorf("rating: open: %w", err)
	}
	people.WhenForgotten(lobby.DeleteSome("ratings", "player, system, speed", "player = $1"), lobby.DeleteSome("rated_games", "room, player", "player = $1"))
	return &Ratings{db: db, now: time.Now}, nil
}

// Game is a rated game that is over.
type Game struct {
	Room, System, Speed string
	Players             [2]string // by seat
	Score               float64   // of seat 0: 1, 0.5 or 0

	at time.Time // of counting it
}

// Change is a rating before and after a game.
type Change struct{ Before, After Rating }

// Count rates a game and returns the changes by seat. For a game that was counted before
// it changes nothing, and returns the changes of that time. It returns nil if the game does
// not count, because a player has no account or was deleted.
func (r *Ratings) Count(ctx context.Context, g Game) (changes []Change, err error) {
	g.at = r.now()
	err = r.db.Write(ctx, func(tx lobby.Tx) error {
		changes, err = g.count(tx)
		return err
	})
	return changes, wrap(err, "count game %s", g.Room)
}

func (g *Game) count(tx lobby.Tx) ([]Change, error) {
	if counted, err := g.counted(tx); counted != nil || err != nil {
		return counted, err
	}
	accounts := 0
	err := tx.Scan("SELECT COUNT(*) FROM players WHERE id IN ($1, $2) AND account <> 0", []any{g.Players[0], g.Players[1]}, &accounts)
	if accounts < 2 || err != nil {
		return nil, err
	}
	held, err := g.hold(tx)
	if err != nil {
		return nil, err
	}
	// Look again: another transaction that counted the game held these rows until now.
	if counted, err := g.counted(tx); counted != nil || err != nil {
		return counted, err
	}
	var before [2]Rating
	for seat, s := range held {
		before[seat] = s.After(g.at.Sub(s.At))
	}
	changes := make([]Change, 2)
	for seat, s := range held {
		score := g.Score
		if seat == 1 {
			score = 1 - g.Score
		}
		changes[seat] = Change{before[seat], s.Beat(before[1-seat], score, g.at.Sub(s.At))}
		if err := g.put(tx, seat, score, changes[seat]); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// hold reads the ratings of both players and locks them until the transaction ends. It
// creates missing ratings. Every transaction locks them in the same order, so that no two
// wait for each other.
func (g *Game) hold(tx lobby.Tx) (held [2]PlayerRating, err error) {
	order := []int{0, 1}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(g.Players[a], g.Players[b]) })
	for _, seat := range order {
		key := []any{g.Players[seat], g.System, g.Speed}
		if _, err := tx.Exec(`INSERT INTO ratings (player, system, speed, value, deviation, volatility, games, at)
			VALUES ($1, $2, $3, $4, $5, $6, 0, $7) ON CONFLICT (player, system, speed) DO NOTHING`,
			append(key, New.Value, New.Deviation, New.Volatility, g.at.UnixMilli())...); err != nil {
			return held, err
		}
		if _, err := tx.Exec("UPDATE ratings SET games = games WHERE player = $1 AND system = $2 AND speed = $3", key...); err != nil {
			return held, err
		}
		s := &held[seat]
		var at int64
		if err := tx.Scan("SELECT value, deviation, volatility, at FROM ratings WHERE player = $1 AND system = $2 AND speed = $3",
			key, &s.Value, &s.Deviation, &s.Volatility, &at); err != nil {
			return held, err
		}
		s.At = time.UnixMilli(at)
	}
	return held, nil
}

// put stores a change. The time of a rating never goes back, because the clocks of
// instances may differ.
func (g *Game) put(tx lobby.Tx, seat int, score float64, c Change) error {
	player, at := g.Players[seat], g.at.UnixMilli()
	if _, err := tx.Exec(`INSERT INTO rated_games
		(room, player, seat, system, speed, halves, at, value_before, deviation_before, value, deviation)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		g.Room, player, seat, g.System, g.Speed, int(2*score), at, c.Before.Value, c.Before.Deviation, c.After.Value, c.After.Deviation); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE ratings SET value = $4, deviation = $5, volatility = $6, games = games + 1,
		at = CASE WHEN at > $7 THEN at ELSE $7 END
		WHERE player = $1 AND system = $2 AND speed = $3`, player, g.System, g.Speed, c.After.Value, c.After.Deviation, c.After.Volatility, at)
	return err
}

// counted returns the changes of a game, or nil if it was not counted yet.
func (g *Game) counted(tx lobby.Tx) ([]Change, error) {
	changes, found := make([]Change, 2), false
	for seat := range changes {
		c := &changes[seat]
		err := tx.Scan("SELECT value_before, deviation_before, value, deviation FROM rated_games WHERE room = $1 AND seat = $2",
			[]any{g.Room, seat}, &c.Before.Value, &c.Before.Deviation, &c.After.Value, &c.After.Deviation)
		switch {
		case errors.Is(err, sql.ErrNoRows): // not counted, or the player was deleted since
		case err != nil:
			return nil, err
		default:
			found = true
		}
	}
	if !found {
		return nil, nil
	}
	return changes, nil
}

func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("rating: %s: %w", fmt.Sprintf(format, args...), err)
}
