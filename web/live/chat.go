package live

import (
	"context"
	"encoding/json"
	"slices"

	"mancala/lobby"
	"mancala/lobby/chat"
	"mancala/lobby/workers"
	"mancala/match/machine"
	"mancala/web/site"
	"mancala/web/socket"
)

const chatShown = 50 // lines that a new reader is sent

type chatFrame struct {
	T      string           `json:"t"`
	Room   string           `json:"room"`
	N      int64            `json:"n"`
	By     string           `json:"by"`
	Name   string           `json:"name"`
	Seat   machine.Audience `json:"seat"`
	At     int64            `json:"at"`
	Preset string           `json:"preset,omitempty"`
	Text   string           `json:"text,omitempty"`
}

// chat sends a line to the readers of the sender's stream.
func (s *session) chat(ctx context.Context, q request) error {
	sub := s.tab(q.Room)
	switch {
	case sub == nil:
		return site.ErrNotFollowed
	case s.guest:
		return site.ErrNoIdentity
	}
	if err := lobby.SlowDown(s.server.Limit(site.LimitChat).Wait(s.player)); err != nil {
		return err
	}
	seat := sub.hub.audience(sub)
	if err := s.server.Chat.MayChat(ctx, s.player, q.Room, q.Preset != "", seat.IsSeat()); err != nil {
		return err
	}
	deaf, err := s.server.Social.BlockedBy(ctx, s.player)
	if err != nil {
		return err
	}
	line, err := s.server.Lobby.Chat.Say(ctx, lobby.Line{
		Room: q.Room, Stream: chat.StreamOf(seat), Player: s.player, Seat: int(seat), Preset: q.Preset, Text: q.Text,
	})
	s.server.said(sub.hub) // the line may be stored even after an error
	if err != nil {
		return err
	}
	s.server.Metrics.Said()
	names, err := s.server.Names(ctx, slices.Concat(sub.hub.people(), []string{s.player}))
	if err != nil {
		return err
	}
	frame := chatLine(line, names[s.player])
	f := message(frame)
	to := readers{line.Stream, deaf, line.Text != ""}
	sub.hub.tellLine(f, to)
	s.server.overheard(ctx, sub.hub, f, to)
	return sub.hub.spreadLine(frame, line.Stream)
}

// spread is a line of chat on its way to the other instances.
type spread struct {
	Line   chatFrame
	Stream string
}

// spreadLine sends a line to the clients on other instances.
func (h *hub) spreadLine(f chatFrame, stream string) error {
	body, err := json.Marshal(spread{f, stream})
	if err == nil {
		h.following.Spread(noteChat, body)
	}
	return err
}

// hearLine delivers a line from another instance to the sockets here. It is called
// with the feed locked.
func (h *hub) hearLine(body []byte) {
	var said spread
	if err := json.Unmarshal(body, &said); err != nil {
		lobby.Warn(h.server.Log, "web: chat line of another instance not decoded", err, "room", h.id)
		return
	}
	h.said()
	h.server.Workers.Start(func() {
		ctx, cancel := context.WithTimeout(h.server.Workers.Context(), workers.Timeout)
		defer cancel()
		deaf, err := h.server.Social.BlockedBy(ctx, said.Line.By)
		if err != nil { // a client that subscribes later reads the line
			lobby.Warn(h.server.Log, "web: chat line of another instance not delivered", err, "room", h.id)
			return
		}
		f := message(said.Line)
		to := readers{said.Stream, deaf, said.Line.Text != ""}
		h.tellLine(f, to)
		h.server.overheard(ctx, h, f, to)
	})
}

// readers selects the clients that receive a line of chat.
type readers struct {
	stream string
	deaf   []string // players who blocked the author
	words  bool     // free text: children read ready phrases only (UX.md §8)
}

func (to readers) hear(s *sub) bool {
	return !slices.Contains(to.deaf, s.player) && !(to.words && s.session.child.Load())
}

// tellLine sends a frame to the clients that may read it.
func (h *hub) tellLine(f socket.Frame, to readers) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if to.stream == lobby.StreamPlayers {
		for _, s := range h.players {
			if to.hear(s) {
				s.session.send(f)
			}
		}
		return
	}
	all := true
	for s := range h.watchers {
		if all = to.hear(s); !all {
			break
		}
	}
	if all {
		h.toWatchers(f)
		return
	}
	for s := range h.watchers {
		if to.hear(s) {
			s.session.send(f)
		}
	}
}

func chatLine(l lobby.Line, name string) chatFrame {
	return chatFrame{
		T: "chat", Room: l.Room, N: l.N, By: l.Player, Name: name, Seat: machine.Audience(l.Seat),
		At: l.At.UnixMilli(), Preset: l.Preset, Text: l.Text,
	}
}

// quiet caches which streams of a room have no line, so that new readers cost no
// database query. Every new hub starts with an empty cache. Lines are only said
// through a hub.
type quiet struct {
	lines int // said, or tried, during this hub's life
	known []string
}

// said clears the cache of empty streams. It is called after a line is in the
// database and before the line is sent. So a later reader finds the line in the
// database, and a present reader is sent it. The hub may have been replaced
// meanwhile: its successor is cleared too.
func (srv *Live) said(h *hub) {
	srv.hubsMu.Lock()
	now := srv.hubs[h.id]
	srv.hubsMu.Unlock()
	h.said()
	if now != nil && now != h {
		now.said()
	}
}

// KnowsQuiet reports whether this instance knows that a stream of a room has no
// line.
func (srv *Live) KnowsQuiet(id, stream string) bool {
	srv.hubsMu.Lock()
	h := srv.hubs[id]
	srv.hubsMu.Unlock()
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Contains(h.quiet.known, stream)
}

func (h *hub) said() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.quiet.lines++
	h.quiet.known = nil
}

// lastLines returns the last lines of a stream for a new reader.
func (h *hub) lastLines(ctx context.Context, stream string, players []string) ([]chatFrame, error) {
	h.reading.Lock() // of two simultaneous readers, the second uses the first one's result
	defer h.reading.Unlock()
	h.mu.Lock()
	before, nothing := h.quiet.lines, slices.Contains(h.quiet.known, stream)
	h.mu.Unlock()
	if nothing {
		return nil, nil
	}
	frames, err := h.server.chatLines(ctx, h.id, stream, players)
	if err == nil && len(frames) == 0 {
		h.knowQuiet(stream, before)
	}
	return frames, err
}

// knowQuiet records that a stream was found empty. lines is the count of lines
// before the database was read. If a line came since, the result may be older than
// that line and is ignored.
func (h *hub) knowQuiet(stream string, lines int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.quiet.lines == lines && !slices.Contains(h.quiet.known, stream) {
		h.quiet.known = append(h.quiet.known, stream)
	}
}

// chatLines reads the last lines of a stream from the database.
func (srv *Live) chatLines(ctx context.Context, roomID, stream string, players []string) ([]chatFrame, error) {
	lines, err := srv.Lobby.Chat.Last(ctx, roomID, stream, chatShown)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	ids := slices.Clone(players)
	for _, l := range lines {
		ids = append(ids, l.Player)
	}
	names, err := srv.Names(ctx, ids)
	if err != nil {
		return nil, err
	}
	var frames []chatFrame
	for _, l := range lines {
		frames = append(frames, chatLine(l, names[l.Player]))
	}
	return frames, nil
}
