package pages

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/web/messages"
	"mancala/web/site"
	"mancala/web/static"
)

// pages are the parsed templates of one language. Each includes the layout.
type pages map[string]*template.Template

// loadPages parses the templates of all languages once for each process.
var loadPages = sync.OnceValues(func() (map[string]pages, error) {
	a, err := static.LoadAssets()
	if err != nil {
		return nil, err
	}
	spoken, err := messages.LoadLanguages()
	if err != nil {
		return nil, err
	}
	all := map[string]pages{}
	for _, c := range spoken.Catalogs {
		if all[c.Lang], err = parsePages(a, c); err != nil {
			return nil, err
		}
	}
	return all, nil
})

//go:embed page/*.html
var pageFiles embed.FS

func parsePages(a *static.Assets, c *messages.Catalog) (pages, error) {
	funcs := template.FuncMap{
		"asset": a.Url, "t": c.T, "clock": c.ShortClock, "messages": func() (string, error) { return a.Url(c.Asset()) },
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

// head is the data that every page has.
type head struct {
	messages.Dates
	Title, Description, Canonical, Lang string
	Prefs                               template.HTMLAttr
	Image                               image  // for the preview of a link to the page
	Me                                  string // the name of the account that is signed in
	Known                               bool   // the client has an identity
	Badge                               string // before the title: the number of games in which the player is on turn
	Themes                              []themeColour
}

// themeColour is the colour of the browser's own frame on systems that match the media
// query.
type themeColour struct {
	Colour, Media string
}

// themeColours are the background colours of the themes (UX.md §5).
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

// me returns the name of the account that is signed in. It is empty for guests.
func (srv *Pages) me(r *http.Request) string {
	who, err := srv.Identify(r)
	if err != nil || who.Session == nil {
		return ""
	}
	names, err := srv.People.Names(r.Context(), []string{who.Player})
	if err != nil {
		lobby.Warn(srv.Log, "web: name not read", err)
	}
	return names[who.Player]
}

// known reports whether the client has an identity.
func (srv *Pages) known(r *http.Request) bool {
	who, err := srv.Identify(r)
	return err == nil && who.Player != ""
}

func (srv *Pages) head(r *http.Request, title, description string) head {
	prefs, c := srv.Prefs(r), srv.Catalog(r)
	return head{
		Title: title, Description: cmp.Or(description, c.T("home.description")), Canonical: srv.Base(r) + r.URL.Path, Lang: c.Lang,
		Dates: messages.NewDates(c, prefs["dates"]), Prefs: site.Attributes(prefs), Themes: themesOf(prefs), Me: srv.me(r), Known: srv.known(r),
		Image: image{srv.Base(r) + "/static/" + srv.Assets.Hashed["card.png"], c.T("preview.alt", "game", "Kalah", "score", "● 13, ◆ 10")},
	}
}

// render writes a whole page. If the template fails, it writes an error and no part of
// the page.
func (srv *Pages) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	var b bytes.Buffer
	if err := srv.pages[srv.Catalog(r).Lang][name].ExecuteTemplate(&b, "layout.html", data); err != nil {
		srv.Log.Error("web: page failed", "page", name, "err", err)
		http.Error(w, "This page cannot be shown.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Encoding, Accept-Language, Cookie")
	body := b.Bytes()
	if static.AcceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = static.Compress(body)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has gone
}

// NewGame creates a game with the settings of the form, or with the defaults, and
// redirects to it. The player has a link to share before any question is asked.
func (srv *Pages) NewGame(w http.ResponseWriter, r *http.Request) {
	settings, err := settingsOf(r)
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	level, err := site.LevelOf(r.PostForm.Get("bot"))
	var id string
	switch {
	case err != nil:
	case level > 0:
		id, err = srv.MakeBotGame(w, r, settings, level)
	default:
		id, err = srv.MakeGame(w, r, settings)
	}
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	http.Redirect(w, r, "/"+id, http.StatusSeeOther)
}

// settingsOf reads the settings of a game from a form. The match checks them.
func settingsOf(r *http.Request) (match.Settings, error) {
	form, err := site.FormOf(r)
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
	if form.Has("boxes") { // browsers do not send a box that is not ticked
		assists := form.Get("assists") != ""
		s.Assists = &assists
	}
	return s, err
}

// Act handles the forms of a game's page. Only a POST takes a seat, since a program
// that fetches a link for its preview must not take one.
func (srv *Pages) Act(w http.ResponseWriter, r *http.Request) {
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
			srv.Fail(w, r, err)
			return
		}
		fields := map[string]any{
			"rules": s.Rules, "options": s.Options, "clock": s.Clock, "start": s.Start, "forOthers": s.ForOthers,
		}
		if s.Assists != nil { // the form has all settings
			fields["assists"], fields["delay"], fields["listed"], fields["rated"] = *s.Assists, s.Delay, s.Listed, s.Rated
		}
		if s.Chat != "" {
			fields["chat"] = s.Chat
		}
		srv.formCommand(w, r, "settings", fields)
	default:
		srv.NotFound(w, r)
	}
}

// introduce makes a client without identity a guest and has the browser send the same
// form again. Only a client that sends the cookie back gets a seat. If the answer with
// the cookie were lost, the seat would belong to a guest that no client can be.
func (srv *Pages) introduce(w http.ResponseWriter, r *http.Request) {
	err := site.ErrNoCookie
	if !r.URL.Query().Has("again") {
		_, err = srv.WhoActs(w, r)
	}
	if err != nil {
		srv.Fail(w, r, err)
		return
	}
	http.Redirect(w, r, r.URL.Path+"?again", http.StatusTemporaryRedirect)
}

// formCommand sends a command from a form to the game and redirects to its page.
func (srv *Pages) formCommand(w http.ResponseWriter, r *http.Request, kind string, fields map[string]any) {
	id := r.PathValue("id")
	player, known := srv.WhoIs(w, r)
	if !known {
		srv.introduce(w, r)
		return
	}
	body, err := json.Marshal(fields)
	if err != nil {
		srv.Fail(w, r, err)
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
		// Another player took the seat first, or the invitation has ended.
		err = refusal.New(match.CodeNoSeat)
		if view, look := srv.Rooms.View(r.Context(), id, player); look == nil {
			if s, look := match.ReadPublic(id, view.Snapshot); look == nil && s.NeverBegan() {
				err = site.ErrInviteOver
			}
		}
		srv.Fail(w, r, err)
	default:
		srv.Fail(w, r, err)
	}
}
