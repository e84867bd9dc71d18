package web

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"mancala/lobby/seeks"
	"mancala/match/room"
)

// waitFor is how long a program's place in the lobby is kept without a socket, from
// the last time that it asked.
const waitFor = 15 * time.Second

// absent stands in the lobby for those who wait there by the API.
type absent struct {
	server *Server

	mu     sync.Mutex
	stand  *stand                 // nil if nobody waits so
	people map[string]*time.Timer // until they leave
}

// stand implements [room.Follower] for one copy of the lobby. Whoever waits asks
// what has become of it, so it need not listen.
type stand struct {
	following *room.Following
	gone      atomic.Bool
}

// Entry implements [room.Follower].
func (s *stand) Entry(*room.Published) {}

// Note implements [room.Follower].
func (s *stand) Note(room.Note) {}

// Gone implements [room.Follower]: nobody waits any more, and who asks is told so.
func (s *stand) Gone(error) { s.gone.Store(true) }

func newAbsent(srv *Server) *absent { return &absent{server: srv, people: map[string]*time.Timer{}} }

// keep keeps the place of somebody who waits, for a while.
func (a *absent) keep(ctx context.Context, player string) error {
	a.mu.Lock()
	stands := a.stands()
	if stands {
		a.join(player)
	}
	a.mu.Unlock()
	if stands {
		return nil
	}
	next := &stand{}
	following, err := a.server.house.Follow(ctx, seeks.Room, next) // may take its time, and nobody else waits for it
	if err != nil {
		return err
	}
	next.following = following
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stands() { // somebody was quicker
		following.Close()
	} else {
		a.clear()
		a.stand = next
	}
	a.join(player)
	return nil
}

// stands says whether places are kept in the copy of the lobby that there is. Called
// with mu held.
func (a *absent) stands() bool { return a.stand != nil && !a.stand.gone.Load() }

// join keeps a place, or keeps it longer. Called with mu held.
func (a *absent) join(player string) {
	if old := a.people[player]; old != nil {
		old.Stop() // if it was too late for that, it finds that it is not his any more
	} else {
		a.stand.following.Join(player)
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
	a.stand.following.Leave(player)
	if len(a.people) == 0 {
		a.clear()
	}
}

// clear gives all up. Called with mu held.
func (a *absent) clear() {
	for _, timer := range a.people {
		timer.Stop()
	}
	clear(a.people)
	if a.stand != nil {
		a.stand.following.Close()
		a.stand = nil
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
	err := srv.inLobbyState(r.Context(), func(s *seeks.State) {
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
