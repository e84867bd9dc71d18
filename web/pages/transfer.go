package pages

import (
	"html/template"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/web/site"
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

// OfferMove opens a way to another device, for guests as well.
func (srv *Pages) OfferMove(w http.ResponseWriter, r *http.Request) {
	who, err := srv.WhoCame(w, r)
	if err == nil && who.Player == "" {
		http.Redirect(w, r, "/account", http.StatusSeeOther)
		return
	}
	if err == nil && who.Session != nil {
		if _, ok := srv.freshly(w, r); !ok {
			return
		}
	}
	var secret, name string
	if err == nil {
		err = lobby.SlowDown(srv.PrefLimit.Wait(who.Player))
	}
	if err == nil {
		name, err = srv.nameOf(r, who.Player)
	}
	if err == nil {
		secret, err = srv.Accounts.Offer(r.Context(), who.Player)
	}
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	p := movePage{head: srv.head(r, srv.Catalog(r).T("handover.title"), ""), Name: name, Guest: who.Session == nil, Minutes: site.Minutes(account.HandoverLife)}
	var far site.Reach
	p.Link, _, far = srv.Link(r, "account/move/"+secret)
	p.Alone = far == site.OnMachine
	if !p.Alone {
		if p.QR, err = qrCode(p.Link, srv.Catalog(r).T("handover.qr")); err != nil {
			lobby.Warn(srv.Log, "web: no QR code", err)
		}
	}
	srv.render(w, r, http.StatusOK, "move", p)
}

// AskMove is what the link of a move shows: looking at it moves nobody.
func (srv *Pages) AskMove(w http.ResponseWriter, r *http.Request) {
	secret := r.PathValue("secret")
	player, err := srv.Accounts.Offered(r.Context(), secret)
	var who site.Identity
	if err == nil {
		who, err = srv.WhoCame(w, r)
	}
	var name string
	if err == nil {
		name, err = srv.nameOf(r, player)
	}
	p := movePage{Name: name, Secret: secret}
	if err == nil {
		p.Guest, err = srv.People.IsGuest(r.Context(), player)
	}
	if err == nil && who.Player != "" && who.Player != player {
		p.Here, err = srv.nameOf(r, who.Player)
		p.Waits = !p.Guest && who.Session == nil
	}
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	p.head = srv.head(r, srv.Catalog(r).T("handover.here", "name", name), "")
	srv.render(w, r, http.StatusOK, "move", p)
}

// Move makes this device one of who has offered it.
func (srv *Pages) Move(w http.ResponseWriter, r *http.Request) {
	player, err := srv.Accounts.Accept(r.Context(), r.PathValue("secret"))
	guest := false
	if err == nil {
		guest, err = srv.People.IsGuest(r.Context(), player)
	}
	switch {
	case err != nil:
	case srv.Desk.Closed(player):
		err = site.ErrClosed
	case guest:
		err = srv.becomeGuest(w, r, player)
	default:
		_, err = srv.enter(w, r, player)
	}
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// becomeGuest makes this device a guest's, in place of whoever was there.
func (srv *Pages) becomeGuest(w http.ResponseWriter, r *http.Request, player string) error {
	was, err := srv.WhoCame(w, r)
	if err != nil {
		return err
	}
	if was.Session != nil {
		if err := srv.Accounts.End(r.Context(), was.Player, was.Session.ID); err != nil {
			return err
		}
	}
	srv.EndCookie(w, guestCookie)
	return srv.SetCookie(w, site.Identity{Player: player})
}

func (srv *Pages) nameOf(r *http.Request, player string) (string, error) {
	names, err := srv.People.Names(r.Context(), []string{player})
	return names[player], err
}
