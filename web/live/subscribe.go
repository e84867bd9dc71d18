package live

import (
	"context"
	"errors"
	"slices"

	"mancala/lobby"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/request"
	"mancala/web/site"
)

func (s *session) sub(roomID string) *sub {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(roomID); i >= 0 {
		return s.subs[i]
	}
	return nil
}

// tab returns a socket's subscription to a room, except one that only shows the
// board. It returns nil if there is none.
func (s *session) tab(roomID string) *sub {
	if sub := s.sub(roomID); sub != nil && !sub.glances {
		return sub
	}
	return nil
}

// index returns the index of a room's subscription, or -1. Called with mu held.
func (s *session) index(roomID string) int {
	return slices.IndexFunc(s.subs, func(sub *sub) bool { return sub.hub.id == roomID })
}

// rooms returns the rooms that the socket follows now.
func (s *session) rooms() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, len(s.subs))
	for i, sub := range s.subs {
		ids[i] = sub.hub.id
	}
	return ids
}

// subscribe makes a socket follow a room, or brings a socket that follows it up to
// date.
func (s *session) subscribe(ctx context.Context, q request.Request) error {
	if !lobby.ValidRoomID(q.Room) {
		return room.ErrNoRoom
	}
	for range 3 {
		sub, err := s.subscription(ctx, q.Room, q.Glance)
		if err != nil {
			return err
		}
		err = sub.hub.following.Resume(ctx, sub.player, q.Since, &s.trust, func(r *room.Resume) { sub.hub.attach(sub, r, q) })
		switch {
		case errors.Is(err, room.ErrMoved), sub.hub.isGone():
			continue // that copy of the room has ended: subscription follows the next one
		case err == nil && (q.Glance || sub.hub.event != nil): // the page already has the names
		case err == nil:
			s.tellPeople(ctx, sub)
		case !sub.hub.here(sub):
			s.unsubscribe(q.Room) // otherwise the socket would count as present and receive nothing
		}
		return err
	}
	s.unsubscribe(q.Room)
	return room.ErrMoved
}

// subscription returns the socket's subscription to a room, and makes one if needed. Only the
// reading goroutine makes and ends subscriptions.
func (s *session) subscription(ctx context.Context, roomID string, glance bool) (*sub, error) {
	made := &sub{session: s, player: s.player, audience: machine.Watchers, glances: glance}
	if glance {
		made.player = "" // no identity: every client sees what watchers see
	}
	if old := s.sub(roomID); old != nil {
		if !old.hub.isGone() && old.glances == glance {
			return old, nil
		}
		made.superseded = old.hub.isSuperseded(old) // the tab is the same, only the room's copy is new
		s.unsubscribe(roomID)
	}
	s.mu.Lock()
	full := len(s.subs) >= MaxSubs
	s.mu.Unlock()
	if full { // checked before a room is woken
		return nil, refusal.New("too-many-rooms")
	}
	err := s.server.Rooms.MayOpen(room.Charged(ctx, s.mayReplay), roomID)
	if err != nil {
		return nil, err
	}
	if made.hub, err = s.server.hub(ctx, roomID); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.subs = append(s.subs, made)
	s.mu.Unlock()
	if !glance {
		made.hub.following.Join(s.player)
	}
	return made, nil
}

// mayReplay counts a long game that is read for this socket.
func (s *session) mayReplay() error {
	return lobby.SlowDown(s.server.Limit(site.LimitReplays).WaitAddress(s.addr))
}

// unsubscribe ends a subscription.
func (s *session) unsubscribe(roomID string) {
	var old *sub
	s.mu.Lock()
	if i := s.index(roomID); i >= 0 {
		old = s.subs[i]
		s.subs = slices.Delete(s.subs, i, i+1)
	}
	s.mu.Unlock()
	if old != nil {
		if s.last == old {
			s.last = nil
		}
		old.hub.detach(old)
		if !old.glances {
			old.hub.following.Leave(s.player)
		}
		s.server.release(old.hub)
	}
}

// tellPeople sends the players' names, the list of watchers, the last lines of chat, and
// which lines were erased of late: the client may show them still.
func (s *session) tellPeople(ctx context.Context, sub *sub) {
	if names, deleted, err := s.server.NamesAndDeleted(ctx, sub.hub.Players()); err == nil && len(names) > 0 {
		s.send(message(namesFrame{T: "names", Room: sub.hub.id, Names: names, Deleted: deleted})) // the client's page already has the ratings
	}
	lines := sub.hub.chat.Recent(ctx, sub, sub.hub.audience(sub))
	sub.hub.tellWatchers(sub)
	for _, line := range lines {
		s.send(message(chatFrame{"chat", line}))
	}
	s.send(sub.hub.erasedFor(sub, lines)...)
}
