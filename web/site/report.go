package site

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/chat"
	"mancala/lobby/moderation"
	"mancala/lobby/policy"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// ReportJSON is a report as a client sends it. It names a line of chat by room,
// stream and number. The server reads the line's text and author from the chat and
// does not trust the client for them.
type ReportJSON struct {
	Player string `json:"player"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
	Room   string `json:"room,omitempty"`
	Stream string `json:"stream,omitempty"` // the line's stream; pages of the previous release leave it out
	Line   int64  `json:"line,omitempty"`
}

// Report files a player's report at the operators' desk.
func (srv *Site) Report(ctx context.Context, from netip.Addr, player string, q ReportJSON) error {
	if err := lobby.SlowDown(srv.Limit(LimitReports).Wait(player)); err != nil {
		return err
	}
	if err := lobby.SlowDown(srv.Limit(LimitReportsPerAddress).WaitAddress(from)); err != nil {
		return err
	}
	r := moderation.Report{By: player, Player: q.Player, Reason: q.Reason, Text: q.Text}
	if q.Room != "" {
		if err := srv.scene(ctx, &r, q); err != nil {
			return err
		}
	}
	about, err := srv.People.Player(ctx, r.Player)
	if err != nil {
		return policy.AboutOther(err)
	}
	r.Name = about.Name
	return srv.Desk.File(ctx, r)
}

// scene adds the place to a report: a game that the reporter may see, and a line
// that the reporter can read there.
func (srv *Site) scene(ctx context.Context, r *moderation.Report, q ReportJSON) error {
	streams := []string{"", lobby.StreamPlayers, lobby.StreamWatchers}
	if !lobby.ValidRoomID(q.Room) || q.Line < 0 || !slices.Contains(streams, q.Stream) {
		return ErrBadFrame
	}
	view, err := srv.Rooms.View(ctx, q.Room, r.By)
	if err != nil {
		return err
	}
	r.Room = q.Room
	if q.Line == 0 {
		return nil
	}
	line, err := srv.reportedLine(ctx, view, q)
	if err != nil {
		return err
	}
	r.Stream, r.Line, r.Player, r.Said = line.Stream, line.N, line.Player, cmp.Or(line.Text, line.Preset)
	return nil
}

// reportedLine finds the line that a report is about, among the lines that the
// reporter can read. A report without a stream means the only line with this number.
// If both streams have such a line, it means the line of the player whom the report
// names. If there is no such line, the report is refused with [lobby.CodeNoLine].
func (srv *Site) reportedLine(ctx context.Context, view room.View, q ReportJSON) (lobby.Line, error) {
	facts, err := match.ReadFacts(view.Snapshot)
	if err != nil {
		return lobby.Line{}, err
	}
	own := chat.StreamOf(view.Audience)
	var found []lobby.Line
	for _, stream := range readable(own, facts) {
		if q.Stream != "" && q.Stream != stream {
			continue
		}
		line, err := srv.Lobby.Chat.Line(ctx, q.Room, stream, q.Line)
		switch {
		case lobby.CodeOf(err) == lobby.CodeNoLine:
		case err != nil:
			return lobby.Line{}, err
		case stream == own || !line.At.After(time.Now().Add(-view.Delay)): // watchers with a delay read the players' chat later
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

// readable returns the streams that a reader of stream own may have read, own first.
// Players may have watched before they sat down.
func readable(own string, game match.Facts) []string {
	other := chat.OtherStream(own)
	if other == lobby.StreamWatchers || game.Over() && chat.Shared(game.Listed, other) {
		return []string{own, other}
	}
	return []string{own}
}
