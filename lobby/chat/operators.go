package chat

import (
	"context"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Cited names a line of chat in a player's report.
type Cited struct {
	Room   string
	Stream string // empty: see [Chat.Find]
	N      int64
	Player string // the author, as the report says
}

// Find returns a line that is reported, among the lines that the reporter can read. view
// is the room as the reporter sees it. A report without a stream means the only line
// with this number. If both streams have such a line, it means the line of the player
// whom the report names. Find refuses with [lobby.CodeNoLine] if there is no such line.
func (c *Chat) Find(ctx context.Context, view room.View, q Cited) (lobby.Line, error) {
	game, err := match.ReadFacts(view.Snapshot)
	if err != nil {
		return lobby.Line{}, err
	}
	own := StreamOf(view.Audience)
	var found []lobby.Line
	for _, stream := range readable(own, game) {
		if q.Stream != "" && q.Stream != stream {
			continue
		}
		line, err := c.Lines.Line(ctx, q.Room, stream, q.N)
		switch {
		case lobby.CodeOf(err) == lobby.CodeNoLine:
		case err != nil:
			return lobby.Line{}, err
		case stream == own || c.isPast(line.At, view.Delay): // watchers with a delay read the players' chat later
			found = append(found, line)
		}
	}
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(l lobby.Line) bool { return l.Player != q.Player })
	}
	if len(found) == 0 {
		return lobby.Line{}, refusal.New(lobby.CodeNoLine)
	}
	return found[0], nil
}

// Around returns a line with its neighbours, for an operator; see [lobby.Chat.Around].
func (c *Chat) Around(ctx context.Context, room, stream string, n, aside int64) ([]lobby.Line, error) {
	return c.Lines.Around(ctx, room, stream, n, aside)
}

// Erase removes the text of a line that was reported at a time, and returns the line as it
// was. It refuses with [lobby.CodeNoLine] if that line was deleted, also if its number was
// used again. [Chat.Erased] then tells the clients. A line that an operator has erased before
// is returned without its text: that attempt may have been interrupted before the clients were told.
func (c *Chat) Erase(ctx context.Context, room, stream string, n int64, reported time.Time) (lobby.Line, error) {
	line, err := c.Lines.Line(ctx, room, stream, n)
	if refusal.Is(err, lobby.CodeNoLine) {
		line, err = c.erasedBefore(ctx, room, stream, n)
	}
	if err == nil && line.At.After(reported) {
		err = refusal.New(lobby.CodeNoLine)
	}
	if err != nil || line.Erased {
		return line, err
	}
	return c.Lines.Erase(ctx, room, stream, n)
}

// erasedBefore returns a line that an operator has erased. Lines of deleted players have no player any more.
func (c *Chat) erasedBefore(ctx context.Context, room, stream string, n int64) (lobby.Line, error) {
	lines, err := c.Lines.Around(ctx, room, stream, n, 0)
	if err != nil {
		return lobby.Line{}, err
	}
	if len(lines) == 0 || !lines[0].Erased || lines[0].Player == "" {
		return lobby.Line{}, refusal.New(lobby.CodeNoLine)
	}
	return lines[0], nil
}

// Erased takes a line from the clients of this instance that may have read it.
func (c *Chat) Erased(room, stream string, n int64) {
	s := c.beside(room)
	if s == nil {
		return
	}
	show := func(to Readers) { s.clients.ShowErased(stream, n, to) }
	to := Readers{Stream: stream}
	show(to)
	c.start(func(ctx context.Context) { s.overhear(ctx, to, show) }) // reading the game may take a while
}
