package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"mancala/lobby"
	"mancala/match/refusal"
	"mancala/match/room"
)

// MinPassword is the least number of characters in a password. The only other demand on
// a password is that it is not common.
const MinPassword = 10

const maxPassword = 256 // bytes

// The cost of one check: about 70 ms and 46 MB.
const (
	argonTime   = 2
	argonMemory = 46 << 10 // KiB
	argonKey    = 32
)

// prepared returns the form of a password that is hashed. It does not depend on how a
// keyboard composes accents.
func prepared(password string) string { return norm.NFKC.String(password) }

// CheckPassword refuses a password that is too short, too long or too common for a
// player of this name.
func CheckPassword(password, name string) error {
	if len(password) > maxPassword {
		return refusal.New(CodePasswordLong)
	}
	password = prepared(password)
	if utf8.RuneCountInString(password) < MinPassword {
		return refusal.With(CodePasswordShort, map[string]int{"min": MinPassword})
	}
	if common(password, name) {
		return refusal.New(CodePasswordWeak)
	}
	return nil
}

// hashNew returns the hash of a new password. It refuses a password as [CheckPassword]
// does.
func (a *Accounts) hashNew(ctx context.Context, password, name string) (hash string, err error) {
	if err := CheckPassword(password, name); err != nil {
		return "", err
	}
	password = prepared(password)
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails: the program would end instead
	err = a.gate.pass(ctx, func() {
		key := argon2.IDKey([]byte(password), salt, argonTime, a.opt.HashMemory, 1, argonKey)
		hash = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, a.opt.HashMemory, argonTime,
			base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
	})
	return hash, err
}

// matches reports whether hash is the hash of password. If there is no hash, as for an
// account without a password, the check costs the same.
func (a *Accounts) matches(ctx context.Context, password, hash string) (ok bool, err error) {
	if len(password) > maxPassword {
		return false, nil
	}
	t, m := uint32(argonTime), a.opt.HashMemory
	salt, key := make([]byte, 16), make([]byte, argonKey)
	_, _ = rand.Read(key) // no password has this hash
	if parts := strings.Split(hash, "$"); len(parts) == 6 {
		var memory, times uint32
		_, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=1", &memory, &times)
		s, err2 := base64.RawStdEncoding.DecodeString(parts[4])
		k, err3 := base64.RawStdEncoding.DecodeString(parts[5])
		if err := errors.Join(err, err2, err3); err != nil {
			return false, wrap(err, "read a password's hash")
		}
		t, m, salt, key = times, memory, s, k
	}
	err = a.gate.pass(ctx, func() {
		got := argon2.IDKey([]byte(prepared(password)), salt, t, m, 1, uint32(len(key)))
		ok = subtle.ConstantTimeCompare(got, key) == 1
	})
	return ok, err
}

func (a *Accounts) putPassword(tx lobby.Tx, player, hash string) error {
	_, err := tx.Exec(`INSERT INTO passwords (player, hash, changed) VALUES ($1, $2, $3)
		ON CONFLICT (player) DO UPDATE SET hash = excluded.hash, changed = excluded.changed`, player, hash, a.opt.Now().UnixMilli())
	return err
}

// passwordOf returns the hash of a player's password. It is empty if the player has
// none.
func (a *Accounts) passwordOf(ctx context.Context, player string) (hash string, err error) {
	err = a.db.Reader().QueryRowContext(ctx, "SELECT hash FROM passwords WHERE player = $1", player).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return hash, wrap(err, "read a password")
}

// ByPassword returns the player with this name and password. It refuses with
// [CodeSignIn] if there is none.
func (a *Accounts) ByPassword(ctx context.Context, name, password string) (player string, err error) {
	p, err := a.named(ctx, name)
	if err != nil {
		return "", err
	}
	ok, err := a.checks(ctx, p, password)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", refusal.New(CodeSignIn)
	}
	return p, nil
}

// checks reports whether a password is the player's. It is false for a player without a
// password.
func (a *Accounts) checks(ctx context.Context, player, password string) (bool, error) {
	hash, err := a.passwordOf(ctx, player)
	if err != nil {
		return false, err
	}
	return a.matches(ctx, password, hash)
}

// named returns the ID of the player whose account has this name. If there is none it
// returns "nobody", after the same queries to the database.
func (a *Accounts) named(ctx context.Context, name string) (string, error) {
	p, err := a.people.Named(ctx, name)
	if _, refused := refusal.Of(err); refused {
		_, err = a.people.Player(ctx, "nobody")
		if _, refused := refusal.Of(err); refused {
			return "nobody", nil
		}
	}
	return p.ID, err
}

// PasswordSet returns when an account's password was set, in ms since 1970. It returns 0
// for an account without a password.
func (a *Accounts) PasswordSet(ctx context.Context, player string) (at int64, err error) {
	err = a.db.Reader().QueryRowContext(ctx, "SELECT changed FROM passwords WHERE player = $1", player).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return at, wrap(err, "read when a password was set")
}

// HasPassword reports whether an account has a password.
func (a *Accounts) HasPassword(ctx context.Context, player string) (bool, error) {
	hash, err := a.passwordOf(ctx, player)
	return hash != "", err
}

// SetPassword sets the first or another password of an account. The caller must check
// that the owner asks for it ([Session.Fresh]). SetPassword ends all other sessions, all
// tokens of programs and the pending hand-over to another device, on every instance: the
// owner may change the password because another person knows it.
func (a *Accounts) SetPassword(ctx context.Context, s Session, name, password string) error {
	hash, err := a.hashNew(ctx, password, name)
	if err != nil {
		return err
	}
	end, err := a.endings(ctx, s)
	if err != nil {
		return err
	}
	err = a.db.Write(ctx, func(tx lobby.Tx) error {
		if err := a.putPassword(tx, s.Player, hash); err != nil {
			return err
		}
		return a.endAccess(tx, s)
	})
	if err == nil { // the ended table has what began after they were read, as for other instances
		a.ended(end)
	}
	return wrap(err, "change a password")
}

// gate bounds how many hashes are computed at once, since each needs much memory and
// time. Some requests wait for a slot; more are refused. So attempts to guess passwords
// cannot take all processors or all memory.
type gate struct {
	slots   chan struct{}
	waiting *atomic.Int32
}

const maxWaiting = 64

func newGate() gate {
	return gate{make(chan struct{}, max(1, min(4, runtime.GOMAXPROCS(0)/2))), new(atomic.Int32)}
}

// pass runs work when a slot is free. It refuses with [room.CodeBusy] if too many
// requests wait.
func (g gate) pass(ctx context.Context, work func()) error {
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > maxWaiting {
		return refusal.New(room.CodeBusy)
	}
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-g.slots }()
	work()
	return nil
}
