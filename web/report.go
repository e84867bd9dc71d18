package web

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"time"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/lobby/policy"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// reportJSON is a report as it comes from a client. A line of chat is named by its room,
// stream and number. What it said and who said it is read from the chat: the client is
// not believed.
type reportJSON struct {
	Player string `json:"player"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
	Room   string `json:"room,omitempty"`
	Stream string `json:"stream,omitempty"` // of the line; pages of the release before do not name it
	Line   int64  `json:"line,omitempty"`
}

// report puts what somebody reports on the operators' desk.
func (srv *Server) report(ctx context.Context, from netip.Addr, player string, q reportJSON) error {
	if err := lobby.SlowDown(srv.reportLimit.Wait(player)); err != nil {
		return err
	}
	if err := lobby.SlowDown(srv.reportAddressLimit.WaitAddress(from)); err != nil {
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
		return policy.Someone(err)
	}
	r.Name = about.Name
	return srv.Desk.File(ctx, r)
}

// scene adds where it happened: a game that the reporter may look at, and a line
// that the reporter reads there.
func (srv *Server) scene(ctx context.Context, r *moderation.Report, q reportJSON) error {
	streams := []string{"", streamPlayers, streamWatchers}
	if !lobby.ValidRoomID(q.Room) || q.Line < 0 || !slices.Contains(streams, q.Stream) {
		return errBadFrame
	}
	view, err := srv.rooms.View(ctx, q.Room, r.By)
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

// reportedLine finds the line that a report is about, among those that the reporter
// reads. A report that names no stream means the only line with this number. If each
// stream has one, the report means the line of the player whom it names. It is refused
// with [lobby.CodeNoLine] if there is no such line.
func (srv *Server) reportedLine(ctx context.Context, view room.View, q reportJSON) (lobby.Line, error) {
	facts, err := match.ReadFacts(view.Snapshot)
	if err != nil {
		return lobby.Line{}, err
	}
	own := streamOf(view.Audience)
	var found []lobby.Line
	for _, stream := range readable(own, facts) {
		if q.Stream != "" && q.Stream != stream {
			continue
		}
		line, err := srv.Chat.Line(ctx, q.Room, stream, q.Line)
		switch {
		case lobby.CodeOf(err) == lobby.CodeNoLine:
		case err != nil:
			return lobby.Line{}, err
		case stream == own || !line.At.After(time.Now().Add(-view.Delay)): // watchers with a delay hear the players later
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

// readable returns the streams that a reader of this stream can have read in such a game,
// their own first. Players may have watched before they sat down.
func readable(own string, game match.Facts) []string {
	other := otherStream(own)
	if other == streamWatchers || game.Over() && shared(game.Listed, other) {
		return []string{own, other}
	}
	return []string{own}
}

// reportForm is the form of a person's page; it leads back there.
func (srv *Server) reportForm(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	var q reportJSON
	if err == nil {
		q = reportJSON{Player: form.Get("player"), Reason: form.Get("reason"), Text: form.Get("text"), Room: form.Get("room"), Stream: form.Get("stream")}
		if line := form.Get("line"); line != "" {
			if q.Line, err = strconv.ParseInt(line, 10, 64); err != nil {
				err = errBadFrame
			}
		}
	}
	var player string
	if err == nil {
		player, err = srv.whoActs(w, r)
	}
	if err == nil {
		err = srv.report(r.Context(), srv.address(r), player, q)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	back := "/people/" + url.PathEscape(q.Player) + "?reported"
	if q.Room != "" {
		back += "&room=" + q.Room // which has been found
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// apiReport is the same for programs, and for a game's page.
func (srv *Server) apiReport(w http.ResponseWriter, r *http.Request) {
	var q reportJSON
	player, known := srv.whoIs(w, r)
	err := readJSON(r, &q)
	if err == nil && !known {
		err = errNoIdentity
	}
	if err == nil {
		err = srv.report(r.Context(), srv.address(r), player, q)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusCreated, struct{}{})
}
