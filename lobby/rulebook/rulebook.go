// Package rulebook keeps the rule sets that players have composed, with a name and an author.
//
// A kept rule set never changes, so a link to it always leads to the same rules. It is deleted with its
// author. What its rules mean is decided by package engine: here they are text.
package rulebook

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// MaxKept is how many rule sets one player may keep.
const MaxKept = 50

// Codes of refusals. Their texts are stable.
const (
	CodeNone refusal.Code = "no-rules"   // there is no such rule set
	CodeFull refusal.Code = "rules-full" // the player keeps the maximum
)

// Full is the detail of [CodeFull].
type Full struct {
	Max int `json:"max"` // rule sets that a player may keep
}

// schema is the package's set of migrations. A step that a release has carried is never changed; a new
// one is added. Times are ms since 1970.
var schema = []string{`
CREATE TABLE rulebook (
	id      TEXT PRIMARY KEY,
	player  TEXT NOT NULL,
	name    TEXT NOT NULL,
	system  TEXT NOT NULL,
	options TEXT NOT NULL, -- the changes of the system
	made    BIGINT NOT NULL
);
CREATE INDEX rulebook_player ON rulebook (player, made);
`, `
CREATE TABLE rulebook_games ( -- games that were made from a kept rule set, and still have its rules
	room   TEXT PRIMARY KEY,
	rules  TEXT NOT NULL,     -- its ID
	author TEXT NOT NULL
);
CREATE INDEX rulebook_games_rules ON rulebook_games (rules);
CREATE INDEX rulebook_games_author ON rulebook_games (author);
`}

// Entry is a rule set that a player keeps.
type Entry struct {
	ID, Player, Name string
	System, Options  string
	Made             time.Time
}

// Book is the rule sets of all players. Its methods are safe from any goroutine.
type Book struct {
	db  lobby.DB
	now func() time.Time
}

// Open migrates the tables, and registers them with l for the removal of deleted players and games. Call it
// before serving.
func Open(ctx context.Context, db lobby.DB, l *lobby.Lobby) (*Book, error) {
	if err := db.Migrate(ctx, "rulebook", schema); err != nil {
		return nil, fmt.Errorf("rulebook: open: %w", err)
	}
	l.People.WhenForgotten(lobby.DeleteSome("rulebook", "id", "player = $1"), lobby.DeleteSome("rulebook_games", "room", "author = $1"))
	l.Games.WhenDeleted("DELETE FROM rulebook_games WHERE room = $1")
	return &Book{db, time.Now}, nil
}

// Keep adds a rule set of e.Player and returns its ID. A player who already keeps these rules by this name
// gets the ID of those. It refuses names as [lobby.CleanName] does, and with [lobby.CodeNoPlayer] and [CodeFull].
// The detail of CodeFull is [Full].
func (b *Book) Keep(ctx context.Context, e Entry) (id string, err error) {
	name, err := lobby.CleanName(e.Name)
	if err != nil {
		return "", err
	}
	made := lobby.NewRoomID()
	err = b.db.Write(ctx, func(tx lobby.Tx) error {
		id = made
		var player string
		err := tx.Scan("SELECT id FROM players WHERE id = $1", []any{e.Player}, &player)
		if errors.Is(err, sql.ErrNoRows) { // deleted meanwhile: nothing would ever delete the entry
			return refusal.New(lobby.CodeNoPlayer)
		}
		if err != nil {
			return err
		}
		const same = "SELECT id FROM rulebook WHERE player = $1 AND name = $2 AND system = $3 AND options = $4 LIMIT 1"
		if err := tx.Scan(same, []any{e.Player, name, e.System, e.Options}, &id); !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		kept := 0
		if err := tx.Scan("SELECT COUNT(*) FROM rulebook WHERE player = $1", []any{e.Player}, &kept); err != nil {
			return err
		}
		if kept >= MaxKept {
			return refusal.With(CodeFull, Full{MaxKept})
		}
		_, err = tx.Exec("INSERT INTO rulebook (id, player, name, system, options, made) VALUES ($1, $2, $3, $4, $5, $6)",
			made, e.Player, name, e.System, e.Options, b.now().UnixMilli())
		return err
	})
	if err != nil {
		return "", fmt.Errorf("rulebook: keep %s: %w", made, err)
	}
	return id, nil
}

// Find returns a rule set. It refuses with [CodeNone] if there is none with this ID.
func (b *Book) Find(ctx context.Context, id string) (Entry, error) {
	list, err := b.read(ctx, "id = $1", id)
	if err == nil && len(list) == 0 {
		err = refusal.New(CodeNone)
	}
	if err != nil {
		return Entry{}, err
	}
	return list[0], nil
}

// Of returns the rule sets that a player keeps, the latest first.
func (b *Book) Of(ctx context.Context, player string) ([]Entry, error) {
	return b.read(ctx, "player = $1", player)
}

// Forget deletes a rule set of a player. One that the player does not keep stays.
func (b *Book) Forget(ctx context.Context, player, id string) error {
	err := b.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec("DELETE FROM rulebook WHERE id = $1 AND player = $2", id, player)
		return err
	})
	if err != nil {
		return fmt.Errorf("rulebook: forget %s: %w", id, err)
	}
	return nil
}

// Remove deletes a rule set for an operator and returns its name. It refuses with [CodeNone] if there is none
// with this ID.
func (b *Book) Remove(ctx context.Context, id string) (name string, err error) {
	err = b.db.Write(ctx, func(tx lobby.Tx) error {
		err := tx.Scan("SELECT name FROM rulebook WHERE id = $1", []any{id}, &name)
		if errors.Is(err, sql.ErrNoRows) {
			return refusal.New(CodeNone)
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec("DELETE FROM rulebook WHERE id = $1", id)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("rulebook: remove %s: %w", id, err)
	}
	return name, nil
}

// read returns the rule sets that meet a condition, the latest first.
func (b *Book) read(ctx context.Context, where, arg string) (list []Entry, err error) {
	rows, err := b.db.Reader().QueryContext(ctx, "SELECT id, player, name, system, options, made FROM rulebook WHERE "+where+" ORDER BY made DESC, id", arg)
	if err != nil {
		return nil, fmt.Errorf("rulebook: read %s: %w", arg, err)
	}
	defer rows.Close()
	for rows.Next() {
		var e Entry
		var made int64
		if err := rows.Scan(&e.ID, &e.Player, &e.Name, &e.System, &e.Options, &made); err != nil {
			return nil, fmt.Errorf("rulebook: read %s: %w", arg, err)
		}
		e.Made = time.UnixMilli(made).UTC()
		list = append(list, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("rulebook: read %s: %w", arg, err)
	}
	return list, nil
}
