package chat

import (
	"context"
	"encoding/json"
	"time"

	"mancala/lobby"
	"mancala/match"
)

// deliver shows a line to the clients on this instance that may read it.
func (s *Streams) deliver(ctx context.Context, l Line, stream string, deaf []string) {
	show := func(to Readers) { s.clients.ShowLine(l, to) }
	to := Readers{stream, deaf, l.Text != ""}
	show(to)
	s.overhear(ctx, to, show)
}

// overhear calls show with the readers of the other stream, if they may read the line
// that show is about. Watchers with a delay are shown it later.
func (s *Streams) overhear(ctx context.Context, to Readers, show func(Readers)) {
	view, game := s.view(ctx, "")
	p, err := match.ReadPublic(s.clients.Room(), view.Snapshot)
	if err != nil || len(p.Seats) == 0 {
		return
	}
	if view.Delay > 0 { // the watchers' view is old: use a player's view
		_, game = s.view(ctx, p.Seats[0])
	}
	after, ok := overheard(to.Stream, game, view.Delay)
	to.Stream = otherStream(to.Stream)
	switch {
	case !ok:
	case after == 0:
		show(to)
	default:
		s.chat.Workers.Start(func() {
			select {
			case <-time.After(after):
				show(to)
			case <-s.chat.Workers.Context().Done():
			}
		})
	}
}

// NoteKind is the kind of a note that carries a line to the clients on other instances.
const NoteKind = "chat"

// spread is the body of such a note. T is for instances of the release before, which send
// the line to their clients as it is.
type spread struct {
	Line struct {
		T string `json:"t"`
		Line
	}
	Stream string
}

func (s *Streams) spread(l Line, stream string) error {
	said := spread{Stream: stream}
	said.Line.T, said.Line.Line = "chat", l
	body, err := json.Marshal(said)
	if err == nil {
		s.clients.Spread(NoteKind, body)
	}
	return err
}

// Hear shows a line from another instance to the clients here. It does not wait, and may
// be called with the room's feed locked.
func (s *Streams) Hear(body []byte) {
	var said spread
	if err := json.Unmarshal(body, &said); err != nil {
		lobby.Warn(s.chat.Log, "chat: line of another instance not decoded", err, "room", s.clients.Room())
		return
	}
	s.quiet.forget()
	s.chat.start(func(ctx context.Context) {
		deaf, err := s.chat.Social.BlockedBy(ctx, said.Line.By)
		if err != nil { // a client that subscribes later reads the line
			lobby.Warn(s.chat.Log, "chat: line of another instance not delivered", err, "room", s.clients.Room())
			return
		}
		s.deliver(ctx, said.Line.Line, said.Stream, deaf)
	})
}

// said clears the cache of empty streams. It is called after a line is in the
// database and before the line is shown. So a later reader finds the line in the
// database, and a present reader is shown it. The room may be followed again
// meanwhile: the cache of its new Streams is cleared too.
func (s *Streams) said() {
	now := s.chat.beside(s.clients.Room())
	s.quiet.forget()
	if now != nil && now != s {
		now.quiet.forget()
	}
}
