package live

import (
	"context"
	"errors"
	"net/netip"
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

// session is one socket, opened by a player's page or by a program. It implements
// [socket.Handler]. The goroutine that reads the socket handles its messages one
// after the other, so a client's commands keep their order.
type session struct {
	socket *socket.Socket
	player string // the player whose cookie or token opened it; a random name for a client without one
	guest  bool   // no identity yet; read-only
	addr   netip.Addr
	child  atomic.Bool // the player is in kids mode
	last   *sub        // the subscription of the last command, while it exists; used only by the reading goroutine

	turn sync.Mutex // held from a command to its answer: the next command waits

	mu   sync.Mutex // guards subs and here
	subs []*sub     // a short list: see MaxSubs
	here *visitor   // in the lobby; nil outside

	server *Live
	words  *messages.Catalog // in the language of the page that opened it
	signed string            // the ID of the account's session, or of the program's token, that opened it

	trust room.Trust // checks the client's claims of entries that it has seen
}

const MaxSubs = 16 // rooms that one socket may follow at once

// Opened implements [socket.Handler].
func (s *session) Opened(sock *socket.Socket) {
	s.socket = sock
	s.server.Presence.Came(s)
}

func (s *session) send(f socket.Frame) { _ = s.socket.Send(f) } // a lagging reader gets a snapshot later; a closed socket gets nothing

// Receive implements [socket.Handler].
func (s *session) Receive(msg []byte) {
	q, err := ReadRequest(msg, s.lastRoom())
	if err != nil || q.T == "" {
		s.refuse(q, site.ErrBadFrame)
		return
	}
	switch {
	case q.Room == seeks.Room:
		err = s.inLobby(q)
	case q.Room == PeopleRoom:
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

// errFrame returns the refusal of a message: a stable code and a sentence.
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

// command sends a client's command to its room and does not wait for the result. The
// next message may be read meanwhile. The next command waits.
func (s *session) command(q request) error {
	sub := s.last
	if sub == nil || sub.hub.id != q.Room {
		if sub = s.tab(q.Room); sub == nil {
			return site.ErrNotFollowed
		}
		s.last = sub
	}
	if s.guest {
		return site.ErrNoIdentity // the page's forms give the client an identity
	}
	if err := sub.hub.mayAct(sub); err != nil {
		return err
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
		ID: q.ID, Kind: q.Kind, By: s.player, Lag: s.socket.RTT(), Body: q.Own,
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
		s.refuse(request{Room: sub.hub.id, ID: c.ID, Kind: c.Kind}, followed(err))
		return
	}
	watches := !sub.hub.audience(sub).IsSeat() // a watcher gets the entry from the fan, without the command's ID
	if a.Repeat || a.Seq == 0 || watches {
		s.send(message(ackFrame{"ack", sub.hub.id, c.ID, a.Seq}))
	}
}

// followed converts the end of this copy of a room, which "gone" has announced, to
// [site.ErrNotFollowed]. The client then subscribes again and repeats the unanswered
// commands.
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

// Drained implements [socket.Handler]: the reader has caught up and needs snapshots
// in place of the dropped frames. If a room has no snapshot, the client is told to
// subscribe again. A "gone" may have been among the dropped frames.
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
