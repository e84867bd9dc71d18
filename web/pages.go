package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// pages are the parsed templates of one language: each page with the layout
// around it.
type pages map[string]*template.Template

// loadPages does its work once, however many servers a process has.
var loadPages = sync.OnceValues(func() (map[string]pages, error) {
	a, err := loadAssets()
	if err != nil {
		return nil, err
	}
	spoken, err := loadLanguages()
	if err != nil {
		return nil, err
	}
	all := map[string]pages{}
	for _, c := range spoken.catalogs {
		if all[c.lang], err = parsePages(a, c); err != nil {
			return nil, err
		}
	}
	return all, nil
})

//go:embed page/*.html
var pageFiles embed.FS

func parsePages(a *assets, c *catalog) (pages, error) {
	funcs := template.FuncMap{
		"asset": a.url, "t": c.t, "clock": c.shortClock, "messages": func() (string, error) { return a.url(c.asset()) },
		"list": func(words ...string) []string { return words }, "inc": func(n int) int { return n + 1 },
	}
	p := pages{}
	for _, name := range []string{"home", "game", "watch", "card", "mine", "embed", "learn", "rules", "settings", "error", "offline", "join", "account", "challenge", "codes", "signin", "people", "person", "profile", "top", "tops", "bot", "moderation", "move", "analysis"} {
		t, err := template.New("layout.html").Funcs(funcs).ParseFS(pageFiles, "page/layout.html", "page/quick.html", "page/table.html", "page/about.html", "page/playing.html", "page/games.html", "page/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("web: page %s: %w", name, err)
		}
		p[name] = t
	}
	return p, nil
}

// head is what every page has.
type head struct {
	dates
	Title, Description, Canonical, Lang string
	Prefs                               template.HTMLAttr
	Image                               image  // of a link's preview
	Me                                  string // the name of who is signed in
	Known                               bool   // somebody, and no stranger
	Badge                               string // before the title: in how many games it is his turn
	Themes                              []themeColour
}

// themeColour is what colours a browser's own surroundings, for those whose
// system is as Media says.
type themeColour struct {
	Colour, Media string
}

// themeColours are the grounds of the themes (UX.md §5).
var themeColours = map[string]string{"light": "#f6f1e7", "dark": "#14171a", "contrast": "#000000", "wood": "#3b2614"}

func themesOf(prefs lobby.Prefs) []themeColour {
	if colour, pinned := themeColours[prefs["theme"]]; pinned {
		return []themeColour{{Colour: colour}}
	}
	return []themeColour{
		{themeColours["light"], "(prefers-color-scheme: light)"},
		{themeColours["dark"], "(prefers-color-scheme: dark)"},
	}
}

// me is the name of who is signed in; empty for guests.
func (srv *Server) me(r *http.Request) string {
	who, err := srv.identify(r)
	if err != nil || who.session == nil {
		return ""
	}
	names, err := srv.People.Names(r.Context(), []string{who.player})
	if err != nil {
		lobby.Warn(srv.log, "web: name not read", err)
	}
	return names[who.player]
}

// known says whether somebody asks who may be told something.
func (srv *Server) known(r *http.Request) bool {
	who, err := srv.identify(r)
	return err == nil && who.player != ""
}

func (srv *Server) head(r *http.Request, title, description string) head {
	prefs, c := srv.prefs(r), srv.catalog(r)
	return head{
		Title: title, Description: cmp.Or(description, c.t("home.description")), Canonical: srv.base(r) + r.URL.Path, Lang: c.lang,
		dates: newDates(c, prefs["dates"]), Prefs: attributes(prefs), Themes: themesOf(prefs), Me: srv.me(r), Known: srv.known(r),
		Image: image{srv.base(r) + "/static/" + srv.assets.hashed["card.png"], c.t("preview.alt", "game", "Kalah", "score", "● 13, ◆ 10")},
	}
}

// render writes a page, or nothing of it: a template that fails must not leave
// half a page behind.
func (srv *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	var b bytes.Buffer
	if err := srv.pages[srv.catalog(r).lang][name].ExecuteTemplate(&b, "layout.html", data); err != nil {
		srv.log.Error("web: page failed", "page", name, "err", err)
		http.Error(w, "This page cannot be shown.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Encoding, Accept-Language, Cookie")
	body := b.Bytes()
	if acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = compress(body)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone; nobody is left to tell
}

// newGame makes a game with the settings of the form, or the defaults, and goes
// there: the link exists before any question is asked.
func (srv *Server) newGame(w http.ResponseWriter, r *http.Request) {
	settings, err := settingsOf(r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	level, err := levelOf(r.PostForm.Get("bot"))
	var id string
	switch {
	case err != nil:
	case level > 0:
		id, err = srv.makeBotGame(w, r, settings, level)
	default:
		id, err = srv.makeGame(w, r, settings)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/"+id, http.StatusSeeOther)
}

// createGame makes a room for a match. An ID that is taken is drawn again.
func (srv *Server) createGame(ctx context.Context, c match.Creation) (string, error) {
	var err error
	for range 3 {
		id := lobby.NewRoomID()
		if err = srv.rooms.Create(ctx, id, match.RoomKind, c.Command("create-"+id)); !errors.Is(err, room.ErrTaken) {
			return id, err
		}
	}
	return "", err
}

// settingsOf reads the settings of a game from a form. What is wrong with them the
// match will say.
func settingsOf(r *http.Request) (match.Settings, error) {
	form, err := formOf(r)
	s := match.Settings{
		Rules: form.Get("rules"), Options: strings.TrimSpace(form.Get("options")),
		Clock: form.Get("clock"), Start: form.Get("start"),
		ForOthers: form.Get("forOthers") != "", Chat: form.Get("chat"), Listed: form.Get("listed") != "", Rated: form.Get("rated") != "",
	}
	if late := form.Get("delay"); late != "" {
		seconds, wrong := strconv.ParseInt(late, 10, 64)
		if wrong != nil {
			return s, refusal.New(match.CodeBadSettings)
		}
		s.Delay = seconds
	}
	if form.Has("boxes") { // a box that is not ticked is not sent
		assists := form.Get("assists") != ""
		s.Assists = &assists
	}
	return s, err
}

// formOf reads the form of a request. One that cannot be read is not an empty one.
func formOf(r *http.Request) (url.Values, error) {
	err := r.ParseForm()
	if err == nil {
		err = r.ParseMultipartForm(maxBody) // all of it in memory
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, errTooLarge
	case err != nil && !errors.Is(err, http.ErrNotMultipart):
		return nil, errBadFrame
	}
	return r.PostForm, nil
}

// act is the forms of a game's page. A seat is only ever taken by a POST, since
// a link's preview must not play.
func (srv *Server) act(w http.ResponseWriter, r *http.Request) {
	switch r.PathValue("what") {
	case "sit":
		srv.formCommand(w, r, "sit", nil)
	case "accept":
		srv.accept(w, r)
	case "analysis":
		srv.postAnalysis(w, r)
	case seeks.KindDecline, seeks.KindLeave:
		srv.endChallenge(w, r, r.PathValue("what"))
	case "settings":
		s, err := settingsOf(r)
		if err != nil {
			srv.failWith(w, r, err)
			return
		}
		fields := map[string]any{
			"rules": s.Rules, "options": s.Options, "clock": s.Clock, "start": s.Start, "forOthers": s.ForOthers,
		}
		if s.Assists != nil { // the whole form
			fields["assists"], fields["delay"], fields["listed"], fields["rated"] = *s.Assists, s.Delay, s.Listed, s.Rated
		}
		if s.Chat != "" {
			fields["chat"] = s.Chat
		}
		srv.formCommand(w, r, "settings", fields)
	default:
		srv.notFound(w, r)
	}
}

// introduce makes a stranger a guest and sends him back with the same form. Only
// who has kept the cookie is given a seat: if the answer with it were lost, the
// seat would be taken by a guest whom nobody is.
func (srv *Server) introduce(w http.ResponseWriter, r *http.Request) {
	err := errNoCookie
	if !r.URL.Query().Has("again") {
		_, err = srv.whoActs(w, r)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, r.URL.Path+"?again", http.StatusTemporaryRedirect)
}

// formCommand sends a command from a form and goes back to the game.
func (srv *Server) formCommand(w http.ResponseWriter, r *http.Request, kind string, fields map[string]any) {
	id := r.PathValue("id")
	player, known := srv.whoIs(w, r)
	if !known {
		srv.introduce(w, r)
		return
	}
	body, err := json.Marshal(fields)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	if fields == nil {
		body = nil
	}
	_, err = srv.Policy.Do(r.Context(), id, machine.Command{ID: kind + "-" + rand.Text(), Kind: kind, By: player, Body: body})
	switch code := lobby.CodeOf(err); {
	case err == nil, code == match.CodeAlreadySeated:
		http.Redirect(w, r, "/"+id, http.StatusSeeOther)
	case kind == "sit" && code == match.CodeNotWaiting:
		// Somebody was faster, unless nobody can come any more.
		err = refusal.New(match.CodeNoSeat)
		if view, look := srv.rooms.View(r.Context(), id, player); look == nil {
			if s, look := match.ReadPublic(id, view.Snapshot); look == nil && s.NeverBegan() {
				err = errInviteOver
			}
		}
		srv.failWith(w, r, err)
	default:
		srv.failWith(w, r, err)
	}
}
