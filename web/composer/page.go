package composer

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/lobby/rulebook"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/pages"
	"mancala/web/site"
)

// composePage is the page at /rules/new.
type composePage struct {
	pages.Head
	RuleSet
	Systems  []engine.Row
	Groups   []group
	Opened   group        // the one that is open
	Controls []control    // of the group that is open
	Board    learn.Figure // the start
	Sections []learn.Section
	Changes  []string         // how it differs from the system, in words
	Kept     []rulebook.Entry // of the client
	Known    []compose.Known
	KnownAs  compose.Known // the named house rules that these are; without a name: none
	NotKept  *notKept      // nil: nothing was refused
	Problems []string      // what could not be done as it was asked; the rules are the nearest ones
	Also     []string      // changes of options that were not asked for
}

// notKept is a name by which rules could not be kept.
type notKept struct{ Name, Why string }

// open opens the group of an option in asked. If asked is empty, it opens the group with this name, or the first
// group if there is none.
func (p *composePage) open(name string, asked []string) {
	for _, o := range engine.Options() {
		if slices.Contains(asked, o.Name) {
			name = groupOf(o)
			break
		}
	}
	p.Groups = slices.Clone(groups)
	p.Groups[indexOf(name)].Open = true
	p.Opened = p.Groups[indexOf(name)]
}

// compose serves the page at /rules/new. Its address has a system and options. It may also have all fields of the
// form after a change (set), or a value that the reader wants together with all that it needs (take).
func (srv *Pages) compose(w http.ResponseWriter, r *http.Request) error {
	return srv.show(w, r, r.URL.Query(), nil)
}

// show renders the composer for what an address says, and the reason why its rules could not be kept.
func (srv *Pages) show(w http.ResponseWriter, r *http.Request, q url.Values, refused *notKept) error {
	c, status := srv.Catalog(r), http.StatusOK
	p := composePage{Systems: engine.Systems, Known: compose.KnownRules, NotKept: refused}
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
	p.Image = srv.RulesImage(r, p.System, p.Options)
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
				p.Also = append(p.Also, learn.Change(done.rules, d.Option, c.T))
			}
		}
	}
	p.open(q.Get("open"), done.asked)
	return srv.fill(ctx, c, p)
}

// read returns the rules that an address names, or the nearest ones, and tells what is wrong with it.
func (p *composePage) read(c *messages.Catalog, q url.Values) engine.Rules {
	name, text := cmp.Or(q.Get("rules"), "kalah"), q.Get("options")
	if known, ok := compose.KnownNamed(name); ok { // chosen in the form as a beginning
		name, text = known.System, known.Options
	}
	if p.System = site.SystemRow(name); p.System.Name == "" {
		p.Problems = append(p.Problems, c.T("compose.wrong.system", "text", short(name)))
		p.System = site.SystemRow("kalah")
	}
	base, _ := engine.System(p.System.Name)
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

// fill adds what the page shows of its rules.
func (srv *Pages) fill(ctx context.Context, c *messages.Catalog, p *composePage) error {
	g, err := engine.Compile(p.Rules)
	if err != nil {
		return err
	}
	p.Board = learn.At(g, learn.Begin(g), c.T)
	p.Sections = learn.Words(p.Rules, c.T)
	p.KnownAs, _ = compose.KnownAs(p.Rules)
	p.Changes = changesOf(c, p.RuleSet)
	boards, err := srv.boardsOf(ctx, c, p.Opened, g)
	if err != nil {
		return err
	}
	for _, one := range compose.Controls(p.Rules, p.Opened.names()...) {
		p.Controls = append(p.Controls, controlOf(c, p.RuleSet, one, boards[one.Name]))
	}
	return nil
}
