package event

import (
	"html/template"
	"net/http"
	"regexp"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/web/pages"
	"mancala/web/site"
)

// The server stores only hashes of a tournament's secrets, and no address may hold them. So the answer
// to the form is a redirect with a cookie for the one page that shows them. The host can read that page
// again for a few minutes, on any instance, and a reload makes no second tournament.
const (
	readyCookie = "mancala-ready"
	readyFor    = 10 * time.Minute
)

// readyValue is what the cookie holds: the key of the host link and the recovery code.
var readyValue = regexp.MustCompile(`^[A-Z2-7]{26}\.[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$`)

// sendReady redirects a host to the page of the tournament that they have made.
func (srv *Pages) sendReady(w http.ResponseWriter, r *http.Request, made hosting.Made) {
	path := "/t/" + made.ID + "/ready"
	c := srv.Cookie(readyCookie, made.Key+"."+made.Recovery, readyFor)
	c.Path, c.SameSite = path, http.SameSiteStrictMode
	http.SetCookie(w, c)
	http.Redirect(w, r, path, http.StatusSeeOther)
}

// readyPage is what a host sees after making a tournament.
type readyPage struct {
	pages.Head
	hosting.Made
	Name, Link, Desk, JoinAt string
	Reach                    site.Reach
	QR                       template.HTML

	view *view
}

// Say returns a text of the page. A class has some of its own, since its players are pupils.
func (p readyPage) Say(key string) string {
	if p.view.State.Settings.Format == tournament.Class {
		return p.view.c.Own("tournament.made.class."+key, "tournament.made."+key)
	}
	return p.view.t("made." + key)
}

// ready shows a host the secrets of their tournament. Without the cookie it leads to the desk.
func (srv *Pages) ready(w http.ResponseWriter, r *http.Request) error {
	person, _ := srv.WhoIs(w, r)
	v, err := srv.look(r, person)
	if err != nil {
		return err
	}
	desk := "/t/" + v.ID + "/host"
	c, err := r.Cookie(readyCookie)
	if err != nil || !v.Host || !readyValue.MatchString(c.Value) {
		http.Redirect(w, r, desk, http.StatusSeeOther)
		return nil
	}
	p := readyPage{Name: v.State.Settings.Name, Desk: desk, view: v}
	p.Head = srv.NewHead(r, p.Say("title"), "")
	p.ID = v.ID
	p.Key, p.Recovery, _ = strings.Cut(c.Value, ".")
	if p.Code, err = srv.Invitations.Code(r.Context(), v.ID); err != nil {
		lobby.Warn(srv.Log, "web: invitation code not read", err, "room", v.ID) // the page still has the link
	}
	p.Canonical = srv.Base(r) + "/t/" + v.ID
	p.Link, p.JoinAt, p.Reach = srv.Link(r, "t/"+v.ID)
	if p.Reach != site.OnMachine {
		if p.QR, err = pages.QRCode(p.Link, v.c.T("waiting.qr")); err != nil {
			lobby.Warn(srv.Log, "web: no QR code", err, "room", v.ID)
		}
	}
	return srv.Render(w, r, http.StatusOK, "tournament-made", p)
}
