package pages

import (
	"net/http"

	"mancala/lobby/rating"
)

// pairsPage is the operators' page at /moderation/pairs: accounts whose rated games look
// arranged.
type pairsPage struct {
	head
	Pairs []pairRow
}

// pairRow is a pair with the names of its players.
type pairRow struct {
	rating.Pair
	WinnerName, LoserName string
}

func (srv *Pages) pairsPage(w http.ResponseWriter, r *http.Request) error {
	list, err := srv.Ratings.Arranged(r.Context())
	if err != nil {
		return err
	}
	var ids []string
	for _, p := range list {
		ids = append(ids, p.Winner, p.Loser)
	}
	names, err := srv.PlayerNames(r.Context(), srv.Catalog(r), ids)
	if err != nil {
		return err
	}
	p := pairsPage{head: srv.head(r, srv.Catalog(r).T("pairs.title"), "")}
	for _, pair := range list {
		p.Pairs = append(p.Pairs, pairRow{pair, names[pair.Winner], names[pair.Loser]})
	}
	return srv.render(w, r, http.StatusOK, "pairs", p)
}
