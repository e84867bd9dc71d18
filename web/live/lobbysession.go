package live

import (
	"context"
	"encoding/json"

	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/request"
	"mancala/web/site"
)

// inLobby handles a message about the lobby.
func (s *session) inLobby(q request.Request) error {
	switch q.T {
	case "sub":
		return s.server.Workers.Aside(func() error {
			if err := s.server.lobby.enter(s.server.Workers.Soon(), s, q); err != nil || !q.Games {
				s.server.Gamelist.Pages.Left(s)
				return err
			}
			s.server.Gamelist.Watch(s)
			return nil
		})
	case "unsub":
		s.server.Gamelist.Pages.Left(s)
		s.leaveLobby()
		return nil
	case "cmd":
		return s.commandLobby(q)
	}
	return site.ErrBadFrame
}

// filter returns the filter that a message about the lobby asks for.
func filterOf(q request.Request) seeks.Filter { return seeks.Filter{Rules: q.Rules, Clock: q.Clock} }

func (s *session) visitor() *visitor {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.here
}

// enter adds a socket to the lobby, or sends it a new snapshot if it is there
// already.
func (l *lobbyHub) enter(ctx context.Context, s *session, q request.Request) error {
	if !filterOf(q).Valid() {
		return site.ErrBadFrame
	}
	if v := s.visitor(); v != nil && v.quiet != q.Quiet {
		s.leaveLobby()
	}
	apart, err := l.server.Policy.Apart(ctx, s.Identity())
	if err != nil {
		return err
	}
	var can *policy.Ability
	if !q.Quiet {
		if can, err = l.server.Policy.Ability(ctx, s.Identity()); err != nil {
			return err
		}
	}
	l.entering.Lock()
	defer l.entering.Unlock()
	if err := l.follow(ctx); err != nil {
		return err
	}
	v := s.visitor()
	if v == nil || v.copy != l.copy {
		v = &visitor{session: s, copy: l.copy, quiet: q.Quiet}
		if !v.quiet {
			l.copy.Join(s.player)
		}
		s.mu.Lock()
		s.here = v
		s.mu.Unlock()
	}
	if err := l.copy.Begin(ctx); err != nil {
		return err
	}
	var through *view
	if !q.Quiet {
		through = l.viewOf(ctx, q, s.Identity(), apart)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.copy.Gone() {
		return room.ErrMoved
	}
	v.can = can
	l.look(v, through)
	return nil
}

// look registers a visitor with a view of the seeks. The view is nil for a quiet
// visitor. Called with mu held.
func (l *lobbyHub) look(v *visitor, through *view) {
	l.remove(v.session) // together with its previous view
	if v.view = through; through != nil {
		l.views[through.key] = through
	}
	l.add(v)
}

// viewOf returns the view that a request asks for, and makes it if it does not
// exist. Called with entering held.
func (l *lobbyHub) viewOf(ctx context.Context, q request.Request, player string, apart []string) *view {
	key := viewKey{Filter: filterOf(q)}
	if len(apart) > 0 {
		key.person = player
	}
	l.mu.Lock()
	v := l.views[key]
	if v == nil {
		v = &view{Window: seeks.Window{Filter: key.Filter}, key: key, fan: l.server.Sockets.NewFan()}
	}
	v.Apart = apart
	empty := len(v.Shown()) == 0
	l.mu.Unlock()
	if empty {
		l.show(ctx, v, seeks.MaxShown)
	}
	return v
}

// follow ensures that the hub holds the current copy of the room. Called with
// entering held.
func (l *lobbyHub) follow(ctx context.Context) error {
	copy, err := l.server.LobbyRoom.Renew(ctx, l.copy)
	if err == nil {
		l.copy = copy
	}
	return err
}

// leaveLobby removes a socket from the lobby. When the last one leaves, the room can
// sleep.
func (s *session) leaveLobby() {
	s.mu.Lock()
	v := s.here
	s.here = nil
	s.mu.Unlock()
	if v == nil {
		return
	}
	l := s.server.lobby
	l.entering.Lock()
	defer l.entering.Unlock()
	l.mu.Lock()
	if l.visitors[s] == v {
		l.remove(s)
	}
	last := l.copy == v.copy && len(l.visitors) == 0
	if last {
		clear(l.views)
	}
	l.mu.Unlock()
	if !v.quiet {
		v.copy.Leave(s.player)
	}
	if last {
		l.copy.Release()
		l.copy = nil
	}
}

// remindLobby sends a new snapshot to a reader that lagged.
func (s *session) remindLobby() {
	l := s.server.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if v := l.visitors[s]; v != nil {
		s.send(l.snapshot(v))
		l.tellOf(s.Identity())
	}
}

// commandLobby sends a command to the lobby's room.
func (s *session) commandLobby(q request.Request) error {
	v := s.visitor()
	if v == nil || v.copy.Gone() {
		return site.ErrNotFollowed
	}
	if s.anonymous {
		return site.ErrNoIdentity
	}
	var body json.RawMessage
	err := s.server.Workers.Aside(func() (err error) {
		var o seeks.Order
		if json.Unmarshal(q.Own, &o) != nil {
			return refusal.New(match.CodeBadCommand)
		}
		body, err = s.server.Policy.Order(s.server.Workers.Soon(), s.player, s.addr, q.Kind, o)
		return err
	})
	if err != nil {
		return err
	}
	if q.Again && s.announced(q) {
		return nil
	}
	s.turn.Lock()
	err = v.copy.Send(machine.Command{ID: q.ID, Kind: q.Kind, By: s.player, Body: body}, v)
	if err != nil {
		s.turn.Unlock()
	}
	return followed(err)
}

// announced reports whether the game of a repeated seek has been made meanwhile. If
// so, it sends the player to that game.
func (s *session) announced(q request.Request) bool {
	id := seeks.GameID(s.player, q.Key)
	found := false
	_ = s.server.Workers.Aside(func() error {
		_, err := s.server.Rooms.View(s.server.Workers.Soon(), id, "")
		found = err == nil
		return nil
	})
	if found && lobby.ValidRoomID(id) {
		s.send(message(ackFrame{T: "ack", Room: seeks.Room, ID: q.ID}))
		s.send(message(goFrame{"go", seeks.Room, id}))
	}
	return found
}

// Answered implements [room.Asker].
func (v *visitor) Answered(c machine.Command, a room.Answer, err error) {
	s := v.session
	s.turn.Unlock()
	if err != nil {
		s.refuse(request.Request{Room: seeks.Room, ID: c.ID, Kind: c.Kind}, followed(err))
		return
	}
	s.send(message(ackFrame{T: "ack", Room: seeks.Room, ID: c.ID}))
}
