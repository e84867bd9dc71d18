package signin

import (
	"html/template"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/web/pages"
	"mancala/web/site"
)

// movePage is the page that moves a player to another device. The first device shows the
// link. The other device asks the player to confirm.
type movePage struct {
	pages.Head
	Name    string // the player who moves
	Guest   bool   // the player who moves has no account
	QR      template.HTML
	Link    string
	Minutes string // how long the link works
	Alone   bool   // the link works only on this machine
	Secret  string // the link's secret, on the other device
	Here    string // the player on the other device now
	Waits   bool   // that player is a guest, who is back after signing out
}

// offerMove creates a link that moves the player to another device. Guests can use it
// too.
func (srv *Pages) offerMove(w http.ResponseWriter, r *http.Request) error {
	who, err := srv.WhoCame(w, r)
	if err == nil && who.Player == "" {
		http.Redirect(w, r, "/account", http.StatusSeeOther)
		return nil
	}
	if err == nil && who.Session != nil {
		_, err = srv.freshly(w, r)
	}
	var secret, name string
	if err == nil {
		err = lobby.SlowDown(srv.Limit(site.LimitSettings).Wait(who.Player))
	}
	if err == nil {
		name, err = srv.nameOf(r, who.Player)
	}
	if err == nil {
		secret, err = srv.Accounts.Offer(r.Context(), who.Player, who.Signed())
	}
	if err != nil {
		return err
	}
	p := movePage{Head: srv.NewHead(r, srv.Catalog(r).T("handover.title"), ""), Name: name, Guest: who.Session == nil, Minutes: site.Minutes(account.HandoverLife)}
	var far site.Reach
	p.Link, _, far = srv.Link(r, "account/move/"+secret)
	p.Alone = far == site.OnMachine
	if !p.Alone {
		if p.QR, err = pages.QRCode(p.Link, srv.Catalog(r).T("handover.qr")); err != nil {
			lobby.Warn(srv.Log, "web: no QR code", err)
		}
	}
	return srv.Render(w, r, http.StatusOK, "move", p)
}

// askMove serves the page behind the link. Opening the link does not yet move the
// player.
func (srv *Pages) askMove(w http.ResponseWriter, r *http.Request) error {
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
		return err
	}
	p.Head = srv.NewHead(r, srv.Catalog(r).T("handover.here", "name", name), "")
	return srv.Render(w, r, http.StatusOK, "move", p)
}

// move signs in the player who created the link on this device.
func (srv *Pages) move(w http.ResponseWriter, r *http.Request) error {
	player, err := srv.Accounts.Accept(r.Context(), r.PathValue("secret"))
	guest := false
	if err == nil {
		guest, err = srv.People.IsGuest(r.Context(), player)
	}
	switch {
	case err != nil:
	case srv.Moderation.Closed(player):
		err = site.ErrClosed
	case guest:
		err = srv.becomeGuest(w, r, player)
	default:
		_, err = srv.enter(w, r, player)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// becomeGuest gives this device to a guest. Any session or guest on the device is
// replaced.
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
	srv.EndCookie(w, site.GuestCookie)
	return srv.SetCookie(w, site.Identity{Player: player})
}

func (srv *Pages) nameOf(r *http.Request, player string) (string, error) {
	names, err := srv.People.Names(r.Context(), []string{player})
	return names[player], err
}
