package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/socket"
)

// session is one socket: a person's page or a program. It implements
// [socket.Handler]. Messages are handled in the goroutine that reads them, one
// after the other, so that a client's commands keep their order and a client
// that hurries waits for itself.
type session struct {
	server *Server
	player string // whose cookie opened it, or a name of its own for somebody without one
	guest  bool   // nobody yet: may only watch
	socket *socket.Socket

	mu     sync.Mutex
	subs   map[string]*sub
	closed bool
}

const (
	maxSubs        = 16               // rooms that one socket may follow
	commandTimeout = 10 * time.Second // after which a command's answer is "unavailable"
)

// request is any message of a client; which fields matter depends on T.
type request struct {
	T      string `json:"t"`
	Room   string `json:"room"`
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Since  uint64 `json:"since"`
	Take   bool   `json:"take"`
	Preset string `json:"preset"`
	Text   string `json:"text"`
}

// Opened implements [socket.Handler].
func (s *session) Opened(sock *socket.Socket) { s.socket = sock }

// identity is the player's ID, empty for somebody without one.
func (s *session) identity() string {
	if s.guest {
		return ""
	}
	return s.player
}

func (s *session) send(f socket.Frame) { _ = s.socket.Send(f) } // a lagging reader gets a snapshot later, a closed one nothing

// Receive implements [socket.Handler].
func (s *session) Receive(msg []byte) {
	var q request
	if err := json.Unmarshal(msg, &q); err != nil || q.T == "" {
		s.refuse(q, &machine.Error{Code: "bad-frame"})
		return
	}
	ctx, cancel := context.WithTimeout(s.server.ctx, commandTimeout)
	defer cancel()
	var err error
	switch q.T {
	case "cmd":
		err = s.command(ctx, q, msg)
	case "sub":
		err = s.subscribe(ctx, q)
	case "unsub":
		s.unsubscribe(q.Room)
	case "chat":
		err = s.chat(ctx, q)
	case "note":
		err = s.note(q, msg)
	default:
		err = &machine.Error{Code: "bad-frame"}
	}
	if err != nil {
		s.refuse(q, err)
	}
}

// refuse answers a message that cannot be carried out.
func (s *session) refuse(q request, err error) {
	f := s.server.errFrame(q, err)
	s.server.metrics.refused(f.Code)
	s.send(message(f))
}

// errFrame says in a stable code and a sentence why a message was refused.
func (srv *Server) errFrame(q request, err error) errFrame {
	f := errFrame{T: "err", ID: q.ID, Code: codeOf(err)}
	if lobby.ValidRoomID(q.Room) {
		f.Room = q.Room
	}
	if len(f.ID) > 64 {
		f.ID = ""
	}
	var refused *machine.Error
	if errors.As(err, &refused) {
		f.Detail = refused.Detail
	} else {
		srv.log.Warn("web: message failed", "room", f.Room, "kind", q.Kind, "err", err)
	}
	f.Msg = srv.messages.sentence(f.Code, f.Detail)
	return f
}

// codeOf is the stable code of an error; what is not a refusal is ours.
func codeOf(err error) machine.Code {
	var refused *machine.Error
	switch {
	case errors.As(err, &refused):
		return refused.Code
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return room.CodeUnavailable
	}
	return "internal"
}

// command carries a client's intention to its room. The acknowledgement is the
// author's frame of the entry; a repeat, a command that changed nothing, and
// somebody who has no seat (yet), get an "ack" instead.
func (s *session) command(ctx context.Context, q request, msg []byte) error {
	sub := s.sub(q.Room)
	if sub == nil {
		return &machine.Error{Code: "not-following"}
	}
	if s.guest {
		return &machine.Error{Code: "no-identity"} // the page's forms give one
	}
	if sub.hub.isSuperseded(sub) {
		return &machine.Error{Code: "superseded"}
	}
	answer, err := sub.hub.following.Do(ctx, machine.Command{
		ID: q.ID, Kind: q.Kind, By: s.player, Lag: s.socket.RTT(), Body: msg,
	})
	watches := !sub.hub.audience(sub).IsSeat() // and hears of it by a fan, the same as all others
	if err == nil && (answer.Repeat || answer.Seq == 0 || watches) {
		s.send(message(ackFrame{"ack", q.Room, q.ID, answer.Seq}))
	}
	return err
}

func (s *session) sub(roomID string) *sub {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.subs[roomID]
}

// subscribe follows a room, or brings a socket that follows it up to date.
func (s *session) subscribe(ctx context.Context, q request) error {
	if !lobby.ValidRoomID(q.Room) {
		return room.ErrNoRoom
	}
	for range 3 {
		sub, err := s.tie(ctx, q)
		if err != nil {
			return err
		}
		err = sub.hub.following.Resume(ctx, s.player, q.Since, func(r *room.Resume) { sub.hub.attach(sub, r) })
		if !errors.Is(err, room.ErrMoved) && !sub.hub.isGone() {
			if err == nil {
				s.tellPeople(ctx, sub)
			}
			return err
		}
		s.unsubscribe(q.Room) // that copy of the room has ended: follow the next
	}
	return room.ErrMoved
}

// tie returns the socket's tie to a room's hub, made if need be.
func (s *session) tie(ctx context.Context, q request) (*sub, error) {
	if old := s.sub(q.Room); old != nil {
		if !old.hub.isGone() {
			if q.Take {
				old.hub.take(old)
			}
			return old, nil
		}
		s.unsubscribe(q.Room)
	}
	h, err := s.server.hub(ctx, q.Room)
	if err != nil {
		return nil, err
	}
	made := &sub{session: s, hub: h, player: s.player, audience: machine.Watchers}
	s.mu.Lock()
	if s.closed || len(s.subs) >= maxSubs {
		s.mu.Unlock()
		s.server.release(h)
		return nil, &machine.Error{Code: "too-many-rooms"}
	}
	if s.subs == nil {
		s.subs = make(map[string]*sub, 1)
	}
	s.subs[q.Room] = made
	s.mu.Unlock()
	h.following.Join(s.player)
	return made, nil
}

// unsubscribe ends a tie.
func (s *session) unsubscribe(roomID string) {
	s.mu.Lock()
	old := s.subs[roomID]
	delete(s.subs, roomID)
	s.mu.Unlock()
	if old != nil {
		old.hub.detach(old)
		old.hub.following.Leave(s.player)
		s.server.release(old.hub)
	}
}

// tellPeople sends the names of the players and the last lines of the chat.
func (s *session) tellPeople(ctx context.Context, sub *sub) {
	if names, err := s.server.names(ctx, sub.hub.people()); err == nil && len(names) > 0 {
		s.send(message(namesFrame{"names", sub.hub.id, names}))
	}
	lines, err := s.server.chatLines(ctx, sub.hub.id, streamOf(sub.hub.audience(sub)))
	if err != nil {
		s.server.log.Warn("web: chat not read", "room", sub.hub.id, "err", err)
	}
	for _, line := range lines {
		s.send(line)
	}
}

// note passes a player's unnumbered news on ("filling the board: 54 of 72").
func (s *session) note(q request, msg []byte) error {
	sub := s.sub(q.Room)
	if sub == nil {
		return &machine.Error{Code: "not-following"}
	}
	var body struct {
		N  int `json:"n"`
		Of int `json:"of"`
	}
	if err := json.NewDecoder(bytes.NewReader(msg)).Decode(&body); err != nil {
		return room.ErrBadNote
	}
	if q.Kind != "filling" {
		return room.ErrBadNote
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return sub.hub.following.Say(s.player, q.Kind, text)
}

// Drained implements [socket.Handler]: the reader has caught up and needs
// snapshots in place of what was dropped.
func (s *session) Drained() {
	s.server.group.Go(func() {
		s.mu.Lock()
		var rooms []string
		for id := range s.subs {
			rooms = append(rooms, id)
		}
		s.mu.Unlock()
		ctx, cancel := context.WithTimeout(s.server.ctx, commandTimeout)
		defer cancel()
		for _, id := range rooms {
			if sub := s.sub(id); sub != nil {
				_ = sub.hub.following.Resume(ctx, s.player, 0, func(r *room.Resume) { sub.hub.attach(sub, r) })
			}
		}
	})
}

// Closed implements [socket.Handler].
func (s *session) Closed(code socket.Code) {
	s.mu.Lock()
	s.closed = true
	var rooms []string
	for id := range s.subs {
		rooms = append(rooms, id)
	}
	s.mu.Unlock()
	for _, id := range rooms {
		s.unsubscribe(id)
	}
	s.server.metrics.closed(code)
}
