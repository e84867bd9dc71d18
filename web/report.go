package web

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/lobby/policy"
)

// reportJSON is what somebody reports. What a line said, and who said it, is read
// from the chat and not believed from him.
type reportJSON struct {
	Player string `json:"player"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
	Room   string `json:"room,omitempty"`
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
// of what he reads there.
func (srv *Server) scene(ctx context.Context, r *moderation.Report, q reportJSON) error {
	if !lobby.ValidRoomID(q.Room) || q.Line < 0 {
		return errBadFrame
	}
	view, err := srv.house.View(ctx, q.Room, r.By)
	if err != nil {
		return err
	}
	r.Room = q.Room
	if q.Line == 0 {
		return nil
	}
	r.Stream = streamOf(view.Audience)
	line, err := srv.Chat.Line(ctx, q.Room, r.Stream, q.Line)
	if err != nil {
		return err
	}
	r.Line, r.Player, r.Said = line.N, line.Player, cmp.Or(line.Text, line.Preset)
	return nil
}

// reportForm is the form of a person's page; it leads back there.
func (srv *Server) reportForm(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	var q reportJSON
	if err == nil {
		q = reportJSON{Player: form.Get("player"), Reason: form.Get("reason"), Text: form.Get("text"), Room: form.Get("room")}
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
