package desk

import (
	"net/http"

	"mancala/lobby/hosting"
	"mancala/web/site"
)

// A plan is the next round as hosts see it before it starts.
type plan struct {
	*hosting.Preview
	Msg string `json:"msg,omitempty"` // the code in words
}

// planRound answers with the pairings of the next round, as they would be without the host's
// changes.
func (srv *Pages) planRound(w http.ResponseWriter, r *http.Request) error {
	me, _ := srv.WhoIs(w, r)
	p, err := srv.Hosting.Preview(r.Context(), r.PathValue("id"), me)
	if err != nil {
		return err
	}
	answer := plan{Preview: p}
	if p.Code != "" {
		answer.Msg = srv.Catalog(r).Sentence(p.Code, nil)
	}
	return srv.Answer(w, http.StatusOK, answer)
}

// checkPlan answers with those of the host's pairings that break a rule.
func (srv *Pages) checkPlan(w http.ResponseWriter, r *http.Request) error {
	hall, me, err := srv.hosted(w, r)
	if err != nil {
		return err
	}
	var order struct {
		Pairings [][2]int `json:"pairings"`
	}
	if err := site.ReadJSON(r, &order); err != nil {
		return err
	}
	p, err := srv.Hosting.Check(r.Context(), hall.ID, me, order.Pairings)
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, plan{Preview: p})
}
