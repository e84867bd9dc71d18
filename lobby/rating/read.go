package rating

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mancala/lobby"
)

// PlayerRating is a player's rating for one game and speed.
type PlayerRating struct {
	Player, System, Speed string
	Rating                // with today's deviation, if a method of [Ratings] returned it
	Games                 int
	At                    time.Time // when the last game ended
}

// scan returns ratings with today's deviation. The query must select columns.
func (r *Ratings) scan(ctx context.Context, query string, args ...any) (list []PlayerRating, err error) {
	rows, err := r.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	now := r.now()
	for rows.Next() {
		var s PlayerRating
		var at int64
		if err := rows.Scan(&s.Player, &s.System, &s.Speed, &s.Value, &s.Deviation, &s.Volatility, &s.Games, &at); err != nil {
			return nil, err
		}
		s.At = time.UnixMilli(at)
		s.Rating = s.After(now.Sub(s.At))
		list = append(list, s)
	}
	return list, rows.Err()
}

const columns = "player, system, speed, value, deviation, volatility, games, at"

// Of returns the ratings of some players for one game and speed, by player. Players
// without a rated game are left out; callers may use [New] for them.
func (r *Ratings) Of(ctx context.Context, ids []string, system, speed string) (map[string]PlayerRating, error) {
	found := make(map[string]PlayerRating, len(ids))
	for ids := range slices.Chunk(ids, 100) {
		places, args := lobby.Among(3, ids)
		list, err := r.scan(ctx, "SELECT "+columns+" FROM ratings WHERE system = $1 AND speed = $2 AND games > 0 AND player IN ("+places+")",
			append([]any{system, speed}, args...)...)
		if err != nil {
			return nil, wrap(err, "read ratings")
		}
		for _, s := range list {
			found[s.Player] = s
		}
	}
	return found, nil
}

// All returns a player's ratings, by the number of games.
func (r *Ratings) All(ctx context.Context, player string) ([]PlayerRating, error) {
	list, err := r.scan(ctx, "SELECT "+columns+" FROM ratings WHERE player = $1 AND games > 0 ORDER BY games DESC, system, speed", player)
	return list, wrap(err, "read ratings of %s", player)
}

// MinGames is the number of rated games that a leaderboard requires.
const MinGames = 10

// onTop is the condition for a leaderboard; $1 is now in ms. It is [Rating.Provisional]
// for today's deviation.
var onTop = fmt.Sprintf("games >= %d AND deviation * deviation + volatility * volatility * %.12f * ($1 - at) <= %d",
	MinGames, scale*scale/float64(away.Milliseconds()), provisional*provisional)

// Place is a line of a leaderboard.
type Place struct {
	Rank int // from 1; the same for the same rating
	PlayerRating
}

// Top returns at most limit lines of a leaderboard. Provisional ratings are not on it.
func (r *Ratings) Top(ctx context.Context, system, speed string, limit int) ([]Place, error) {
	list, err := r.scan(ctx, "SELECT "+columns+" FROM ratings WHERE system = $2 AND speed = $3 AND "+onTop+" ORDER BY value DESC, player LIMIT $4",
		r.now().UnixMilli(), system, speed, max(limit, 0))
	places := make([]Place, len(list))
	for i, s := range list {
		places[i] = Place{i + 1, s}
		if i > 0 && s.Value == places[i-1].Value {
			places[i].Rank = places[i-1].Rank
		}
	}
	return places, wrap(err, "read the leaderboard of %s %s", system, speed)
}

// Where returns a player's own line. It is nil without a rating, and has rank 0 if the
// rating is not on the leaderboard yet.
func (r *Ratings) Where(ctx context.Context, player, system, speed string) (*Place, error) {
	list, err := r.scan(ctx, "SELECT "+columns+" FROM ratings WHERE player = $1 AND system = $2 AND speed = $3 AND games > 0", player, system, speed)
	if err != nil || len(list) == 0 {
		return nil, wrap(err, "read a rating of %s", player)
	}
	p := &Place{0, list[0]}
	if p.Provisional() || p.Games < MinGames {
		return p, nil
	}
	var better int
	err = r.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM ratings WHERE system = $2 AND speed = $3 AND "+onTop+" AND value > $4",
		r.now().UnixMilli(), system, speed, p.Value).Scan(&better)
	p.Rank = better + 1
	return p, wrap(err, "rank %s", player)
}

// Board is a leaderboard with at least one player.
type Board struct {
	System, Speed string
	People        int
}

// boardList is all leaderboards at a time.
type boardList struct {
	boards []Board
	read   time.Time
}

const (
	boardsFresh   = time.Minute      // how old the list of leaderboards may be
	boardsTimeout = 10 * time.Second // for reading it
)

// Boards returns all leaderboards with at least one player, as they were at most a minute ago. All callers share
// the list and must not change it: it is read from all ratings, which takes seconds in a large database.
func (r *Ratings) Boards(ctx context.Context) ([]Board, error) {
	if l := r.freshBoards(); l != nil {
		return l.boards, nil
	}
	read, err, _ := r.reading.Do("", func() (any, error) {
		if l := r.freshBoards(); l != nil { // another caller has just read it
			return l.boards, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), boardsTimeout) // others wait, too
		defer cancel()
		l := &boardList{read: r.now()}
		var err error
		if l.boards, err = r.readBoards(ctx); err == nil {
			r.boards.Store(l)
		}
		return l.boards, err
	})
	boards, _ := read.([]Board)
	return boards, err
}

// freshBoards returns the list of leaderboards if it may still be shown, or nil.
func (r *Ratings) freshBoards() *boardList {
	if l := r.boards.Load(); l != nil && r.now().Sub(l.read) < boardsFresh {
		return l
	}
	return nil
}

func (r *Ratings) readBoards(ctx context.Context) (boards []Board, err error) {
	rows, err := r.db.Reader().QueryContext(ctx, "SELECT system, speed, COUNT(*) FROM ratings WHERE "+onTop+
		" GROUP BY system, speed ORDER BY system, speed", r.now().UnixMilli())
	if err != nil {
		return nil, wrap(err, "list leaderboards")
	}
	defer rows.Close()
	for rows.Next() {
		var b Board
		if err := rows.Scan(&b.System, &b.Speed, &b.People); err != nil {
			return nil, wrap(err, "list leaderboards")
		}
		boards = append(boards, b)
	}
	return boards, wrap(rows.Err(), "list leaderboards")
}

// Point is a rating after a game.
type Point struct {
	Room             string
	At               time.Time
	Value, Deviation float64
}

// Chart returns the points of a rating chart: the last games, at most limit, oldest first.
func (r *Ratings) Chart(ctx context.Context, player, system, speed string, limit int) (chart []Point, err error) {
	rows, err := r.db.Reader().QueryContext(ctx, `SELECT room, at, value, deviation FROM rated_games
		WHERE player = $1 AND system = $2 AND speed = $3 ORDER BY at DESC, room LIMIT $4`, player, system, speed, max(limit, 0))
	if err != nil {
		return nil, wrap(err, "read the chart of %s", player)
	}
	defer rows.Close()
	for rows.Next() {
		var p Point
		var at int64
		if err := rows.Scan(&p.Room, &at, &p.Value, &p.Deviation); err != nil {
			return nil, wrap(err, "read the chart of %s", player)
		}
		p.At = time.UnixMilli(at)
		chart = append(chart, p)
	}
	slices.Reverse(chart)
	return chart, wrap(rows.Err(), "read the chart of %s", player)
}
