package web

import (
	"encoding/json"
	"net/http"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// What pages do with forms and by socket, for programs.

// apiNewGame makes a game, and of a stranger a guest.
func (srv *Server) apiNewGame(w http.ResponseWriter, r *http.Request) {
	var q struct {
		match.Settings
		Bot int `json:"bot"`
	}
	var id, code string
	err := readJSON(r, &q)
	switch {
	case err != nil:
	case q.Bot != 0:
		id, err = srv.makeBotGame(w, r, q.Settings, q.Bot)
	default:
		if id, err = srv.makeGame(w, r, q.Settings); err == nil {
			code, err = srv.Invitations.Code(r.Context(), id)
		}
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	w.Header().Set("Location", "/api/v1/games/"+id)
	srv.answer(w, http.StatusCreated, newGameJSON{id, code})
}

type newGameJSON struct {
	Room string `json:"room"`
	Code string `json:"code,omitempty"`
}

// makeGame makes a game for who acts, with a code that leads to it.
func (srv *Server) makeGame(w http.ResponseWriter, r *http.Request, settings match.Settings) (string, error) {
	player, err := srv.whoActs(w, r)
	if err != nil {
		return "", err
	}
	if settings.Rated {
		if err := srv.Policy.MayRate(r.Context(), player); err != nil {
			return "", err
		}
	}
	if err := lobby.SlowDown(srv.roomLimit.Wait(player)); err != nil {
		return "", err
	}
	if err := lobby.SlowDown(srv.addressLimit.WaitAddress(srv.address(r))); err != nil {
		return "", err
	}
	id, err := srv.createGame(r.Context(), match.Creation{Settings: settings, Creator: player, Expires: srv.Limits.Expiry})
	if err == nil {
		srv.invite(r, id)
	}
	return id, err
}

type answerJSON struct {
	Seq    uint64 `json:"seq,omitempty"` // of the entry that the command became
	Repeat bool   `json:"repeat,omitempty"`
}

// apiCommand does what a "cmd" message does, and answers when it is done. A
// command that comes twice is answered as the first was.
func (srv *Server) apiCommand(w http.ResponseWriter, r *http.Request) {
	a, err := srv.commanded(w, r)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, answerJSON{a.Seq, a.Repeat})
}

func (srv *Server) commanded(w http.ResponseWriter, r *http.Request) (room.Answer, error) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return room.Answer{}, room.ErrNoRoom
	}
	var body json.RawMessage
	if err := readJSON(r, &body); err != nil {
		return room.Answer{}, err
	}
	q, err := readRequest(body, "")
	if err != nil {
		return room.Answer{}, err
	}
	player, known := srv.whoIs(w, r)
	if !known {
		return room.Answer{}, errNoIdentity // if the answer with a cookie were lost, a seat would be nobody's
	}
	return srv.Policy.Do(r.Context(), id, machine.Command{ID: q.ID, Kind: q.Kind, By: player, Body: body})
}
