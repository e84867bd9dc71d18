package lobby

import (
	"context"
	"slices"
	"time"

	"mancala/lobby/bot"
)

// Game is a line of somebody's games: what is known of a room without waking it.
type Game struct {
	Room    string
	Title   string // "Kalah"
	State   string // the room's own word
	Ended   bool   // it is over, for good
	Updated time.Time
	In      []Part // who is in it

	System string
	Rated  bool
	Listed bool  // its players show it to everybody
	Won    []int // the seats that won, once that is known
	Shared bool  // they share a draw
}

// Part is somebody's part in a game.
type Part struct {
	Player string
	Seat   int // NoSeat for who made the game for others
}

// PlayersIn returns all who are in some games.
func PlayersIn(games []Game) (players []string) {
	for _, g := range games {
		for _, in := range g.In {
			players = append(players, in.Player)
		}
	}
	return players
}

// NoSeat is the seat of somebody who has none.
const NoSeat = -1

// Games lists who is in which rooms. Rooms do not need it; whoever follows them
// keeps it up to date.
type Games struct{ db DB }

// Put writes down how games stand, all or none. The same again changes nothing,
// and what is older than what is there is left out, so that tasks may be repeated
// and may overtake one another. Who is no longer in a game, or is no more at all,
// loses its line.
func (g *Games) Put(ctx context.Context, games ...Game) error {
	err := g.db.Write(ctx, func(tx Tx) error {
		for _, game := range games {
			if err := game.put(tx); err != nil {
				return wrap(err, "game %s", game.Room)
			}
		}
		return nil
	})
	return wrap(err, "put %d games", len(games))
}

func (game *Game) put(tx Tx) error {
	var newest, finished int64
	updated := game.Updated.UnixMilli()
	if err := tx.Scan("SELECT COALESCE(MAX(updated), -1), COALESCE(MAX(finished), 0) FROM games WHERE room = $1", []any{game.Room}, &newest, &finished); err != nil {
		return err
	}
	if newest > updated {
		return nil
	}
	if newest >= 0 { // it has lines
		if _, err := tx.Exec("DELETE FROM games WHERE room = $1", game.Room); err != nil {
			return err
		}
	}
	if game.Ended && finished == 0 {
		finished = updated
	}
	for i, in := range game.In {
		if slices.ContainsFunc(game.In[:i], func(p Part) bool { return p.Player == in.Player }) {
			continue // on two seats: the first counts
		}
		// Who is no more has no list: a game may end because somebody was forgotten. Bots
		// have none either, but they stand in those of people.
		if _, err := tx.Exec(`INSERT INTO games (player, room, seat, title, state, ended, updated, system, rated, halves, finished, listed)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
			WHERE $1 LIKE 'bot%' OR EXISTS (SELECT 1 FROM players WHERE id = $1)`,
			in.Player, game.Room, in.Seat, game.Title, game.State, number(game.Ended), updated,
			game.System, number(game.Rated), game.outcome(in.Seat), finished, number(game.Listed)); err != nil {
			return err
		}
	}
	return nil
}

// Of returns somebody's games, at most limit: those that are not over first, the
// latest of each first.
func (g *Games) Of(ctx context.Context, player string, limit int) ([]Game, error) {
	return g.list(ctx, "", player, max(limit, 0))
}

// Going returns somebody's games that are not over, at most limit, the latest first,
// from a place on. The zero Place is before all of them.
func (g *Games) Going(ctx context.Context, player string, after Place, limit int) ([]Game, error) {
	if after.Room == "" {
		return g.list(ctx, "AND ended = 0", player, max(limit, 0))
	}
	return g.list(ctx, "AND ended = 0 AND (updated < $3 OR updated = $3 AND room > $4)", player, max(limit, 0), after.At.UnixMilli(), after.Room)
}

// list reads a person's games that meet a condition. Its arguments are the person,
// the limit, and what the condition names.
func (g *Games) list(ctx context.Context, where string, args ...any) ([]Game, error) {
	player := args[0]
	rows, err := g.db.Reader().QueryContext(ctx, `
		SELECT g.room, g.title, g.state, g.ended, g.updated, g.player, g.seat
		FROM (SELECT room, ended, updated FROM games WHERE player = $1 `+where+`
			ORDER BY ended, updated DESC, room LIMIT $2) mine
		JOIN games g ON g.room = mine.room
		ORDER BY mine.ended, mine.updated DESC, mine.room, g.seat, g.player`, args...)
	if err != nil {
		return nil, wrap(err, "list games of %s", player)
	}
	defer rows.Close()
	var games []Game
	for rows.Next() {
		var game Game
		var in Part
		var ended int
		var updated int64
		if err := rows.Scan(&game.Room, &game.Title, &game.State, &ended, &updated, &in.Player, &in.Seat); err != nil {
			return nil, wrap(err, "list games of %s", player)
		}
		if n := len(games); n == 0 || games[n-1].Room != game.Room {
			game.Ended, game.Updated = ended == 1, time.UnixMilli(updated)
			games = append(games, game)
		}
		last := &games[len(games)-1]
		last.In = append(last.In, in)
	}
	return games, wrap(rows.Err(), "list games of %s", player)
}

// Open counts somebody's games that are not over.
func (g *Games) Open(ctx context.Context, player string) (n int, err error) {
	err = g.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM games WHERE player = $1 AND ended = 0", player).Scan(&n)
	return n, wrap(err, "count games of %s", player)
}

// Opponents tells of somebody's latest games how many more of them he has begun
// than not, and whom he met in the last few. Games against bots do not count.
func (g *Games) Opponents(ctx context.Context, player string, games, people int) (balance int, met []string, err error) {
	rows, err := g.db.Reader().QueryContext(ctx, `
		SELECT mine.room, mine.seat, other.player
		FROM (SELECT room, seat, updated FROM games WHERE player = $1 AND seat >= 0 ORDER BY updated DESC, room LIMIT $2) mine
		JOIN games other ON other.room = mine.room AND other.player <> $1 AND other.seat >= 0
		ORDER BY mine.updated DESC, mine.room, other.seat`, player, games)
	if err != nil {
		return 0, nil, wrap(err, "opponents of %s", player)
	}
	defer rows.Close()
	last := ""
	for rows.Next() {
		var room, other string
		var seat int
		if err := rows.Scan(&room, &seat, &other); err != nil {
			return 0, nil, wrap(err, "opponents of %s", player)
		}
		if _, isBot := bot.Name(other); isBot {
			continue
		}
		if room != last && seat == 0 {
			balance++
		} else if room != last {
			balance--
		}
		last = room
		if len(met) < people && !slices.Contains(met, other) {
			met = append(met, other)
		}
	}
	return balance, met, wrap(rows.Err(), "opponents of %s", player)
}
