package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/analysis"
	"mancala/lobby/searchpool"
	"mancala/lobby/seeks"
	"mancala/lobby/social"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Refusals of this layer, beside those of rooms and of the lobby.
var (
	errTooMany     = refusal.New("slow-down")
	errTooLarge    = refusal.New("too-large")
	errBadFrame    = refusal.New("bad-frame")
	errForeign     = refusal.New("cross-origin")
	errNoIdentity  = refusal.New("no-identity")
	errNoCookie    = refusal.New("no-cookie")
	errNotFollowed = refusal.New("not-following")
	errFormat      = refusal.New("format")
	errInviteOver  = refusal.New("invitation-over")
	errClosed      = refusal.New("account-closed")
	errSignInAgain = refusal.New("sign-in-again")
	errNoPath      = refusal.New("no-such-path")
	errNoMethod    = refusal.New("no-such-method")
)

// statuses are what codes are over HTTP; the rest are 422: understood, and not
// possible.
var statuses = map[refusal.Code]int{
	"bad-frame":          http.StatusBadRequest,
	"no-identity":        http.StatusUnauthorized,
	"cross-origin":       http.StatusForbidden,
	room.CodeNoRoom:      http.StatusNotFound,
	lobby.CodeNoPlayer:   http.StatusNotFound,
	match.CodeNoSeat:     http.StatusConflict,
	social.CodeNobody:    http.StatusNotFound,
	seeks.CodeSeekGone:   http.StatusConflict,
	analysis.CodeNotOver: http.StatusConflict,
	"invitation-over":    http.StatusGone,
	"no-such-path":       http.StatusNotFound,
	"no-such-method":     http.StatusMethodNotAllowed,
	"too-large":          http.StatusRequestEntityTooLarge,
	"slow-down":          http.StatusTooManyRequests,
	account.CodeToken:    http.StatusUnauthorized,
	"account-closed":     http.StatusForbidden,
	"sign-in-again":      http.StatusForbidden,
	"no-scope":           http.StatusForbidden,
	account.CodeHandover: http.StatusGone,
	codeManyTries:        http.StatusTooManyRequests,
	searchpool.CodeBusy:  http.StatusTooManyRequests,
	"format":             http.StatusNotImplemented,
	"internal":           http.StatusInternalServerError,
	room.CodeQuarantined: http.StatusInternalServerError,
	room.CodeUnavailable: http.StatusServiceUnavailable,
	room.CodeBusy:        http.StatusServiceUnavailable,
	room.CodeMoved:       http.StatusServiceUnavailable,
}

// failed is what all answers to a request that fails have in common: it is
// counted, logged if it is our fault, and says when to come again.
func (srv *Server) failed(w http.ResponseWriter, r *http.Request, err error) (refusal.Code, int) {
	code := lobby.CodeOf(err)
	status, ok := statuses[code]
	if !ok {
		status = http.StatusUnprocessableEntity
	}
	srv.metrics.refused(code)
	switch status {
	case http.StatusInternalServerError:
		srv.log.Error("web: request failed", "path", r.URL.Path, "err", err)
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", strconv.Itoa(lobby.RetryAfter(err)))
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "3")
	}
	return code, status
}

// deny answers a request that gets no further, as what it asked for would.
func (srv *Server) deny(w http.ResponseWriter, r *http.Request, err error) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.failPage(w, r, err)
}

// errorPage is what an error page shows (UX.md §13).
type errorPage struct {
	head
	Code               int
	Heading, Help      string
	Button, ButtonLink string
	Seconds            int // until it makes sense to try again; 0: no matter
	Puzzle             *puzzleView
}

// failWith answers with the page that fits an error. Those that a person can do
// something about say in words what it is.
func (srv *Server) failWith(w http.ResponseWriter, r *http.Request, err error) {
	code, status := srv.failed(w, r, err)
	t := srv.catalog(r).t
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
		p.Help = srv.catalog(r).sentence(code, refusal.Detail(err))
	case http.StatusNotFound:
		p.Puzzle = srv.puzzle(r)
		if code == lobby.CodeNoPlayer || code == social.CodeNobody {
			key, p.Help = "fail.person", t("fail.person.help")
		}
	case http.StatusForbidden:
		if code != "cross-origin" {
			p.Help = srv.catalog(r).sentence(code, nil)
		}
	case http.StatusGone:
		if code == account.CodeHandover {
			key, p.Help, p.ButtonLink = "fail.move", t("fail.move.help"), "/account"
		}
	case http.StatusConflict:
		p.ButtonLink = here
		if code == analysis.CodeNotOver {
			key, p.Help, p.ButtonLink = "fail.analysis", srv.catalog(r).sentence(code, nil), "/"+r.PathValue("id")
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

func (srv *Server) notFound(w http.ResponseWriter, r *http.Request) {
	srv.deny(w, r, room.ErrNoRoom)
}
