package live

import (
	"slices"

	"mancala/lobby/presence"
	"mancala/lobby/seeks"
	"mancala/web/request"
	"mancala/web/site"
)

// GamesChanged implements [gamelist.Page].
func (s *session) GamesChanged() { s.send(message(gamesFrame{"games", seeks.Room})) }

// amongPeople handles a message from a page of people.
func (s *session) amongPeople(q request.Request) error {
	switch q.T {
	case "sub":
		return s.server.Workers.Aside(func() error { return s.server.Presence.Look(s.server.Workers.Soon(), s) })
	case "unsub":
		s.server.Presence.LookAway(s)
		return nil
	}
	return site.ErrBadFrame
}

// NameAnew implements [presence.Device].
func (s *session) NameAnew() {
	s.mu.Lock()
	subs := slices.Clone(s.subs)
	s.mu.Unlock()
	for _, sub := range subs {
		sub.hub.roll.NameAnew(s.player)
	}
}

// SeatedIn implements [presence.Device].
func (s *session) SeatedIn() (rooms []string) {
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

// ShowPresent implements [presence.Page].
func (s *session) ShowPresent(here []presence.Present, all bool) {
	if !all {
		s.send(message(hereFrame{"note", request.PeopleRoom, "here", here}))
		return
	}
	f := peopleFrame{T: "snap", Room: request.PeopleRoom, Me: s.Identity(), Now: s.server.Rooms.Now()}
	f.Snap.Kind, f.Snap.Here = request.PeopleRoom, here
	s.send(message(f))
}

type peopleFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	Me   string `json:"me"`
	Now  int64  `json:"now"`
	Snap struct {
		Kind string             `json:"kind"`
		Here []presence.Present `json:"here"`
	} `json:"snap"`
}

type hereFrame struct {
	T    string             `json:"t"`
	Room string             `json:"room"`
	Kind string             `json:"kind"`
	Here []presence.Present `json:"here"`
}
