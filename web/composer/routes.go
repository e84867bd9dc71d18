package composer

import (
	"mancala/match/lru"
	"mancala/web/learn"
	"mancala/web/pages"
	"mancala/web/site"
)

// New returns the pages of the composer.
func New(p *pages.Pages) *Pages {
	return &Pages{p, lru.New[boardKey, map[string]learn.Figure](boardBytes),
		lru.New[[2]string, comparison](comparisonBytes), make(chan struct{}, 1)}
}

// Routes calls serve with the pattern and the handler of each route.
func (srv *Pages) Routes(serve func(pattern string, h site.Handler)) {
	serve("GET /rules/new", srv.compose)
	serve("GET /rules/compare", srv.compare)
	serve("POST /rules", srv.keep)
	serve("GET /rules/{id}", srv.kept)
	serve("POST /rules/{id}/forget", srv.forget)
}
