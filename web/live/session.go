package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/messages"
	"mancala/web/site"
	"mancala/web/socket"
)

// session is one socket: a person's page or a program. It implements
// [socket.Handler]. Messages are handled in the goroutine that reads them, one
// after the other, so that a client's commands keep their order.
type session struct {
	socket *socket.Socket
	player string      // whose cookie opened it, or a name of its own for somebody without one
	guest  bool        // nobody yet: may only watch
	child  atomic.Bool // in kids mode
	last   *sub        // that the last command was for, while it lasts; the reading goroutine's

	turn sync.Mutex // held from a command to its answer, so that a client that hurries waits for itself

	mu   sync.Mutex // guards subs and here
	subs []*sub     // few
	here *visitor   // in the lobby

	server *Live
	words  *messages.Catalog // in the language of the page that opened it
	signed string            // the session of his account that opened it

	trust room.Trust // in the entries that its client claims to have seen
}

const MaxSubs = 16 // rooms that one socket may follow

// Opened implements [socket.Handler].
func (s *session) Opened(sock *socket.Socket) {
	s.socket = sock
	s.server.Presence.Came(s)
}

func (s *session) send(f socket.Frame) { _ = s.socket.Send(f) } // a lagging reader gets a snapshot later, a closed one nothing

// Receive implements [socket.Handler].
func (s *session) Receive(msg []byte) {
	q, err := ReadRequest(msg, s.lastRoom())
	if err != nil || q.T == "" {
		s.refuse(q, site.ErrBadFrame)
		return
	}
	switch {
	case q.Room == seeks.Room:
		err = s.inLobby(q, msg)
	case q.Room == PeopleRoom:
		err = s.amongPeople(q)
	case q.T == "cmd":
		err = s.command(q, msg)
	case q.T == "sub":
		kept := q // so that only these, which outlive the call, are on the heap
		err = s.server.Workers.Aside(func() error { return s.subscribe(s.server.Workers.Soon(), kept) })
	case q.T == "unsub":
		s.unsubscribe(q.Room)
	case q.T == "chat":
		err = s.chat(s.server.Workers.Soon(), q)
	case q.T == "note":
		err = s.note(q, msg)
	case q.T == "ask":
		err = s.ask(s.server.Workers.Soon(), q)
	case q.T == "ping":
		s.send(socket.Text([]byte(`{"t":"pong"}`)))
	default:
		err = site.ErrBadFrame
	}
	if err != nil {
		s.refuse(q, err)
	}
}

// refuse answers a message that cannot be carried out.
func (s *session) refuse(q request, err error) {
	f := s.server.errFrame(s.words, q, err)
	s.server.Metrics.Refused(f.Code)
	s.send(message(f))
}

// errFrame says in a stable code and a sentence why a message was refused.
func (srv *Live) errFrame(c *messages.Catalog, q request, err error) errFrame {
	f := errFrame{T: "err", ID: q.ID, Code: lobby.CodeOf(err)}
	if lobby.ValidRoomID(q.Room) || q.Room == seeks.Room || q.Room == PeopleRoom {
		f.Room = q.Room
	}
	if len(f.ID) > 64 {
		f.ID = ""
	}
	if _, refused := refusal.Of(err); refused {
		f.Detail = refusal.Detail(err)
	} else {
		lobby.Warn(srv.Log, "web: message failed", err, "room", f.Room, "kind", q.Kind)
	}
	f.Msg = c.Sentence(f.Code, f.Detail)
	return f
}

// command carries a client's intention to its room, without waiting for what
// becomes of it: the next message may be read meanwhile, but not the next command.
func (s *session) command(q request, msg []byte) error {
	sub := s.last
	if sub == nil || sub.hub.id != q.Room {
		if sub = s.tab(q.Room); sub == nil {
			return site.ErrNotFollowed
		}
		s.last = sub
	}
	if s.guest {
		return site.ErrNoIdentity // the page's forms give one
	}
	if err := sub.hub.mayAct(sub); err != nil {
		return err
	}
	if kind, id := q.Kind, q.Room; kind == match.KindSit || kind == match.KindSettings { // not q: the closure would put all of it on the heap, with every command
		if err := s.server.Workers.Aside(func() error { return s.server.Policy.MayCommand(s.server.Workers.Soon(), id, s.player, kind, msg) }); err != nil {
			return err
		}
	}
	s.turn.Lock()
	err := sub.hub.following.Send(machine.Command{
		ID: q.ID, Kind: q.Kind, By: s.player, Lag: s.socket.RTT(), Body: msg,
	}, sub)
	if err != nil {
		s.turn.Unlock()
	}
	return followed(err)
}

// Answered implements [room.Asker]. The acknowledgement is the author's frame of
// the entry; a repeat, a command that changed nothing, and somebody who has no
// seat (yet), get an "ack" instead.
func (sub *sub) Answered(c machine.Command, a room.Answer, err error) {
	s := sub.session
	s.turn.Unlock()
	if err != nil {
		s.refuse(request{Room: sub.hub.id, ID: c.ID, Kind: c.Kind}, followed(err))
		return
	}
	watches := !sub.hub.audience(sub).IsSeat() // and hears of it by a fan, the same as all others
	if a.Repeat || a.Seq == 0 || watches {
		s.send(message(ackFrame{"ack", sub.hub.id, c.ID, a.Seq}))
	}
}

// followed turns the end of this copy of a room, of which "gone" has told, into
// what the client is to do: subscribe again and then repeat what has no answer.
func followed(err error) error {
	if errors.Is(err, room.ErrMoved) {
		return site.ErrNotFollowed
	}
	return err
}

func (s *session) lastRoom() string {
	if s.last == nil {
		return ""
	}
	return s.last.hub.id
}

func (s *session) sub(roomID string) *sub {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(roomID); i >= 0 {
		return s.subs[i]
	}
	return nil
}

// tab is the tie of a socket that takes part in a room, if only by watching.
func (s *session) tab(roomID string) *sub {
	if sub := s.sub(roomID); sub != nil && !sub.glances {
		return sub
	}
	return nil
}

// index is where a room's tie is, or -1. mu is held.
func (s *session) index(roomID string) int {
	return slices.IndexFunc(s.subs, func(sub *sub) bool { return sub.hub.id == roomID })
}

// rooms are those that the socket follows now.
func (s *session) rooms() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, len(s.subs))
	for i, sub := range s.subs {
		ids[i] = sub.hub.id
	}
	return ids
}

// Drained implements [socket.Handler]: the reader has caught up and needs
// snapshots in place of what was dropped. Where there is none, he is told to
// subscribe again: a "gone" may have been among the frames that he lost.
func (s *session) Drained() {
	s.server.Workers.Start(func() {
		ctx, cancel := context.WithTimeout(s.server.Workers.Context(), workers.Timeout)
		defer cancel()
		s.remindLobby()
		for _, id := range s.rooms() {
			sub := s.sub(id)
			if sub == nil {
				continue
			}
			err := sub.hub.following.Resume(ctx, sub.player, 0, nil, func(r *room.Resume) { sub.hub.attach(sub, r, request{}) })
			if err != nil {
				s.send(message(goneFrame{"gone", id, lobby.CodeOf(err)}))
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
