package lobby

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mancala/match/journal"
	"mancala/match/refusal"
)

// DeleteSome returns a statement that deletes rows of a table which meet a condition, by
// their key (its columns, with commas between). $1 is the condition's argument, and $2 the
// largest number of rows.
func DeleteSome(table, key, where string) string {
	return fmt.Sprintf("DELETE FROM %[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM %[1]s WHERE %[3]s LIMIT $2)", table, key, where)
}

// UpdateSome is [DeleteSome] for an update. Rows that it has set must not meet the
// condition any more.
func UpdateSome(table, key, set, where string) string {
	return fmt.Sprintf("UPDATE %[1]s SET %[4]s WHERE (%[2]s) IN (SELECT %[2]s FROM %[1]s WHERE %[3]s LIMIT $2)", table, key, where, set)
}

// WhenForgotten adds statements that delete a player's rows from other packages' tables. $1
// is the player, and $2 the largest number of rows, see [DeleteSome]. Call it before the
// first request is served.
func (p *People) WhenForgotten(statements ...string) {
	p.forgetting = append(p.forgetting, statements...)
}

var (
	// The rows stay, so that their numbers are not given to other lines.
	eraseLines  = UpdateSome("chat", "room, stream, n", "erased = 1, player = '', preset = '', text = ''", "player = $1")
	deleteGames = DeleteSome("games", "player, room", "player = $1 ORDER BY room")
)

// forgetRows is how many rows of a table are deleted in the transaction that deletes their
// player. Nearly all players have fewer.
const forgetRows = 20

// Forget deletes a player's name, settings, list of games and lines of chat. The games
// stay, and show [DeletedName] for the player. Another instance may use the cached name
// for half a minute, and accept the player as present for an hour. The player's seatmates
// are deleted first.
//
// The first transaction deletes the player and at most forgetRows rows of each table, and
// hides all lines. Then the player does not exist for anybody. A player who has more rows
// is in the table forgotten until further transactions have deleted them. If they are
// broken off, the next sweep goes on.
func (p *People) Forget(ctx context.Context, id string) error {
	mates, err := p.seatmates(ctx, id)
	if err != nil {
		return err
	}
	for _, mate := range mates {
		if err := p.forgetOne(ctx, mate); err != nil {
			return err
		}
	}
	return p.forgetOne(ctx, id)
}

// forgetOne is [People.Forget] for one player alone.
func (p *People) forgetOne(ctx context.Context, id string) error {
	more := false
	err := p.db.Write(ctx, func(tx Tx) (err error) {
		if more, err = p.remove(tx, id); err != nil {
			return err
		}
		n, err := tx.Exec(eraseLines, id, forgetRows)
		if more = more || n == forgetRows; err != nil || !more {
			return err
		}
		return remember(tx, id, true)
	})
	p.Changed(id)
	if err != nil {
		return wrap(err, "forget player %s", id)
	}
	p.tellRenamed(id)
	if more {
		_ = p.forgetRest(ctx, id, true) // otherwise the next sweep does it
	}
	return nil
}

// remove deletes a player and the player's rows, at most forgetRows of each table. It
// reports whether there may be more.
func (p *People) remove(tx Tx, id string) (more bool, err error) {
	if _, err := tx.Exec("DELETE FROM players WHERE id = $1", id); err != nil {
		return false, err
	}
	if err := p.disownHandles(tx, id); err != nil {
		return false, err
	}
	for _, statement := range p.forgetting {
		n, err := tx.Exec(statement, id, forgetRows)
		if err != nil {
			return false, err
		}
		more = more || n == forgetRows
	}
	if more {
		return true, nil // other tables are found by the games
	}
	return disownGames(tx, id)
}

// disownGames removes at most forgetRows games from a player's list, and reports whether
// there may be more. A game that is in no list any more is found by the table
// orphaned_games.
func disownGames(tx Tx, id string) (more bool, err error) {
	if _, err := tx.Exec(`INSERT INTO orphaned_games (room, since) SELECT room, updated FROM games WHERE player = $1 ORDER BY room LIMIT $2
		ON CONFLICT (room) DO UPDATE SET since = excluded.since`, id, forgetRows); err != nil {
		return false, err
	}
	n, err := tx.Exec(deleteGames, id, forgetRows)
	return n == forgetRows, err
}

// remember puts a player into the table of those whose rows are still being deleted, with
// or without their lines of chat.
func remember(tx Tx, id string, chat bool) error {
	_, err := tx.Exec(`INSERT INTO forgotten (player, chat) VALUES ($1, $2)
		ON CONFLICT (player) DO UPDATE SET chat = CASE WHEN excluded.chat > forgotten.chat THEN excluded.chat ELSE forgotten.chat END`, id, Number(chat))
	return err
}

// forgetRest deletes what is left of a player who is in the table forgotten.
func (p *People) forgetRest(ctx context.Context, id string, chat bool) error {
	statements := append([]string{}, p.forgetting...)
	if chat {
		statements = append(statements, eraseLines)
	}
	for _, statement := range statements {
		if _, err := Trim(ctx, p.db, statement, id); err != nil {
			return wrap(err, "forget player %s", id)
		}
	}
	for more := true; more; {
		begun := time.Now()
		if err := p.db.Write(ctx, func(tx Tx) (err error) {
			more, err = disownGames(tx, id)
			return err
		}); err != nil {
			return wrap(err, "forget player %s", id)
		}
		if err := journal.Rest(ctx, time.Since(begun)); err != nil {
			return wrap(err, "forget player %s", id)
		}
	}
	err := p.db.Write(ctx, func(tx Tx) error {
		_, err := tx.Exec("DELETE FROM forgotten WHERE player = $1 AND chat = $2", id, Number(chat))
		return err
	})
	return wrap(err, "forget player %s", id)
}

// sweepForgotten goes on with the deletions that were broken off.
func (p *People) sweepForgotten(ctx context.Context) error {
	rows, err := p.db.Reader().QueryContext(ctx, "SELECT player, chat FROM forgotten ORDER BY player LIMIT $1", swept)
	if err != nil {
		return wrap(err, "list forgotten players")
	}
	defer rows.Close()
	left := map[string]bool{}
	for rows.Next() {
		var id string
		var chat int
		if err := rows.Scan(&id, &chat); err != nil {
			return wrap(err, "list forgotten players")
		}
		left[id] = chat == 1
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return wrap(err, "list forgotten players")
	}
	for id, chat := range left {
		if err := p.forgetRest(ctx, id, chat); err != nil {
			return err
		}
	}
	return nil
}

// DropName gives a guest a friendly name in place of the one that they typed. Accounts keep
// theirs.
func (p *People) DropName(ctx context.Context, id string) error {
	pl, err := p.Player(ctx, id)
	switch {
	case refusal.Is(err, CodeNoPlayer), err == nil && !pl.Guest():
		return nil
	case err != nil:
		return err
	}
	for range 9 {
		if _, err = p.Rename(ctx, id, FriendlyName()); !refusal.Is(err, CodeNameTaken) {
			break
		}
	}
	if refusal.Is(err, CodeNoPlayer) {
		return nil
	}
	return err
}
