package web

import (
	"html/template"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/account"
)

// movePage shows the way to another device, or on that one asks whether to go it.
type movePage struct {
	head
	Name    string // who moves
	Guest   bool   // he has no account
	QR      template.HTML
	Link    string
	Minutes string
	Alone   bool   // nothing but this machine can follow the link
	Secret  string // on the other device
	Here    string // who plays there now
	Waits   bool   // and is back when the other one signs out
}

// offerMove opens a way to another device, for guests as well.
func (srv *Server) offerMove(w http.ResponseWriter, r *http.Request) {
	who, err := srv.whoCame(w, r)
	if err == nil && who.player == "" {
		http.Redirect(w, r, "/account", http.StatusSeeOther)
		return
	}
	if err == nil && who.session != nil {
		if _, ok := srv.freshly(w, r); !ok {
			return
		}
	}
	var secret, name string
	if err == nil {
		err = lobby.SlowDown(srv.prefLimit.Wait(who.player))
	}
	if err == nil {
		name, err = srv.nameOf(r, who.player)
	}
	if err == nil {
		secret, err = srv.Accounts.Offer(r.Context(), who.player)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	p := movePage{head: srv.head(r, srv.catalog(r).t("handover.title"), ""), Name: name, Guest: who.session == nil, Minutes: minutes(account.HandoverLife)}
	var far reach
	p.Link, _, far = srv.link(r, "account/move/"+secret)
	p.Alone = far == onMachine
	if !p.Alone {
		if p.QR, err = qrCode(p.Link, srv.catalog(r).t("handover.qr")); err != nil {
			lobby.Warn(srv.log, "web: no QR code", err)
		}
	}
	srv.render(w, r, http.StatusOK, "move", p)
}

// askMove is what the link of a move shows: looking at it moves nobody.
func (srv *Server) askMove(w http.ResponseWriter, r *http.Request) {
	secret := r.PathValue("secret")
	player, err := srv.Accounts.Offered(r.Context(), secret)
	var who identity
	if err == nil {
		who, err = srv.whoCame(w, r)
	}
	var name string
	if err == nil {
		name, err = srv.nameOf(r, player)
	}
	p := movePage{Name: name, Secret: secret}
	if err == nil {
		p.Guest, err = srv.People.IsGuest(r.Context(), player)
	}
	if err == nil && who.player != "" && who.player != player {
		p.Here, err = srv.nameOf(r, who.player)
		p.Waits = !p.Guest && who.session == nil
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	p.head = srv.head(r, srv.catalog(r).t("handover.here", "name", name), "")
	srv.render(w, r, http.StatusOK, "move", p)
}

// move makes this device one of who has offered it.
func (srv *Server) move(w http.ResponseWriter, r *http.Request) {
	player, err := srv.Accounts.Accept(r.Context(), r.PathValue("secret"))
	guest := false
	if err == nil {
		guest, err = srv.People.IsGuest(r.Context(), player)
	}
	switch {
	case err != nil:
	case srv.Desk.Closed(player):
		err = errClosed
	case guest:
		err = srv.becomeGuest(w, r, player)
	default:
		_, err = srv.enter(w, r, player)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// becomeGuest makes this device a guest's, in place of whoever was there.
func (srv *Server) becomeGuest(w http.ResponseWriter, r *http.Request, player string) error {
	was, err := srv.whoCame(w, r)
	if err != nil {
		return err
	}
	if was.session != nil {
		if err := srv.Accounts.End(r.Context(), was.player, was.session.ID); err != nil {
			return err
		}
	}
	srv.endCookie(w, guestCookie)
	return srv.setCookie(w, identity{player: player})
}

func (srv *Server) nameOf(r *http.Request, player string) (string, error) {
	names, err := srv.People.Names(r.Context(), []string{player})
	return names[player], err
}
