package rating

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Standing is somebody's rating for one game and speed.
type Standing struct {
	Player, System, Speed string
	Rating                // as of now, where it was read for people
	Games                 int
	At                    time.Time // when the last one ended
}

// scan reads standings as of now; the query gives the columns of columns.
func (r *Ratings) scan(ctx context.Context, query string, args ...any) (list []Standing, err error) {
	rows, err := r.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	now := r.now()
	for rows.Next() {
		var s Standing
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

// Of are the ratings of some players for one game and speed, by player. Who has
// played no rated game of it is not among them; others may take him for [New].
func (r *Ratings) Of(ctx context.Context, ids []string, system, speed string) (map[string]Standing, error) {
	found := make(map[string]Standing, len(ids))
	for ids := range slices.Chunk(ids, 100) {
		places, args := make([]string, len(ids)), []any{system, speed}
		for i, id := range ids {
			places[i], args = fmt.Sprintf("$%d", i+3), append(args, id)
		}
		list, err := r.scan(ctx, "SELECT "+columns+" FROM ratings WHERE system = $1 AND speed = $2 AND games > 0 AND player IN ("+
			strings.Join(places, ",")+")", args...)
		if err != nil {
			return nil, wrap(err, "read ratings")
		}
		for _, s := range list {
			found[s.Player] = s
		}
	}
	return found, nil
}

// All are somebody's ratings, those of which he has played most first.
func (r *Ratings) All(ctx context.Context, player string) ([]Standing, error) {
	list, err := r.scan(ctx, "SELECT "+columns+" FROM ratings WHERE player = $1 AND games > 0 ORDER BY games DESC, system, speed", player)
	return list, wrap(err, "read ratings of %s", player)
}

// MinGames is how many rated games somebody on a leaderboard has played at least.
const MinGames = 10

// onTop is who is on a leaderboard; $1 is now in ms. It is [Rating.Provisional] of
// the deviation as it is now, which grows.
var onTop = fmt.Sprintf("games >= %d AND deviation * deviation + volatility * volatility * %.12f * ($1 - at) <= %d",
	MinGames, scale*scale/float64(away.Milliseconds()), provisional*provisional)

// Place is a line of a leaderboard.
type Place struct {
	Rank int // from 1; the same for the same rating
	Standing
}

// Top is a leaderboard: the best, at most limit. Provisional ratings are not on it.
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
	return places, wrap(err, "read the top of %s %s", system, speed)
}

// Where is a player's own line: nil if he has no rating, and of rank 0 if he is
// on no leaderboard yet.
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

// Board is a leaderboard that has somebody on it.
type Board struct {
	System, Speed string
	People        int
}

// Boards are all leaderboards with somebody on them.
func (r *Ratings) Boards(ctx context.Context) (boards []Board, err error) {
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

// Course is how a rating went: the last games, at most limit, in their order.
func (r *Ratings) Course(ctx context.Context, player, system, speed string, limit int) (course []Point, err error) {
	rows, err := r.db.Reader().QueryContext(ctx, `SELECT room, at, value, deviation FROM rated_games
		WHERE player = $1 AND system = $2 AND speed = $3 ORDER BY at DESC, room LIMIT $4`, player, system, speed, max(limit, 0))
	if err != nil {
		return nil, wrap(err, "read the course of %s", player)
	}
	defer rows.Close()
	for rows.Next() {
		var p Point
		var at int64
		if err := rows.Scan(&p.Room, &at, &p.Value, &p.Deviation); err != nil {
			return nil, wrap(err, "read the course of %s", player)
		}
		p.At = time.UnixMilli(at)
		course = append(course, p)
	}
	slices.Reverse(course)
	return course, wrap(rows.Err(), "read the course of %s", player)
}
