package api

import (
	"net/http"
	"time"

	"mancala/lobby/seeks"
	"mancala/web/site"
)

// waitJSON is the answer to a program that waits for a game.
type waitJSON struct {
	Wait *seeks.OwnWait `json:"wait,omitempty"` // absent: the player waits for no game
	Game string         `json:"game,omitempty"` // the game that the wait became, for seeks.FoundFor
}

// apiWait answers with the state of the client's seek or search, and renews its lease.
func (srv *API) apiWait(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	var answer waitJSON
	err := srv.LobbyRoom.State(r.Context(), func(s *seeks.State) {
		answer.Wait = s.Of(player).Own()
		for _, f := range s.Found {
			if f.Player == player && time.Since(time.UnixMilli(f.At)) < seeks.FoundFor {
				answer.Game = f.Game
			}
		}
	})
	if err == nil && answer.Wait != nil {
		err = srv.Leases.Keep(r.Context(), player)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, answer)
}

// apiFind starts a search for an opponent of a similar rating.
func (srv *API) apiFind(w http.ResponseWriter, r *http.Request) error {
	return srv.apiWants(w, r, seeks.KindFind)
}
