package hosting

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
)

// schema is the package's set of migrations. A step that a release has carried is never changed;
// a new one is added. Times are ms since 1970.
var schema = []string{`
CREATE TABLE tournaments (
	id       TEXT PRIMARY KEY, -- of the room
	host_key TEXT NOT NULL,    -- hash of the secret in the host link
	recovery TEXT NOT NULL,    -- hash of the recovery code
	created  BIGINT NOT NULL,
	name     TEXT NOT NULL,
	format   TEXT NOT NULL,
	rules    TEXT NOT NULL,
	clock    TEXT NOT NULL,
	rated    BIGINT NOT NULL,
	listed   BIGINT NOT NULL,
	stage    TEXT NOT NULL,
	starts   BIGINT NOT NULL,  -- 0: not said
	changed  BIGINT NOT NULL   -- when the stage last changed
);
CREATE INDEX tournaments_listed ON tournaments (listed, stage, changed);
`, `
CREATE TABLE tournament_names ( -- of guests who are shown by their initials; hosts see these
	tournament TEXT NOT NULL,
	player     TEXT NOT NULL,
	name       TEXT NOT NULL,
	PRIMARY KEY (tournament, player)
);
CREATE INDEX tournament_names_player ON tournament_names (player);
`, `
CREATE TABLE tournament_people ( -- hosts, and players who have joined by themselves
	player     TEXT NOT NULL,
	tournament TEXT NOT NULL,
	host       BIGINT NOT NULL,
	since      BIGINT NOT NULL,
	PRIMARY KEY (player, tournament)
);
CREATE INDEX tournament_people_since ON tournament_people (player, since);
CREATE INDEX tournament_people_tournament ON tournament_people (tournament);
CREATE INDEX tournaments_recovery ON tournaments (recovery);
`, `
ALTER TABLE tournaments ADD COLUMN house BIGINT NOT NULL DEFAULT 0; -- 1: by house rules; the release before leaves it as it is
`}

// Index is the table of tournaments. Its methods are safe from any goroutine.
type Index struct {
	db  lobby.DB
	now func() time.Time
}

// OpenIndex migrates the tables, and registers them with people for the removal of deleted players.
// Call it before serving.
func OpenIndex(ctx context.Context, db lobby.DB, people *lobby.People) (*Index, error) {
	if err := db.Migrate(ctx, "tournaments", schema); err != nil {
		return nil, fmt.Errorf("hosting: open: %w", err)
	}
	people.WhenForgotten(lobby.DeleteSome("tournament_names", "tournament, player", "player = $1"))
	people.WhenForgotten(lobby.DeleteSome("tournament_people", "player, tournament", "player = $1"))
	return &Index{db: db, now: time.Now}, nil
}

// A Row is a tournament in the list.
type Row struct {
	ID string
	tournament.Listing
	Changed time.Time // when the stage last changed
}

// add makes the row of a tournament whose room is about to be made. No list shows the row before
// [Index.Put] has filled it in.
func (x *Index) add(ctx context.Context, id string, secrets secrets) error {
	return x.write(ctx, "add", func(tx lobby.Tx) error {
		_, err := tx.Exec(`INSERT INTO tournaments (id, host_key, recovery, created, name, format, rules, clock, rated, listed, stage, starts, changed)
			VALUES ($1, $2, $3, $4, '', '', '', '', 0, 0, '', 0, $4)`,
			id, hash(secrets.key), hash(secrets.recovery), x.now().UnixMilli())
		return err
	})
}

// remove deletes the row of a tournament.
func (x *Index) remove(ctx context.Context, id string) error {
	return x.write(ctx, "remove", func(tx lobby.Tx) error {
		for _, table := range []string{"tournament_names", "tournament_people"} {
			if _, err := tx.Exec("DELETE FROM "+table+" WHERE tournament = $1", id); err != nil {
				return err
			}
		}
		_, err := tx.Exec("DELETE FROM tournaments WHERE id = $1", id)
		return err
	})
}

// Put brings the row of a tournament up to date. A deleted one loses its row.
func (x *Index) Put(ctx context.Context, id string, l tournament.Listing) error {
	if l.Stage == tournament.Deleted {
		return x.remove(ctx, id)
	}
	return x.write(ctx, "put", func(tx lobby.Tx) error {
		_, err := tx.Exec(`UPDATE tournaments SET name = $2, format = $3, rules = $4, clock = $5, rated = $6, listed = $7, starts = $8,
			changed = CASE WHEN stage = $9 THEN changed ELSE $10 END, stage = $9, house = $11 WHERE id = $1`,
			id, l.Name, string(l.Format), l.Rules, l.Clock, lobby.Number(l.Rated), lobby.Number(l.Listed), l.Starts, string(l.Stage), x.now().UnixMilli(),
			lobby.Number(l.House))
		return err
	})
}

// List returns at most limit of the listed tournaments in a stage, the latest first. Those whose
// planned start is within a week come before them, in the order of their start.
func (x *Index) List(ctx context.Context, stage tournament.Stage, limit int) (list []Row, err error) {
	order, args := "changed DESC, id", []any{string(stage), limit}
	if stage == tournament.Entry {
		const soon = 7 * 24 * time.Hour
		order = "CASE WHEN starts BETWEEN $3 AND $4 THEN starts ELSE 4000000000000 - changed END, id" // any start is less
		args = append(args, x.now().UnixMilli(), x.now().Add(soon).UnixMilli())
	}
	rows, err := x.db.Reader().QueryContext(ctx, `SELECT id, name, format, rules, house, clock, rated, listed, stage, starts, changed
		FROM tournaments WHERE listed = 1 AND stage = $1 ORDER BY `+order+" LIMIT $2", args...)
	if err != nil {
		return nil, wrap(err, "list")
	}
	defer rows.Close()
	for rows.Next() {
		var r Row
		var house, rated, listed int
		var changed int64
		if err := rows.Scan(&r.ID, &r.Name, &r.Format, &r.Rules, &house, &r.Clock, &rated, &listed, &r.Stage, &r.Starts, &changed); err != nil {
			return nil, wrap(err, "list")
		}
		r.House, r.Rated, r.Listed, r.Changed = house == 1, rated == 1, listed == 1, time.UnixMilli(changed)
		list = append(list, r)
	}
	return list, wrap(rows.Err(), "list")
}

// setName keeps the whole name of a guest who is shown by their initials, unless the guest or the
// tournament has been deleted meanwhile.
func (x *Index) setName(ctx context.Context, id, player, name string) error {
	return x.write(ctx, "keep a name", func(tx lobby.Tx) error {
		_, err := tx.Exec(`INSERT INTO tournament_names (tournament, player, name) SELECT $1, $2, $3
			WHERE EXISTS (SELECT 1 FROM tournaments WHERE id = $1) AND EXISTS (SELECT 1 FROM players WHERE id = $2)
			ON CONFLICT (tournament, player) DO UPDATE SET name = excluded.name`, id, player, name)
		return err
	})
}

// wholeNames returns the names that setName has kept, by player.
func (x *Index) wholeNames(ctx context.Context, id string) (map[string]string, error) {
	rows, err := x.db.Reader().QueryContext(ctx, "SELECT player, name FROM tournament_names WHERE tournament = $1", id)
	if err != nil {
		return nil, wrap(err, "read names")
	}
	defer rows.Close()
	names := map[string]string{}
	for rows.Next() {
		var player, name string
		if err := rows.Scan(&player, &name); err != nil {
			return nil, wrap(err, "read names")
		}
		names[player] = name
	}
	return names, wrap(rows.Err(), "read names")
}

// Sweep takes tournaments out of the list that still take players two weeks after they were made and
// after their planned start. Their rooms stay, and their links lead to them. It deletes rows that no room has
// filled in: there is no such room.
func (x *Index) Sweep(ctx context.Context) error {
	const forgotten = 14 * 24 * time.Hour
	before := x.now().Add(-forgotten).UnixMilli()
	_, err := lobby.Trim(ctx, x.db, `UPDATE tournaments SET listed = 0 WHERE id IN
		(SELECT id FROM tournaments WHERE listed = 1 AND stage = 'entry' AND changed < $1 AND starts < $1 ORDER BY changed LIMIT $2)`, before)
	if err == nil {
		_, err = lobby.Trim(ctx, x.db, `DELETE FROM tournaments WHERE id IN
			(SELECT id FROM tournaments WHERE listed = 0 AND stage = '' AND changed < $1 LIMIT $2)`, before)
	}
	return wrap(err, "sweep")
}

// proves reports whether a secret is the key of the host link or the recovery code.
func (x *Index) proves(ctx context.Context, id, secret string) (bool, error) {
	var key, recovery string
	err := x.db.Reader().QueryRowContext(ctx, "SELECT host_key, recovery FROM tournaments WHERE id = $1", id).Scan(&key, &recovery)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, refusal.New(CodeNoTournament)
	case err != nil:
		return false, wrap(err, "read")
	}
	shown := []byte(hash(secret))
	byCode := []byte(hash(readRecovery(secret)))
	return subtle.ConstantTimeCompare(shown, []byte(key))|subtle.ConstantTimeCompare(byCode, []byte(recovery)) == 1, nil
}

// recovered returns the tournament with a recovery code.
func (x *Index) recovered(ctx context.Context, code string) (id string, err error) {
	if code = readRecovery(code); code == "" {
		return "", refusal.New(CodeNoHostKey)
	}
	err = x.db.Reader().QueryRowContext(ctx, "SELECT id FROM tournaments WHERE recovery = $1", hash(code)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", refusal.New(CodeNoHostKey)
	}
	return id, wrap(err, "find a recovery code")
}

func (x *Index) write(ctx context.Context, what string, f func(lobby.Tx) error) error {
	return wrap(x.db.Write(ctx, f), what)
}

func wrap(err error, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("hosting: %s: %w", what, err)
}
