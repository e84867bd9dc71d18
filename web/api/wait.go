package api

import (
	"net/http"
	"time"

	"mancala/lobby/seeks"
	"mancala/web/live"
	"mancala/web/site"
)

// waitJSON is what a program that waits is told.
type waitJSON struct {
	Wait *live.WaitShown `json:"wait,omitempty"` // absent: it waits for nothing
	Game string          `json:"game,omitempty"` // that came of it, not long ago
}

// apiWait says what has become of the asker's seek or search, and keeps its place.
func (srv *API) apiWait(w http.ResponseWriter, r *http.Request) {
	player, known := srv.WhoIs(w, r)
	if !known {
		srv.RefuseAPI(w, r, site.ErrNoIdentity)
		return
	}
	var answer waitJSON
	err := srv.live.LobbyState(r.Context(), func(s *seeks.State) {
		answer.Wait = live.ShowWait(s.Of(player))
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
		srv.RefuseAPI(w, r, err)
		return
	}
	srv.Answer(w, http.StatusOK, answer)
}

// apiFind looks for somebody to play, by rating.
func (srv *API) apiFind(w http.ResponseWriter, r *http.Request) {
	srv.apiWants(w, r, seeks.KindFind)
}
