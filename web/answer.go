package web

import (
	"errors"
	"net/http"
	"strings"

	"mancala/match/refusal"
	"mancala/web/site"
)

// serve serves with a handler. It is the place where an error becomes an answer.
func (srv *Server) serve(h site.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		var other site.SeeOther
		switch {
		case err == nil:
		case errors.As(err, &other):
			http.Redirect(w, r, string(other), http.StatusSeeOther)
		default:
			srv.deny(w, r, err)
		}
	}
}

// deny answers with an error. The answer has the form of the handler's: JSON for the
// API and where the handler asked for it ([answersInJSON]), otherwise a page.
func (srv *Server) deny(w http.ResponseWriter, r *http.Request, err error) {
	asJSON := strings.HasPrefix(r.URL.Path, "/api/") || errors.As(err, new(inJSON))
	err = site.Unread(r, err)
	if asJSON {
		srv.refuseInJSON(w, r, err)
		return
	}
	srv.pages.Fail(w, r, err)
}

// refuseInJSON answers with an error's code and the matching status.
func (srv *Server) refuseInJSON(w http.ResponseWriter, r *http.Request, err error) {
	code, status := srv.Failed(w, r, err)
	detail := refusal.Detail(err)
	_ = srv.Answer(w, status, site.APIError{Code: code, Msg: srv.Catalog(r).Sentence(code, detail), Detail: detail}) // our own types can be encoded
}

// answersInJSON makes a handler's errors be answered as JSON, as those of the API are. It
// serves handlers whose clients are scripts or programs and whose paths are not the API's.
func answersInJSON(h site.Handler) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := h(w, r); err != nil {
			return inJSON{err}
		}
		return nil
	}
}

// answersAsAsked is answersInJSON for requests that accept JSON alone.
func answersAsAsked(h site.Handler) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.Header.Get("Accept") == "application/json" {
			return answersInJSON(h)(w, r)
		}
		return h(w, r)
	}
}

// inJSON is the error of such a handler.
type inJSON struct{ error }

func (e inJSON) Unwrap() error { return e.error }
