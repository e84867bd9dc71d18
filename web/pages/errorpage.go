package pages

import (
	"fmt"
	"net/http"
	"strings"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/analysis"
	"mancala/lobby/seeks"
	"mancala/lobby/social"
	"mancala/match/refusal"
	"mancala/match/room"
)

// errorPage is the page for an error (UX.md §13).
type errorPage struct {
	head
	Code               int
	Heading, Help      string
	Button, ButtonLink string
	Seconds            int            // until it makes sense to try again; 0 if time does not help
	Texts              map[string]any // with Seconds: the texts of the countdown
	Puzzle             *puzzleView
}

// Fail answers with the page for an error. If the player can do something about the
// error, the page says in words what is wrong.
func (srv *Pages) Fail(w http.ResponseWriter, r *http.Request, err error) {
	code, status := srv.Failed(w, r, err)
	t := srv.Catalog(r).T
	key := fmt.Sprintf("fail.%d", status)
	p := errorPage{Code: status, Help: t(key + ".help"), ButtonLink: "/"}
	here := "/" + strings.TrimLeft(r.URL.EscapedPath(), "/") // "//…" and "/\…" would lead to another site
	if r.Method == http.MethodGet && r.URL.RawQuery != "" && len(r.URL.RawQuery) <= maxQuery {
		here += "?" + r.URL.RawQuery
	}
	if r.Method != http.MethodGet {
		here = "/" // a link or a refresh cannot send the form again
		if id := r.PathValue("id"); lobby.ValidRoomID(id) {
			here += id
		}
	}
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		key = "fail.400"
		p.Help = srv.Catalog(r).Sentence(code, refusal.Detail(err))
	case http.StatusNotFound:
		p.Puzzle = srv.puzzle(r)
		if code == lobby.CodeNoPlayer || code == social.CodeNobody {
			key, p.Help = "fail.person", t("fail.person.help")
		} else if leadsToNoGame(r.URL.Path) {
			key, p.Help = "fail.place", t("fail.place.help")
		}
	case http.StatusForbidden:
		if code != "cross-origin" {
			p.Help = srv.Catalog(r).Sentence(code, nil)
		}
	case http.StatusGone:
		if code == account.CodeHandover {
			key, p.Help, p.ButtonLink = "fail.move", t("fail.move.help"), "/account"
		}
	case http.StatusConflict:
		p.ButtonLink = here
		if code == analysis.CodeNotOver || code == CodeNotOver {
			key, p.Help, p.ButtonLink = "fail.analysis", srv.Catalog(r).Sentence(code, nil), "/"+r.PathValue("id")
		}
		if code == seeks.CodeSeekGone { // the seek has ended, perhaps without a game
			key, p.Help, p.ButtonLink = "fail.seek", t("fail.seek.help"), "/"
		}
	case http.StatusInternalServerError:
		p.ButtonLink = here
	case http.StatusTooManyRequests:
		p.ButtonLink, p.Seconds = here, lobby.RetryAfter(err)
		p.Help, p.Texts = t(key+".help", "n", p.Seconds), srv.Catalog(r).Under(key)
	case http.StatusServiceUnavailable:
		w.Header().Set("Refresh", "3; url="+here) // the browser tries again without script
		if code == room.CodeUnavailable {
			key = "fail.unavailable" // this server runs, but the storage of the games does not answer
		}
	}
	p.head = srv.head(r, t(key+".title"), "")
	p.Known = false // hides the profile link and the notices: an error page has one button
	p.Heading, p.Button = p.Title, t(key+".button")
	if status == http.StatusServiceUnavailable {
		p.Button = ""
	}
	if err := srv.render(w, r, status, "error", p); err != nil {
		srv.Log.Error("web: error page failed", "err", err)
		http.Error(w, "This page cannot be shown.", http.StatusInternalServerError)
	}
}

// leadsToNoGame reports whether an address is that of something else than a game that people play: a tournament, a
// puzzle, a rule set, or the rules of a game.
func leadsToNoGame(path string) bool {
	for _, kind := range []string{"/t/", "/puzzles/", "/rules/", "/learn/"} {
		if strings.HasPrefix(path, kind) {
			return true
		}
	}
	return false
}

// NotFound answers that nothing is at this address.
func (srv *Pages) NotFound(http.ResponseWriter, *http.Request) error { return room.ErrNoRoom }
