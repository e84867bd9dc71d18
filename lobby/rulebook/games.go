package rulebook

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"mancala/lobby"
)

// A game has no name of its rules in its journal: an operator can delete a rule set with a bad
// name. So the book remembers which games were made from which rule set.

// Made remembers that a game was made from a rule set, if the game has the rules of it. A rule set that
// changes nothing of a system gives no game its name.
func (b *Book) Made(ctx context.Context, room, id, system, options string) error {
	return b.link(ctx, room, `INSERT INTO rulebook_games (room, rules, author)
		SELECT $1, id, player FROM rulebook WHERE id = $2 AND system = $3 AND options = $4 AND options <> '' ON CONFLICT (room) DO NOTHING`, room, id, system, options)
}

// Again remembers a rematch of a game.
func (b *Book) Again(ctx context.Context, old, room string) error {
	return b.link(ctx, room, `INSERT INTO rulebook_games (room, rules, author)
		SELECT $1, rules, author FROM rulebook_games WHERE room = $2 ON CONFLICT (room) DO NOTHING`, room, old)
}

// Rules are the rules of a game: a system and the changes of it.
type Rules struct{ System, Options string }

// Compare removes the link from a game to its rule set if the game's rules have changed. games has the present
// rules. Call it when games have changed. It writes only if there is a link to remove.
func (b *Book) Compare(ctx context.Context, games map[string]Rules) error {
	made, err := b.Behind(ctx, slices.Sorted(maps.Keys(games)))
	if err != nil {
		return err
	}
	for room, e := range made {
		if games[room] != (Rules{e.System, e.Options}) {
			if err := b.Changed(ctx, room); err != nil {
				return err
			}
		}
	}
	return nil
}

// Changed removes the link from a game to its rule set. Call it when the game's rules have changed.
func (b *Book) Changed(ctx context.Context, room string) error {
	return b.link(ctx, room, "DELETE FROM rulebook_games WHERE room = $1", room)
}

func (b *Book) link(ctx context.Context, room, statement string, args ...any) error {
	err := b.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec(statement, args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("rulebook: game %s: %w", room, err)
	}
	return nil
}

// atOnce is how many games are in one query.
const atOnce = 100

// Behind returns the rule sets from which these games were made, by game. Most games are made from none.
func (b *Book) Behind(ctx context.Context, rooms []string) (map[string]Entry, error) {
	found := map[string]Entry{}
	for rooms := range slices.Chunk(rooms, atOnce) {
		if err := b.behind(ctx, found, rooms); err != nil {
			return nil, fmt.Errorf("rulebook: games: %w", err)
		}
	}
	return found, nil
}

func (b *Book) behind(ctx context.Context, found map[string]Entry, games []string) error {
	places, args := lobby.Among(1, games)
	rows, err := b.db.Reader().QueryContext(ctx, `SELECT g.room, r.id, r.player, r.name, r.system, r.options
		FROM rulebook_games g JOIN rulebook r ON r.id = g.rules WHERE g.room IN (`+places+")", args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var room string
		var e Entry
		if err := rows.Scan(&room, &e.ID, &e.Player, &e.Name, &e.System, &e.Options); err != nil {
			return err
		}
		found[room] = e
	}
	return rows.Err()
}

// sweptAtOnce is how many games one transaction of a sweep handles.
const sweptAtOnce = 100

// orphaned is the condition of a game whose rule set was deleted.
const orphaned = "NOT EXISTS (SELECT 1 FROM rulebook WHERE rulebook.id = rulebook_games.rules)"

// Sweep deletes what is remembered of games whose rule set was deleted. [Book.Behind] has not found it since.
// Call it once an hour. It reads outside of transactions, since rooms wait for them.
func (b *Book) Sweep(ctx context.Context) error {
	for {
		rooms, err := b.orphans(ctx)
		if err == nil && len(rooms) > 0 {
			err = b.db.Write(ctx, func(tx lobby.Tx) error {
				for _, room := range rooms {
					if _, err := tx.Exec("DELETE FROM rulebook_games WHERE room = $1 AND "+orphaned, room); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err != nil {
			return fmt.Errorf("rulebook: sweep: %w", err)
		}
		if len(rooms) == 0 {
			return nil
		}
	}
}

func (b *Book) orphans(ctx context.Context) ([]string, error) {
	return lobby.Column(ctx, b.db, "SELECT room FROM rulebook_games WHERE "+orphaned+" LIMIT $1", sweptAtOnce)
}
