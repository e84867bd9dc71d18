package site

import (
	"context"
	"net/http"
	"strings"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/match/refusal"
)

// A program shows a token of somebody's account in place of a cookie. What it may
// do is decided by the operation's method: to look, to play, or to change
// settings. Renaming asks for a fresh session, which a program never has.

var (
	errNoScope = refusal.New("no-scope")
	errNoToken = refusal.New(account.CodeToken)
)

type bearerKey struct{}

// ScopeOf is the scope that an operation of the API asks for.
func ScopeOf(route string) string {
	method, path, _ := strings.Cut(route, " ")
	switch {
	case method == http.MethodGet:
		return "read"
	case strings.HasPrefix(path, ApiPath+"me"):
		return "settings"
	}
	return "play"
}

// Bearer lets a request with a token in for this scope, as the token's player.
func (srv *Site) Bearer(scope string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		shown := r.Header.Get("Authorization")
		if shown == "" {
			next(w, r)
			return
		}
		t, err := srv.shownToken(r, shown)
		if err == nil && !t.Allows(scope) {
			err = errNoScope
		}
		if err != nil {
			if lobby.CodeOf(err) == account.CodeToken {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			srv.Deny(w, r, err)
			return
		}
		next(w, r.WithContext(context.WithValue(r.Context(), bearerKey{}, t)))
	}
}

func (srv *Site) shownToken(r *http.Request, shown string) (account.Token, error) {
	kind, secret, _ := strings.Cut(shown, " ")
	if !strings.EqualFold(kind, "Bearer") {
		return account.Token{}, errNoToken
	}
	t, err := srv.Accounts.Token(r.Context(), strings.TrimSpace(secret))
	if err == nil && srv.Desk.Closed(t.Player) {
		err = ErrClosed
	}
	if err == nil {
		err = lobby.SlowDown(srv.TokenLimit.Wait(t.ID))
	}
	return t, err
}
