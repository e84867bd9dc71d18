package live

import (
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/messages"
	"mancala/web/request"
	"mancala/web/site"
	"mancala/web/socket"
)

// session is one socket, opened by a player's page or by a program. It implements
// [socket.Handler]. The goroutine that reads the socket handles its messages one
// after the other, so a client's commands keep their order.
type session struct {
	socket    *socket.Socket
	player    string // the player whose cookie or token opened it; a random name for a client without one
	anonymous bool   // no identity yet; read-only
	unread    bool   // the identity could not be read: the socket is closed at once
	addr      netip.Addr
	child     atomic.Bool // the player is in kids mode
	last      *sub        // the subscription of the last command, while it exists; used only by the reading goroutine

	turn sync.Mutex // held from a command to its answer: the next command waits

	mu   sync.Mutex // guards subs and here
	subs []*sub     // a short list: see MaxSubs
	here *visitor   // in the lobby; nil outside

	server *Live
	words  *messages.Catalog // in the language of the page that opened it
	noHost error             // why it may not do what hosts of tournaments do: it was opened with a token without that scope
	signed string            // the ID of the account's session, or of the program's token, that opened it
	token  bool              // it was opened with a token

	trust room.Trust // checks the client's claims of entries that it has seen
}

const MaxSubs = 16 // rooms that one socket may follow at once

// Identity implements [presence.Device]. It returns the player's ID, or an empty
// string for a visitor without one.
func (s *session) Identity() string {
	if s.anonymous {
		return ""
	}
	return s.player
}

// IsProgram implements [presence.Device].
func (s *session) IsProgram() bool { return s.token }

// SetChild implements [presence.Device].
func (s *session) SetChild(yes bool) { s.child.Store(yes) }

// Child reports whether the player is in kids mode, or has to be treated so because
// the settings are not known.
func (s *session) Child() bool { return s.child.Load() }

func (s *session) send(f ...socket.Frame) { _ = s.socket.SendAll(f...) } // a lagging reader gets a snapshot later; a closed socket gets nothing

// refuse answers a message that cannot be carried out.
func (s *session) refuse(q request.Request, err error) {
	f := s.server.errFrame(s.words, q, err)
	s.server.Metrics.Refused(f.Code)
	s.send(message(f))
}

// errFrame returns the refusal of a message: a stable code and a sentence.
func (srv *Live) errFrame(c *messages.Catalog, q request.Request, err error) errFrame {
	f := errFrame{T: "err", ID: q.ID, Code: lobby.CodeOf(err)}
	if lobby.ValidRoomID(q.Room) || q.Room == seeks.Room || q.Room == request.PeopleRoom {
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

// followed converts the end of this copy of a room, which "gone" has announced, to
// [site.ErrNotFollowed]. The client then subscribes again and repeats the unanswered
// commands.
func followed(err error) error {
	if errors.Is(err, room.ErrMoved) {
		return site.ErrNotFollowed
	}
	return err
}
