package lobby

import (
	"context"
	"errors"
	"slices"
	"time"

	"mancala/match/journal"
)

// Rooms stores the rooms of games.
type Rooms interface {
	// Delete removes a room that sleeps for good, with its entries. It returns
	// [journal.ErrConflict] if the room does not, and nil if there is no such room.
	Delete(ctx context.Context, room string) error
}

// walkEvery is how often a sweep looks at all old games again. In between it looks only at
// those that have become old since. A game is kept for an account, which may be deleted.
const walkEvery = 24 * time.Hour

// gameWalk is how far the sweep of old games has come.
type gameWalk struct {
	began    time.Time
	finished gamePlace // among the games in players' lists
	orphaned gamePlace // among the others
}

// gamePlace is a position in a list of rooms by time.
type gamePlace struct {
	at   int64
	room string
}

// WhenDeleted adds statements that delete a game's rows from other packages' tables. $1 is
// the room. Call it before the first request is served.
func (g *Games) WhenDeleted(statements ...string) {
	g.forgetting = append(g.forgetting, statements...)
}

// sweep deletes the games that ended before GamesKept, with all that belongs to them, unless
// one of their people has an account. It can be broken off at any time: what was not deleted
// is found again.
func (g *Games) sweep(ctx context.Context) error {
	if g.opt.GamesKept <= 0 || g.opt.Rooms == nil {
		return nil
	}
	g.sweeping.Lock()
	defer g.sweeping.Unlock()
	now := g.opt.now()
	if now.Sub(g.walk.began) >= walkEvery {
		g.walk = gameWalk{began: now}
	}
	before := now.Add(-g.opt.GamesKept).UnixMilli()
	err := g.sweepSince(ctx, &g.walk.finished, before, oldGames)
	if err == nil {
		err = g.sweepSince(ctx, &g.walk.orphaned, before, oldOrphans)
	}
	if err != nil {
		g.walk.began = time.Time{} // the next sweep starts over
	}
	return wrap(err, "sweep games")
}

// oldGames and oldOrphans select games before $1 that come after the place of $2 and $3, at
// most $4: those in players' lists, and the others.
const (
	oldGames = `SELECT DISTINCT finished, room FROM games
		WHERE ended = 1 AND finished < $1 AND (finished > $2 OR finished = $2 AND room > $3) ORDER BY finished, room LIMIT $4`
	oldOrphans = `SELECT since, room FROM orphaned_games
		WHERE since < $1 AND (since > $2 OR since = $2 AND room > $3) ORDER BY since, room LIMIT $4`
)

// sweepSince deletes the games that a query lists after a place, and moves the place on.
func (g *Games) sweepSince(ctx context.Context, place *gamePlace, before int64, query string) error {
	for {
		list, err := g.old(ctx, query, before, place.at, place.room, swept)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, game := range list {
			if err := g.sweepOne(ctx, game.room); err != nil {
				return err
			}
			*place = game
		}
	}
}

func (g *Games) old(ctx context.Context, query string, args ...any) (list []gamePlace, err error) {
	rows, err := g.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p gamePlace
		if err := rows.Scan(&p.at, &p.room); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}

// sweepOne deletes a game, unless one of its people has an account or it has not ended.
func (g *Games) sweepOne(ctx context.Context, room string) error {
	begun, held := time.Now(), 0
	err := g.db.Reader().QueryRowContext(ctx, `SELECT COUNT(*) FROM games g LEFT JOIN players p ON p.id = g.player
		WHERE g.room = $1 AND (g.ended = 0 OR p.account <> 0)`, room).Scan(&held)
	if err != nil || held > 0 {
		return err
	}
	// The room goes first: its list entries are what the next sweep finds it by.
	if err := g.opt.Rooms.Delete(ctx, room); errors.Is(err, journal.ErrConflict) {
		return nil // a reader has opened it
	} else if err != nil {
		return err
	}
	if _, err := Trim(ctx, g.db, DeleteSome("chat", "room, stream, n", "room = $1"), room); err != nil {
		return err
	}
	err = g.db.Write(ctx, func(tx Tx) error {
		own := []string{"DELETE FROM invitations WHERE room = $1", "DELETE FROM orphaned_games WHERE room = $1", "DELETE FROM games WHERE room = $1"}
		for _, statement := range slices.Concat(g.forgetting, own) {
			if _, err := tx.Exec(statement, room); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return journal.Rest(ctx, time.Since(begun))
}
