package lobby

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mancala/lobby/bot"
	"mancala/match/journal"
)

// Game is an entry in a player's list of games: what is known of a room without loading
// it.
type Game struct {
	Room    string
	Title   string // "Kalah"
	State   string // a word of the room's own
	Ended   bool   // the game is over
	Updated time.Time
	In      []Part // the players in the room

	System string
	Rated  bool
	Listed bool  // every visitor may see it
	Won    []int // the seats that won; empty until that is known
	Shared bool  // the seats in Won share a draw
}

// Part is a player's part in a game.
type Part struct {
	Player string
	Seat   int // NoSeat for a player who made the game for others
}

// Outcome is the result of a game for one player, in half points.
type Outcome int

// The outcomes. An aborted game stays Undecided.
const (
	Undecided Outcome = -1
	Lost      Outcome = 0
	Drawn     Outcome = 1
	Won       Outcome = 2
)

// outcome returns the result of the game for a seat.
func (game *Game) outcome(seat int) Outcome {
	won := false
	for _, s := range game.Won {
		won = won || s == seat
	}
	switch {
	case !game.Ended || seat == NoSeat || len(game.Won) == 0:
		return Undecided
	case !won:
		return Lost
	case game.Shared:
		return Drawn
	}
	return Won
}

// Place is a position in a list of games, the latest first. At is when the game ended,
// or when it last changed if it is not over. The zero Place is before all games.
type Place struct {
	At   time.Time
	Room string
}

// PlayersIn returns the players in these games. It repeats a player who is in several.
func PlayersIn(games []Game) (players []string) {
	for _, g := range games {
		for _, in := range g.In {
			players = append(players, in.Player)
		}
	}
	return players
}

// NoSeat is the seat of a person without a seat.
const NoSeat = -1

// Games lists the players of each room. Rooms do not depend on it. The code that follows
// rooms keeps it up to date.
type Games struct {
	db  DB
	opt Options

	forgetting []string

	sweeping sync.Mutex // guards walk
	walk     gameWalk
}

// Put stores the state of games, all or none. To put the same state again changes
// nothing, and Put ignores a state that is older than the stored one. So tasks may
// repeat and may overtake one another. A player who has left a game or was deleted loses
// the entry.
func (g *Games) Put(ctx context.Context, games ...Game) error {
	err := g.db.Write(ctx, func(tx Tx) error {
		known := games
		if len(games) > 1 { // game.put asks the same question
			known = nil
			for some := range slices.Chunk(games, putTogether) {
				others, err := putNew(tx, some)
				if err != nil {
					return wrap(err, "new games")
				}
				known = append(known, others...)
			}
		}
		// All new games are written before the known ones, so instances that write the same games
		// in the same order do not wait for each other.
		for _, game := range known {
			if err := game.put(tx); err != nil {
				return wrap(err, "game %s", game.Room)
			}
		}
		return nil
	})
	return wrap(err, "put %d games", len(games))
}

// putTogether is how many new games one statement adds. The games of a round begin together, and of
// the games that are written together many are new.
const putTogether = 16

// putNew adds those of these games that have no rows yet, and returns the others.
func putNew(tx Tx, games []Game) (others []Game, err error) {
	known := make([]bool, len(games))
	counts := make([]string, len(games))
	rooms, dest := make([]any, len(games)), make([]any, len(games))
	for i, g := range games {
		counts[i] = fmt.Sprintf("EXISTS (SELECT 1 FROM games WHERE room = $%d)", i+1)
		rooms[i], dest[i] = g.Room, &known[i]
	}
	if err := tx.Scan("SELECT "+strings.Join(counts, ", "), rooms, dest...); err != nil {
		return nil, err
	}
	var rows []gameRow
	for i := range games {
		twice := slices.ContainsFunc(games[:i], func(g Game) bool { return g.Room == games[i].Room })
		if known[i] || twice {
			others = append(others, games[i])
		} else {
			rows = append(rows, games[i].rows(0)...)
		}
	}
	_, err = insertRows(tx, rows)
	return others, err
}

// gameRow is one player's row of a game.
type gameRow []any

// rows returns the rows of a game that has none. A player on two seats has the row of the first one.
func (game *Game) rows(finished int64) (rows []gameRow) {
	updated := game.Updated.UnixMilli()
	if game.Ended && finished == 0 {
		finished = updated
	}
	for i, in := range game.In {
		if !slices.ContainsFunc(game.In[:i], func(p Part) bool { return p.Player == in.Player }) {
			rows = append(rows, gameRow{
				in.Player, game.Room, in.Seat, game.Title, game.State, Number(game.Ended), updated,
				game.System, Number(game.Rated), game.outcome(in.Seat), finished, Number(game.Listed),
			})
		}
	}
	return rows
}

// insertRows adds rows with one statement, and returns how many it has added. A deleted player
// gets no row: a game may end because its player was deleted. A bot has no row in players but
// gets one here, because it appears in its opponents' lists. The question about each player is a
// scalar, since PostgreSQL would answer EXISTS by reading all players.
func insertRows(tx Tx, rows []gameRow) (int64, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	var values strings.Builder
	args := make([]any, 0, 12*len(rows))
	for i, row := range rows {
		n := len(args)
		fmt.Fprintf(&values, "%s(CAST($%d AS TEXT), CAST($%d AS TEXT), CAST($%d AS INTEGER), CAST($%d AS TEXT), CAST($%d AS TEXT), CAST($%d AS INTEGER), CAST($%d AS BIGINT), CAST($%d AS TEXT), CAST($%d AS INTEGER), CAST($%d AS INTEGER), CAST($%d AS BIGINT), CAST($%d AS INTEGER))",
			[]string{"", ", "}[min(i, 1)], n+1, n+2, n+3, n+4, n+5, n+6, n+7, n+8, n+9, n+10, n+11, n+12)
		args = append(args, row...)
	}
	return tx.Exec(`INSERT INTO games (player, room, seat, title, state, ended, updated, system, rated, halves, finished, listed)
		SELECT * FROM (VALUES `+values.String()+`) AS v
		WHERE column1 LIKE 'bot%' OR COALESCE((SELECT 1 FROM players WHERE id = column1), 0) = 1`, args...)
}

func (game *Game) put(tx Tx) error {
	var newest, finished int64
	var rows, same int
	updated := game.Updated.UnixMilli()
	here, args := "0 = 1", []any{game.Room}
	for _, in := range game.In {
		args = append(args, in.Player, in.Seat)
		here += fmt.Sprintf(" OR player = $%d AND seat = $%d", len(args)-1, len(args))
	}
	if err := tx.Scan(`SELECT COALESCE(MAX(updated), -1), COALESCE(MAX(finished), 0), COUNT(*), COALESCE(SUM(CASE WHEN `+here+` THEN 1 ELSE 0 END), 0)
		FROM games WHERE room = $1`, args, &newest, &finished, &rows, &same); err != nil {
		return err
	}
	if newest > updated {
		return nil
	}
	if rows > 0 && same == rows && rows == len(game.In) {
		n, err := game.update(tx, finished)
		if err != nil || n == rows {
			return err
		}
	}
	if newest >= 0 { // the room has rows
		if _, err := tx.Exec("DELETE FROM games WHERE room = $1", game.Room); err != nil {
			return err
		}
	}
	listed, err := insertRows(tx, game.rows(finished))
	if err != nil {
		return err
	}
	if listed == 0 && newest >= 0 {
		_, err := tx.Exec(`INSERT INTO orphaned_games (room, since) VALUES ($1, $2)
			ON CONFLICT (room) DO UPDATE SET since = excluded.since`, game.Room, updated)
		return err
	}
	return nil
}

// update stores the state of a game whose rows have its players on their seats, and returns in how
// many. A deleted player's row is not among them. Most indexes stay as they are, so this takes
// less time than new rows.
func (game *Game) update(tx Tx, finished int64) (int, error) {
	updated := game.Updated.UnixMilli()
	if game.Ended && finished == 0 {
		finished = updated
	}
	args := []any{game.Room, game.Title, game.State, Number(game.Ended), updated, game.System, Number(game.Rated), finished, Number(game.Listed)}
	halves := "CASE seat"
	for _, in := range game.In {
		args = append(args, in.Seat, game.outcome(in.Seat))
		halves += fmt.Sprintf(" WHEN $%d THEN $%d", len(args)-1, len(args))
	}
	n, err := tx.Exec(`UPDATE games SET title = $2, state = $3, ended = $4, updated = $5, system = $6, rated = $7, finished = $8, listed = $9,
		halves = `+halves+` ELSE -1 END
		WHERE room = $1 AND (player LIKE 'bot%' OR COALESCE((SELECT 1 FROM players WHERE id = games.player), 0) = 1)`, args...)
	return int(n), err
}

// Of returns a player's games, at most limit. Games that are not over come first; within
// each group the latest come first.
func (g *Games) Of(ctx context.Context, player string, limit int) ([]Game, error) {
	return g.list(ctx, "", player, max(limit, 0))
}

// Going returns a player's games that are not over, the latest first, at most limit. It
// starts after a place. The zero Place is before all games.
func (g *Games) Going(ctx context.Context, player string, after Place, limit int) ([]Game, error) {
	if after.Room == "" {
		return g.list(ctx, "AND ended = 0", player, max(limit, 0))
	}
	return g.list(ctx, "AND ended = 0 AND (updated < $3 OR updated = $3 AND room > $4)", player, max(limit, 0), after.At.UnixMilli(), after.Room)
}

// list reads a player's games that meet a condition. args are the player, the limit, and
// the values of the condition's placeholders.
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

// Open returns the number of a player's games that are not over.
func (g *Games) Open(ctx context.Context, player string) (n int, err error) {
	err = g.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM games WHERE player = $1 AND ended = 0", player).Scan(&n)
	return n, wrap(err, "count games of %s", player)
}

// EachIdle calls f with each room of an unfinished game that has not changed since a time.
// Its pace leaves most of the database's time to other work. It continues after an error of
// f, and returns the first one.
func (g *Games) EachIdle(ctx context.Context, since time.Time, f func(ctx context.Context, room string) error) (failed error) {
	last := ""
	for {
		rooms, err := g.idle(ctx, since, last)
		if err != nil || len(rooms) == 0 {
			return errors.Join(failed, err)
		}
		for _, room := range rooms {
			begun := time.Now()
			if err := f(ctx, room); err != nil && failed == nil {
				failed = err
			}
			if err := journal.Rest(ctx, time.Since(begun)); err != nil {
				return errors.Join(failed, err)
			}
		}
		last = rooms[len(rooms)-1]
	}
}

// idleGames selects rooms after $1 that have not changed since $2, at most $3.
const idleGames = "SELECT DISTINCT room FROM games WHERE room > $1 AND ended = 0 AND updated < $2 ORDER BY room LIMIT $3"

// idle returns the next rooms for EachIdle after one of them.
func (g *Games) idle(ctx context.Context, since time.Time, after string) (rooms []string, err error) {
	rooms, err = Column(ctx, g.db, idleGames, after, since.UnixMilli(), swept)
	return rooms, wrap(err, "list idle games")
}

// PlayRated reports whether one of these players has a seat in an unfinished rated game.
func (g *Games) PlayRated(ctx context.Context, players []string) (rated bool, err error) {
	for _, player := range players {
		var n int
		err = g.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM games WHERE player = $1 AND ended = 0 AND rated = 1 AND seat >= 0", player).Scan(&n)
		if err != nil || n > 0 {
			return n > 0, wrap(err, "rated games of %s", player)
		}
	}
	return false, nil
}

// Opponents reads a player's latest games, at most games of them. balance is how many
// more of them the player began than not. met lists the latest opponents, at most people
// of them. Games against bots do not count.
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

// OverAndListed returns games that are over and that every visitor may see, in the order in which they ended,
// at most limit. It starts after a place.
func (g *Games) OverAndListed(ctx context.Context, after Place, limit int) (list []Place, err error) {
	rows, err := g.db.Reader().QueryContext(ctx, `SELECT DISTINCT finished, room FROM games
		WHERE ended = 1 AND listed = 1 AND (finished > $1 OR finished = $1 AND room > $2) ORDER BY finished, room LIMIT $3`,
		after.At.UnixMilli(), after.Room, limit)
	if err != nil {
		return nil, wrap(err, "list finished games")
	}
	defer rows.Close()
	for rows.Next() {
		var p Place
		var finished int64
		if err := rows.Scan(&finished, &p.Room); err != nil {
			return nil, wrap(err, "list finished games")
		}
		p.At = time.UnixMilli(finished)
		list = append(list, p)
	}
	return list, wrap(rows.Err(), "list finished games")
}
