// Package lessons keeps which steps of lessons players have done. What a step is, is known to the caller:
// it checks names before it stores them, and so bounds what a player can fill.
package lessons

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mancala/lobby"
	"mancala/match/refusal"
)

var schema = []string{`
CREATE TABLE lessons (
	player TEXT NOT NULL,
	system TEXT NOT NULL,
	steps  TEXT NOT NULL, -- with spaces between
	PRIMARY KEY (player, system)
);
`}

// Lessons are the lessons of all players. Its methods are safe from any goroutine.
type Lessons struct {
	db lobby.DB
}

// Done has the names of steps, by system.
type Done map[string][]string

// Open migrates the table, and registers it for the removal of deleted players.
func Open(ctx context.Context, db lobby.DB, people *lobby.People) (*Lessons, error) {
	if err := db.Migrate(ctx, "lessons", schema); err != nil {
		return nil, err
	}
	people.WhenForgotten(lobby.DeleteSome("lessons", "player, system", "player = $1 ORDER BY system"))
	return &Lessons{db}, nil
}

// Of returns the steps that a player has done, in the order in which they were stored.
func (l *Lessons) Of(ctx context.Context, player string) (Done, error) {
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT system, steps FROM lessons WHERE player = $1", player)
	if err != nil {
		return nil, fmt.Errorf("lessons: read those of %s: %w", player, err)
	}
	defer rows.Close()
	done := Done{}
	for rows.Next() {
		var system, steps string
		if err := rows.Scan(&system, &steps); err != nil {
			return nil, fmt.Errorf("lessons: read those of %s: %w", player, err)
		}
		done[system] = strings.Fields(steps)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("lessons: read those of %s: %w", player, err)
	}
	return done, nil
}

// Add stores steps that a player has done. Those that are stored already stay. It refuses with
// [lobby.CodeNoPlayer].
func (l *Lessons) Add(ctx context.Context, player string, done Done) error {
	err := l.db.Write(ctx, func(tx lobby.Tx) error {
		var id string
		if err := tx.Scan("SELECT id FROM players WHERE id = $1", []any{player}, &id); err != nil {
			return err
		}
		for system, steps := range done {
			if err := add(tx, player, system, steps); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, sql.ErrNoRows) {
		return refusal.New(lobby.CodeNoPlayer)
	}
	if err != nil {
		return fmt.Errorf("lessons: keep those of %s: %w", player, err)
	}
	return nil
}

func add(tx lobby.Tx, player, system string, steps []string) error {
	var stored string
	err := tx.Scan("SELECT steps FROM lessons WHERE player = $1 AND system = $2", []any{player, system}, &stored)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	all := strings.Fields(stored)
	for _, step := range steps {
		if !slices.Contains(all, step) {
			all = append(all, step)
		}
	}
	_, err = tx.Exec(`INSERT INTO lessons (player, system, steps) VALUES ($1, $2, $3)
		ON CONFLICT (player, system) DO UPDATE SET steps = excluded.steps`, player, system, strings.Join(all, " "))
	return err
}
