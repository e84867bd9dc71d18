package web

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

// scopeOf is the scope that an operation of the API asks for.
func scopeOf(route string) string {
	method, path, _ := strings.Cut(route, " ")
	switch {
	case method == http.MethodGet:
		return "read"
	case strings.HasPrefix(path, apiPath+"me"):
		return "settings"
	}
	return "play"
}

// bearer lets a request with a token in for this scope, as the token's player.
func (srv *Server) bearer(scope string, next http.HandlerFunc) http.HandlerFunc {
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
			srv.deny(w, r, err)
			return
		}
		next(w, r.WithContext(context.WithValue(r.Context(), bearerKey{}, t)))
	}
}

func (srv *Server) shownToken(r *http.Request, shown string) (account.Token, error) {
	kind, secret, _ := strings.Cut(shown, " ")
	if !strings.EqualFold(kind, "Bearer") {
		return account.Token{}, errNoToken
	}
	t, err := srv.Accounts.Token(r.Context(), strings.TrimSpace(secret))
	if err == nil && srv.Desk.Closed(t.Player) {
		err = errClosed
	}
	if err == nil {
		err = lobby.SlowDown(srv.tokenLimit.Wait(t.ID))
	}
	return t, err
}

// makeToken makes a token for a program and shows it, this once.
func (srv *Server) makeToken(w http.ResponseWriter, r *http.Request) {
	s, ok := srv.freshly(w, r)
	if !ok {
		return
	}
	form, err := formOf(r)
	if err == nil && form.Has("revoke") {
		if err = srv.Accounts.RevokeToken(r.Context(), s.Player, form.Get("revoke")); err == nil {
			http.Redirect(w, r, "/account?done=revoked", http.StatusSeeOther)
			return
		}
	}
	secret := ""
	if err == nil {
		secret, err = srv.Accounts.MakeToken(r.Context(), s.Player, form.Get("name"), form["scope"])
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	srv.showAccount(w, r, http.StatusOK, func(p *accountPage) { p.Secret = secret })
}
