package composer

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/lobby"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/pages"
	"mancala/web/site"
)

// comparePage is the page at /rules/compare.
type comparePage struct {
	pages.Head
	Mine, Theirs RuleSet
	Problems     []string
	Systems      []engine.Row
	Rows         []difference
	Parting      *parting // nil: none was found
}

// difference is an option in which two rule sets differ.
type difference struct{ What, Mine, Theirs string }

// parting is the first place where two games part, with its boards.
type parting struct {
	AtStart      bool
	Count        int
	Moves        string // so many
	Move         string
	Before       template.HTML
	Mine, Theirs outcome
}

type outcome struct {
	Legal bool
	learn.Figure
}

// compare serves the page at /rules/compare: rules and options are one's own, with and theirs those of the other.
// theirs may also be a link to rules.
func (srv *Pages) compare(w http.ResponseWriter, r *http.Request) error {
	if err := lobby.SlowDown(srv.Limit(site.LimitLessons).WaitAddress(srv.Address(r))); err != nil {
		return err
	}
	c, q := srv.Catalog(r), r.URL.Query()
	p := comparePage{Systems: engine.Systems}
	var mine, theirs composePage
	p.Mine = ruleSetOf(&mine, c, q)
	p.Theirs = ruleSetOf(&theirs, c, theirQuery(q))
	p.Problems = append(mine.Problems, theirs.Problems...)
	for _, d := range engine.Differences(p.Mine.Rules, p.Theirs.Rules) {
		p.Rows = append(p.Rows, difference{c.T("option." + d.Option.Name), say(c, p.Mine.Rules, d.Option), say(c, p.Theirs.Rules, d.Option)})
	}
	if len(p.Rows) > 0 {
		if err := p.part(c); err != nil {
			return err
		}
	}
	p.Head = srv.NewHead(r, c.T("compose.compare.title"), c.T("compose.compare.description"))
	return srv.Render(w, r, http.StatusOK, "compare", p)
}

func ruleSetOf(p *composePage, c *messages.Catalog, q url.Values) RuleSet {
	rules := p.read(c, q)
	return ruleSet(p.System, rules)
}

// theirQuery returns the rules and options of the other rule set.
func theirQuery(q url.Values) url.Values {
	text := strings.TrimSpace(q.Get("theirs"))
	if _, query, ok := strings.Cut(text, "?"); ok {
		if link, err := url.ParseQuery(query); err == nil && link.Has("rules") {
			return link
		}
	}
	return url.Values{"rules": {cmp.Or(q.Get("with"), "kalah")}, "options": {text}}
}

// part finds the place where the games part, and draws it. The player on move sits at the bottom.
func (p *comparePage) part(c *messages.Catalog) error {
	mine, err := engine.Compile(p.Mine.Rules)
	if err != nil {
		return err
	}
	theirs, err := engine.Compile(p.Theirs.Rules)
	if err != nil {
		return err
	}
	found, ok := compose.Part(mine, theirs)
	if !ok {
		return nil
	}
	p.Parting = &parting{AtStart: found.AtStart}
	if found.AtStart {
		p.Parting.Mine = outcome{true, learn.At(mine, learn.Begin(mine), c.T)}
		p.Parting.Theirs = outcome{true, learn.At(theirs, learn.Begin(theirs), c.T)}
		return nil
	}
	moves := make([]string, len(found.Moves))
	for i, m := range found.Moves {
		moves[i] = pages.MoveText(c, m.String())
	}
	p.Parting.Count, p.Parting.Moves = len(moves), strings.Join(moves, ", ")
	p.Parting.Move = pages.MoveText(c, found.Move.String())
	side := mine.Side(found.Before.Seat)
	before := found.Before.Turned(side)
	p.Parting.Before = learn.At(mine, before, c.T).Boards[0]
	after := func(g *engine.Game, o compose.Outcome) outcome {
		if !o.Legal {
			return outcome{}
		}
		if figure, ok := learn.Show(g, before, found.Move, o.After.Turned(side), c.T); ok {
			return outcome{true, figure}
		}
		return outcome{true, learn.At(g, o.After.Turned(side), c.T)}
	}
	p.Parting.Mine, p.Parting.Theirs = after(mine, found.A), after(theirs, found.B)
	return nil
}
