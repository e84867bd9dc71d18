package composer

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/lobby"
	"mancala/lobby/rulebook"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/pages"
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
	Count        int    // of these moves
	Moves        string // the moves before it, as a list
	Move         string
	Before       template.HTML
	Mine, Theirs outcome
}

// moveSize is about what a move holds in memory, in bytes.
const moveSize = 24

type outcome struct {
	Legal bool
	learn.Figure
}

// comparison is the result of the search for the place where two games part.
type comparison struct {
	compose.Parting
	found bool
}

// compare serves the page at /rules/compare. The parameters "rules" and "options" name the reader's own rule set.
// "with" and "theirs" name the other one. "theirs" can also be a link, see theirQuery.
func (srv *Pages) compare(w http.ResponseWriter, r *http.Request) error {
	c, q := srv.Catalog(r), r.URL.Query()
	p := comparePage{Systems: engine.Systems}
	theirs, err := srv.theirQuery(r.Context(), q)
	if err != nil {
		return err
	}
	work := func() error { return srv.fillComparison(r.Context(), c, &p, q, theirs) }
	if srv.isCompared(q, theirs) {
		err = work()
	} else {
		err = srv.inTurn(r, work)
	}
	if err != nil {
		return err
	}
	p.Head = srv.NewHead(r, c.T("compose.compare.title"), c.T("compose.compare.description"))
	return srv.Render(w, r, http.StatusOK, "compare", p)
}

// isCompared reports whether the page of an address and of the other rule set needs no search.
func (srv *Pages) isCompared(q, other url.Values) bool {
	mine, ok := canonical(q)
	if !ok {
		return false
	}
	theirs, ok := canonical(other)
	if !ok {
		return false
	}
	key := [2]string{mine.String(), theirs.String()}
	_, ok = srv.comparisons.Get(key)
	return ok || key[0] == key[1]
}

// fillComparison fills the page with the differences of the rule set that an address names and the other one.
func (srv *Pages) fillComparison(ctx context.Context, c *messages.Catalog, p *comparePage, q, other url.Values) error {
	var mine, theirs composePage
	p.Mine = ruleSetOf(&mine, c, q)
	p.Theirs = ruleSetOf(&theirs, c, other)
	p.Problems = append(mine.Problems, theirs.Problems...)
	for _, d := range engine.Differences(p.Mine.Rules, p.Theirs.Rules) {
		p.Rows = append(p.Rows, difference{c.T("option." + d.Option.Name), learn.Value(p.Mine.Rules, d.Option, c.T), learn.Value(p.Theirs.Rules, d.Option, c.T)})
	}
	if len(p.Rows) == 0 {
		return nil
	}
	return srv.part(ctx, c, p)
}

func ruleSetOf(p *composePage, c *messages.Catalog, q url.Values) RuleSet {
	rules := p.read(c, q)
	return ruleSet(p.System, rules)
}

// theirQuery returns the rules and options of the other rule set. The parameter "theirs" is what differs from a system,
// or a link that the reader was sent: to the composer, to a rule set that a player keeps, or to the rules of a game.
func (srv *Pages) theirQuery(ctx context.Context, q url.Values) (url.Values, error) {
	text := strings.TrimSpace(q.Get("theirs"))
	link, _, _ := strings.Cut(text, "#")
	path, query, _ := strings.Cut(link, "?")
	said, err := url.ParseQuery(query)
	if err != nil {
		said = url.Values{}
	}
	if said.Has("rules") {
		return said, nil
	}
	if _, id, ok := strings.Cut(path, "/rules/"); ok {
		switch e, err := srv.Rulebook.Find(ctx, id); {
		case err == nil:
			return url.Values{"rules": {e.System}, "options": {e.Options}}, nil
		case lobby.CodeOf(err) != rulebook.CodeNone:
			return nil, err
		}
	}
	if _, system, ok := strings.Cut(path, "/learn/"); ok {
		system, _, _ = strings.Cut(system, "/")
		return url.Values{"rules": {system}, "options": {said.Get("options")}}, nil
	}
	return url.Values{"rules": {cmp.Or(q.Get("with"), "kalah")}, "options": {text}}, nil
}

// part finds the place where the games part, and draws it. The player on move sits at the bottom.
func (srv *Pages) part(ctx context.Context, c *messages.Catalog, p *comparePage) error {
	mine, err := engine.Compile(p.Mine.Rules)
	if err != nil {
		return err
	}
	theirs, err := engine.Compile(p.Theirs.Rules)
	if err != nil {
		return err
	}
	key := [2]string{p.Mine.Text(), p.Theirs.Text()}
	found, ok := srv.comparisons.Get(key)
	if !ok {
		if err := ctx.Err(); err != nil {
			return err
		}
		found.Parting, found.found = compose.Part(mine, theirs)
		size := entrySize + len(key[0]) + len(key[1])
		for _, m := range found.Moves {
			size += moveSize + len(m.Lay)
		}
		srv.comparisons.Put(key, found, size)
	}
	if !found.found {
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
		moves[i] = pages.MoveText(c, p.Mine.Rules, m.String())
	}
	p.Parting.Count, p.Parting.Moves = len(moves), c.List(moves)
	p.Parting.Move = pages.MoveText(c, p.Mine.Rules, found.Move.String())
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
