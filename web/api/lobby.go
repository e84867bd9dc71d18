package api

import (
	"crypto/rand"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match/room"
	"mancala/web/site"
)

// This file is the lobby for programs. A seek stays open while a socket of its owner is
// in the lobby, or while the owner's program keeps polling it with apiWait.

// wantedJSON is the game that the player wants to play.
type wantedJSON struct {
	seeks.Game
	seeks.Range
	To string `json:"to"` // the challenged player; only for a challenge
}

func (wanted *wantedJSON) order() seeks.Order {
	return seeks.Order{Key: rand.Text(), Game: wanted.Game, Range: wanted.Range, To: wanted.To}
}

type seekJSON struct {
	ID string `json:"seek,omitempty"` // also the ID of the game that it becomes
}

// apiSeeks lists the open seeks that the home page shows.
func (srv *API) apiSeeks(w http.ResponseWriter, r *http.Request) error {
	f := seeks.Filter{Rules: r.URL.Query().Get("rules"), Clock: r.URL.Query().Get("clock")}
	if !f.Valid() {
		return site.ErrBadFrame
	}
	player, _ := srv.WhoIs(w, r)
	apart, err := srv.Policy.Apart(r.Context(), player)
	v := seeks.Window{Filter: f, Apart: apart}
	var fresh []seeks.Wait
	if err == nil {
		err = srv.LobbyRoom.State(r.Context(), func(s *seeks.State) { fresh, _ = v.Look(s, seeks.MaxShown) })
	}
	var list []seeks.Shown
	if err == nil {
		list, err = srv.ShownSeeks(r.Context(), fresh)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, append([]seeks.Shown{}, list...))
}

// apiSeek creates a seek.
func (srv *API) apiSeek(w http.ResponseWriter, r *http.Request) error {
	return srv.apiWants(w, r, seeks.KindSeek)
}

// apiChallenge challenges another player.
func (srv *API) apiChallenge(w http.ResponseWriter, r *http.Request) error {
	return srv.apiWants(w, r, seeks.KindChallenge)
}

func (srv *API) apiWants(w http.ResponseWriter, r *http.Request, kind string) error {
	var wanted wantedJSON
	var player string
	err := site.ReadJSON(r, &wanted)
	if err == nil {
		player, err = srv.WhoActs(w, r)
	}
	o := wanted.order()
	if err == nil {
		_, err = srv.Order(r, player, kind, o)
	}
	if err == nil && kind != seeks.KindChallenge {
		err = srv.Leases.Keep(r.Context(), player)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusCreated, seekJSON{seeks.GameID(player, o.Key)})
}

// apiLeave takes back the client's own seek.
func (srv *API) apiLeave(w http.ResponseWriter, r *http.Request) error {
	return srv.apiSays(w, r, seeks.KindLeave, "")
}

// apiAccept accepts a seek or a challenge, and waits until the game exists.
func (srv *API) apiAccept(w http.ResponseWriter, r *http.Request) error {
	return srv.apiSays(w, r, seeks.KindAccept, r.PathValue("id"))
}

// apiEndChallenge declines a challenge, or takes back the client's own.
func (srv *API) apiEndChallenge(w http.ResponseWriter, r *http.Request) error {
	id, kind := r.PathValue("id"), seeks.KindDecline
	player, _ := srv.WhoIs(w, r)
	_ = srv.LobbyRoom.State(r.Context(), func(s *seeks.State) {
		if c := s.Challenge(id); c != nil && c.By == player {
			kind = seeks.KindLeave
		}
	})
	return srv.apiSays(w, r, kind, id)
}

func (srv *API) apiSays(w http.ResponseWriter, r *http.Request, kind, id string) error {
	player, known := srv.WhoIs(w, r)
	err := site.ErrNoIdentity
	switch {
	case id != "" && !lobby.ValidRoomID(id):
		err = room.ErrNoRoom
	case known:
		_, err = srv.Order(r, player, kind, seeks.Order{Seek: id})
	}
	if err == nil && kind == seeks.KindAccept {
		err = srv.LobbyRoom.Await(r.Context(), id)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, seekJSON{id})
}

// apiChallenges lists the client's open challenges, sent and received.
func (srv *API) apiChallenges(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	var asks []seeks.Challenge
	if err := srv.LobbyRoom.State(r.Context(), func(s *seeks.State) { asks = s.AsksOf(player) }); err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, srv.AsksShown(r.Context(), srv.Catalog(r), player, asks))
}
