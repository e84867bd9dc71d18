package web

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"mancala/lobby/seeks"
	"mancala/web/webtest"
)

// waiting is the API's answer to a program with an open seek.
type waiting struct {
	Wait *seeks.OwnWait
	Game string
}

// askWait returns what the player waits for.
func (s *service) askWait(who *webtest.Person) (answer waiting) {
	s.Helper()
	page, err := who.Get(s.ctx, "/api/v1/me/wait")
	s.must(err)
	if page.Status != http.StatusOK {
		s.Fatalf("%d %s", page.Status, page.Body)
	}
	s.must(json.Unmarshal([]byte(page.Body), &answer))
	return answer
}

func (s *service) posted(who *webtest.Person, path, body string, status int) {
	s.Helper()
	if page := s.request(who, "POST", path, "application/json", body, nil); page.Status != status {
		s.Fatalf("%s: %d %s", path, page.Status, page.Body)
	}
}

// Two programs find each other without a socket, and both learn of their game.
func TestProgramsArePaired(t *testing.T) {
	s := serve(t)
	ada, ben := s.guest(), s.guest()
	for _, p := range []*webtest.Person{ada, ben} {
		s.posted(p, "/api/v1/pairings", `{"rules":"oware","clock":"5+3"}`, http.StatusCreated)
	}
	var game string
	s.eventually("a game for both", func() bool {
		game = s.askWait(ada).Game
		return game != "" && s.askWait(ben).Game == game
	})
	if w := s.askWait(ada); w.Wait != nil {
		t.Errorf("Ada still waits: %+v", w.Wait)
	}
	_, err := s.rooms.View(s.ctx, game, "")
	s.must(err)
}

// Programs that ask at the same moment meet in one lobby. All of them are
// paired and leave it.
func TestProgramsThatAskAtOnceAreAllPaired(t *testing.T) {
	s := serve(t)
	const programs = 8
	var people []*webtest.Person
	for range programs {
		people = append(people, s.guest())
	}
	var all sync.WaitGroup
	for _, who := range people {
		all.Go(func() {
			page, err := who.Send(s.ctx, "/api/v1/seeks", `{"rules":"oware","clock":"5+3"}`)
			if err == nil && page.Status == http.StatusCreated {
				page, err = who.Get(s.ctx, "/api/v1/me/wait")
			}
			if err != nil || page.Status != http.StatusOK {
				t.Errorf("%d %s %v", page.Status, page.Body, err)
			}
		})
	}
	all.Wait()
	if n := s.Leases.Len(); n != programs {
		t.Errorf("%d places are kept", n)
	}
	s.Leases.Expire()
	s.eventually("an empty lobby", func() bool {
		gone := false
		s.must(s.LobbyRoom.State(s.ctx, func(state *seeks.State) { gone = len(state.Waits) == 0 }))
		return gone
	})
}

// The seek of a program that has stopped asking is removed.
func TestSeekOfAVanishedProgramIsRemoved(t *testing.T) {
	s := serve(t)
	ada := s.guest()
	s.posted(ada, "/api/v1/seeks", `{"rules":"oware","clock":"5+3"}`, http.StatusCreated)
	if w := s.askWait(ada); w.Wait == nil || w.Wait.Rules != "oware" || w.Wait.Pool {
		t.Fatalf("Ada waits for %+v", w.Wait)
	}
	if n := s.Leases.Len(); n != 1 {
		t.Errorf("%d places are kept", n)
	}
	s.Leases.Expire()
	s.eventually("an empty lobby", func() bool {
		gone := false
		s.must(s.LobbyRoom.State(s.ctx, func(state *seeks.State) { gone = len(state.Waits) == 0 }))
		return gone
	})
	if w := s.askWait(ada); w.Wait != nil || w.Game != "" {
		t.Errorf("after the seek has ended Ada is told %+v", w)
	}
	if n := s.Leases.Len(); n > 0 {
		t.Errorf("%d places are kept without a client", n)
	}
}
