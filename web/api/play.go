package api

import (
	"context"
	"encoding/json"
	"net/http"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/request"
	"mancala/web/site"
)

// This file lets programs do what pages do with forms and with the socket.

// apiNewGame creates a game. A client without identity becomes a guest.
func (srv *API) apiNewGame(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		match.Settings
		Bot int `json:"bot"`
	}
	var id, code string
	err := site.ReadJSON(r, &q)
	switch {
	case err != nil:
	case q.Bot != 0:
		id, err = srv.MakeBotGame(w, r, q.Settings, q.Bot)
	default:
		if id, err = srv.MakeGame(w, r, q.Settings); err == nil {
			code = srv.NewGames.Code(r.Context(), id)
		}
	}
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/v1/games/"+id)
	return srv.Answer(w, http.StatusCreated, newGameJSON{id, code})
}

type newGameJSON struct {
	Room string `json:"room"`
	Code string `json:"code,omitempty"`
}

type answerJSON struct {
	Seq    uint64 `json:"seq,omitempty"` // of the entry that the command created
	Repeat bool   `json:"repeat,omitempty"`
}

// apiCommand carries out a command like a "cmd" message, and answers when it is done. A
// repeated command gets the answer of the first.
func (srv *API) apiCommand(w http.ResponseWriter, r *http.Request) error {
	a, err := srv.commanded(w, r)
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, answerJSON{a.Seq, a.Repeat})
}

func (srv *API) commanded(w http.ResponseWriter, r *http.Request) (room.Answer, error) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return room.Answer{}, room.ErrNoRoom
	}
	var body json.RawMessage
	if err := site.ReadJSON(r, &body); err != nil {
		return room.Answer{}, err
	}
	q, err := request.Read(body, "")
	if err != nil {
		return room.Answer{}, err
	}
	player, known := srv.WhoIs(w, r)
	if !known {
		return room.Answer{}, site.ErrNoIdentity // it gets no cookie here: if that answer were lost, the seat would belong to no client
	}
	if err := site.MaySend(r, q.Kind, player, q.Own); err != nil {
		return room.Answer{}, err
	}
	by := player
	if seat, named := q.Seat(); named {
		if by, err = srv.playerFor(r.Context(), id, player, seat); err != nil {
			return room.Answer{}, err
		}
	}
	return srv.Do(r.Context(), id, machine.Command{ID: q.ID, Kind: q.Kind, By: by, Body: q.Own}, bool(q.Rated))
}

// playerFor returns the player of a seat for which another player sends commands: their own seat, or that of a
// seatmate. Any other seat is refused.
func (srv *API) playerFor(ctx context.Context, id, player string, seat int) (string, error) {
	view, err := srv.Rooms.View(ctx, id, player)
	if err != nil {
		return "", err
	}
	if view.Kind == match.Kind {
		s, err := match.ReadPublic(id, view.Snapshot)
		if err != nil {
			return "", err
		}
		if seat < len(s.Seats) && match.ActsFor(player, s.Seats[seat]) {
			return s.Seats[seat], nil
		}
	}
	return "", refusal.New(match.CodeNotPlaying)
}
