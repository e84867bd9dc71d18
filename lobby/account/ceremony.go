package account

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"mancala/lobby"
	"mancala/match/refusal"
)

// CeremonyLife is how long a player has to show a passkey or to make one.
const CeremonyLife = 5 * time.Minute

// ceremony is a request to a browser's passkeys. It is in the database because another
// instance may receive the answer. It accepts one answer, within [CeremonyLife].
type ceremony struct {
	Player  string // the player for whom a passkey is made; empty for a sign-in
	At      Site
	Session webauthn.SessionData
}

// putCeremony stores a ceremony of a browser at a place. If there are too many, the place
// with the most ceremonies loses its oldest one. putCeremony returns the options for the
// browser, and the ceremony's ID.
func (a *Accounts) putCeremony(ctx context.Context, place string, question any, c ceremony) (options []byte, id string, err error) {
	options, err = json.Marshal(question)
	text, err2 := json.Marshal(c)
	if err := errors.Join(err, err2); err != nil {
		return nil, "", wrap(err, "begin a ceremony")
	}
	id = rand.Text()
	now := a.opt.Now()
	err = a.db.Write(ctx, func(tx lobby.Tx) error {
		if _, err := tx.Exec("DELETE FROM ceremonies WHERE until <= $1", now.UnixMilli()); err != nil {
			return err
		}
		n := 0
		if err := tx.Scan("SELECT COUNT(*) FROM ceremonies", nil, &n); err != nil {
			return err
		}
		if n >= a.opt.Ceremonies {
			if err := dropGreediest(tx); err != nil {
				return err
			}
		}
		_, err := tx.Exec("INSERT INTO ceremonies (hash, state, until, place) VALUES ($1, $2, $3, $4)",
			hashed("ceremony", id), string(text), now.Add(CeremonyLife).UnixMilli(), place)
		return err
	})
	return options, id, wrap(err, "begin a ceremony")
}

// dropGreediest ends the oldest ceremony of the place with the most ceremonies.
func dropGreediest(tx lobby.Tx) error {
	var place string
	err := tx.Scan("SELECT place FROM ceremonies GROUP BY place ORDER BY COUNT(*) DESC, place LIMIT 1", nil, &place)
	if err == nil {
		_, err = tx.Exec("DELETE FROM ceremonies WHERE hash IN (SELECT hash FROM ceremonies WHERE place = $1 ORDER BY until LIMIT 1)", place)
	}
	return err
}

// takeCeremony ends a ceremony and returns it. It refuses with [CodePasskey] an ID whose
// ceremony is unknown, over or expired.
func (a *Accounts) takeCeremony(ctx context.Context, id string) (c ceremony, err error) {
	var text string
	err = a.db.Write(ctx, func(tx lobby.Tx) error {
		err := tx.Scan("SELECT state FROM ceremonies WHERE hash = $1 AND until > $2", []any{hashed("ceremony", id), a.opt.Now().UnixMilli()}, &text)
		if err != nil {
			return err
		}
		n, err := tx.Exec("DELETE FROM ceremonies WHERE hash = $1", hashed("ceremony", id))
		if err == nil && n == 0 { // another request took it first
			err = sql.ErrNoRows
		}
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return c, refusal.New(CodePasskey)
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &c)
	}
	return c, wrap(err, "end a ceremony")
}
