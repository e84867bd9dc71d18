package web

import (
	"crypto/rand"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match/room"
)

// The lobby for programs. A seek stays while a socket of its owner is in the lobby, or
// while he asks what has become of it.

// wantedJSON is what somebody wants to play.
type wantedJSON struct {
	seeks.Game
	seeks.Range
	To string `json:"to"` // of a challenge
}

func (wanted *wantedJSON) order() seeks.Order {
	return seeks.Order{Key: rand.Text(), Game: wanted.Game, Range: wanted.Range, To: wanted.To}
}

type seekJSON struct {
	ID string `json:"seek,omitempty"` // and of the game that comes of it
}

// apiSeeks lists open seeks, as the home page does.
func (srv *Server) apiSeeks(w http.ResponseWriter, r *http.Request) {
	f := filter{rules: r.URL.Query().Get("rules"), clock: r.URL.Query().Get("clock")}
	if !isFilter(f.rules, f.clock) {
		srv.refuseAPI(w, r, errBadFrame)
		return
	}
	player, _ := srv.whoIs(w, r)
	apart, err := srv.Policy.Apart(r.Context(), player)
	v := view{filter: f, apart: apart}
	var fresh []seeks.Wait
	if err == nil {
		err = srv.lobbyState(r.Context(), func(s *seeks.State) { fresh, _ = v.look(s, maxShown) })
	}
	var list []seekShown
	if err == nil {
		list, err = srv.shownSeeks(r.Context(), fresh)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, append([]seekShown{}, list...))
}

// apiSeek makes a seek.
func (srv *Server) apiSeek(w http.ResponseWriter, r *http.Request) {
	srv.apiWants(w, r, seeks.KindSeek)
}

// apiChallenge asks somebody to play.
func (srv *Server) apiChallenge(w http.ResponseWriter, r *http.Request) {
	srv.apiWants(w, r, seeks.KindChallenge)
}

func (srv *Server) apiWants(w http.ResponseWriter, r *http.Request, kind string) {
	var wanted wantedJSON
	var player string
	err := readJSON(r, &wanted)
	if err == nil {
		player, err = srv.whoActs(w, r)
	}
	o := wanted.order()
	if err == nil {
		_, err = srv.order(r.Context(), player, kind, o)
	}
	if err == nil && kind != seeks.KindChallenge {
		err = srv.leases.Keep(r.Context(), player)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusCreated, seekJSON{seeks.GameID(player, o.Key)})
}

// apiLeave takes the asker's seek back.
func (srv *Server) apiLeave(w http.ResponseWriter, r *http.Request) {
	srv.apiSays(w, r, seeks.KindLeave, "")
}

// apiAccept takes up a seek or a challenge, and waits for the game.
func (srv *Server) apiAccept(w http.ResponseWriter, r *http.Request) {
	srv.apiSays(w, r, seeks.KindAccept, r.PathValue("id"))
}

// apiEndChallenge says no to a challenge, or takes one's own back.
func (srv *Server) apiEndChallenge(w http.ResponseWriter, r *http.Request) {
	id, kind := r.PathValue("id"), seeks.KindDecline
	player, _ := srv.whoIs(w, r)
	_ = srv.lobbyState(r.Context(), func(s *seeks.State) {
		if c := s.Challenge(id); c != nil && c.By == player {
			kind = seeks.KindLeave
		}
	})
	srv.apiSays(w, r, kind, id)
}

func (srv *Server) apiSays(w http.ResponseWriter, r *http.Request, kind, id string) {
	player, known := srv.whoIs(w, r)
	err := errNoIdentity
	switch {
	case id != "" && !lobby.ValidRoomID(id):
		err = room.ErrNoRoom
	case known:
		_, err = srv.order(r.Context(), player, kind, seeks.Order{Seek: id})
	}
	if err == nil && kind == seeks.KindAccept {
		err = srv.comes(r.Context(), id)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, seekJSON{id})
}

// apiChallenges lists the open challenges by and to the asker.
func (srv *Server) apiChallenges(w http.ResponseWriter, r *http.Request) {
	player, known := srv.whoIs(w, r)
	if !known {
		srv.refuseAPI(w, r, errNoIdentity)
		return
	}
	var asks []seeks.Challenge
	if err := srv.lobbyState(r.Context(), func(s *seeks.State) { asks = asksOf(s, player) }); err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, srv.askedFrame(r.Context(), srv.catalog(r), player, asks, nil).Asked)
}
