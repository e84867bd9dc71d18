package account

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mancala/lobby"
	"mancala/match/refusal"
)

// Scopes lists what a program may be allowed to do for a player.
var Scopes = []string{
	"read",     // what the player sees: their games, their settings
	"play",     // make games, sit down, move
	"settings", // change the settings; only the owner can change the name
	"host",     // make and run tournaments
}

// Token lets a program act for an account, within its scopes. The secret is shown only
// when the token is made.
type Token struct {
	ID      string
	Player  string
	Name    string // given by its owner
	Scopes  []string
	Created time.Time
	Used    time.Time // up to ten minutes old
}

// Allows reports whether a token has a scope.
func (t Token) Allows(scope string) bool { return slices.Contains(t.Scopes, scope) }

const (
	tokenPrefix  = "mancala_" // lets the finder of a secret see what it is
	maxTokens    = 20         // of one account
	maxTokenName = 40         // characters
)

// MakeToken makes a token and returns its secret. The secret cannot be read again.
func (a *Accounts) MakeToken(ctx context.Context, player, name string, scopes []string) (secret string, err error) {
	name, err = lobby.CleanText(name)
	switch {
	case err != nil:
		return "", err
	case utf8.RuneCountInString(name) > maxTokenName:
		return "", refusal.New(lobby.CodeNameLong)
	case len(scopes) == 0 || slices.ContainsFunc(scopes, func(s string) bool { return !slices.Contains(Scopes, s) }):
		return "", refusal.New(CodeScope)
	}
	secret = tokenPrefix + rand.Text()
	now := a.opt.Now().UnixMilli()
	err = a.db.Write(ctx, func(tx lobby.Tx) error {
		n := 0
		if err := tx.Scan("SELECT COUNT(*) FROM api_tokens WHERE player = $1", []any{player}, &n); err != nil {
			return err
		}
		if n >= maxTokens {
			return refusal.New(CodeTokens)
		}
		_, err := tx.Exec("INSERT INTO api_tokens (hash, id, player, name, scopes, created, used) VALUES ($1, $2, $3, $4, $5, $6, $6)",
			hashed("token", secret), "t"+strings.ToLower(rand.Text()), player, name, strings.Join(scopes, " "), now)
		return err
	})
	return secret, wrap(err, "make a token")
}

// Token returns the token with this secret. It refuses with [CodeToken] if there is
// none.
func (a *Accounts) Token(ctx context.Context, secret string) (Token, error) {
	if len(secret) > 100 || !strings.HasPrefix(secret, tokenPrefix) {
		return Token{}, refusal.New(CodeToken)
	}
	list, err := a.tokens(ctx, "hash", hashed("token", secret))
	if err == nil && len(list) == 0 {
		err = refusal.New(CodeToken)
	}
	if err != nil {
		return Token{}, err
	}
	t, now := list[0], a.opt.Now()
	if now.Sub(t.Used) >= sessionFresh {
		_ = a.db.Write(ctx, func(tx lobby.Tx) error { // a failure to record the use is no reason to refuse the program
			_, err := tx.Exec("UPDATE api_tokens SET used = $2 WHERE id = $1", t.ID, now.UnixMilli())
			return err
		})
	}
	return t, nil
}

// Tokens lists a player's tokens, the oldest first.
func (a *Accounts) Tokens(ctx context.Context, player string) ([]Token, error) {
	return a.tokens(ctx, "player", player)
}

func (a *Accounts) tokens(ctx context.Context, column, value string) (list []Token, err error) {
	rows, err := a.db.Reader().QueryContext(ctx, "SELECT id, player, name, scopes, created, used FROM api_tokens WHERE "+column+" = $1 ORDER BY created, id", value)
	if err != nil {
		return nil, wrap(err, "read tokens")
	}
	defer rows.Close()
	for rows.Next() {
		var t Token
		var scopes string
		var created, used int64
		if err := rows.Scan(&t.ID, &t.Player, &t.Name, &scopes, &created, &used); err != nil {
			return nil, wrap(err, "read tokens")
		}
		t.Scopes, t.Created, t.Used = strings.Fields(scopes), time.UnixMilli(created), time.UnixMilli(used)
		list = append(list, t)
	}
	return list, wrap(rows.Err(), "read tokens")
}

// RevokeToken ends one of a player's tokens. Connections that a program opened with it
// are closed.
func (a *Accounts) RevokeToken(ctx context.Context, player, id string) error {
	var n int64
	err := a.db.Write(ctx, func(tx lobby.Tx) (err error) {
		if n, err = tx.Exec("DELETE FROM api_tokens WHERE id = $1 AND player = $2", id, player); err != nil || n == 0 {
			return err
		}
		return a.tellEnded(tx, id)
	})
	if err == nil && n > 0 {
		a.ended([]string{id})
	}
	return wrap(err, "revoke a token")
}
