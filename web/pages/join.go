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

// joinPage is the page for those who have a code and no link.
type joinPage struct {
	head
	Code  string // as it was typed
	Wrong bool
}

// Join leads from a code to its game. It never takes a seat, so a link with a
// code in it may be looked at by anybody.
func (srv *Pages) Join(w http.ResponseWriter, r *http.Request) {
	typed := r.FormValue("code")
	p := joinPage{head: srv.head(r, srv.Catalog(r).T("join.title"), srv.Catalog(r).T("join.description"))}
	status := http.StatusOK
	if strings.TrimSpace(typed) != "" {
		if err := lobby.SlowDown(srv.CodeLimit.WaitAddress(srv.Address(r))); err != nil { // or codes could be tried out
			srv.Fail(w, r, err)
			return
		}
		room, err := srv.Invitations.Find(r.Context(), typed)
		if err != nil {
			srv.Fail(w, r, err)
			return
		}
		if room != "" {
			http.Redirect(w, r, "/"+room, http.StatusSeeOther)
			return
		}
		p.Code, p.Wrong, status = site.FirstRunes(typed, 40), true, http.StatusNotFound
	}
	srv.render(w, r, status, "join", p)
}

// invitation puts on the page of a game that waits how to get there: by code, or
// by pointing a phone at it.
func (srv *Pages) invitation(r *http.Request, p *gamePage) {
	code, err := srv.Invitations.Code(r.Context(), p.ID)
	if err != nil {
		lobby.Warn(srv.Log, "web: code not read", err, "room", p.ID)
	}
	p.Code = code
	if p.Reach == site.OnMachine {
		return // a phone that follows it would look for the game in itself
	}
	if p.QR, err = qrCode(p.Link, srv.Catalog(r).T("waiting.qr")); err != nil {
		lobby.Warn(srv.Log, "web: no QR code", err, "room", p.ID)
	}
}

// qrCode is a QR code as a picture in the page, one unit a module, with the
// quiet zone of four that readers need. It is black on white in every theme.
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

// qrPixels is the size of a QR code on the screen: whole pixels for each module,
// and 200 at least.
func qrPixels(modules int) int { return modules * ((200 + modules - 1) / modules) }
