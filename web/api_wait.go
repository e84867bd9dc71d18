package web

import (
	"mancala/lobby/seeks"
	"net/http"
	"time"
)

// waitJSON is what a program that waits is told.
type waitJSON struct {
	Wait *waitShown `json:"wait,omitempty"` // absent: it waits for nothing
	Game string     `json:"game,omitempty"` // that came of it, not long ago
}

// apiWait says what has become of the asker's seek or search, and keeps its place.
func (srv *Server) apiWait(w http.ResponseWriter, r *http.Request) {
	player, known := srv.whoIs(w, r)
	if !known {
		srv.refuseAPI(w, r, errNoIdentity)
		return
	}
	var answer waitJSON
	err := srv.lobbyState(r.Context(), func(s *seeks.State) {
		answer.Wait = showWait(s.Of(player))
		for _, f := range s.Found {
			if f.Player == player && time.Since(time.UnixMilli(f.At)) < seeks.FoundFor {
				answer.Game = f.Game
			}
		}
	})
	if err == nil && answer.Wait != nil {
		err = srv.leases.Keep(r.Context(), player)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, answer)
}

// apiFind looks for somebody to play, by rating.
func (srv *Server) apiFind(w http.ResponseWriter, r *http.Request) {
	srv.apiWants(w, r, seeks.KindFind)
}
