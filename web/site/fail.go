package site

import (
	"net/http"
	"strconv"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/analysis"
	"mancala/lobby/hosting"
	"mancala/lobby/puzzles"
	"mancala/lobby/rulebook"
	"mancala/lobby/searchpool"
	"mancala/lobby/seeks"
	"mancala/lobby/social"
	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Refusals of this layer. Rooms and the lobby have their own.
var (
	ErrTooMany     = refusal.New("slow-down")
	ErrTooLarge    = refusal.New("too-large")
	ErrBadFrame    = refusal.New("bad-frame")
	ErrForeign     = refusal.New("cross-origin")
	ErrNoIdentity  = refusal.New("no-identity")
	ErrNoCookie    = refusal.New("no-cookie")
	ErrNotFollowed = refusal.New("not-following")
	ErrFormat      = refusal.New("format")
	ErrInviteOver  = refusal.New("invitation-over")
	ErrClosed      = refusal.New("account-closed")
	ErrSignInAgain = refusal.New("sign-in-again")
	ErrNoPath      = refusal.New("no-such-path")
	ErrNoMethod    = refusal.New("no-such-method")
)

// Statuses maps codes to HTTP statuses. Every other code is 422: the request was
// understood and cannot be carried out.
var Statuses = map[refusal.Code]int{
	"bad-frame":               http.StatusBadRequest,
	"no-identity":             http.StatusUnauthorized,
	"cross-origin":            http.StatusForbidden,
	room.CodeNoRoom:           http.StatusNotFound,
	lobby.CodeNoPlayer:        http.StatusNotFound,
	match.CodeNoSeat:          http.StatusConflict,
	social.CodeNobody:         http.StatusNotFound,
	rulebook.CodeNone:         http.StatusNotFound,
	puzzles.CodeNone:          http.StatusNotFound,
	seeks.CodeSeekGone:        http.StatusConflict,
	analysis.CodeNotOver:      http.StatusConflict,
	"game-not-over":           http.StatusConflict,
	"invitation-over":         http.StatusGone,
	"no-such-path":            http.StatusNotFound,
	"no-such-method":          http.StatusMethodNotAllowed,
	"too-large":               http.StatusRequestEntityTooLarge,
	"slow-down":               http.StatusTooManyRequests,
	account.CodeToken:         http.StatusUnauthorized,
	"account-closed":          http.StatusForbidden,
	"sign-in-again":           http.StatusForbidden,
	"no-scope":                http.StatusForbidden,
	account.CodeHandover:      http.StatusGone,
	CodeManyTries:             http.StatusTooManyRequests,
	searchpool.CodeBusy:       http.StatusTooManyRequests,
	"format":                  http.StatusNotImplemented,
	"internal":                http.StatusInternalServerError,
	room.CodeQuarantined:      http.StatusInternalServerError,
	room.CodeUnavailable:      http.StatusServiceUnavailable,
	room.CodeBusy:             http.StatusServiceUnavailable,
	room.CodeTooNew:           http.StatusServiceUnavailable,
	room.CodeMoved:            http.StatusServiceUnavailable,
	hosting.CodeNoTournament:  http.StatusNotFound,
	hosting.CodeNoHostKey:     http.StatusForbidden,
	hosting.CodeUpgrading:     http.StatusServiceUnavailable,
	tournament.CodeNotEntered: http.StatusNotFound,
	tournament.CodeNotHost:    http.StatusForbidden,
}

// Failed does what every answer to a failed request needs. It counts the refusal,
// logs an error of the server, and sets Retry-After. It returns the code and the
// status.
func (srv *Site) Failed(w http.ResponseWriter, r *http.Request, err error) (refusal.Code, int) {
	code := lobby.CodeOf(err)
	status, ok := Statuses[code]
	if !ok {
		status = http.StatusUnprocessableEntity
	}
	srv.Metrics.Refused(code)
	switch status {
	case http.StatusInternalServerError:
		srv.Log.Error("web: request failed", "path", r.URL.Path, "err", err)
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", strconv.Itoa(lobby.RetryAfter(err)))
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "3")
	}
	return code, status
}

// Handler answers a request. If it returns an error, it has written nothing.
type Handler func(http.ResponseWriter, *http.Request) error

// SeeOther is the error of a request that has to go to this page first.
type SeeOther string

func (to SeeOther) Error() string { return "web: see " + string(to) }
