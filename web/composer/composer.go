// Package composer has the pages of house rules: a form that changes the rules of a game, a comparison of two
// rule sets, and a page for each rule set that a player keeps.
//
// Package compose decides which values can be chosen, and gives the reason why others cannot. The pages work
// without a script.
package composer

import (
	"context"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/searchpool"
	"mancala/match/lru"
	"mancala/web/learn"
	"mancala/web/pages"
	"mancala/web/site"
)

// Pages serves the composer.
type Pages struct {
	*pages.Pages
	boards      lru.Cache[boardKey, map[string]learn.Figure] // what each option does; the size is in bytes
	comparisons lru.Cache[[2]string, comparison]             // by both rule sets in canonical form; the size is in bytes
	searching   chan struct{}                                // has an element while a request searches
}

// The sizes of the boards and of the comparisons that are cached.
const (
	boardBytes      = 8 << 20
	comparisonBytes = 2 << 20
)

// inTurn does work that searches, which can take a tenth of a second and more. One request of the instance does so
// at a time. The work counts as an explanation of new house rules does, and ends with the request.
func (srv *Pages) inTurn(r *http.Request, work func() error) error {
	if err := lobby.SlowDown(srv.Limit(site.LimitLessons).WaitAddress(srv.Address(r))); err != nil {
		return err
	}
	return srv.searches(r.Context(), work)
}

// searches does work while no other request of the instance searches. A request whose time is over before its
// turn comes is refused as busy. If nobody searches, its turn has come, and the work itself ends with ctx.
func (srv *Pages) searches(ctx context.Context, work func() error) error {
	select {
	case srv.searching <- struct{}{}:
	default:
		select {
		case srv.searching <- struct{}{}:
		case <-ctx.Done():
			return searchpool.ErrBusy
		}
	}
	defer func() { <-srv.searching }()
	return work()
}
