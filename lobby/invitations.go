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

// Invitations are the codes by which people who sit in one room find a game
// without a link. A code is good for a time, and by then one game's alone.
type Invitations struct {
	db  DB
	now func() time.Time
}

// Invite gives a room its code, which is good until then. A room that has one
// keeps it.
func (v *Invitations) Invite(ctx context.Context, room string, until time.Time) (code string, err error) {
	err = v.db.Write(ctx, func(tx Tx) error {
		now := v.now().UnixMilli()
		for range 20 { // that two codes meet is rare, that all do is no accident
			code = random(codeAlphabet, codeLen)
			put, err := tx.Exec("INSERT INTO invitations (code, room, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
				code, room, until.UnixMilli())
			if err != nil || put == 1 { // nearly always: a room is asked for its code when it is new
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

// Code is a room's code; empty if it has none that is still good.
func (v *Invitations) Code(ctx context.Context, room string) (code string, err error) {
	err = v.db.Reader().QueryRowContext(ctx, "SELECT code FROM invitations WHERE room = $1 AND until > $2", room, v.now().UnixMilli()).Scan(&code)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return code, wrap(err, "code of %s", room)
}

// Find is the room that a code, as somebody has typed it, leads to; empty if
// there is none.
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

// readCode is the code that somebody meant: in either case, with spaces or
// dashes where people put them.
func readCode(typed string) (code string, ok bool) {
	if len(typed) > 4*codeLen {
		return "", false
	}
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "\t", "", "\u00a0", "").Replace(typed))
	return code, len(code) == codeLen && only(code, codeAlphabet)
}

// sweep forgets the codes that are no longer good.
func (v *Invitations) sweep(ctx context.Context) error {
	err := v.db.Write(ctx, func(tx Tx) error {
		_, err := tx.Exec("DELETE FROM invitations WHERE until <= $1", v.now().UnixMilli())
		return err
	})
	return wrap(err, "sweep invitations")
}
