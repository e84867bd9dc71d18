// Package composer has the pages of house rules: a form that changes the rules of a game, a comparison of two
// rule sets, and a page for each rule set that a player keeps.
//
// Package compose decides which values can be chosen, and gives the reason why others cannot. The pages work
// without a script.
package composer

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	boards      *lru.Cache[boardKey, map[string]learn.Figure] // what each option does; the size is in bytes
	comparisons *lru.Cache[[2]string, comparison]             // by both rule sets in canonical form; the size is in bytes
	searching   chan struct{}                                 // has an element while a request searches
}

// The sizes of the boards and of the comparisons that are cached.
const (
	boardBytes      = 8 << 20
	comparisonBytes = 2 << 20
)

// New returns the pages of the composer.
func New(p *pages.Pages) *Pages {
	return &Pages{p, lru.New[boardKey, map[string]learn.Figure](boardBytes),
		lru.New[[2]string, comparison](comparisonBytes), make(chan struct{}, 1)}
}

// inTurn does work that searches, which can take a tenth of a second and more. One request of the instance does so
// at a time. The work counts as an explanation of new house rules does, and ends with the request.
func (srv *Pages) inTurn(r *http.Request, work func() error) error {
	if err := lobby.SlowDown(srv.Limit(site.LimitLessons).WaitAddress(srv.Address(r))); err != nil {
		return err
	}
	select {
	case srv.searching <- struct{}{}:
		defer func() { <-srv.searching }()
		return work()
	case <-r.Context().Done():
		return r.Context().Err()
	}
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
	NotKept  *notKept         // nil: nothing was refused
	Problems []string         // what could not be done as it was asked; the rules are the nearest ones
	Also     []string         // what has changed with what was asked
}

// notKept is a name by which rules could not be kept.
type notKept struct{ Name, Why string }

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
	p.Groups[indexOf(name)].Open = true
}

// indexOf returns the index of a group, or that of the first one if there is no group of this name.
func indexOf(name string) int {
	return max(0, slices.IndexFunc(groups, func(g group) bool { return g.Name == name }))
}

// compose serves the page at /rules/new. Its address has a system and options. It may also have all fields of the
// form after a change (set), or a value that the reader wants together with all that it needs (take).
func (srv *Pages) compose(w http.ResponseWriter, r *http.Request) error {
	return srv.show(w, r, r.URL.Query(), nil)
}

// show renders the composer for what an address says, and the reason why its rules could not be kept.
func (srv *Pages) show(w http.ResponseWriter, r *http.Request, q url.Values, refused *notKept) error {
	c, status := srv.Catalog(r), http.StatusOK
	p := composePage{Systems: engine.Systems, NotKept: refused}
	if refused != nil {
		status = http.StatusUnprocessableEntity
	}
	work := func() error { return srv.apply(r.Context(), c, &p, q) }
	var err error
	if srv.isKnown(c, q) {
		err = work()
	} else {
		err = srv.inTurn(r, work)
	}
	if err != nil {
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

// isKnown reports whether the page of an address needs no search: it changes nothing, its rules go together, and
// their boards are cached.
func (srv *Pages) isKnown(c *messages.Catalog, q url.Values) bool {
	rules, ok := canonical(q)
	if !ok || q.Has("set") || q.Has("take") {
		return false
	}
	_, ok = srv.boards.Get(boardKey{c.Lang, groups[indexOf(q.Get("open"))].Name, rules.String()})
	return ok
}

// canonical returns the rules that an address names. It returns false if they do not go together, or if the
// address does not name them in canonical form.
func canonical(q url.Values) (engine.Rules, bool) {
	system, options := cmp.Or(q.Get("rules"), "kalah"), q.Get("options")
	rules, _, err := site.HouseRules(system, options)
	if err != nil || compose.Conflict(rules) != nil {
		return engine.Rules{}, false
	}
	return rules, ruleSet(site.SystemRow(system), rules).Options == options
}

// apply carries out what an address asks for, and fills the page with the rules that this makes.
func (srv *Pages) apply(ctx context.Context, c *messages.Catalog, p *composePage, q url.Values) error {
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
	return srv.fill(ctx, c, p)
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
func (srv *Pages) fill(ctx context.Context, c *messages.Catalog, p *composePage) error {
	g, err := engine.Compile(p.Rules)
	if err != nil {
		return err
	}
	p.Board = learn.At(g, learn.Begin(g), c.T)
	p.Sections = learn.Words(p.Rules, c.T)
	p.Changes = changesOf(c, p.RuleSet)
	boards, err := srv.boardsOf(ctx, c, p.Opened(), g)
	if err != nil {
		return err
	}
	for _, one := range compose.Controls(p.Rules, p.Opened().names()...) {
		p.Controls = append(p.Controls, p.control(c, one, boards[one.Name]))
	}
	return nil
}

// step is what has become of rules that somebody has changed.
type step struct {
	rules    engine.Rules
	asked    []string // the options that were changed
	problems []string // what could not be done as it was asked
}

// take gives an option of rules a value, "relay=same", and changes what stands in its way.
func take(c *messages.Catalog, rules engine.Rules, wish string) step {
	name, _, _ := strings.Cut(wish, "=")
	next, err := rules.With(wish)
	if err == nil {
		if near, ok := compose.Nearest(next, name); ok {
			return step{rules: near, asked: []string{name}}
		}
	}
	return step{rules: rules, problems: []string{c.T("compose.wrong.value", "text", short(wish))}}
}

// change carries out what the form says otherwise than rules.
func change(c *messages.Catalog, rules engine.Rules, form url.Values) step {
	done := step{}
	next := rules
	for _, option := range engine.Options() {
		value, sent := sentValue(rules, option, form)
		if !sent || value == option.Get(rules) {
			continue
		}
		changed, err := next.With(option.Name + "=" + value)
		if err != nil {
			done.problems = append(done.problems, c.T("compose.wrong.value", "text", short(option.Name+"="+value)))
			continue
		}
		if option.Get(changed) != option.Get(rules) {
			next, done.asked = changed, append(done.asked, option.Name)
		}
	}
	settled, conflict := compose.Settle(next, done.asked...)
	if conflict == nil {
		done.rules = settled
		return done
	}
	done.problems = append(done.problems, why(c, conflict))
	var ok bool
	if done.rules, ok = compose.Nearest(next, done.asked...); !ok {
		if done.rules, ok = compose.Nearest(next); !ok {
			done.rules = rules
		}
	}
	return done
}

// sentValue returns the value of an option in a form. It returns false if the form has no field for it,
// since the option has to stay as it is.
func sentValue(rules engine.Rules, option engine.Option, form url.Values) (value string, sent bool) {
	text := strings.TrimSpace(form.Get(option.Name))
	boxes := slices.Contains(form["boxes"], option.Name) // browsers do not send a box that is not ticked
	switch compose.KindOf(option) {
	case compose.Switch:
		return strconv.FormatBool(text != ""), boxes
	case compose.Set:
		if list := form[option.Name]; len(list) > 0 {
			return strings.Join(list, ","), boxes
		}
		return "none", boxes
	case compose.Number:
		if never, has := compose.Never(option); has && text == "" {
			text = never
		}
	case compose.Seeds:
		return sentSeeds(rules, text, form["pit"]), form.Has(option.Name)
	}
	return text, form.Has(option.Name)
}

// sentSeeds returns the seeds in a form: one number for all pits, or those of each. The fields of the kind that
// the rules have are filled in, so what was typed into the others counts.
func sentSeeds(rules engine.Rules, all string, each []string) string {
	typed := slices.ContainsFunc(each, func(s string) bool { return strings.TrimSpace(s) != "" })
	uniform := uniformSeeds(rules)
	if !typed || uniform == "" && all != "" {
		return all
	}
	list := make([]string, len(each))
	for i, seeds := range each {
		if list[i] = strings.TrimSpace(seeds); list[i] == "" {
			list[i] = "0"
			if uniform != "" {
				list[i] = all
			}
		}
	}
	return strings.Join(list, ",")
}

// uniformSeeds returns the seeds of every pit, or nothing if pits differ.
func uniformSeeds(rules engine.Rules) string {
	if slices.Min(rules.Seeds) == slices.Max(rules.Seeds) {
		return strconv.Itoa(rules.Seeds[0])
	}
	return ""
}

// ofStart are the options that the picture of the first position shows.
var ofStart = []string{"sides", "partners", "rows", "pits", "seeds", "opening", "total", "swap", "match", "target", "max_rounds"}

// boardKey names the boards of a group of options.
type boardKey struct{ lang, group, rules string }

// entrySize is about what an entry of a cache holds in memory besides its texts, in bytes.
const entrySize = 512

// size returns about how many bytes the boards of a key hold in memory.
func (k boardKey) size(boards map[string]learn.Figure) int {
	size := entrySize + len(k.lang) + len(k.group) + len(k.rules)
	for name, figure := range boards {
		size += len(name) + len(figure.Caption)
		for _, board := range figure.Boards {
			size += len(board)
		}
	}
	return size
}

// boardsOf returns a small board for each option of a group: a move for which it matters what the rules say about it. Where
// a few games by these rules have no such move, it is one of a game that is known for it. It ends with ctx.
func (srv *Pages) boardsOf(ctx context.Context, c *messages.Catalog, group group, g *engine.Game) (map[string]learn.Figure, error) {
	key := boardKey{c.Lang, group.Name, g.Rules().String()}
	if boards, ok := srv.boards.Get(key); ok {
		return boards, nil
	}
	boards := map[string]learn.Figure{}
	for _, option := range engine.Options() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if groupOf(option) != group.Name || slices.Contains(ofStart, option.Name) {
			continue
		}
		figure, ok := shows(c, g, option)
		if !ok {
			figure = known(c, option)
		}
		boards[option.Name] = figure
	}
	srv.boards.Put(key, boards, key.size(boards))
	return boards, nil
}

// shows returns a move of a game that would come to something else if the option had another value.
func shows(c *messages.Catalog, g *engine.Game, option engine.Option) (learn.Figure, bool) {
	if option.Name == "cycle_remaining" { // such an end is seldom: here it comes soon
		soon, err := g.Rules().With("no_progress=6")
		if err == nil {
			g, err = engine.Compile(soon)
		}
		if err != nil {
			return learn.Figure{}, false
		}
	}
	for _, other := range others(g.Rules(), option) {
		changed, err := g.Rules().With(option.Name + "=" + other)
		if err != nil {
			continue
		}
		changed, conflict := compose.Settle(changed, option.Name)
		if conflict != nil {
			continue
		}
		against, err := engine.Compile(changed)
		if err != nil {
			continue
		}
		if parting, ok := compose.Show(g, against); ok && !parting.AtStart {
			if figure, ok := learn.Show(g, parting.Before, parting.Move, parting.A.After, c.T); ok {
				return figure, true
			}
		}
	}
	return learn.Figure{}, false
}

// others returns a few other values of an option, those that show it best first.
func others(rules engine.Rules, option engine.Option) []string {
	value := option.Get(rules)
	var list []string
	add := func(values ...string) {
		for _, v := range values {
			if v != value && !slices.Contains(list, v) && len(list) < 3 {
				list = append(list, v)
			}
		}
	}
	if option.Many {
		add("none")
	}
	add(option.Values...)
	n, err := strconv.Atoi(value)
	switch {
	case option.Name == "counts":
		add("2,3", "1")
	case option.Name == "sow_counts":
		add("4", "2")
	case err == nil:
		add("2", strconv.Itoa(n+1), "0", "4")
	}
	return list
}

// usual are the boards of options from the games that are known for them, by language and option. Each is
// looked for once.
var usual sync.Map

// known returns a board of a game that is known for an option.
func known(c *messages.Catalog, option engine.Option) learn.Figure {
	find, _ := usual.LoadOrStore(c.Lang+" "+option.Name, sync.OnceValue(func() learn.Figure {
		first := option.Get(engine.Default())
		var start learn.Figure // of a game that has the option, where no move shows it
		for _, has := range []bool{true, false} {
			for _, row := range engine.Systems {
				g := engine.MustCompile(row.Text)
				if has != (option.Get(g.Rules()) != first) {
					continue
				}
				from := c.T("compose.from", "game", row.Title)
				if figure, ok := shows(c, g, option); ok {
					figure.Caption = from + " " + figure.Caption
					return figure
				}
				if start.Boards == nil {
					start = learn.At(g, learn.Begin(g), c.T)
					start.Caption = from
				}
			}
		}
		return start
	}))
	return find.(func() learn.Figure)()
}
