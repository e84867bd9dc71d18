package pages

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	template "github.com/DataDog/datadog-agent/pkg/template/html"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/match/lru"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/site"
	"mancala/web/static"
)

// Pages serves the pages of one server.
type Pages struct {
	*site.Site
	pages     map[string]pages // by language
	previews  *previews
	movies    lru.Cache[string, drawn] // of games that are over; the size is in bytes
	filming   singleflight.Group       // games that are being drawn, by ID
	puzzles   []solved
	installed *installed
	tellings  computed                            // telling → func() []learn.Section, which computes once
	lessons   computed                            // telling → func() (taught, error), which computes once
	house     lru.Cache[telling, []learn.Section] // about house rules; the size is in bytes
	learning  sync.Mutex                          // held while such rules are told: one at a time
	bills     bills
}

// computed keeps what is computed once for each key. It is a [sync.Map]. It is an interface because
// the packages whose types have [Pages] in them would compile the generic methods behind sync.Map again.
type computed interface {
	LoadOrStore(key, value any) (actual any, loaded bool)
}

// telling identifies the rules of a system, with house rules, in one language.
type telling struct{ system, options, lang string }

// houseBytes is the size of the explanations of house rules that are kept.
const houseBytes = 16 << 20

// New solves the puzzles of the page for an address that does not exist. Templates, manifests and the
// service worker are made when they are first asked for. The error reports what is wrong with the puzzles.
func New(s *site.Site) (*Pages, error) {
	srv := &Pages{
		Site: s, previews: newPreviews(), movies: lru.New[string, drawn](movieBytes),
		tellings: &sync.Map{}, lessons: &sync.Map{}, house: lru.New[telling, []learn.Section](houseBytes),
	}
	var err error
	srv.installed = newInstalled(srv)
	if srv.puzzles, err = loadPuzzles(); err != nil {
		return nil, err
	}
	srv.pages, err = loadPages()
	return srv, err
}

// SpeakOnly replaces the server's languages by those of l. Only tests call it, before
// the server serves anything.
func (srv *Pages) SpeakOnly(l *messages.Languages) error {
	assets := srv.Assets.Copy()
	all := map[string]pages{}
	for _, c := range l.Catalogs {
		texts, err := c.BrowserTexts()
		if err != nil {
			return err
		}
		assets.Add(c.Asset(), texts)
		if all[c.Lang], err = pagesIn(assets, c); err != nil {
			return err
		}
	}
	srv.Assets, srv.Languages, srv.pages = assets, l, all
	srv.installed = newInstalled(srv)
	return nil
}

// pages are the templates of one language, each ready once it is first asked for: most pages are not
// asked for in most languages. Each includes the layout.
type pages map[string]func() (*template.Template, error)

// loadPages returns the templates of all languages, once for each process.
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
		if all[c.Lang], err = pagesIn(a, c); err != nil {
			return nil, err
		}
	}
	return all, nil
})

//go:embed page/*.html
var pageFiles embed.FS

// pageNames are the templates of pages, those of packages composer, desk, event, paper and signin too. Each
// is a file in the folder page.
var pageNames = []string{
	"home", "game", "watch", "card", "mine", "embed", "analysis", "challenge", "bot", "here", "local", "join",
	"learn", "rules", "composer", "compare", "kept", "lesson", "puzzle", "puzzles", "people", "person", "profile", "top", "tops", "settings",
	"account", "codes", "signin", "move",
	"tournaments", "tournament", "tournament-new", "tournament-made", "tournament-player", "tournament-round", "tournament-embed",
	"desk", "screen", "poster", "sheet", "paper", "scoresheet",
	"moderation", "pairs", "error", "offline",
}

// partNames are the templates that every page can use. The layout is the first.
var partNames = []string{"layout", "quick", "pick", "table", "controls", "relation", "playing", "games", "event", "step"}

// filesOf returns the files of templates.
func filesOf(names []string) []string {
	files := make([]string, len(names))
	for i, name := range names {
		files[i] = "page/" + name + ".html"
	}
	return files
}

// parsed returns the templates of pages for all languages, each parsed once, when it is first asked for.
// What depends on the language are their functions, so a template is cloned before it is used.
var parsed = sync.OnceValues(func() (pages, error) {
	unbound := functions(&static.Assets{}, &messages.Catalog{}, "")
	parts, err := template.New("layout.html").Funcs(unbound).ParseFS(pageFiles, filesOf(partNames)...)
	if err != nil {
		return nil, fmt.Errorf("web: parts of pages: %w", err)
	}
	all := pages{}
	for _, name := range pageNames {
		all[name] = sync.OnceValues(func() (*template.Template, error) {
			t, err := parts.Clone()
			if err == nil {
				_, err = t.ParseFS(pageFiles, filesOf([]string{name})...)
			}
			if err != nil {
				return nil, fmt.Errorf("web: page %s: %w", name, err)
			}
			return t, nil
		})
	}
	return all, nil
})

// pagesIn returns the pages in a language.
func pagesIn(a *static.Assets, c *messages.Catalog) (pages, error) {
	mark, err := static.Mark()
	if err != nil {
		return nil, err
	}
	all, err := parsed()
	if err != nil {
		return nil, err
	}
	own := functions(a, c, template.HTML(mark))
	p := pages{}
	for name, parse := range all {
		p[name] = sync.OnceValues(func() (*template.Template, error) {
			t, err := parse()
			if err != nil {
				return nil, err
			}
			clone, err := t.Clone()
			if err != nil {
				return nil, err
			}
			return clone.Funcs(own), nil
		})
	}
	return p, nil
}

// Templates call no methods (deploy/decisions/0046). The functions of templates read the methods of a page
// through these interfaces.
type (
	listing interface {
		CanonicalURL() string
		Alternates() []alternate
	}
	dating interface {
		Order() string
		Day(at time.Time) string
		Minute(at time.Time) string
	}
	ruled interface {
		Query() template.URL
		Hash() string
	}
	speaking interface{ Say(key string) string }
	filled   interface {
		Value(field string) string
		Is(field, value string) bool
	}
)

// functions are what templates can call.
func functions(a *static.Assets, c *messages.Catalog, mark template.HTML) template.FuncMap {
	return template.FuncMap{
		"canonical": listing.CanonicalURL, "alternates": listing.Alternates,
		"dateOrder": dating.Order, "day": dating.Day, "minute": dating.Minute, "never": time.Time.IsZero,
		"utc":   func(at time.Time, layout string) string { return at.UTC().Format(layout) },
		"query": ruled.Query, "hash": ruled.Hash, "say": speaking.Say, "value": filled.Value, "is": filled.Is,
		"links": stepView.links, "seeds": seedsIn, "filtered": site.GameFilter.Any, "languageOf": learn.Vocabulary.Language,
		"reasons": moderation.Reasons, "ofTwo": site.IsOfTwo, "friendlyName": lobby.FriendlyName,
		"mark":  func() template.HTML { return mark },
		"asset": a.Url, "t": c.T, "game": c.Game, "joined": c.List, "clock": c.ShortClock, "messages": func() (string, error) { return a.Url(c.Asset()) },
		"list": func(words ...string) []string { return words }, "inc": func(n int) int { return n + 1 },
		"face": func() string { return a.Faces[c.Lang] },
		"pick": pick, "boards": boardSymbols, "choice": func(pref, value string) string { return valueName(c, pref, value) },
	}
}

// valueName returns the name of a setting's value. A language has its own name for itself.
func valueName(c *messages.Catalog, pref, value string) string {
	if l, ok := lobby.LanguageTagged(value); ok && pref == "language" {
		return l.Name
	}
	return c.T("pref." + pref + "." + value)
}

// head is the data that every page has.
type head struct {
	messages.Dates
	Title, Description, Canonical, Lang string
	Shared                              string // the address for previews, if it is not the canonical one
	Spoken                              spoken
	Prefs                               template.HTMLAttr
	Image                               image  // for the preview of a link to the page
	Me                                  string // the name of the account that is signed in
	Known                               bool   // the client has an identity
	Kids                                bool   // the player is in kids mode
	Badge                               string // before the title: the number of games in which the player is on turn
	Themes                              []themeColour
}

// image is a picture for the preview of a page. Alt describes it in words.
type image struct {
	URL, Alt string
}

// themeColour is the colour of the browser's own frame on systems that match the media
// query.
type themeColour struct {
	Colour, Media string
}

// themeColours are the colours of the bar of every page, by theme (UX.md §5).
var themeColours = map[string]string{"light": "#24170d", "dark": "#0d0a07", "contrast": "#000000", "wood": "#22140a"}

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
		Title: title, Description: cmp.Or(description, c.T("home.description")), Canonical: srv.Base(r) + r.URL.Path, Lang: c.Lang, Spoken: srv.spoken(r, c),
		Dates: messages.NewDates(c, prefs["dates"]), Prefs: site.Attributes(prefs), Themes: themesOf(prefs), Me: srv.me(r), Known: srv.known(r), Kids: prefs["kids"] == "on",
		Image: image{srv.Base(r) + "/static/" + srv.Assets.Hashed["card.png"], c.T("preview.alt", "game", "Kalah", "score", "● 13, ◆ 10")},
	}
}

// buffers are for whole pages: a new one would grow to twice the size of its page.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// render writes a whole page. If the template fails, it returns an error and has written
// nothing.
func (srv *Pages) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	t, err := srv.pages[srv.Catalog(r).Lang][name]()
	if err == nil {
		err = t.ExecuteTemplate(b, "layout.html", data)
	}
	if err != nil {
		return fmt.Errorf("web: page %s: %w", name, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", srv.Catalog(r).Lang)
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Encoding, Accept-Language, Cookie")
	body, coding := static.CompressPage(r, b.Bytes())
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has gone
	return nil
}
