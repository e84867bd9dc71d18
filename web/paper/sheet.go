package paper

import (
	"cmp"
	"html/template"
	"net/http"
	"strings"

	"mancala/engine"
	"mancala/web/learn"
	"mancala/web/pages"
	"mancala/web/site"
)

// sheetPage is the page at /sheet: an empty board and numbered lines for the moves of a game.
type sheetPage struct {
	pages.Head
	System  engine.Row
	Options string
	House   []string // the differences from the system, in words
	Board   template.HTML
	Marks   []string // of the seats
	Blocks  [][]int  // the numbers of the lines, block beside block
}

// lines is the number of lines in a block. As many fit on a page of A4 below the board.
const lines = 20

// sheet serves a score sheet for ?rules= and ?options=.
func (srv *Pages) sheet(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	rules, g, err := site.HouseRules(cmp.Or(q.Get("rules"), engine.Systems[0].Name), q.Get("options"))
	if err != nil {
		return err
	}
	row := site.SystemRow(cmp.Or(q.Get("rules"), engine.Systems[0].Name))
	c := srv.Catalog(r)
	p := sheetPage{Head: srv.NewHead(r, c.T("paper.sheet.of", "game", row.Title), ""), System: row}
	base, _ := engine.System(row.Name)
	p.Options = strings.Join(rules.Changes(base), " ")
	if p.Canonical = srv.Base(r) + sheetAddress(row.Name, p.Options); p.Options != "" {
		p.House = learn.Changes(rules, base, c.T)
		p.Title = c.T("paper.sheet.of", "game", c.T("list", "a", c.Game(row.Title), "b", c.T("header.rules")))
	}
	p.Board = learn.Blank(g, c.T("paper.sheet.board"))
	seats := int(g.Shape().Sides) * int(g.Shape().Partners)
	p.Marks = pages.Marks[:seats]
	blocks := 3
	if seats > 2 {
		blocks = 2
	}
	for n := range blocks * lines {
		if n%lines == 0 {
			p.Blocks = append(p.Blocks, nil)
		}
		p.Blocks[n/lines] = append(p.Blocks[n/lines], n+1)
	}
	return srv.Render(w, r, http.StatusOK, "scoresheet", p)
}
