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

// errorPage is what an error page shows (UX.md §13).
type errorPage struct {
	head
	Code               int
	Heading, Help      string
	Button, ButtonLink string
	Seconds            int // until it makes sense to try again; 0: no matter
	Puzzle             *puzzleView
}

// Fail answers with the page that fits an error. Those that a person can do
// something about say in words what it is.
func (srv *Pages) Fail(w http.ResponseWriter, r *http.Request, err error) {
	code, status := srv.Failed(w, r, err)
	t := srv.Catalog(r).T
	key := fmt.Sprintf("fail.%d", status)
	p := errorPage{Code: status, Help: t(key + ".help"), ButtonLink: "/"}
	here := "/" + strings.TrimLeft(r.URL.Path, "/") // "//…" would be another site
	if r.Method != http.MethodGet {
		here = "/" // a form is not sent again by itself
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
		if code == analysis.CodeNotOver {
			key, p.Help, p.ButtonLink = "fail.analysis", srv.Catalog(r).Sentence(code, nil), "/"+r.PathValue("id")
		}
		if code == seeks.CodeSeekGone { // perhaps nobody plays it
			key, p.Help, p.ButtonLink = "fail.seek", t("fail.seek.help"), "/"
		}
	case http.StatusInternalServerError:
		p.ButtonLink = here
	case http.StatusTooManyRequests:
		p.ButtonLink, p.Seconds = here, lobby.RetryAfter(err)
		p.Help = t(key+".help", "n", p.Seconds)
	case http.StatusServiceUnavailable:
		w.Header().Set("Refresh", "3; url="+here) // the page comes back by itself, without script too
		if code == room.CodeUnavailable {
			key = "fail.unavailable" // we are here, and what keeps the games is not
		}
	}
	p.head = srv.head(r, t(key+".title"), "")
	p.Known = false // there is one button on this page
	p.Heading, p.Button = p.Title, t(key+".button")
	if status == http.StatusServiceUnavailable {
		p.Button = ""
	}
	srv.render(w, r, status, "error", p)
}

func (srv *Pages) NotFound(w http.ResponseWriter, r *http.Request) {
	srv.Deny(w, r, room.ErrNoRoom)
}
