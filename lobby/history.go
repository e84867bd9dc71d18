package lobby

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Past is a finished game from the view of one of its players.
type Past struct {
	Room, Title, System string
	Rated               bool
	Seat                int
	Outcome             Outcome
	Finished            time.Time
	Others              []string // players, by seat
}

// Chosen selects among a player's past games.
type Chosen struct {
	Viewer  string   // the player who looks; strangers, also "", see rated and listed games only
	System  string   // "": any
	Outcome *Outcome // nil: any
	Rated   *bool    // nil: both
	Before  Place    // older than this
}

// Past lists the games of a player that are over, at most limit, the latest first.
// The player sees all of them. Other viewers see those that were rated or listed, and
// those in which they had a seat themselves.
func (g *Games) Past(ctx context.Context, player string, c Chosen, limit int) ([]Past, error) {
	where, args := "player = $1 AND ended = 1 AND seat >= 0", []any{player}
	add := func(condition string, values ...any) {
		for i, v := range values {
			args = append(args, v)
			condition = strings.ReplaceAll(condition, fmt.Sprintf("?%d", i), fmt.Sprintf("$%d", len(args)))
		}
		where += " AND " + condition
	}
	if c.Viewer != player {
		add(`(rated = 1 OR listed = 1 OR EXISTS (SELECT 1 FROM games theirs
			WHERE theirs.room = games.room AND theirs.player = ?0 AND theirs.seat >= 0))`, c.Viewer)
	}
	if c.System != "" {
		add("system = ?0", c.System)
	}
	if c.Outcome != nil {
		add("halves = ?0", int(*c.Outcome))
	}
	if c.Rated != nil {
		add("rated = ?0", Number(*c.Rated))
	}
	if c.Before.Room != "" {
		add("(finished < ?0 OR finished = ?0 AND room > ?1)", c.Before.At.UnixMilli(), c.Before.Room)
	}
	args = append(args, max(limit, 0))
	rows, err := g.db.Reader().QueryContext(ctx, `SELECT m.room, m.title, m.system, m.rated, m.seat, m.halves, m.finished, COALESCE(o.player, '')
		FROM (SELECT * FROM games WHERE `+where+fmt.Sprintf(" ORDER BY finished DESC, room LIMIT $%d", len(args))+`) m
		LEFT JOIN games o ON o.room = m.room AND o.player <> m.player AND o.seat >= 0
		ORDER BY m.finished DESC, m.room, o.seat`, args...)
	if err != nil {
		return nil, wrap(err, "list past games of %s", player)
	}
	defer rows.Close()
	var games []Past
	for rows.Next() {
		var p Past
		var rated int
		var finished int64
		var other string
		if err := rows.Scan(&p.Room, &p.Title, &p.System, &rated, &p.Seat, &p.Outcome, &finished, &other); err != nil {
			return nil, wrap(err, "list past games of %s", player)
		}
		if n := len(games); n == 0 || games[n-1].Room != p.Room {
			p.Rated, p.Finished = rated == 1, time.UnixMilli(finished)
			games = append(games, p)
		}
		if other != "" {
			last := &games[len(games)-1]
			last.Others = append(last.Others, other)
		}
	}
	return games, wrap(rows.Err(), "list past games of %s", player)
}

// Score counts the games of two players against each other, from the view of the first.
type Score struct{ Won, Drawn, Lost int }

// counted is how many of a player's latest games [Games.Between] looks at.
const counted = 2000

// Between counts the games of a against b among a's latest games. A game that both won
// or both lost does not count: there they were partners.
func (g *Games) Between(ctx context.Context, a, b string) (s Score, err error) {
	rows, err := g.db.Reader().QueryContext(ctx, `SELECT m.halves, COUNT(*)
		FROM (SELECT room, halves FROM games WHERE player = $1 AND ended = 1 ORDER BY finished DESC LIMIT $3) m
		JOIN games o ON o.room = m.room
		WHERE o.player = $2 AND m.halves >= 0 AND m.halves + o.halves = 2 GROUP BY m.halves`, a, b, counted)
	if err != nil {
		return s, wrap(err, "count games of %s against %s", a, b)
	}
	defer rows.Close()
	for rows.Next() {
		var o Outcome
		var n int
		if err := rows.Scan(&o, &n); err != nil {
			return s, wrap(err, "count games of %s against %s", a, b)
		}
		switch o {
		case Won:
			s.Won = n
		case Drawn:
			s.Drawn = n
		case Lost:
			s.Lost = n
		}
	}
	return s, wrap(rows.Err(), "count games of %s against %s", a, b)
}
