package live

import (
	"context"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/lobby/tournament"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/request"
	"mancala/web/site"
	"mancala/web/socket"
)

// Opened implements [socket.Handler].
func (s *session) Opened(sock *socket.Socket) {
	s.socket = sock
	s.server.Presence.Came(s)
	if s.unread { // as a stranger the player could not move while this socket is open
		s.server.Sockets.SendElsewhere(sock)
	}
}

// Receive implements [socket.Handler].
func (s *session) Receive(msg []byte) {
	q, err := request.Read(msg, s.lastRoom())
	if err != nil || q.T == "" {
		s.refuse(q, site.ErrBadFrame)
		return
	}
	switch {
	case q.Room == seeks.Room:
		err = s.inLobby(q)
	case q.Room == request.PeopleRoom:
		err = s.amongPeople(q)
	case q.T == "cmd":
		err = s.command(q)
	case q.T == "sub":
		kept := q // a copy, so that only requests of this kind are moved to the heap
		err = s.server.Workers.Aside(func() error { return s.subscribe(s.server.Workers.Soon(), kept) })
	case q.T == "unsub":
		s.unsubscribe(q.Room)
	case q.T == "chat":
		err = s.chat(s.server.Workers.Soon(), q)
	case q.T == "note":
		err = s.note(q)
	case q.T == "ask":
		err = s.ask(s.server.Workers.Soon(), q)
	case q.T == "ping":
		s.send(socket.Text([]byte(`{"t":"pong"}`)))
	default:
		err = site.ErrBadFrame
	}
	switch {
	case err == nil:
	case q.T == "sub" && s.server.isElsewhere(err):
		s.server.Sockets.SendElsewhere(s.socket)
	default:
		s.refuse(q, err)
	}
}

// isElsewhere reports whether a subscription failed with err because this instance cannot
// open rooms that another instance can. The client would otherwise subscribe here again and
// again while the clocks run.
func (srv *Live) isElsewhere(err error) bool {
	return lobby.CodeOf(err) == room.CodeUnavailable && srv.Rooms.Stats().Abandoned
}

// command sends a client's command to its room and does not wait for the result. The
// next message may be read meanwhile. The next command waits.
func (s *session) command(q request.Request) error {
	sub := s.last
	if sub == nil || sub.hub.id != q.Room {
		if sub = s.tab(q.Room); sub == nil {
			return site.ErrNotFollowed
		}
		s.last = sub
	}
	if s.anonymous {
		return site.ErrNoIdentity // the page's forms give the client an identity
	}
	if err := sub.hub.mayAct(sub); err != nil {
		return err
	}
	by := s.player
	if q.As > 0 {
		var err error
		if by, err = sub.hub.playerFor(s.player, q.As.Audience()); err != nil {
			return err
		}
	}
	if s.noHost != nil && tournament.ForHosts(q.Kind, s.player, q.Own) {
		return s.noHost
	}
	if kind, id, rated := q.Kind, q.Room, bool(q.Rated); kind == match.KindSit || kind == match.KindSettings { // not q: the closure would move all of q to the heap at every command
		if err := s.server.Workers.Aside(func() error {
			return s.server.Policy.MayCommand(s.server.Workers.Soon(), id, s.player, kind, rated)
		}); err != nil {
			return err
		}
	}
	s.turn.Lock()
	err := sub.hub.following.Send(machine.Command{
		ID: q.ID, Kind: q.Kind, By: by, Lag: s.socket.RTT(), Body: q.Own,
	}, sub)
	if err != nil {
		s.turn.Unlock()
	}
	return followed(err)
}

// Answered implements [room.Asker]. The author's frame of the entry serves as the
// acknowledgement. An "ack" is sent for a repeated command, for a command that
// changed nothing, and to a client without a seat.
func (sub *sub) Answered(c machine.Command, a room.Answer, err error) {
	s := sub.session
	s.turn.Unlock()
	if err != nil {
		s.refuse(request.Request{Room: sub.hub.id, ID: c.ID, Kind: c.Kind}, followed(err))
		return
	}
	watches := !sub.hub.audience(sub).IsSeat() // a watcher gets the entry from the fan, without the command's ID
	if a.Repeat || a.Seq == 0 || watches {
		s.send(message(ackFrame{"ack", sub.hub.id, c.ID, a.Seq}))
	}
}

func (s *session) lastRoom() string {
	if s.last == nil {
		return ""
	}
	return s.last.hub.id
}

// Drained implements [socket.Handler]: the reader has caught up and needs snapshots
// in place of the dropped frames. The dropped frames may have been of names, of chat and of
// followed players too. If a room has no snapshot, the client is told to subscribe again. A
// "gone" may have been among the dropped frames.
func (s *session) Drained() {
	s.server.Workers.Start(func() {
		ctx, cancel := context.WithTimeout(s.server.Workers.Context(), workers.Timeout)
		defer cancel()
		s.remindLobby()
		if err := s.server.Presence.LookOnceMore(ctx, s); err != nil {
			lobby.Warn(s.server.Log, "web: followed players not read", err)
		}
		for _, id := range s.rooms() {
			sub := s.sub(id)
			if sub == nil {
				continue
			}
			err := sub.hub.following.Resume(ctx, sub.player, 0, nil, func(r *room.Resume) {
				sub.hub.attach(sub, r, request.Request{Brief: sub.brief}) // only attach changes brief, and not while this runs
			})
			switch {
			case err != nil:
				s.send(message(goneFrame{"gone", id, lobby.CodeOf(err)}))
			case !sub.glances && sub.hub.event == nil:
				s.tellPeople(ctx, sub)
			}
		}
	})
}

// Closed implements [socket.Handler].
func (s *session) Closed(code socket.Code) {
	for _, id := range s.rooms() {
		s.unsubscribe(id)
	}
	s.server.Gamelist.Pages.Left(s)
	s.leaveLobby()
	s.server.Presence.Left(s)
	s.server.Metrics.Closed(code)
}
