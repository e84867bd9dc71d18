// Package showcase is the index of the games that are open to all watchers. It holds a row
// for each listed game, so lists of games need not ask rooms. A row is written when a game
// begins or ends, and every few seconds for its ply and the number of its watchers. A game that is over
// stays for seven days as a replay. The row of a game that ends within a few plies is deleted.
//
// The index holds only what watchers may see: of a game with a delay, the past.
package showcase

import (
	"context"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/workers"
)

// Game is a game in the index.
type Game struct {
	Room    string
	System  string
	Title   string
	Options string // house rules
	Clock   string // as in the match: "5+3"
	Rated   bool
	Delay   int      // seconds by which watchers lag behind
	Seats   []string // players by seat
	Rating  int      // of its players together, 0 if unknown
	Over    bool
	Ply     int
	At      time.Time // of the state above

	Watchers, Most int // now, and at most so far; see [Index.Note]
}

// Progress is the part of a game that changes while it goes on.
type Progress struct {
	Room          string
	Ply, Watchers int
	Moved         time.Time // of the last move; zero if none was made since the last note, and then Ply is ignored
}

const (
	keepOver   = 7 * 24 * time.Hour // how long a game that is over stays
	staleAfter = 24 * time.Hour     // after which a game without moves is no longer listed
	minPlies   = 8                  // of a game that is kept as a replay
	maxRows    = 1000               // of live games that are listed
)

var schema = []string{`
CREATE TABLE stage (
	room     TEXT PRIMARY KEY,
	system   TEXT NOT NULL,
	title    TEXT NOT NULL,
	options  TEXT NOT NULL,
	clock    TEXT NOT NULL,
	rated    INTEGER NOT NULL,
	delay    INTEGER NOT NULL,
	seats    TEXT NOT NULL,     -- the players' IDs, separated by spaces
	rating   INTEGER NOT NULL,
	ended    INTEGER NOT NULL,
	ply      INTEGER NOT NULL,
	watchers INTEGER NOT NULL,
	most     INTEGER NOT NULL,  -- the largest number of watchers at one time
	active   BIGINT NOT NULL    -- when the game last changed
);
CREATE INDEX stage_active ON stage (ended, active);
`}

// Index is the index. Its methods are safe from any goroutine.
type Index struct {
	Now func() time.Time // may be replaced before use, for simulations

	db lobby.DB
}

// Open migrates the table, and registers it with the lobby for the removal of deleted players
// and games.
func Open(ctx context.Context, db lobby.DB, l *lobby.Lobby) (*Index, error) {
	if err := db.Migrate(ctx, "stage", schema); err != nil {
		return nil, err
	}
	l.Games.WhenDeleted("DELETE FROM stage WHERE room = $1")
	l.People.WhenForgotten(`DELETE FROM stage WHERE room IN (SELECT s.room FROM games g JOIN stage s ON s.room = g.room
		WHERE g.player = $1 AND ' ' || s.seats || ' ' LIKE '% ' || $1 || ' %' LIMIT $2)`)
	return &Index{db: db, Now: time.Now}, nil
}

// Put stores games that have begun, gone on or ended. A repeated or older state changes
// nothing, and a game that is over stays over. A game that ends with fewer than minPlies
// is dropped.
func (x *Index) Put(ctx context.Context, games ...Game) error {
	return x.db.Write(ctx, func(tx lobby.Tx) error {
		for _, g := range games {
			if err := put(tx, g); err != nil {
				return err
			}
		}
		return nil
	})
}

func put(tx lobby.Tx, g Game) error {
	if g.Over && g.Ply < minPlies {
		_, err := tx.Exec("DELETE FROM stage WHERE room = $1", g.Room)
		return err
	}
	_, err := tx.Exec(`INSERT INTO stage (room, system, title, options, clock, rated, delay, seats, rating, ended, ply, watchers, most, active)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0, $12)
		ON CONFLICT (room) DO UPDATE SET ended = excluded.ended, ply = excluded.ply, active = excluded.active,
			watchers = CASE excluded.ended WHEN 1 THEN 0 ELSE stage.watchers END
		WHERE stage.ended = 0 AND (excluded.ended = 1 OR excluded.ply <> stage.ply AND excluded.active >= stage.active)`,
		g.Room, g.System, g.Title, g.Options, g.Clock, lobby.Number(g.Rated), g.Delay, strings.Join(g.Seats, " "), g.Rating,
		lobby.Number(g.Over), g.Ply, g.At.UnixMilli())
	return err
}

// Note stores the ply and the number of watchers of live games. It ignores
// games that are not in the index.
func (x *Index) Note(ctx context.Context, list ...Progress) error {
	return x.db.Write(ctx, func(tx lobby.Tx) error {
		for _, n := range list {
			moved := int64(0)
			if !n.Moved.IsZero() {
				moved = n.Moved.UnixMilli()
			}
			if _, err := tx.Exec(`UPDATE stage SET ply = CASE WHEN $4 > 0 THEN $2 ELSE ply END, watchers = $3,
				most = CASE WHEN most < $3 THEN $3 ELSE most END, active = CASE WHEN active < $4 THEN $4 ELSE active END
				WHERE room = $1 AND ended = 0`, n.Room, n.Ply, n.Watchers, moved); err != nil {
				return err
			}
		}
		return nil
	})
}

const columns = "room, system, title, options, clock, rated, delay, seats, rating, ended, ply, watchers, most, active"

// Live returns the games that go on: by the number of watchers, then by rating, then by
// the time of the last move.
func (x *Index) Live(ctx context.Context) ([]Game, error) {
	return x.read(ctx, "SELECT "+columns+` FROM stage WHERE ended = 0 AND active > $1
		ORDER BY watchers DESC, rating DESC, active DESC, room LIMIT $2`, x.Now().Add(-staleAfter).UnixMilli(), maxRows)
}

// Best returns at most limit of the games that ended in the last week: by the largest
// number of watchers, then by rating.
func (x *Index) Best(ctx context.Context, limit int) ([]Game, error) {
	return x.read(ctx, "SELECT "+columns+` FROM stage WHERE ended = 1 AND active > $1
		ORDER BY most DESC, rating DESC, active DESC, room LIMIT $2`, x.Now().Add(-keepOver).UnixMilli(), limit)
}

func (x *Index) read(ctx context.Context, query string, args ...any) ([]Game, error) {
	rows, err := x.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Game
	for rows.Next() {
		var g Game
		var rated, ended int
		var seats string
		var active int64
		if err := rows.Scan(&g.Room, &g.System, &g.Title, &g.Options, &g.Clock, &rated, &g.Delay, &seats, &g.Rating,
			&ended, &g.Ply, &g.Watchers, &g.Most, &active); err != nil {
			return nil, err
		}
		g.Rated, g.Over, g.Seats, g.At = rated == 1, ended == 1, strings.Fields(seats), time.UnixMilli(active)
		list = append(list, g)
	}
	return list, rows.Err()
}

// Keep deletes old games soon after the start and once an hour, until ctx ends. It passes
// errors to report.
func (x *Index) Keep(ctx context.Context, report func(error)) { workers.Hourly(ctx, x.Sweep, report) }

// Sweep deletes old games.
func (x *Index) Sweep(ctx context.Context) error {
	for ended := range 2 {
		_, err := lobby.Trim(ctx, x.db, `DELETE FROM stage WHERE room IN
			(SELECT room FROM stage WHERE ended = $1 AND active < $2 ORDER BY active LIMIT $3)`, ended, x.Now().Add(-keepOver).UnixMilli())
		if err != nil {
			return err
		}
	}
	return nil
}
