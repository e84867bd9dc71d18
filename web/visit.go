package web

import (
	"context"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match/machine"
	"mancala/match/room"
)

// inLobby carries out a message about the lobby.
func (s *session) inLobby(q request, msg []byte) error {
	switch q.T {
	case "sub":
		return aside(func() error { return s.server.lounge.enter(s.server.soon(), s) })
	case "unsub":
		s.leaveLobby()
		return nil
	case "cmd":
		return s.commandLobby(q, msg)
	}
	return errBadFrame
}

func (s *session) visitor() *visitor {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.here
}

// enter lets a socket in, or shows it everything once more.
func (l *lounge) enter(ctx context.Context, s *session) error {
	l.entering.Lock()
	defer l.entering.Unlock()
	if err := l.follow(ctx); err != nil {
		return err
	}
	v := s.visitor()
	if v == nil || v.tie != l.tie {
		v = &visitor{session: s, tie: l.tie}
		l.tie.following.Join(s.player)
		s.mu.Lock()
		s.here = v
		s.mu.Unlock()
	}
	if err := l.begin(ctx); err != nil {
		return err
	}
	apart, err := l.server.Circle.ApartFrom(ctx, s.player)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tie.gone {
		return room.ErrMoved
	}
	v.apart = apart
	l.add(v)
	return nil
}

// begin brings the state of a room that has just been followed, and what is shown
// of it. Called with entering held.
func (l *lounge) begin(ctx context.Context) error {
	l.mu.Lock()
	begun := l.state != nil
	l.mu.Unlock()
	if begun {
		return nil
	}
	var fresh []seeks.Wait
	err := l.tie.following.Resume(ctx, "", 0, func(r *room.Resume) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.tie.gone {
			l.bring(r)
			fresh, _ = l.look(maxShown)
		}
	})
	if err == nil && len(fresh) > 0 {
		l.show(ctx, fresh, nil)
	}
	return err
}

// follow ties the lounge to the room, unless it is. Called with entering held.
func (l *lounge) follow(ctx context.Context) error {
	l.mu.Lock()
	there := l.tie != nil && !l.tie.gone
	l.mu.Unlock()
	if there {
		return nil
	}
	t := &tie{lounge: l}
	following, err := l.server.house.Follow(ctx, seeks.Room, t)
	if err != nil {
		return err
	}
	t.following = following
	l.tie = t
	return nil
}

// leaveLobby lets a socket go; the last one lets the room sleep.
func (s *session) leaveLobby() {
	s.mu.Lock()
	v := s.here
	s.here = nil
	s.mu.Unlock()
	if v == nil {
		return
	}
	l := s.server.lounge
	l.entering.Lock()
	defer l.entering.Unlock()
	l.mu.Lock()
	if l.visitors[s] == v {
		l.remove(s)
	}
	last := l.tie == v.tie && len(l.visitors) == 0
	if last {
		v.tie.gone = true
		l.state, l.shown = nil, nil
	}
	l.mu.Unlock()
	v.tie.following.Leave(s.player)
	if last {
		v.tie.following.Close()
	}
}

// remindLobby shows a reader who lagged what there is now.
func (s *session) remindLobby() {
	l := s.server.lounge
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.visitors[s] != nil {
		s.send(l.snapshot(l.visitors[s]))
	}
}

// commandLobby carries an intention to the lobby.
func (s *session) commandLobby(q request, msg []byte) error {
	v := s.visitor()
	if v == nil || v.isGone() {
		return errNotFollowed
	}
	if s.guest {
		return errNoIdentity
	}
	if err := aside(func() error { return s.server.mayMeet(s.server.soon(), s.player, q.Kind, msg) }); err != nil {
		return err
	}
	if q.Again && s.announced(q) {
		return nil
	}
	s.turn.Lock()
	err := v.tie.following.Send(machine.Command{ID: q.ID, Kind: q.Kind, By: s.player, Body: msg}, v)
	if err != nil {
		s.turn.Unlock()
	}
	return followed(err)
}

func (v *visitor) isGone() bool {
	l := v.tie.lounge
	l.mu.Lock()
	defer l.mu.Unlock()
	return v.tie.gone
}

// announced says whether somebody who announces himself again has been found
// meanwhile: then he goes to his game.
func (s *session) announced(q request) bool {
	id := seeks.GameID(s.player, q.Key)
	found := false
	_ = aside(func() error {
		_, err := s.server.house.View(s.server.soon(), id, "")
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
		s.refuse(request{Room: seeks.Room, ID: c.ID, Kind: c.Kind}, followed(err))
		return
	}
	s.send(message(ackFrame{T: "ack", Room: seeks.Room, ID: c.ID}))
}
