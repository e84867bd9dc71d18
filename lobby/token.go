package lobby

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Tokens signs and checks the values of cookies that identify a player. The token of a
// guest names the player; the token of an account names a session too, and is accepted
// only while the session lasts:
//
//	1.<key>.<player>.<HMAC-SHA256 of all before, base64url>
//	2.<key>.<player>.<session>.<HMAC-SHA256 of all before, base64url>
//
// A token holds no personal data and no date. Keys are in the database, so that each
// instance accepts the tokens of the others. A key signs for [Options.KeyEvery]; then
// the next key does. The tokens of a key are accepted for another [Options.TokenLife]. A
// client that returns within that time gets a token of the newer key ([Tokens.Stale]).
type Tokens struct {
	db   DB
	opt  Options
	keys atomic.Pointer[[]tokenKey] // oldest first; replaced as a whole, never changed
}

// tokenKey is a secret that signs tokens. It is made a day before it first signs, so
// that every instance has read it by then.
type tokenKey struct {
	id     int64
	secret []byte
	starts time.Time
	until  time.Time // tokens are accepted before this time; zero for the last key
}

const (
	guestToken   = "1"
	sessionToken = "2"
	tokenContext = "mancala player token\n" // keeps signatures for another purpose from passing as tokens
	maxToken     = 160

	sessionAlphabet = "abcdefghijklmnopqrstuvwxyz234567"
	keyLead         = 24 * time.Hour
)

func openTokens(ctx context.Context, db DB, opt Options) (*Tokens, error) {
	t := &Tokens{db: db, opt: opt}
	return t, t.Refresh(ctx)
}

// Sign returns a guest's token.
func (t *Tokens) Sign(player string) (string, error) { return t.SignSession(player, "") }

// SignSession returns the token of a player's session. With no session it returns a
// guest's token.
func (t *Tokens) SignSession(player, session string) (string, error) {
	if !ValidPlayerID(player) || session != "" && !only(session, sessionAlphabet) {
		return "", fmt.Errorf("lobby: sign %q %q: not the IDs of a player and a session", player, session)
	}
	return t.signing().token(player, session), nil
}

// Verify returns the player and the session of a token. ok is false unless this service
// signed the token and its key has not expired. A guest has no session. Verify does not
// check whether the session has ended.
func (t *Tokens) Verify(token string) (player, session string, ok bool) {
	k, player, session, ok := t.open(token)
	// The comparison covers the whole text. So each player, session and key have exactly
	// one token, in one spelling.
	if !ok || !hmac.Equal([]byte(k.token(player, session)), []byte(token)) {
		return "", "", false
	}
	return player, session, true
}

// Stale reports whether a token is valid but was signed with an older key. Then the
// caller should issue a new token.
func (t *Tokens) Stale(token string) bool {
	if _, _, ok := t.Verify(token); !ok {
		return false
	}
	k, _, _, _ := t.open(token)
	return k.id != t.signing().id
}

// open splits a token and finds its key. It does not check the signature.
func (t *Tokens) open(token string) (k tokenKey, player, session string, ok bool) {
	if len(token) > maxToken {
		return k, "", "", false
	}
	parts := strings.Split(token, ".")
	switch {
	case len(parts) == 4 && parts[0] == guestToken:
	case len(parts) == 5 && parts[0] == sessionToken && parts[3] != "" && only(parts[3], sessionAlphabet):
		session = parts[3]
	default:
		return k, "", "", false
	}
	player = parts[2]
	if k, ok = t.key(parts[1]); !ok || !ValidPlayerID(player) {
		return k, "", "", false
	}
	return k, player, session, true
}

// key returns the key with this ID, unless it has expired.
func (t *Tokens) key(id string) (tokenKey, bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	keys := *t.keys.Load()
	i := slices.IndexFunc(keys, func(k tokenKey) bool { return k.id == n })
	if err != nil || i < 0 || !keys[i].until.IsZero() && !t.opt.now().Before(keys[i].until) {
		return tokenKey{}, false
	}
	return keys[i], true
}

// signing returns the newest key that has started.
func (t *Tokens) signing() tokenKey {
	keys, now := *t.keys.Load(), t.opt.now()
	for _, k := range slices.Backward(keys) {
		if !k.starts.After(now) {
			return k
		}
	}
	return keys[0] // the clock was set back: use the oldest key rather than none
}

func (k tokenKey) token(player, session string) string {
	head := guestToken + "." + strconv.FormatInt(k.id, 10) + "." + player
	if session != "" {
		head = sessionToken + strings.TrimPrefix(head, guestToken) + "." + session
	}
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte(tokenContext + head))
	return head + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Refresh reads the keys that other instances made, makes the next key when it is due,
// and deletes keys that have expired.
func (t *Tokens) Refresh(ctx context.Context) error {
	keys, err := t.load(ctx)
	if err != nil {
		return err
	}
	now := t.opt.now()
	next, due := tokenKey{id: 1, starts: now}, true
	if len(keys) > 0 {
		last := keys[len(keys)-1]
		next = tokenKey{id: last.id + 1, starts: now.Add(keyLead)}
		due = !last.starts.Add(t.opt.KeyEvery).After(next.starts)
	}
	expired := 0 // how many of the oldest keys have expired
	for expired < len(keys) && !keys[expired].until.IsZero() && !now.Before(keys[expired].until) {
		expired++
	}
	if due || expired > 0 {
		err := t.db.Write(ctx, func(tx Tx) error {
			if expired > 0 {
				if _, err := tx.Exec("DELETE FROM token_keys WHERE id <= $1", keys[expired-1].id); err != nil {
					return err
				}
			}
			if !due {
				return nil
			}
			secret := make([]byte, sha256.Size)
			_, _ = rand.Read(secret) // never fails: the program would end instead
			// Another instance may have made the same key already. Then its secret
			// stays.
			_, err := tx.Exec("INSERT INTO token_keys (id, secret, starts) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
				next.id, hex.EncodeToString(secret), next.starts.UnixMilli())
			return err
		})
		if err != nil {
			return wrap(err, "make a key")
		}
		if keys, err = t.load(ctx); err != nil {
			return err
		}
	}
	t.keys.Store(&keys)
	return nil
}

// load reads all keys, oldest first.
func (t *Tokens) load(ctx context.Context) ([]tokenKey, error) {
	rows, err := t.db.Reader().QueryContext(ctx, "SELECT id, secret, starts FROM token_keys")
	if err != nil {
		return nil, wrap(err, "read keys")
	}
	defer rows.Close()
	var keys []tokenKey
	for rows.Next() {
		var k tokenKey
		var secret string
		var starts int64
		if err := rows.Scan(&k.id, &secret, &starts); err != nil {
			return nil, wrap(err, "read keys")
		}
		if k.secret, err = hex.DecodeString(secret); err != nil || len(k.secret) != sha256.Size {
			return nil, fmt.Errorf("lobby: read keys: key %d is broken", k.id)
		}
		k.starts = time.UnixMilli(starts)
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b tokenKey) int { return cmp.Compare(a.id, b.id) })
	for i := range max(len(keys)-1, 0) {
		keys[i].until = keys[i+1].starts.Add(t.opt.TokenLife)
	}
	return keys, wrap(rows.Err(), "read keys")
}
