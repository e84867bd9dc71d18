package pages

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"rsc.io/qr"

	"mancala/lobby"
	"mancala/web/site"
)

// joinPage is the page for players who have a code and no link.
type joinPage struct {
	head
	Code  string // as the player typed it
	Wrong bool
}

// Join redirects from a code to its game. It never takes a seat, so any client may open
// a link that contains a code.
func (srv *Pages) Join(w http.ResponseWriter, r *http.Request) error {
	typed := r.FormValue("code")
	p := joinPage{head: srv.head(r, srv.Catalog(r).T("join.title"), srv.Catalog(r).T("join.description"))}
	status := http.StatusOK
	if strings.TrimSpace(typed) != "" {
		if err := lobby.SlowDown(srv.Limit(site.LimitCodes).WaitAddress(srv.Address(r))); err != nil { // prevents guessing codes
			return err
		}
		room, err := srv.Invitations.Find(r.Context(), typed)
		if err != nil {
			return err
		}
		if room != "" {
			http.Redirect(w, r, "/"+room, http.StatusSeeOther)
			return nil
		}
		p.Code, p.Wrong, status = site.FirstRunes(typed, 40), true, http.StatusNotFound
	}
	return srv.render(w, r, status, "join", p)
}

// invitation adds to the page of a waiting game its code, and its QR code for phones.
func (srv *Pages) invitation(r *http.Request, p *gamePage) {
	p.Code = srv.NewGames.Code(r.Context(), p.ID)
	if p.Reach == site.OnMachine {
		return // the link names this machine itself, so it leads nowhere on a phone
	}
	var err error
	if p.QR, err = qrCode(p.Link, srv.Catalog(r).T("waiting.qr")); err != nil {
		lobby.Warn(srv.Log, "web: no QR code", err, "room", p.ID)
	}
}

// qrCode returns a QR code as an SVG picture for the page. One unit is one module. The
// quiet zone has the four modules that readers need. The code is black on white in
// every theme.
func qrCode(text, name string) (template.HTML, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", fmt.Errorf("web: QR code of %.60q: %w", text, err)
	}
	const quiet = 4
	size := code.Size + 2*quiet
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from { // a run of black modules
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return template.HTML(fmt.Sprintf(
		`<svg class="qr" role="img" aria-label="%s" viewBox="0 0 %d %d" width="%d" height="%d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="%s"/></svg>`,
		template.HTMLEscapeString(name), size, size, qrPixels(size), qrPixels(size), size, size, path.String())), nil
}

// qrPixels returns the width of a QR code on the screen: at least 200 pixels, and a
// whole number of pixels for each module.
func qrPixels(modules int) int { return modules * ((200 + modules - 1) / modules) }
