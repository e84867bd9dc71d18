package site

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
)

// A program sends an account's token in place of a cookie. The method and the path
// of an operation decide which scope it needs: read, play, settings or host. Renaming
// needs a fresh session, which a program never has.

var (
	errNoScope = refusal.New("no-scope")
	errNoToken = refusal.New(account.CodeToken)
)

type bearerKey struct{}

// ScopeOf returns the scope that an operation of the API needs, or two of which it needs one.
func ScopeOf(route string) string {
	method, path, _ := strings.Cut(route, " ")
	below, event := strings.CutPrefix(path, ApiPath+"tournaments")
	switch {
	case below == "/{id}/preview", below == "/{id}/log":
		return "host"
	case slices.Contains(byPlayers, method+" "+below):
		return "play host"
	case event && method != http.MethodGet:
		return "host"
	case method == http.MethodGet:
		return "read"
	case strings.HasPrefix(path, ApiPath+"me"):
		return "settings"
	}
	return "play"
}

// byPlayers are the operations on tournaments that players use for themselves, and hosts for
// others. They ask [MayHost].
var byPlayers = []string{"POST /{id}/players", "DELETE /{id}/players/{n}", "POST /{id}/commands"}

// MayHost refuses a request with a token that may not do what hosts do.
func MayHost(r *http.Request) error {
	if t, ok := r.Context().Value(bearerKey{}).(account.Token); ok && !t.Allows("host") {
		return errNoScope
	}
	return nil
}

// MaySend is [MayHost] for a command that may be a host's.
func MaySend(r *http.Request, kind, by string, body []byte) error {
	if tournament.ForHosts(kind, by, body) {
		return MayHost(r)
	}
	return nil
}

// Bearer lets a request with a token of one of these scopes in, as the token's player. A
// request without a token goes on to its cookie.
func (srv *Site) Bearer(scopes string, next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		shown := r.Header.Get("Authorization")
		if shown == "" {
			return next(w, r)
		}
		t, err := srv.shownToken(r, shown)
		if err == nil && !slices.ContainsFunc(strings.Fields(scopes), t.Allows) {
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
	if err == nil && srv.Moderation.Closed(t.Player) {
		err = ErrClosed
	}
	if err == nil {
		err = lobby.SlowDown(srv.Limit(LimitToken).Wait(t.ID))
	}
	return t, err
}
