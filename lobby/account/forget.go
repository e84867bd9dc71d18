package account

import (
	"context"
	"errors"

	"mancala/lobby"
	"mancala/match/journal"
)

// Forget deletes an account and all data of its player. It ends the player's sessions and
// tokens on every instance.
func (a *Accounts) Forget(ctx context.Context, player string) error {
	here := Session{Player: player}
	end, err := a.endings(ctx, here)
	if err == nil { // before the deletion, which would delete the IDs with their rows
		err = wrap(a.db.Write(ctx, func(tx lobby.Tx) error { return a.endAccess(tx, here) }), "end sessions")
	}
	if err != nil {
		return err
	}
	a.ended(end)
	switch err = a.people.Forget(ctx, player); {
	case err == nil:
		err = a.db.Write(ctx, func(tx lobby.Tx) error { return a.tellEnded(tx, player) })
	case !errors.Is(err, journal.ErrUnknown):
		return err // the player is left
	} // after an unknown outcome nothing would tell it later
	a.ended([]string{player})
	return err
}

// endAccess ends the player's sessions except this one, all tokens of programs, and the
// pending hand-over to another device. With no ID in here it ends all sessions.
func (a *Accounts) endAccess(tx lobby.Tx, here Session) error {
	for _, statement := range []string{
		"INSERT INTO ended (id, at) SELECT id, $3 FROM sessions WHERE player = $1 AND id <> $2",
		"INSERT INTO ended (id, at) SELECT id, $3 FROM api_tokens WHERE player = $1 AND id <> $2",
	} {
		if _, err := tx.Exec(statement, here.Player, here.ID, a.opt.Now().UnixMilli()); err != nil {
			return err
		}
	}
	_, err := tx.Exec("DELETE FROM sessions WHERE player = $1 AND id <> $2", here.Player, here.ID)
	_, err2 := tx.Exec("DELETE FROM api_tokens WHERE player = $1", here.Player)
	return errors.Join(err, err2, endHandover(tx, here.Player))
}

// endings returns the IDs that endAccess ends: those of the player's other sessions, and
// of the tokens.
func (a *Accounts) endings(ctx context.Context, here Session) (ids []string, err error) {
	sessions, err := a.Sessions(ctx, here.Player)
	if err != nil {
		return nil, err
	}
	for _, s := range sessions {
		if s.ID != here.ID {
			ids = append(ids, s.ID)
		}
	}
	tokens, err := a.Tokens(ctx, here.Player)
	for _, t := range tokens {
		ids = append(ids, t.ID)
	}
	return ids, err
}
