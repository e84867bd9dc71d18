package web

import (
	"fmt"
	"html/template"
	"mancala/lobby"
	"net/http"
	"strings"
	"time"

	"rsc.io/qr"
)

// joinPage is the page for those who have a code and no link.
type joinPage struct {
	head
	Code  string // as it was typed
	Wrong bool
}

// join leads from a code to its game. It never takes a seat, so a link with a
// code in it may be looked at by anybody.
func (srv *Server) join(w http.ResponseWriter, r *http.Request) {
	typed := r.FormValue("code")
	p := joinPage{head: srv.head(r, srv.catalog(r).t("join.title"), srv.catalog(r).t("join.description"))}
	status := http.StatusOK
	if strings.TrimSpace(typed) != "" {
		if err := lobby.SlowDown(srv.codeLimit.WaitAddress(srv.address(r))); err != nil { // or codes could be tried out
			srv.failWith(w, r, err)
			return
		}
		room, err := srv.Invitations.Find(r.Context(), typed)
		if err != nil {
			srv.failWith(w, r, err)
			return
		}
		if room != "" {
			http.Redirect(w, r, "/"+room, http.StatusSeeOther)
			return
		}
		p.Code, p.Wrong, status = firstRunes(typed, 40), true, http.StatusNotFound
	}
	srv.render(w, r, status, "join", p)
}

// firstRunes is the beginning of a text, for those that may be very long.
func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// invite gives a new game its code. Without one it still has its link.
func (srv *Server) invite(r *http.Request, id string) {
	good := srv.Limits.Expiry
	if good <= 0 {
		good = 24 * time.Hour
	}
	if _, err := srv.Invitations.Invite(r.Context(), id, time.Now().Add(good)); err != nil {
		lobby.Warn(srv.log, "web: no code for a game", err, "room", id)
	}
}

// invitation puts on the page of a game that waits how to get there: by code, or
// by pointing a phone at it.
func (srv *Server) invitation(r *http.Request, p *gamePage) {
	code, err := srv.Invitations.Code(r.Context(), p.ID)
	if err != nil {
		lobby.Warn(srv.log, "web: code not read", err, "room", p.ID)
	}
	p.Code = code
	if p.Reach == onMachine {
		return // a phone that follows it would look for the game in itself
	}
	if p.QR, err = qrCode(p.Link, srv.catalog(r).t("waiting.qr")); err != nil {
		lobby.Warn(srv.log, "web: no QR code", err, "room", p.ID)
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
