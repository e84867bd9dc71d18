package site

import (
	"cmp"
	"context"
	"net/netip"
	"slices"

	"mancala/lobby"
	"mancala/lobby/chat"
	"mancala/lobby/moderation"
	"mancala/lobby/policy"
)

// ReportJSON is a report as a client sends it. It names a line of chat by room,
// stream and number, and a rule set by its ID. The server reads their texts and authors
// itself and does not trust the client for them.
type ReportJSON struct {
	Player string `json:"player"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
	Room   string `json:"room,omitempty"`
	Stream string `json:"stream,omitempty"` // the line's stream; pages of the previous release leave it out
	Line   int64  `json:"line,omitempty"`
	Rules  string `json:"rules,omitempty"` // the kept rule set whose name is reported, by its ID
}

// Report files a player's report for the operators.
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
	if q.Rules != "" {
		if err := srv.ruleSet(ctx, &r, q.Rules); err != nil {
			return err
		}
	}
	about, err := srv.People.Player(ctx, r.Player)
	if err != nil {
		return policy.AboutOther(err)
	}
	r.Name = about.Name
	return srv.Moderation.File(ctx, r)
}

// ruleSet adds a kept rule set to a report, which then concerns its author.
func (srv *Site) ruleSet(ctx context.Context, r *moderation.Report, id string) error {
	if r.Room != "" || !lobby.ValidRoomID(id) {
		return ErrBadFrame
	}
	e, err := srv.Rulebook.Find(ctx, id)
	if err != nil {
		return err
	}
	r.Rules, r.Player, r.Said = e.ID, e.Player, e.Name
	return nil
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
	line, err := srv.Chat.Find(ctx, view, chat.Cited{Room: q.Room, Stream: q.Stream, N: q.Line, Player: q.Player})
	if err != nil {
		return err
	}
	r.At, r.Stream, r.Line, r.Player, r.Said = line.At, line.Stream, line.N, line.Player, cmp.Or(line.Text, line.Preset)
	return nil
}
