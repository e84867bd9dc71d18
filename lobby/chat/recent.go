package chat

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mancala/match/machine"
)

const maxRecent = 50 // lines of a stream that a new reader is shown

// Recent returns the last lines that a client may read, in order of time. The client is in
// this audience. Lines that cannot be read now are left out, and the error is logged.
func (s *Streams) Recent(ctx context.Context, r Reader, as machine.Audience) []Line {
	players := s.clients.Players()
	lines, err := s.last(ctx, StreamOf(as), players)
	s.warn("chat: lines not read", err)
	more, err := s.lastOpened(ctx, r.Identity(), StreamOf(as), players)
	s.warn("chat: lines not read", err)
	lines = slices.Concat(lines, more)
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(a.At, b.At) })
	var blocked []string
	if id := r.Identity(); len(lines) > 0 && id != "" {
		blocked, err = s.chat.Social.Blocked(ctx, id)
		s.warn("chat: blocks not read", err)
	}
	return slices.DeleteFunc(lines, func(l Line) bool {
		return slices.Contains(blocked, l.By) || l.Text != "" && r.Child()
	})
}

// lastOpened returns the last lines of the stream that the end of the game has opened to
// a reader of stream own.
func (s *Streams) lastOpened(ctx context.Context, player, own string, players []string) ([]Line, error) {
	view, game := s.view(ctx, "") // made once for all readers
	if view.Delay > 0 {
		view, game = s.view(ctx, player)
	}
	stream := opened(own, game)
	if stream == "" {
		return nil, nil
	}
	lines, err := s.last(ctx, stream, players)
	return slices.DeleteFunc(lines, func(l Line) bool { return !s.chat.isPast(time.UnixMilli(l.At), view.Delay) }), err
}

// last returns the last lines of a stream.
func (s *Streams) last(ctx context.Context, stream string, players []string) ([]Line, error) {
	s.reading.Lock() // of two simultaneous readers, the second uses the first one's result
	defer s.reading.Unlock()
	before, nothing := s.quiet.look(stream)
	if nothing {
		return nil, nil
	}
	lines, err := s.read(ctx, stream, players)
	if err == nil && len(lines) == 0 {
		s.quiet.learn(stream, before)
	}
	return lines, err
}

// read reads the last lines of a stream from the database.
func (s *Streams) read(ctx context.Context, stream string, players []string) ([]Line, error) {
	lines, err := s.chat.Lines.Last(ctx, s.clients.Room(), stream, maxRecent)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	people := slices.Clone(players)
	for _, l := range lines {
		people = append(people, l.Player)
	}
	names, err := s.chat.names(ctx, people)
	if err != nil {
		return nil, err
	}
	shown := make([]Line, len(lines))
	for i, l := range lines {
		shown[i] = shownLine(l, names[l.Player])
	}
	return shown, nil
}

// KnowsQuiet reports whether this instance knows that a stream of a room has no line. Only tests call it.
func (c *Chat) KnowsQuiet(room, stream string) bool {
	s := c.beside(room)
	if s == nil {
		return false
	}
	_, empty := s.quiet.look(stream)
	return empty
}
