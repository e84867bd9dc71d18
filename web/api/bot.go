package api

import (
	"context"
	"net/http"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/web/site"
)

// hintJSON is the best move. Value is what it is worth to the seat on turn, in seeds.
type hintJSON struct {
	Ply   int      `json:"ply"`
	Move  string   `json:"move"`
	Line  []string `json:"line"`
	Value float64  `json:"value"`
	Exact bool     `json:"exact"`
}

// hintTimeout limits the search for a hint. It is shorter than the timeout of requests.
const hintTimeout = 8 * time.Second

// apiHint answers with the best move for a player who plays only with bots.
func (srv *API) apiHint(w http.ResponseWriter, r *http.Request) error {
	h, err := srv.hint(w, r)
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, h)
}

func (srv *API) hint(w http.ResponseWriter, r *http.Request) (h hintJSON, err error) {
	player, known := srv.WhoIs(w, r)
	if !known {
		return h, site.ErrNoIdentity
	}
	if err := srv.MayAskEngine(r, player); err != nil {
		return h, err
	}
	story, err := srv.Story(r, player)
	if err != nil {
		return h, err
	}
	if err := srv.Policy.MayHint(r.Context(), r.PathValue("id"), player); err != nil {
		return h, err
	}
	if err := lobby.SlowDown(max(srv.Limit(site.LimitHints).Wait(player), srv.Limit(site.LimitHintsPerAddress).WaitAddress(srv.Address(r)))); err != nil {
		return h, err
	}
	q := story.Match.Question()
	if q.Position.Phase == engine.Setup || q.Position.Phase == engine.Over {
		return h, policy.ErrNoHint // the game has moved on since MayHint read it
	}
	ctx, cancel := context.WithTimeout(r.Context(), hintTimeout)
	defer cancel()
	found, err := srv.Bots.Hint(ctx, player, srv.Address(r), q)
	if err != nil {
		return h, err
	}
	h = hintJSON{Ply: int(q.Position.Ply), Value: found.Value, Exact: found.Exact, Line: []string{}}
	for _, m := range found.Line {
		h.Line = append(h.Line, m.String())
	}
	h.Move = h.Line[0]
	return h, nil
}
