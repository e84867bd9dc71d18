package pages

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/lobby"
	"mancala/match/room"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/site"
)

// families are the groups in which /learn shows the systems.
var families = []struct {
	name    string
	systems []string
}{
	{"store", []string{"kalah", "pressman", "pressman-beginner", "basic", "basic-first-out", "clockwise", "avalanche", "mangala", "congkak", "sungka"}},
	{"counting", []string{"oware-abapa", "oware", "songo", "toguz-kumalak", "bestemshe", "vai-lung-thlan"}},
	{"relay", []string{"ayoayo", "endodoi", "pallanguzhi", "giuthi", "maruba", "hus", "omweso", "bao-kujifunza", "bao"}},
	{"egypt", []string{"ignorant", "wise"}},
	{"many", []string{"basic-four", "basic-teams"}},
}

// learnPage is the page at /learn. It shows all games and what they have in common.
type learnPage struct {
	head
	Families []family
	Words    []string // the terms that the page explains with their other names
	Map      template.HTML
	Places   []learn.Place
	First    map[string]int // percent of the points of the player who moves first, by system
}

type family struct {
	Name  string
	Games []gameCard
}

type gameCard struct {
	engine.Row
	Board template.HTML
}

// LearnAll serves the page at /learn.
func (srv *Pages) LearnAll(w http.ResponseWriter, r *http.Request) error {
	t := srv.Catalog(r).T
	p := learnPage{
		head:  srv.head(r, t("learn.title"), t("learn.description")),
		Words: []string{"pit", "store", "seed", "sow", "relay"}, Families: allFamilies(),
		Places: allPlaces(), First: learn.FirstMoves,
	}
	coasts, err := srv.Assets.Url("coasts.svg")
	if err != nil {
		return err
	}
	p.Map = learn.Map(coasts)
	site.MayStay(w)
	return srv.render(w, r, http.StatusOK, "learn", p)
}

// allFamilies returns the boards of all systems, which are the same in all languages. They
// are drawn once.
var allFamilies = sync.OnceValue(func() (all []family) {
	for _, f := range families {
		shown := family{Name: f.name}
		for _, name := range f.systems {
			row := site.SystemRow(name)
			shown.Games = append(shown.Games, gameCard{row, learn.Signature(name)})
		}
		all = append(all, shown)
	}
	return all
})

// allPlaces are the places where the games are played.
var allPlaces = sync.OnceValue(learn.Places)

// rulesPage is the page at /learn/{system}. It shows the rules of a system, changed by
// the house rules of ?options=….
type rulesPage struct {
	head
	System      engine.Row
	Options     string
	Differences []string
	Known       []compose.Known // the named house rules of the system
	KnownAs     compose.Known   // the named house rules that these are; without a name: none
	Short       string          // all rules in one paragraph
	Sections    []learn.Section
	Players     learn.Vocabulary
	Retold      bool // the rules can be told in the words of the players
	Theirs      bool // they are
	First       int  // percent of the points of the player who moves first; 0: not measured
	Background  learn.Background
	Neighbour   engine.Row // the game that the background compares this one with
	Only        bool       // the text names all that differs
}

// LearnSystem serves the page at /learn/{system}.
func (srv *Pages) LearnSystem(w http.ResponseWriter, r *http.Request) error {
	row := site.SystemRow(r.PathValue("system"))
	if row.Name == "" {
		return room.ErrNoRoom
	}
	options := strings.TrimSpace(r.URL.Query().Get("options"))
	rules, g, err := site.HouseRules(row.Name, options)
	if err != nil {
		return err
	}
	base, _ := engine.System(row.Name)
	c := srv.Catalog(r)
	t := c.T
	p := rulesPage{
		head:   srv.head(r, t("learn.of", "game", row.Title), t("learn.of.description", "game", row.Title, "line", t("learn.line."+row.Name))),
		System: row, Differences: learn.Changes(rules, base, c.T), First: learn.FirstMoves[row.Name],
	}
	p.Background = learn.BackgroundOf(row.Name)
	p.Neighbour, p.Only = site.SystemRow(p.Background.Neighbour), p.Background.Only(base)
	if c.Lang == "en" { // in other languages a paragraph would be as long as the page
		p.Short = rules.Describe()
	}
	if changes := rules.Changes(base); len(changes) > 0 {
		p.Options = strings.Join(changes, " ")
		p.Canonical += "?options=" + url.QueryEscape(p.Options)
		p.Title, p.Description = t("learn.of.house", "game", row.Title), describe(c, rules)
		if p.Sections, err = srv.toldHouse(r, c, telling{row.Name, p.Options, c.Lang}, g); err != nil {
			return err
		}
	} else {
		p.Sections = srv.told(c, row.Name, g)
		site.MayStay(w)
	}
	p.Image = srv.rulesImage(r, row, p.Options)
	p.Known = compose.KnownOf(row.Name)
	p.KnownAs, _ = compose.KnownAs(rules)
	p.Players = learn.Players(row.Name).Foreign(c.T)
	p.Retold = len(p.Players.Words) > 0 && learn.Retells(c.Lang)
	if p.Theirs = p.Retold && r.URL.Query().Has("theirs"); p.Theirs {
		p.Sections, p.Short = p.Players.Retell(p.Sections, c.T), ""
	}
	return srv.render(w, r, http.StatusOK, "rules", p)
}

// describe returns rules in one paragraph. In English it uses the engine's description,
// which is shorter than the catalog's sentences.
func describe(c *messages.Catalog, rules engine.Rules) string {
	if c.Lang == "en" {
		return rules.Describe()
	}
	return learn.Describe(rules, c.T)
}

// told returns the sections of a system's rules without house rules. They never change,
// so they are rendered once in each language.
func (srv *Pages) told(c *messages.Catalog, system string, g *engine.Game) []learn.Section {
	tell, _ := srv.tellings.LoadOrStore(telling{system, "", c.Lang}, sync.OnceValue(func() []learn.Section { return learn.Tell(g, c.T) }))
	return tell.(func() []learn.Section)()
}

// toldHouse returns the sections of rules with house rules. To find their figures takes
// about 10 ms, so explanations are kept, and new ones are limited by address.
func (srv *Pages) toldHouse(r *http.Request, c *messages.Catalog, l telling, g *engine.Game) ([]learn.Section, error) {
	if told, ok := srv.house.Get(l); ok {
		return told, nil
	}
	if err := lobby.SlowDown(srv.Limit(site.LimitLessons).WaitAddress(srv.Address(r))); err != nil {
		return nil, err
	}
	srv.learning.Lock()
	defer srv.learning.Unlock()
	told := learn.Tell(g, c.T)
	size := len(l.options)
	for _, s := range told {
		for _, text := range s.Text {
			size += len(text)
		}
		for _, f := range s.Figures {
			size += len(f.Caption)
			for _, board := range f.Boards {
				size += len(board)
			}
		}
	}
	srv.house.Put(l, told, size)
	return told, nil
}
