package lobby

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

const (
	codeAlphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789" // without 0, O, 1, I, L
	codeLen      = 6                                 // 30 bits: enough while guessing is slow
)

// Invitations are the codes by which people in the same place find a game without a
// link. A code is valid for a limited time, and in that time leads to one room only.
type Invitations struct {
	db  DB
	now func() time.Time
}

// Invite returns the code of a room. It makes one, valid until the given time, unless
// the room has a valid code.
func (v *Invitations) Invite(ctx context.Context, room string, until time.Time) (code string, err error) {
	err = v.db.Write(ctx, func(tx Tx) error {
		now := v.now().UnixMilli()
		for range 20 { // one collision is rare; twenty in a row are a fault
			code = random(codeAlphabet, codeLen)
			put, err := tx.Exec("INSERT INTO invitations (code, room, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
				code, room, until.UnixMilli())
			if err != nil || put == 1 { // the usual case: the room is new and has no code
				return err
			}
			taken := code
			err = tx.Scan("SELECT code FROM invitations WHERE room = $1 AND until > $2", []any{room, now}, &code)
			if !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			if _, err := tx.Exec("DELETE FROM invitations WHERE (room = $1 OR code = $2) AND until <= $3", room, taken, now); err != nil {
				return err
			}
		}
		return errors.New("no code is free")
	})
	return code, wrap(err, "invite to %s", room)
}

// Code returns a room's code. It is empty if the room has no valid one.
func (v *Invitations) Code(ctx context.Context, room string) (code string, err error) {
	err = v.db.Reader().QueryRowContext(ctx, "SELECT code FROM invitations WHERE room = $1 AND until > $2", room, v.now().UnixMilli()).Scan(&code)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return code, wrap(err, "code of %s", room)
}

// Find returns the room that a typed code leads to. It is empty if there is none.
func (v *Invitations) Find(ctx context.Context, typed string) (room string, err error) {
	code, ok := readCode(typed)
	if !ok {
		return "", nil
	}
	err = v.db.Reader().QueryRowContext(ctx, "SELECT room FROM invitations WHERE code = $1 AND until > $2", code, v.now().UnixMilli()).Scan(&room)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return room, wrap(err, "find %s", code)
}

// readCode returns the code that a person typed. It accepts both cases, and spaces and
// dashes anywhere.
func readCode(typed string) (code string, ok bool) {
	if len(typed) > 4*codeLen {
		return "", false
	}
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "\t", "", "\u00a0", "").Replace(typed))
	return code, len(code) == codeLen && only(code, codeAlphabet)
}

// sweep deletes the codes that have expired.
func (v *Invitations) sweep(ctx context.Context) error {
	_, err := Trim(ctx, v.db, `DELETE FROM invitations WHERE code IN
		(SELECT code FROM invitations WHERE until <= $1 ORDER BY until LIMIT $2)`, v.now().UnixMilli())
	return wrap(err, "sweep invitations")
}
