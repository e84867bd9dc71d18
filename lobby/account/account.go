// Package account lets people come back as who they are: with a password, a
// passkey or a recovery code, on several devices, each of which has a session of
// its own that can be ended.
//
// An account is a player of package lobby with a name that nobody else has
// ([lobby.People.Upgrade]); what it is entered by is kept here. Passwords are
// hashed with argon2id, everything else is random and long enough to be kept as
// a plain hash. Whether a name has an account cannot be learnt by trying to sign
// in: it costs the same, and is answered the same.
//
// A refusal is a [refusal.Error] with one of this package's codes, or of lobby's.
package account

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// Codes of refusals. Their texts are stable.
const (
	CodeSignIn        refusal.Code = "sign-in-failed"     // wrong name, password or code; which is not told
	CodePasswordShort refusal.Code = "password-too-short" // fewer than MinPassword characters
	CodePasswordLong  refusal.Code = "password-too-long"
	CodePasswordWeak  refusal.Code = "password-common" // among the first that somebody would try
	CodeNoSession     refusal.Code = "no-session"      // ended, or somebody else's
	CodePasskey       refusal.Code = "bad-passkey"     // not made as it should be, or too late
	CodePasskeyMany   refusal.Code = "too-many-passkeys"
	CodeLastWay       refusal.Code = "last-way"      // without it nobody could sign in
	CodeHandover      refusal.Code = "handover-over" // used up, or too old
	CodeToken         refusal.Code = "bad-token"     // revoked, or none
	CodeTokens        refusal.Code = "too-many-tokens"
	CodeScope         refusal.Code = "bad-scope" // none is chosen, or there is no such scope
)

// Options are an account's figures; a zero means the default.
type Options struct {
	SessionIdle time.Duration // a session that nobody used for so long ends; 400 days

	Now func() time.Time // tests only
}

// Accounts are what accounts are entered by. The methods are safe from any
// goroutine.
type Accounts struct {
	db     lobby.DB
	people *lobby.People
	opt    Options
	gate   gate
	open   *sessions
}

// Open brings the tables up to date. The database stays the caller's to close.
func Open(ctx context.Context, db lobby.DB, people *lobby.People, opt Options) (*Accounts, error) {
	if opt.SessionIdle <= 0 {
		opt.SessionIdle = 400 * 24 * time.Hour
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if err := db.Migrate(ctx, "account", schema); err != nil {
		return nil, fmt.Errorf("account: open: %w", err)
	}
	a := &Accounts{db: db, people: people, opt: opt, gate: newGate(), open: newSessions()}
	people.WhenForgotten(
		"DELETE FROM passwords WHERE player = $1",
		"DELETE FROM recovery_codes WHERE player = $1",
		"DELETE FROM sessions WHERE player = $1",
		"DELETE FROM passkeys WHERE player = $1",
		"DELETE FROM handovers WHERE player = $1",
		"DELETE FROM api_tokens WHERE player = $1",
	)
	return a, nil
}

// schema is the package's set of migrations. A step that a release has carried is
// never changed; a new one is added. Times are ms since 1970.
var schema = []string{`
CREATE TABLE passwords (
	player  TEXT PRIMARY KEY,
	hash    TEXT NOT NULL,   -- argon2id, with its figures
	changed BIGINT NOT NULL
);

CREATE TABLE recovery_codes (
	player TEXT NOT NULL,
	hash   TEXT NOT NULL,
	PRIMARY KEY (player, hash)
);

CREATE TABLE sessions (
	id      TEXT PRIMARY KEY,
	player  TEXT NOT NULL,
	device  TEXT NOT NULL,
	created BIGINT NOT NULL,
	seen    BIGINT NOT NULL  -- at least; up to ten minutes old
);
CREATE INDEX sessions_of ON sessions (player);
CREATE INDEX sessions_seen ON sessions (seen);

CREATE TABLE ended ( -- sessions that have ended, and players who changed: for the other instances, for an hour
	id TEXT NOT NULL,
	at BIGINT NOT NULL
);
CREATE INDEX ended_at ON ended (at);
`, `
CREATE TABLE passkeys (
	id         TEXT PRIMARY KEY, -- as the authenticator made it, base64url
	player     TEXT NOT NULL,
	site       TEXT NOT NULL,    -- the host that it works for
	name       TEXT NOT NULL,
	credential TEXT NOT NULL,    -- the library's, JSON
	created    BIGINT NOT NULL,
	used       BIGINT NOT NULL
);
CREATE INDEX passkeys_of ON passkeys (player);

CREATE TABLE ceremonies (
	hash  TEXT PRIMARY KEY,
	state TEXT NOT NULL,
	until BIGINT NOT NULL
);
CREATE INDEX ceremonies_until ON ceremonies (until);
`, `
CREATE TABLE handovers (
	hash   TEXT PRIMARY KEY,
	player TEXT NOT NULL,
	until  BIGINT NOT NULL
);
CREATE INDEX handovers_of ON handovers (player);

CREATE TABLE api_tokens (
	hash    TEXT PRIMARY KEY,
	id      TEXT NOT NULL UNIQUE,
	player  TEXT NOT NULL,
	name    TEXT NOT NULL,
	scopes  TEXT NOT NULL,   -- words
	created BIGINT NOT NULL,
	used    BIGINT NOT NULL
);
CREATE INDEX api_tokens_of ON api_tokens (player);
`}

// Create makes a guest's account, under a name and with a password, and returns
// its recovery codes.
func (a *Accounts) Create(ctx context.Context, player, name, password string) ([]string, error) {
	if _, err := lobby.AccountName(name); err != nil {
		return nil, err
	}
	hash, err := a.hashNew(ctx, password, name)
	if err != nil {
		return nil, err
	}
	return a.create(ctx, player, name, func(tx lobby.Tx) error { return a.putPassword(tx, player, hash) })
}

// create makes an account together with what it is entered by.
func (a *Accounts) create(ctx context.Context, player, name string, with func(lobby.Tx) error) ([]string, error) {
	codes := newCodes()
	_, err := a.people.Upgrade(ctx, player, name, func(tx lobby.Tx) error {
		if err := with(tx); err != nil {
			return err
		}
		if err := putCodes(tx, player, codes); err != nil {
			return err
		}
		return a.tellEnded(tx, player) // what says that he is a guest is worth nothing from now on
	})
	if err != nil {
		return nil, err
	}
	a.ended([]string{player})
	return codes, nil
}

// Forget removes an account and all that is known of its player, and ends its
// sessions on every instance.
func (a *Accounts) Forget(ctx context.Context, player string) error {
	err := a.end(ctx, player, "", "")
	if err == nil {
		err = a.people.Forget(ctx, player)
	}
	if err == nil {
		err = a.db.Write(ctx, func(tx lobby.Tx) error { return a.tellEnded(tx, player) })
	}
	a.ended([]string{player})
	return err
}

// hashed is how what is random and long is kept. The kind keeps one kind's from
// being taken for another's.
func hashed(kind, secret string) string {
	sum := sha256.Sum256([]byte("mancala " + kind + "\n" + secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Sweep removes what time has ended. Call it at least once an hour.
func (a *Accounts) Sweep(ctx context.Context) error {
	now := a.opt.Now()
	err := a.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec("DELETE FROM sessions WHERE seen < $1", now.Add(-a.opt.SessionIdle).UnixMilli())
		_, err2 := tx.Exec("DELETE FROM ended WHERE at < $1", now.Add(-time.Hour).UnixMilli())
		_, err3 := tx.Exec("DELETE FROM ceremonies WHERE until < $1", now.UnixMilli())
		_, err4 := tx.Exec("DELETE FROM handovers WHERE until < $1", now.UnixMilli())
		return errors.Join(err, err2, err3, err4)
	})
	return wrap(err, "sweep")
}

// wrap says what was being done; a nil stays nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("account: %s: %w", fmt.Sprintf(format, args...), err)
}
