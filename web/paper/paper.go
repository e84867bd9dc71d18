// Package paper serves the pages that people print: a game that is over, and a score sheet to fill in by hand.
package paper

import (
	"mancala/web/pages"
	"mancala/web/site"
)

// Pages serves the pages to print of one server.
type Pages struct{ *pages.Pages }

// New returns the pages to print.
func New(p *pages.Pages) *Pages { return &Pages{p} }

// Routes calls serve with the pattern and the handler of each route.
func (srv *Pages) Routes(serve func(pattern string, h site.Handler)) {
	serve("GET /print/{id}", srv.game)
	serve("GET /sheet", srv.sheet)
}
