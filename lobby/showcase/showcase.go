// Package showcase keeps which games anybody may watch, and how they stand, without
// asking rooms: a line for each listed game, written when one begins or ends and,
// a few seconds apart, for how far it is and how many watch.
//
// All it is told is what watchers may see: of a game with a delay, the past.
package showcase

import (
	"context"
	"strings"
	"time"

	"mancala/lobby"
)

// Game is a game on the stage.
type Game struct {
	Room    string
	System  string
	Title   string
	Options string // house rules
	Clock   string // as the match has it: "5+3"
	Rated   bool
	Delay   int      // s by which watchers lag behind
	Seats   []string // players by seat
	Rating  int      // of its people together, 0 if unknown
	Over    bool
	Ply     int
	At      time.Time // when it stood like that

	Watchers, Most int // now, and the most that there were; see [Index.Note]
}

// Standing is what changes while a game goes on.
type Standing struct {
	Room          string
	Ply, Watchers int
	Moved         time.Time // the zero time if it has not since: then Ply says nothing
}

const (
	kept     = 7 * 24 * time.Hour // a game that is over
	forgot   = 24 * time.Hour     // a game in which nothing happens is not looked at any more
	worth    = 8                  // plies that a replay has at least
	maxRows  = 1000               // that are looked at
	sweeping = time.Hour
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
	seats    TEXT NOT NULL,     -- players, with a space between
	rating   INTEGER NOT NULL,
	ended    INTEGER NOT NULL,
	ply      INTEGER NOT NULL,
	watchers INTEGER NOT NULL,
	most     INTEGER NOT NULL,  -- watchers that there were at once
	active   BIGINT NOT NULL    -- when something last happened
);
CREATE INDEX stage_active ON stage (ended, active);
`}

// Index is that list. Its methods are safe from any goroutine.
type Index struct {
	db  lobby.DB
	now func() time.Time
}

// Open brings the table up to date.
func Open(ctx context.Context, db lobby.DB, people *lobby.People) (*Index, error) {
	if err := db.Migrate(ctx, "stage", schema); err != nil {
		return nil, err
	}
	people.WhenForgotten("DELETE FROM stage WHERE ' ' || seats || ' ' LIKE '% ' || $1 || ' %'")
	return &Index{db, time.Now}, nil
}

// Put writes down games that have begun, gone on or ended. The same again changes
// nothing, nor does what is older than what is there, a game that is over stays over, and one that was over too soon to be
// worth a look is dropped.
func (s *Index) Put(ctx context.Context, games ...Game) error {
	return s.db.Write(ctx, func(tx lobby.Tx) error {
		for _, g := range games {
			if err := put(tx, g); err != nil {
				return err
			}
		}
		return nil
	})
}

func put(tx lobby.Tx, g Game) error {
	if g.Over && g.Ply < worth {
		_, err := tx.Exec("DELETE FROM stage WHERE room = $1", g.Room)
		return err
	}
	_, err := tx.Exec(`INSERT INTO stage (room, system, title, options, clock, rated, delay, seats, rating, ended, ply, watchers, most, active)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0, $12)
		ON CONFLICT (room) DO UPDATE SET ended = excluded.ended, ply = excluded.ply, active = excluded.active,
			watchers = CASE excluded.ended WHEN 1 THEN 0 ELSE stage.watchers END
		WHERE stage.ended = 0 AND (excluded.ended = 1 OR excluded.ply <> stage.ply AND excluded.active >= stage.active)`,
		g.Room, g.System, g.Title, g.Options, g.Clock, number(g.Rated), g.Delay, strings.Join(g.Seats, " "), g.Rating,
		number(g.Over), g.Ply, g.At.UnixMilli())
	return err
}

func number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Note writes down how far games are and how many watch. What is not on the
// stage is passed over.
func (s *Index) Note(ctx context.Context, list ...Standing) error {
	return s.db.Write(ctx, func(tx lobby.Tx) error {
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

// Live are the games that go on, those that most people watch first, then those
// of the strongest, then those in which something has happened last.
func (s *Index) Live(ctx context.Context) ([]Game, error) {
	return s.read(ctx, "SELECT "+columns+` FROM stage WHERE ended = 0 AND active > $1
		ORDER BY watchers DESC, rating DESC, active DESC, room LIMIT $2`, s.now().Add(-forgot).UnixMilli(), maxRows)
}

// Best are the best of the games that have ended lately, at most limit: those that
// most people have watched first.
func (s *Index) Best(ctx context.Context, limit int) ([]Game, error) {
	return s.read(ctx, "SELECT "+columns+` FROM stage WHERE ended = 1 AND active > $1
		ORDER BY most DESC, rating DESC, active DESC, room LIMIT $2`, s.now().Add(-kept).UnixMilli(), limit)
}

func (s *Index) read(ctx context.Context, query string, args ...any) ([]Game, error) {
	rows, err := s.db.Reader().QueryContext(ctx, query, args...)
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

// Keep drops once an hour, until ctx ends, what nobody will look at any more, and
// tells report what failed.
func (s *Index) Keep(ctx context.Context, report func(error)) {
	tick := time.NewTicker(sweeping)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
				report(err)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (s *Index) sweep(ctx context.Context) error {
	return s.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec("DELETE FROM stage WHERE active < $1", s.now().Add(-kept).UnixMilli())
		return err
	})
}
