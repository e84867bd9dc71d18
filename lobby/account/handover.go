package account

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// HandoverLife is how long the secret of a hand-over to another device is valid.
const HandoverLife = 5 * time.Minute

// Offer returns a secret by which the player can sign in on another device, once and
// within [HandoverLife]. It invalidates the player's secret before this one. session is the
// ID of the session that asks, and empty for a guest. Offer refuses with [CodeNoSession] a
// session that has ended, and a guest who has an account now: another instance may have
// ended it, or made the account, less than a few seconds ago.
func (a *Accounts) Offer(ctx context.Context, player, session string) (secret string, err error) {
	secret = rand.Text()
	now := a.opt.Now()
	err = a.db.Write(ctx, func(tx lobby.Tx) error {
		n, asks, args := 0, "SELECT COUNT(*) FROM sessions WHERE player = $1 AND id = $2", []any{player, session}
		if session == "" {
			asks, args = "SELECT COUNT(*) FROM players WHERE id = $1 AND account = 0", args[:1]
		}
		if err := tx.Scan(asks, args, &n); err != nil {
			return err
		}
		if n == 0 {
			return refusal.New(CodeNoSession)
		}
		if _, err := tx.Exec("DELETE FROM handovers WHERE player = $1 OR until <= $2", player, now.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.Exec("INSERT INTO handovers (hash, player, until) VALUES ($1, $2, $3)", hashed("handover", secret), player, now.Add(HandoverLife).UnixMilli())
		return err
	})
	return secret, wrap(err, "offer a handover")
}

// Offered returns the player of a secret, and does not use the secret up. It refuses
// with [CodeHandover] a secret that was used or has expired.
func (a *Accounts) Offered(ctx context.Context, secret string) (player string, err error) {
	err = a.db.Reader().QueryRowContext(ctx, "SELECT player FROM handovers WHERE hash = $1 AND until > $2", hashed("handover", secret), a.opt.Now().UnixMilli()).Scan(&player)
	if errors.Is(err, sql.ErrNoRows) {
		err = refusal.New(CodeHandover)
	}
	return player, wrap(err, "look at a handover")
}

// Accept uses a secret up and returns its player, for whom the new device may sign in.
func (a *Accounts) Accept(ctx context.Context, secret string) (player string, err error) {
	if player, err = a.Offered(ctx, secret); err != nil {
		return "", err
	}
	var n int64
	err = a.db.Write(ctx, func(tx lobby.Tx) (err error) {
		n, err = tx.Exec("DELETE FROM handovers WHERE hash = $1", hashed("handover", secret))
		return err
	})
	if err == nil && n == 0 { // another request used the secret first
		err = refusal.New(CodeHandover)
	}
	return player, wrap(err, "accept a handover")
}

// endHandover invalidates the player's pending secret.
func endHandover(tx lobby.Tx, player string) error {
	_, err := tx.Exec("DELETE FROM handovers WHERE player = $1", player)
	return err
}
