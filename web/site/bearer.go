package site

import (
	"context"
	"net/http"
	"strings"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/match/refusal"
)

// A program sends an account's token in place of a cookie. The method and the path
// of an operation decide which scope it needs: read, play or settings. Renaming
// needs a fresh session, which a program never has.

var (
	errNoScope = refusal.New("no-scope")
	errNoToken = refusal.New(account.CodeToken)
)

type bearerKey struct{}

// ScopeOf returns the scope that an operation of the API needs.
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

// Bearer lets a request with a token of this scope in, as the token's player. A
// request without a token goes on to its cookie.
func (srv *Site) Bearer(scope string, next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		shown := r.Header.Get("Authorization")
		if shown == "" {
			return next(w, r)
		}
		t, err := srv.shownToken(r, shown)
		if err == nil && !t.Allows(scope) {
			err = errNoScope
		}
		if err != nil {
			if lobby.CodeOf(err) == account.CodeToken {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			return err
		}
		return next(w, r.WithContext(context.WithValue(r.Context(), bearerKey{}, t)))
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
		err = lobby.SlowDown(srv.Limit(LimitToken).Wait(t.ID))
	}
	return t, err
}
