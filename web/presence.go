package web

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/workers"
	"mancala/match"
)

// peopleRoom is what a page of people follows: no room of the registry, but answered
// like one.
const peopleRoom = "people"

// presence is who is here, for those who follow them: who has a socket, and which
// public game he plays. It counts the sockets of this instance, and elsewhere knows of those of
// others.
type presence struct {
	server *Server

	mu      sync.Mutex
	here    map[string][]*session // people with an identity
	looking map[*session]*looker
	wanted  map[string]int // by how many lookers somebody is followed
	news    *workers.Pace  // somebody who is wanted has come, gone, or plays something else
}

// looker is a page of people.
type looker struct {
	follows []string
	told    []byte // what was sent last
}

// presentJSON is somebody who is here.
type presentJSON struct {
	ID   string `json:"id"`
	Game string `json:"game,omitempty"` // that he plays, if all may watch it
}

func newPresence(srv *Server) *presence {
	p := &presence{server: srv, here: map[string][]*session{}, looking: map[*session]*looker{}, wanted: map[string]int{}}
	p.news = srv.workers.NewPace(newsEvery, p.tell)
	return p
}

// came and left count the sockets of people.
func (p *presence) came(s *session) {
	if id := s.identity(); id != "" {
		p.mu.Lock()
		p.here[id] = append(p.here[id], s)
		p.mu.Unlock()
		p.stir(id)
	}
}

func (p *presence) left(s *session) {
	id := s.identity()
	p.mu.Lock()
	p.forget(s)
	p.here[id] = slices.DeleteFunc(p.here[id], func(other *session) bool { return other == s })
	if len(p.here[id]) == 0 {
		delete(p.here, id)
	}
	p.mu.Unlock()
	p.stir(id)
}

// stir says that something may have changed about some people here.
func (p *presence) stir(people ...string) {
	p.noted(people)
	p.server.elsewhere.stir(people)
}

// noted says that something may have changed about some people, wherever they are.
func (p *presence) noted(people []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.ContainsFunc(people, func(id string) bool { return p.wanted[id] > 0 }) {
		p.news.Mark()
	}
}

// connected are those of some people who have a socket here.
func (p *presence) connected(people []string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(people, func(id string) bool { return len(p.here[id]) == 0 })
}

// grow says to somebody's sockets whether he is a child, who reads ready phrases only.
func (p *presence) grow(player string, child bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.here[player] {
		s.child.Store(child)
	}
}

// look shows a socket whom of those that he follows are here, and goes on to.
func (p *presence) look(ctx context.Context, s *session) error {
	follows, err := p.server.Social.Followed(ctx, s.identity())
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.forget(s)
	l := &looker{follows: follows}
	p.looking[s] = l
	for _, id := range follows {
		p.wanted[id]++
	}
	p.mu.Unlock()
	p.server.elsewhere.want(inPeople, follows...)
	present, err := p.among(ctx, follows)
	if err != nil {
		return err
	}
	f := peopleFrame{T: "snap", Room: peopleRoom, Me: s.identity(), Now: time.Now().UnixMilli()}
	f.Snap.Kind, f.Snap.Here = peopleRoom, present
	s.send(message(f))
	return nil
}

// forget ends that a socket looks. Called with mu held.
func (p *presence) forget(s *session) {
	l := p.looking[s]
	if l == nil {
		return
	}
	delete(p.looking, s)
	for _, id := range l.follows {
		if p.wanted[id]--; p.wanted[id] <= 0 {
			delete(p.wanted, id)
		}
	}
}

// refollow looks anew for the pages of people who follow others than before.
func (p *presence) refollow(ctx context.Context, people ...string) {
	p.mu.Lock()
	var pages []*session
	for s := range p.looking {
		if slices.Contains(people, s.identity()) {
			pages = append(pages, s)
		}
	}
	p.mu.Unlock()
	for _, s := range pages {
		if err := p.look(ctx, s); err != nil {
			p.server.warn("web: followed people not read", err)
		}
	}
}

// tell tells every page for which something has changed.
func (p *presence) tell() {
	ctx, cancel := context.WithTimeout(p.server.workers.Context(), workers.Timeout)
	defer cancel()
	present, err := p.among(ctx, slices.Collect(maps.Keys(p.follows())))
	if err != nil {
		p.server.warn("web: people here not read", err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for s, l := range p.looking {
		mine := slices.DeleteFunc(slices.Clone(present), func(who presentJSON) bool { return !slices.Contains(l.follows, who.ID) })
		f := message(hereFrame{"note", peopleRoom, "here", mine})
		if text := f.Payload(); !bytes.Equal(text, l.told) {
			l.told = text
			s.send(f)
		}
	}
}

// follows are those whom somebody follows who looks.
func (p *presence) follows() map[string]struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make(map[string]struct{}, len(p.wanted))
	for id := range p.wanted {
		list[id] = struct{}{}
	}
	return list
}

// among are those of some people who are here, or on another instance, and do not
// mind being seen.
func (p *presence) among(ctx context.Context, people []string) ([]presentJSON, error) {
	list, err := p.ours(ctx, people)
	if err != nil {
		return nil, err
	}
	for _, id := range people {
		game, here := p.server.elsewhere.sees(id)
		if i := slices.IndexFunc(list, func(who presentJSON) bool { return who.ID == id }); i >= 0 {
			list[i].Game = cmp.Or(list[i].Game, game)
		} else if here {
			list = append(list, presentJSON{id, game})
		}
	}
	slices.SortFunc(list, func(a, b presentJSON) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

// ours are those of some people who are on this instance and do not mind being seen.
func (p *presence) ours(ctx context.Context, people []string) ([]presentJSON, error) {
	list := []presentJSON{}
	games := map[string]bool{} // that all may watch, as far as they were looked at
	for _, id := range people {
		p.mu.Lock()
		open := slices.Clone(p.here[id])
		p.mu.Unlock()
		if len(open) == 0 {
			continue
		}
		prefs, err := p.server.People.Prefs(ctx, id)
		if err != nil {
			return nil, err
		}
		if prefs.Get(seenPref) == "nobody" {
			continue
		}
		who := presentJSON{ID: id}
		for _, s := range open {
			for _, room := range s.seatedIn() {
				if _, looked := games[room]; !looked {
					games[room] = p.server.watchable(ctx, room)
				}
				if games[room] {
					who.Game = room
				}
			}
		}
		list = append(list, who)
	}
	return list, nil
}

var seenPref = lobby.PrefNamed("seen")

// watchable says whether a game goes on that is shown to everybody.
func (srv *Server) watchable(ctx context.Context, id string) bool {
	view, err := srv.rooms.View(ctx, id, "")
	if err != nil {
		return false
	}
	s, err := match.ReadPublic(id, view.Snapshot)
	return err == nil && s.Listed && (s.State == "live" || s.State == "setup" || s.State == "pause")
}

// seatedIn are the rooms in which a socket's person has a seat.
func (s *session) seatedIn() (rooms []string) {
	s.mu.Lock()
	subs := slices.Clone(s.subs)
	s.mu.Unlock()
	for _, sub := range subs {
		if sub.hub.audience(sub).IsSeat() {
			rooms = append(rooms, sub.hub.id)
		}
	}
	return rooms
}

// amongPeople carries out a message of a page of people.
func (s *session) amongPeople(q request) error {
	switch q.T {
	case "sub":
		return s.server.workers.Aside(func() error { return s.server.presence.look(s.server.workers.Soon(), s) })
	case "unsub":
		s.server.presence.mu.Lock()
		defer s.server.presence.mu.Unlock()
		s.server.presence.forget(s)
		return nil
	}
	return errBadFrame
}

type peopleFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	Me   string `json:"me"`
	Now  int64  `json:"now"`
	Snap struct {
		Kind string        `json:"kind"`
		Here []presentJSON `json:"here"`
	} `json:"snap"`
}

type hereFrame struct {
	T    string        `json:"t"`
	Room string        `json:"room"`
	Kind string        `json:"kind"`
	Here []presentJSON `json:"here"`
}
