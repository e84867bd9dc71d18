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
	"mancala/match/room"
)

// CeremonyLife is how long a player has to show a passkey or to make one.
const CeremonyLife = 5 * time.Minute

const maxCeremonies = 20_000 // of all players together

// ceremony is a request to a browser's passkeys. It is in the database because another
// instance may receive the answer. It accepts one answer, within [CeremonyLife].
type ceremony struct {
	Player  string // the player for whom a passkey is made; empty for a sign-in
	At      Site
	Session webauthn.SessionData
}

// putCeremony stores a ceremony. It returns the options for the browser, and the
// ceremony's ID.
func (a *Accounts) putCeremony(ctx context.Context, question any, c ceremony) (options []byte, id string, err error) {
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
		if n >= maxCeremonies {
			return refusal.New(room.CodeBusy)
		}
		_, err := tx.Exec("INSERT INTO ceremonies (hash, state, until) VALUES ($1, $2, $3)",
			hashed("ceremony", id), string(text), now.Add(CeremonyLife).UnixMilli())
		return err
	})
	return options, id, wrap(err, "begin a ceremony")
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
