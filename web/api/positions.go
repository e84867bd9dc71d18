package api

import (
	"encoding/json"
	"net/http"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/lobby"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/web/site"
)

// This file lets programs query any position of any system without a room: its legal
// moves, what they do, and on request its worth. Nothing is stored.

// positionAsked is a query about a position.
type positionAsked struct {
	Rules    string   `json:"rules"`
	Options  string   `json:"options"`
	Position string   `json:"position"` // empty: the system's first position
	Moves    []string `json:"moves"`    // to play from that position
	Worth    bool     `json:"worth"`    // whether to answer with the worth of the last position
}

// maxTried is the largest number of moves in a query.
const maxTried = 100

// codePosition refuses a text that is no position of the system.
const codePosition refusal.Code = "bad-position"

// positionJSON is the position after the moves of the query, with those moves and its
// legal moves.
type positionJSON struct {
	Position string     `json:"position"`
	Seat     int        `json:"seat"`
	Phase    string     `json:"phase"`
	End      engine.End `json:"end,omitempty"`
	match.BoardJSON
	Steps []stepJSON      `json:"steps"`
	Legal json.RawMessage `json:"legal"`
	Worth *review.Ply     `json:"worth,omitempty"`
}

// stepJSON is a move of the query, and the position after it.
type stepJSON struct {
	Seat     int             `json:"seat"`
	Move     string          `json:"move"`
	Trace    json.RawMessage `json:"trace"`
	Position string          `json:"position"`
	Turn     int             `json:"turn"` // the seat on turn after the move
	Phase    string          `json:"phase"`
	match.BoardJSON
}

// apiPosition answers a query about a position.
func (srv *API) apiPosition(w http.ResponseWriter, r *http.Request) error {
	var asked positionAsked
	err := site.ReadJSON(r, &asked)
	var answer *positionJSON
	if err == nil {
		answer, err = srv.lookAt(w, r, asked)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, answer)
}

func (srv *API) lookAt(w http.ResponseWriter, r *http.Request, asked positionAsked) (*positionJSON, error) {
	if err := lobby.SlowDown(srv.Limit(site.LimitPositions).WaitAddress(srv.Address(r))); err != nil {
		return nil, err
	}
	if len(asked.Moves) > maxTried {
		return nil, site.ErrTooLarge
	}
	_, g, err := site.HouseRules(asked.Rules, asked.Options)
	if err != nil {
		return nil, err
	}
	p := g.Start()
	if asked.Position != "" {
		if p, err = g.Parse(asked.Position); err != nil {
			return nil, refusal.New(codePosition)
		}
	}
	answer := &positionJSON{Steps: []stepJSON{}}
	h := engine.History{}
	for _, text := range asked.Moves {
		step, err := try(g, &p, &h, text)
		if err != nil {
			return nil, err
		}
		answer.Steps = append(answer.Steps, step)
	}
	answer.Position, answer.Seat, answer.Phase, answer.BoardJSON = p.String(), int(p.Seat), p.Phase.String(), match.BoardOf(p)
	if p.Phase == engine.Over {
		answer.End = p.End
	}
	answer.Legal = match.AppendLegal(nil, g, p, h)
	if asked.Worth {
		answer.Worth, err = srv.WorthOf(w, r, g, p)
	}
	return answer, err
}

// try plays a move in p.
func try(g *engine.Game, p *engine.Position, h *engine.History, text string) (stepJSON, error) {
	seat, trace := p.Seat, engine.Trace{}
	m, ok := engine.ParseMove(text)
	if !ok {
		return stepJSON{}, refusal.New(match.CodeBadMove)
	}
	if err := g.Play(p, h, m, &trace); err != nil {
		return stepJSON{}, match.Refused(err)
	}
	return stepJSON{
		int(seat), m.String(), match.AppendTrace(nil, &trace, p.Shape), p.String(), int(p.Seat), p.Phase.String(), match.BoardOf(*p),
	}, nil
}
