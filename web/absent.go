package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"mancala/lobby/seeks"
)

// waitFor is how long a program's place in the lobby is kept without a socket, from
// the last time that it asked.
const waitFor = 15 * time.Second

// absent stands in the lobby for those who wait there by the API.
type absent struct {
	server *Server

	mu     sync.Mutex
	copy   *seeks.Copy            // of the lobby, nil if nobody waits so
	people map[string]*time.Timer // until they leave
}

func newAbsent(srv *Server) *absent { return &absent{server: srv, people: map[string]*time.Timer{}} }

// keep keeps a player's place, for a while.
func (a *absent) keep(ctx context.Context, player string) error {
	next, err := a.server.lobby.Hold(ctx) // may take its time, and nobody else waits for it
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.copy == next {
		next.Release() // held already
	} else {
		a.clear()
		a.copy = next
	}
	a.join(player)
	return nil
}

// join keeps a place, or keeps it longer. Called with mu held.
func (a *absent) join(player string) {
	if old := a.people[player]; old != nil {
		old.Stop() // if that was too late, the timer finds that another one has its place
	} else {
		a.copy.Join(player)
	}
	var timer *time.Timer
	timer = time.AfterFunc(waitFor, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.people[player] == timer {
			a.leave(player)
		}
	})
	a.people[player] = timer
}

// leave gives a place up. Called with mu held.
func (a *absent) leave(player string) {
	delete(a.people, player)
	a.copy.Leave(player)
	if len(a.people) == 0 {
		a.clear()
	}
}

// clear gives all up. Called with mu held.
func (a *absent) clear() {
	for player, timer := range a.people {
		timer.Stop()
		a.copy.Leave(player) // others may hold the copy too
	}
	clear(a.people)
	if a.copy != nil {
		a.copy.Release()
		a.copy = nil
	}
}

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
	err := srv.lounge.State(r.Context(), func(s *seeks.State) {
		answer.Wait = showWait(s.Of(player))
		for _, f := range s.Found {
			if f.Player == player && time.Since(time.UnixMilli(f.At)) < seeks.FoundFor {
				answer.Game = f.Game
			}
		}
	})
	if err == nil && answer.Wait != nil {
		err = srv.absent.keep(r.Context(), player)
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
