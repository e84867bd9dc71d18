// Package desk serves what hosts need to run a tournament: the desk, the projector, and what they
// print.
//
// The desk's script sends most of a host's orders to the tournament's room over its socket, as
// players do. What only the service may order, and what takes too long for the room, is here.
package desk

import (
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"strings"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/web/messages"
	"mancala/web/pages"
	"mancala/web/site"
)

// Pages serves the pages of hosts.
type Pages struct{ *pages.Pages }

// New returns the pages of hosts, beside the other pages of a server.
func New(p *pages.Pages) *Pages { return &Pages{p} }

// Routes calls serve with the pattern and the handler of each route. inJSON makes a handler's errors
// be answered as JSON: its clients are scripts.
func (srv *Pages) Routes(serve func(pattern string, h site.Handler), inJSON func(site.Handler) site.Handler) {
	serve("GET /t/{id}/host", srv.desk)
	serve("POST /t/{id}/host", srv.becomeHost)
	serve("GET /t/{id}/plan", srv.orDesk(inJSON(srv.planRound)))
	serve("POST /t/{id}/plan", inJSON(srv.checkPlan))
	serve("GET /t/{id}/log", srv.orDesk(inJSON(srv.log)))
	serve("POST /t/{id}/players", inJSON(srv.addPlayers))
	serve("POST /t/{id}/players/{number}", inJSON(srv.changePlayer))
	serve("GET /t/{id}/screen", srv.screen)
	serve("GET /t/{id}/poster", srv.poster)
	serve("GET /t/{id}/certificates", srv.certificates)
	serve("GET /t/{id}/pairings", srv.pairingList)
}

// orDesk leads people who open an address of the desk's scripts to the desk, which shows in words what
// the scripts get.
func (srv *Pages) orDesk(h site.Handler) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Add("Vary", "Accept")
		if strings.Contains(r.Header.Get("Accept"), "text/html") {
			return site.SeeOther("/t/" + r.PathValue("id") + "/host")
		}
		return h(w, r)
	}
}

// deskPage is the page from which hosts run a tournament (UX.md §9). The server writes what does
// not change, and the script draws the rest from the state in the page. A person who is no host
// reads a field for the recovery code.
type deskPage struct {
	pages.Head
	hallView
	Host    bool
	Class   bool   // its format is that of a class
	Refused string // why the key or the code was not accepted
	Formats []tournament.Format
	Systems []engine.Row
	Clocks  []pages.Choice
	Breaks  [][]pages.TieBreakChoice // by field, see [pages.TieBreakFields]
	Texts   map[string]any
	Hall    template.JS // a [hallJSON], in a data block
	catalog *messages.Catalog
}

// Say returns a text of the desk. A class has some of its own, since its players are pupils.
func (p deskPage) Say(key string) string {
	if p.Class {
		return p.catalog.Own("desk.class."+key, "desk."+key)
	}
	return p.catalog.T("desk." + key)
}

// hallView is what every page below a tournament's address shows of it.
type hallView struct {
	ID, Name, Game, Clock, Format string
	Link, JoinAt, Code            string
	Reach                         site.Reach // from where the link works
	QR                            template.HTML
}

// hallJSON is a tournament as the scripts of its pages get it: a snapshot as a socket sends it,
// with the names.
type hallJSON struct {
	T     string            `json:"t"`
	Room  string            `json:"room"`
	Seq   uint64            `json:"seq"`
	Now   int64             `json:"now"`
	Me    string            `json:"me"`
	State tournament.State  `json:"snap"`
	Names map[string]string `json:"names"`
}

// desk serves the host's desk. The host link has the key behind the "#", so the server never sees
// it in a request for the page; the script sends it to [Pages.becomeHost].
func (srv *Pages) desk(w http.ResponseWriter, r *http.Request) error {
	return srv.showDesk(w, r, http.StatusOK, "")
}

// becomeHost makes a host of a person who shows the key of the host link or the recovery code.
func (srv *Pages) becomeHost(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	player, known := srv.WhoIs(w, r)
	if !known {
		return srv.Introduce(w, r)
	}
	id := r.PathValue("id")
	err = srv.Hosting.Become(r.Context(), id, player, srv.Address(r), strings.TrimSpace(form.Get("key")))
	return srv.ToDesk(w, r, id, err, srv.showDesk)
}

func (srv *Pages) showDesk(w http.ResponseWriter, r *http.Request, status int, refused string) error {
	hall, me, err := srv.hall(w, r)
	if err != nil {
		return err
	}
	c := srv.Catalog(r)
	p := deskPage{
		Head: srv.NewHead(r, c.T("desk.title", "name", hall.State.Settings.Name), ""), hallView: srv.hallView(r, hall), Host: hall.Host, Refused: refused,
		Formats: pages.TournamentFormats, Systems: engine.Systems, Clocks: pages.Clocks(c, pages.TournamentClocks), Breaks: pages.TieBreakFields(c, nil), Texts: textsOf(c), catalog: c,
	}
	if p.Class = hall.State.Settings.Format == tournament.Class; p.Class {
		maps.Copy(p.Texts, c.Under("desk.class")) // as [deskPage.Say] does
	}
	for _, code := range pages.TieBreaks {
		p.Texts["break."+code], p.Texts["break.short."+code] = c.T("tournament.break."+code), pages.ShortTieBreak(code)
	}
	if hall.Host {
		if p.Hall, err = hallData(hall, me); err != nil {
			return err
		}
	}
	return srv.Render(w, r, status, "desk", p)
}

// hall returns the tournament of a request as its sender sees it, and the sender.
func (srv *Pages) hall(w http.ResponseWriter, r *http.Request) (*hosting.Hall, string, error) {
	me, _ := srv.WhoIs(w, r)
	hall, err := srv.Hall(r, me)
	return hall, me, err
}

// hosted is hall for what only hosts may see.
func (srv *Pages) hosted(w http.ResponseWriter, r *http.Request) (*hosting.Hall, string, error) {
	hall, me, err := srv.hall(w, r)
	if err == nil && !hall.Host {
		err = refusal.New(tournament.CodeNotHost)
	}
	return hall, me, err
}

func (srv *Pages) hallView(r *http.Request, hall *hosting.Hall) hallView {
	s, c := &hall.State.Settings, srv.Catalog(r)
	v := hallView{
		ID: hall.ID, Name: s.Name, Game: pages.GameName(c, s), Clock: c.Clock(s.Clock), Format: pages.FormatName(c, s.Format),
	}
	v.Link, v.JoinAt, v.Reach = srv.Link(r, "t/"+hall.ID)
	var err error
	if v.Code, err = srv.Invitations.Code(r.Context(), hall.ID); err != nil {
		lobby.Warn(srv.Log, "web: invitation code not read", err, "room", hall.ID)
	}
	if v.Reach == site.OnMachine {
		return v // the link names this machine itself, so it leads nowhere on a phone
	}
	if v.QR, err = pages.QRCode(v.Link, c.T("waiting.qr")); err != nil {
		lobby.Warn(srv.Log, "web: no QR code", err, "room", hall.ID)
	}
	return v
}

// textsOf returns the texts of the scripts.
func textsOf(c *messages.Catalog) map[string]any {
	texts := c.Under("desk")
	for _, key := range []string{"player.deleted", "list", "list.and", "list.and.vowel"} {
		texts[key] = c.T(key)
	}
	return texts
}

// hallData returns a tournament for the script of a page.
func hallData(hall *hosting.Hall, me string) (template.JS, error) {
	text, err := json.Marshal(hallJSON{"snap", hall.ID, hall.Seq, hall.Now, me, hall.State, hall.Names})
	if err != nil {
		return "", fmt.Errorf("web: tournament %s: %w", hall.ID, err)
	}
	return template.JS(text), nil // json.Marshal has escaped < > and &
}
