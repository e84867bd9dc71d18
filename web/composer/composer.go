// Package composer has the pages on which people compose house rules: the composer itself, the page that
// compares two rule sets, and those of rule sets that somebody has kept.
//
// What can be chosen, and why something cannot, is decided by package compose. The pages are forms that work
// without a script.
package composer

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/lobby"
	"mancala/lobby/rulebook"
	"mancala/match/lru"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/pages"
	"mancala/web/site"
)

// Pages serves the composer.
type Pages struct {
	*pages.Pages
	boards *lru.Cache[string, map[string]learn.Figure] // by language and rules, what each option does; the size is in bytes
}

// boardBytes is the size of the boards that are kept.
const boardBytes = 8 << 20

// New returns the pages of the composer.
func New(p *pages.Pages) *Pages {
	return &Pages{p, lru.New[string, map[string]learn.Figure](boardBytes)}
}

// Routes calls serve with the pattern and the handler of each route.
func (srv *Pages) Routes(serve func(pattern string, h site.Handler)) {
	serve("GET /rules/new", srv.compose)
	serve("GET /rules/compare", srv.compare)
	serve("POST /rules", srv.keep)
	serve("GET /rules/{id}", srv.kept)
	serve("POST /rules/{id}/forget", srv.forget)
}

// RuleSet is a system with house rules, as links and forms name it.
type RuleSet struct {
	System  engine.Row
	Options string // what differs from the system, in canonical form
	Rules   engine.Rules
}

// ruleSet returns the name of rules as changes of a system.
func ruleSet(system engine.Row, rules engine.Rules) RuleSet {
	base, _ := engine.System(system.Name)
	return RuleSet{system, strings.Join(rules.Changes(base), " "), rules}
}

// Query returns the rule set as the query of a link.
func (s RuleSet) Query() template.URL {
	q := url.Values{"rules": {s.System.Name}}
	if s.Options != "" {
		q.Set("options", s.Options)
	}
	return template.URL(q.Encode())
}

// Hash returns the identity of the rule set.
func (s RuleSet) Hash() string { return s.Rules.Hash() }

// Text returns the rule set in canonical form.
func (s RuleSet) Text() string { return s.Rules.String() }

// composePage is the page at /rules/new.
type composePage struct {
	pages.Head
	RuleSet
	Systems  []engine.Row
	Groups   []group
	Controls []control    // of the group that is open
	Board    learn.Figure // the start
	Sections []learn.Section
	Changes  []string         // how it differs from the system, in words
	Kept     []rulebook.Entry // of the client
	Refused  []string         // why the rules could not be kept
	Problems []string         // what could not be done as it was asked; the rules are the nearest ones
	Also     []string         // what has changed with what was asked
}

// group is the options of one part of a game. The page has those of one group: all of them would be long to
// read, and long to load.
type group struct {
	Name, Title string // Title is the key of its name
	Open        bool
}

// control is an option with its words.
type control struct {
	compose.Control
	Sentence string // about a number
	Board    learn.Figure
	Values   []value
	Each     []pit  // the seeds of each pit
	Uniform  string // the seeds of every pit, if they are the same
	Text     string // of a number; empty: never
	Hint     string // of a number that is empty
	Why      string // it stays as it is
}

// value is what one can choose.
type value struct {
	compose.Choice
	Text, Why string
	Take      template.URL // the query that chooses it together with what it needs
}

type pit struct {
	Number int
	Seeds  string
}

// groups are the groups of options in the order of the page.
var groups = []group{
	{Name: "board", Title: "learn.board"}, {Name: "start", Title: "learn.setup"}, {Name: "lift", Title: "learn.lift"},
	{Name: "sow", Title: "learn.sow"}, {Name: "capture", Title: "learn.capture"}, {Name: "special", Title: "compose.special"},
	{Name: "turn", Title: "learn.again"},
	{Name: "end", Title: "learn.end"}, {Name: "match", Title: "learn.match"},
}

// special are the options of captures that few games have.
var special = []string{"cross_at", "cross_depth", "captured", "claim", "claim_ban", "house", "block"}

// groupOf returns the name of the group of an option.
func groupOf(o engine.Option) string {
	if slices.Contains(special, o.Name) {
		return "special"
	}
	return o.Group
}

// names returns the names of the group's options.
func (g group) names() (list []string) {
	for _, o := range engine.Options() {
		if groupOf(o) == g.Name {
			list = append(list, o.Name)
		}
	}
	return list
}

// Opened returns the group that is open.
func (p composePage) Opened() group {
	return p.Groups[slices.IndexFunc(p.Groups, func(g group) bool { return g.Open })]
}

// open opens the group of an option that was asked for, or else the group of a name, or else the first one.
func (p *composePage) open(name string, asked []string) {
	for _, o := range engine.Options() {
		if slices.Contains(asked, o.Name) {
			name = groupOf(o)
			break
		}
	}
	p.Groups = slices.Clone(groups)
	at := slices.IndexFunc(groups, func(g group) bool { return g.Name == name })
	p.Groups[max(at, 0)].Open = true
}

// compose serves the page at /rules/new. Its address has a system and options. It may also have what somebody
// has changed in the form (set), or a value that somebody wants together with all that it needs (take).
func (srv *Pages) compose(w http.ResponseWriter, r *http.Request) error {
	if err := lobby.SlowDown(srv.Limit(site.LimitPositions).WaitAddress(srv.Address(r))); err != nil {
		return err
	}
	return srv.show(w, r, http.StatusOK, r.URL.Query())
}

// show renders the composer for what an address says. It tells of problems that came before.
func (srv *Pages) show(w http.ResponseWriter, r *http.Request, status int, q url.Values, problems ...string) error {
	c := srv.Catalog(r)
	p := composePage{Systems: engine.Systems, Refused: problems}
	before := p.read(c, q)
	var done step
	switch {
	case q.Has("take"):
		done = take(c, before, q.Get("take"))
	case q.Has("set"):
		done = change(c, before, q)
	default:
		done.rules = before
	}
	p.RuleSet = ruleSet(p.System, done.rules)
	p.Problems = append(p.Problems, done.problems...)
	if len(done.asked) > 0 {
		for _, d := range engine.Differences(done.rules, before) {
			if !slices.Contains(done.asked, d.Option.Name) {
				p.Also = append(p.Also, tell(c, done.rules, d.Option))
			}
		}
	}
	p.open(q.Get("open"), done.asked)
	if err := srv.fill(c, &p); err != nil {
		return err
	}
	if who, err := srv.Identify(r); err == nil && who.Player != "" {
		if p.Kept, err = srv.Rulebook.Of(r.Context(), who.Player); err != nil {
			return err
		}
	}
	p.Head = srv.NewHead(r, c.T("compose.title"), c.T("compose.description"))
	p.Canonical = srv.Base(r) + "/rules/new?" + string(p.Query())
	return srv.Render(w, r, status, "composer", p)
}

// read returns the rules that an address names, or the nearest ones, and tells what is wrong with it.
func (p *composePage) read(c *messages.Catalog, q url.Values) engine.Rules {
	name := cmp.Or(q.Get("rules"), "kalah")
	if p.System = site.SystemRow(name); p.System.Name == "" {
		p.Problems = append(p.Problems, c.T("compose.wrong.system", "text", short(name)))
		p.System = site.SystemRow("kalah")
	}
	base, _ := engine.System(p.System.Name)
	text := q.Get("options")
	if len(text) > maxText {
		p.Problems = append(p.Problems, c.T("compose.wrong.long"))
		text = text[:maxText]
	}
	reading := compose.Read(base, text)
	for i, wrong := range reading.Nonsense {
		if i == maxNonsense {
			break
		}
		said := c.T("compose.wrong."+wrong.Code, "text", short(wrong.Text))
		if wrong.Now != "" {
			said += " " + c.T("compose.wrong.now", "value", wrong.Now)
		}
		p.Problems = append(p.Problems, said)
	}
	if reading.Conflict != nil {
		p.Problems = append(p.Problems, why(c, reading.Conflict))
	}
	return reading.Rules
}

// Bounds of what an address may say, and of what is told of it.
const (
	maxText     = 1000 // bytes, as many as a game may have
	maxNonsense = 5
)

// short returns the beginning of a text from outside.
func short(text string) string {
	if letters := []rune(text); len(letters) > 40 {
		return string(letters[:40]) + "…"
	}
	return text
}

// fill adds what the page shows of its rules.
func (srv *Pages) fill(c *messages.Catalog, p *composePage) error {
	g, err := engine.Compile(p.Rules)
	if err != nil {
		return err
	}
	p.Board = learn.At(g, learn.Begin(g), c.T)
	p.Sections = learn.Words(p.Rules, c.T)
	p.Changes = changesOf(c, p.RuleSet)
	boards := srv.boardsOf(c, p.Opened(), g)
	for _, one := range compose.Controls(p.Rules, p.Opened().names()...) {
		p.Controls = append(p.Controls, p.control(c, one, boards[one.Name]))
	}
	return nil
}
