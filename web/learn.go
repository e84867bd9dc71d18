package web

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/learn"
)

// families are the systems as /learn shows them.
var families = []struct {
	name    string
	systems []string
}{
	{"store", []string{"kalah", "pressman", "pressman-beginner", "basic", "basic-first-out", "clockwise", "avalanche"}},
	{"counting", []string{"oware-abapa", "oware"}},
	{"relay", []string{"giuthi", "maruba"}},
	{"egypt", []string{"ignorant", "wise"}},
	{"many", []string{"basic-four", "basic-teams"}},
}

// learnPage is the page at /learn: all games, and what they have in common.
type learnPage struct {
	head
	Families []family
	Words    []string // that have others beside them
}

type family struct {
	Name  string
	Games []gameCard
}

type gameCard struct {
	engine.Row
	Board template.HTML
}

func (srv *Server) learnAll(w http.ResponseWriter, r *http.Request) {
	t := srv.catalog(r).t
	p := learnPage{head: srv.head(r, t("learn.title"), t("learn.description")), Words: []string{"pit", "store", "seed", "sow", "relay"}}
	for _, f := range families {
		shown := family{Name: f.name}
		for _, name := range f.systems {
			row := systemRow(name)
			g := engine.MustCompile(row.Text)
			shown.Games = append(shown.Games, gameCard{row, learn.Board(g, learn.Begin(g), learn.Marks{}, "")})
		}
		p.Families = append(p.Families, shown)
	}
	mayStay(w)
	srv.render(w, r, http.StatusOK, "learn", p)
}

func systemRow(name string) engine.Row {
	i := slices.IndexFunc(engine.Systems, func(row engine.Row) bool { return row.Name == name })
	if i < 0 {
		return engine.Row{}
	}
	return engine.Systems[i]
}

// rulesPage is the page at /learn/{system}: the rules of a game, or with
// ?options=… of one with house rules.
type rulesPage struct {
	head
	System      engine.Row
	Options     string
	Differences []string
	Short       string // all of it in one paragraph
	Sections    []learn.Section
}

func (srv *Server) learnSystem(w http.ResponseWriter, r *http.Request) {
	row := systemRow(r.PathValue("system"))
	if row.Name == "" {
		srv.failWith(w, r, room.ErrNoRoom)
		return
	}
	options := strings.TrimSpace(r.URL.Query().Get("options"))
	rules, g, err := houseRules(row.Name, options)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	base, _ := engine.System(row.Name)
	c := srv.catalog(r)
	t := c.t
	p := rulesPage{
		head:   srv.head(r, t("learn.of", "game", row.Title), t("learn.of.description", "game", row.Title, "line", t("learn.line."+row.Name))),
		System: row, Differences: c.differences(rules, base),
	}
	if c.lang == "en" { // in others the page itself is as short as it gets
		p.Short = rules.Describe()
	}
	if changes := rules.Changes(base); len(changes) > 0 {
		p.Options = strings.Join(changes, " ")
		p.Canonical += "?options=" + url.QueryEscape(p.Options)
		p.Title, p.Description = t("learn.of.house", "game", row.Title), c.describe(rules)
		srv.learning.Lock() // ten ms of work for whoever asks: never more than one at a time
		p.Sections = learn.Tell(g, t)
		srv.learning.Unlock()
	} else {
		p.Sections = srv.told(c, row.Name, g)
		mayStay(w)
	}
	srv.render(w, r, http.StatusOK, "rules", p)
}

// describe says rules in one paragraph. The engine speaks English, and shorter than
// the sentences of a catalog.
func (c *catalog) describe(rules engine.Rules) string {
	if c.lang == "en" {
		return rules.Describe()
	}
	return learn.Describe(rules, c.t)
}

// differences are the options in which rules differ from others, in words.
func (c *catalog) differences(rules, from engine.Rules) (said []string) {
	for _, d := range engine.Differences(rules, from) {
		value := func(text string) string { return strings.ReplaceAll(text, ",", ", ") }
		said = append(said, c.t("learn.house.difference", "what", c.t("option."+d.Option.Name), "a", value(d.A), "b", value(d.B)))
	}
	return said
}

// houseRules are a system's rules with changes, if a game can be made of them.
func houseRules(system, options string) (engine.Rules, *engine.Game, error) {
	if err := (match.Settings{Rules: system, Options: options}).Check(); err != nil {
		return engine.Rules{}, nil, err
	}
	base, ok := engine.System(system)
	if !ok { // settings that name none mean the usual one
		return engine.Rules{}, nil, errBadFrame
	}
	rules, err := base.With(strings.Fields(options)...)
	if err != nil {
		return engine.Rules{}, nil, err
	}
	g, err := engine.Compile(rules)
	return rules, g, err
}

// lesson is the rules of a system in a language.
type lesson struct{ system, lang string }

// told are the sections of a system's own rules, which never change: they are
// made once.
func (srv *Server) told(c *catalog, system string, g *engine.Game) []learn.Section {
	tell, _ := srv.lessons.LoadOrStore(lesson{system, c.lang}, sync.OnceValue(func() []learn.Section { return learn.Tell(g, c.t) }))
	return tell.(func() []learn.Section)()
}
