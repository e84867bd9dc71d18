// Package account lets a player sign in again: with a password, a passkey or a recovery
// code. Each device on which the player signs in has a session of its own, which can be
// ended.
//
// An account is a player of package lobby with a unique name ([lobby.People.Upgrade]).
// This package keeps the account's credentials. Passwords are hashed with argon2id. All
// other secrets are random, and long enough to be kept as plain hashes. An attempt to
// sign in does not reveal whether a name has an account: the cost and the answer are the
// same in both cases.
//
// A refusal is a [refusal.Error] with a code of this package or of lobby.
package account

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// The codes of this package's refusals. Their texts are stable.
const (
	CodeSignIn        refusal.Code = "sign-in-failed"     // wrong name, password or code; the refusal does not tell which
	CodePasswordShort refusal.Code = "password-too-short" // fewer than MinPassword characters
	CodePasswordLong  refusal.Code = "password-too-long"
	CodePasswordWeak  refusal.Code = "password-common" // one of the first that an attacker would try
	CodeNoSession     refusal.Code = "no-session"      // it has ended, or it is another player's
	CodePasskey       refusal.Code = "bad-passkey"     // the browser's answer is not valid, or came too late
	CodePasskeyMany   refusal.Code = "too-many-passkeys"
	CodeLastWay       refusal.Code = "last-way"      // without it the player could not sign in
	CodeHandover      refusal.Code = "handover-over" // used already, or expired
	CodeToken         refusal.Code = "bad-token"     // revoked, or never valid
	CodeTokens        refusal.Code = "too-many-tokens"
	CodeScope         refusal.Code = "bad-scope" // none is chosen, or there is no such scope
)

// Options configures accounts. A zero value means the default.
type Options struct {
	SessionIdle time.Duration // a session that was idle for this long ends; 400 days

	Now        func() time.Time // tests only
	Ceremonies int              // of all players together; tests only, 20,000
	HashMemory uint32           // KiB that hashing a password takes; tests only, 46 MiB
}

// Accounts keeps the credentials, sessions and tokens of accounts. Its methods are safe
// from any goroutine.
type Accounts struct {
	db     lobby.DB
	people *lobby.People
	opt    Options
	gate   gate
	open   *sessions
}

// Open migrates the tables. The caller still owns the database and closes it.
func Open(ctx context.Context, db lobby.DB, people *lobby.People, opt Options) (*Accounts, error) {
	if opt.SessionIdle <= 0 {
		opt.SessionIdle = 400 * 24 * time.Hour
	}
	if opt.Ceremonies <= 0 {
		opt.Ceremonies = 20_000
	}
	if opt.HashMemory == 0 {
		opt.HashMemory = argonMemory
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if err := db.Migrate(ctx, "account", schema); err != nil {
		return nil, fmt.Errorf("account: open: %w", err)
	}
	a := &Accounts{db: db, people: people, opt: opt, gate: newGate(), open: newSessions(opt.Now())}
	people.WhenForgotten(
		lobby.DeleteSome("passwords", "player", "player = $1"),
		lobby.DeleteSome("recovery_codes", "player, hash", "player = $1"),
		lobby.DeleteSome("sessions", "id", "player = $1"),
		lobby.DeleteSome("passkeys", "id", "player = $1"),
		lobby.DeleteSome("handovers", "hash", "player = $1"),
		lobby.DeleteSome("api_tokens", "hash", "player = $1"),
	)
	return a, nil
}

// schema holds the package's migrations. A released step is never changed; new steps are
// appended. Times are in ms since 1970.
var schema = []string{`
CREATE TABLE passwords (
	player  TEXT PRIMARY KEY,
	hash    TEXT NOT NULL,   -- argon2id, with its parameters
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
	seen    BIGINT NOT NULL  -- a lower bound, up to ten minutes old
);
CREATE INDEX sessions_of ON sessions (player);
CREATE INDEX sessions_seen ON sessions (seen);

CREATE TABLE ended ( -- IDs of ended sessions and of changed players, which other instances read for an hour
	id TEXT NOT NULL,
	at BIGINT NOT NULL
);
CREATE INDEX ended_at ON ended (at);
`, `
CREATE TABLE passkeys (
	id         TEXT PRIMARY KEY, -- the authenticator's, base64url
	player     TEXT NOT NULL,
	site       TEXT NOT NULL,    -- the host that the passkey works for
	name       TEXT NOT NULL,
	credential TEXT NOT NULL,    -- JSON of the library
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
	scopes  TEXT NOT NULL,   -- separated by spaces
	created BIGINT NOT NULL,
	used    BIGINT NOT NULL
);
CREATE INDEX api_tokens_of ON api_tokens (player);
`, `
CREATE INDEX handovers_until ON handovers (until); -- for the sweep
`, `
ALTER TABLE ceremonies ADD COLUMN place TEXT NOT NULL DEFAULT ''; -- earlier releases add rows without one
`}

// hashed returns the form in which a long random secret is stored. The kind keeps a
// secret of one kind from passing as one of another kind.
func hashed(kind, secret string) string {
	sum := sha256.Sum256([]byte("mancala " + kind + "\n" + secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Sweep deletes rows that have expired. Call it at least once an hour.
func (a *Accounts) Sweep(ctx context.Context) error {
	now := a.opt.Now()
	for _, expired := range []struct {
		table, key, column string
		before             time.Time
	}{
		{"sessions", "id", "seen", now.Add(-a.opt.SessionIdle)},
		{"ended", "at", "at", now.Add(-time.Hour)},
		{"ceremonies", "hash", "until", now},
		{"handovers", "hash", "until", now},
	} {
		_, err := lobby.Trim(ctx, a.db, fmt.Sprintf("DELETE FROM %[1]s WHERE %[2]s IN (SELECT %[2]s FROM %[1]s WHERE %[3]s < $1 ORDER BY %[3]s LIMIT $2)",
			expired.table, expired.key, expired.column), expired.before.UnixMilli())
		if err != nil {
			return wrap(err, "sweep %s", expired.table)
		}
	}
	return nil
}

// wrap adds to an error what was being done. A nil error stays nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("account: %s: %w", fmt.Sprintf(format, args...), err)
}
