package site

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

const ApiPath = "/api/v1/"

// APIError is the answer to a request of the API that is refused.
type APIError struct {
	Code   refusal.Code `json:"code"`
	Msg    string       `json:"msg"`
	Detail any          `json:"detail,omitempty"`
}

func (srv *Site) Answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store") // it depends on who asks, and on when
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		srv.Log.Debug("web: answer not written", "err", err)
	}
}

// RefuseAPI answers with an error's code and the status that fits it.
func (srv *Site) RefuseAPI(w http.ResponseWriter, r *http.Request, err error) {
	code, status := srv.Failed(w, r, err)
	detail := refusal.Detail(err)
	srv.Answer(w, status, APIError{code, srv.Catalog(r).Sentence(code, detail), detail})
}

type BoardJSON struct {
	Pits   []int `json:"pits"`
	Stores []int `json:"stores"`
}

func BoardOf(p engine.Position) BoardJSON {
	n := int(p.Shape.Sides) * int(p.Shape.Pits)
	b := BoardJSON{Pits: make([]int, n), Stores: p.Scores()}
	for i := range b.Pits {
		b.Pits[i] = int(p.Slots[i])
	}
	return b
}

// Story reads a game from its first entry to the last that somebody may see.
func (srv *Site) Story(r *http.Request, player string) (*match.Story, error) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return nil, room.ErrNoRoom
	}
	return analysis.Story(r.Context(), srv.Rooms, id, player)
}

// Export gives a game as text that people keep and other programs read.
func (srv *Site) Export(w http.ResponseWriter, r *http.Request) {
	player, _ := srv.WhoIs(w, r)
	story, err := srv.Story(r, player)
	var names map[string]string
	if err == nil {
		names, err = srv.Names(r.Context(), story.Match.Players())
	}
	if err != nil {
		srv.Deny(w, r, err)
		return
	}
	giveText(w, "mancala-"+r.PathValue("id")+".txt", story.Match.Record(func(player string) string { return names[player] }))
}

// giveText answers with a text that is to be kept.
func giveText(w http.ResponseWriter, name, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = io.WriteString(w, text)
}

// createGame makes a room for a match. An ID that is taken is drawn again.
func (srv *Site) createGame(ctx context.Context, c match.Creation) (string, error) {
	var err error
	for range 3 {
		id := lobby.NewRoomID()
		if err = srv.Rooms.Create(ctx, id, match.RoomKind, c.Command("create-"+id)); !errors.Is(err, room.ErrTaken) {
			return id, err
		}
	}
	return "", err
}

// FormOf reads the form of a request. One that cannot be read is not an empty one.
func FormOf(r *http.Request) (url.Values, error) {
	err := r.ParseForm()
	if err == nil {
		err = r.ParseMultipartForm(MaxBody) // all of it in memory
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, ErrTooLarge
	case err != nil && !errors.Is(err, http.ErrNotMultipart):
		return nil, ErrBadFrame
	}
	return r.PostForm, nil
}

// MayStay tells the service worker that a page may be read without a network.
func MayStay(w http.ResponseWriter) { w.Header().Set("X-Offline", "keep") }
