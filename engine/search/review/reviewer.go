package review

import (
	"context"
	"fmt"

	"mancala/engine"
	"mancala/engine/search"
)

// A Reviewer is at work on one game, ply by ply, so that others can have their turn in
// between. A goroutine uses it alone.
type Reviewer struct {
	game     *engine.Replay
	searcher *search.Searcher
	limits   search.Limits
	history  engine.History // up to the position that is looked at
	marks    []int          // how long it was before each ply
	review   Review
	left     int // plies; -1: the end has been looked at too
}

// New begins to review a game; the error is [ErrTooLong], or says that the moves of
// the game are not what the rules allow.
func New(game *engine.Replay, b Budget) (*Reviewer, error) {
	if len(game.Moves) > MaxPlies {
		return nil, ErrTooLong
	}
	r := &Reviewer{game: game, searcher: search.New(game.Game, b.Memory), limits: search.Limits{Nodes: b.Nodes}}
	r.review.Plies, r.left = make([]Ply, len(game.Moves)), len(game.Moves)
	choices := uint64(1) // the end
	for i, m := range game.Moves {
		p := r.before(i)
		if hasChoice(game, i) {
			choices++
		}
		r.marks = append(r.marks, r.history.Len())
		if err := game.Game.Play(&p, &r.history, m, nil); err != nil {
			return nil, fmt.Errorf("review: ply %d: %w", i+1, err)
		}
	}
	if b.Total > 0 {
		r.limits.Nodes = max(leastNodes, min(b.Nodes, b.Total/choices))
	}
	return r, nil
}

// Steps is how many there are in all.
func (r *Reviewer) Steps() int { return len(r.game.Moves) + 1 }

// More says whether there is something left to look at.
func (r *Reviewer) More() bool { return r.left >= 0 }

// Step looks at the end, and then each time at the ply before. If ctx ends meanwhile,
// it has not been taken.
func (r *Reviewer) Step(ctx context.Context) error {
	at, plies := r.left, r.review.Plies
	if at == len(plies) {
		r.review.End = r.worth(ctx, r.last())
	} else {
		next := Ply{Worth: r.review.End}
		if at+1 < len(plies) {
			next = plies[at+1]
		}
		r.history.Truncate(r.marks[at])
		plies[at] = r.ply(ctx, at, next)
	}
	if ctx.Err() == nil {
		r.left--
	}
	return ctx.Err()
}

// Review is what has been found out, once there is nothing left.
func (r *Reviewer) Review() *Review {
	r.review.Turning = turning(r.review.Plies)
	return &r.review
}

// last is the position at the end.
func (r *Reviewer) last() engine.Position {
	if n := len(r.game.Positions); n > 0 {
		return r.game.Positions[n-1]
	}
	return r.game.Start
}

// leastNodes are enough to have looked at every move.
const leastNodes = 200

// before is the position in which a ply was played. Who left a game of four did so
// before some ply, and is gone in what comes after it.
func (r *Reviewer) before(i int) engine.Position {
	p := r.game.Start
	if i > 0 {
		p = r.game.Positions[i-1]
	}
	p.Out = r.game.Positions[i].Out
	return p
}

// hasChoice says whether there was another move. Of lay-outs there always is.
func hasChoice(game *engine.Replay, i int) bool {
	return game.Moves[i].Kind == engine.MoveLayOut || len(game.Legal[i]) > 1
}

// worth is what a position is worth that nobody has moved in.
func (r *Reviewer) worth(ctx context.Context, p engine.Position) Worth {
	a := r.searcher.Search(ctx, p, &r.history, r.limits)
	return Worth{int(p.Seat), a.Value, a.Exact && p.End != engine.EndRepetition} // what is exact holds whatever was before
}

// ply looks at a ply; next is what was found out about the one after it.
func (r *Reviewer) ply(ctx context.Context, i int, next Ply) Ply {
	p, m := r.before(i), r.game.Moves[i]
	if !hasChoice(r.game, i) {
		w := r.forced(ctx, p, next.Worth)
		return Ply{Worth: w, Move: m.String(), Played: w.Value}
	}
	ply := r.rate(ctx, p)
	ply.Move = m.String()
	if m.Kind == engine.MoveLayOut {
		ply.Played = r.handed(p, next.Worth)
	}
	for _, c := range ply.Moves {
		if c.Move == ply.Move {
			ply.Played, ply.Sure = c.Value, c.Exact && ply.Exact
		}
	}
	if ply.Loss = ply.Value - ply.Played; ply.Loss <= 0 { // as good as anything
		ply.Loss, ply.Value = 0, ply.Played
		if ply.Best[0] != ply.Move {
			ply.Best = append([]string{ply.Move}, next.Best...)
		}
	}
	ply.Label = LabelOf(ply.Loss)
	return ply
}

// forced is the worth of a position with a single move: that of the next one, but
// with four sides, where each position is seen by another.
func (r *Reviewer) forced(ctx context.Context, p engine.Position, next Worth) Worth {
	if r.game.Game.Shape().Sides == 4 {
		return r.worth(ctx, p)
	}
	return Worth{int(p.Seat), r.handed(p, next), next.Exact}
}

// handed is the worth of the next position to the seat that moves in p.
func (r *Reviewer) handed(p engine.Position, next Worth) float64 {
	if g := r.game.Game; g.Side(p.Seat) != g.Side(engine.Seat(next.Seat)) {
		return -next.Value
	}
	return next.Value
}

// rate looks at all moves of p.
func (r *Reviewer) rate(ctx context.Context, p engine.Position) Ply {
	a := r.searcher.Rate(ctx, p, &r.history, r.limits)
	ply := Ply{Worth: Worth{int(p.Seat), a.Value, a.Exact}, Best: texts(a.Line)}
	if p.Phase == engine.Setup || len(a.Moves) == 0 {
		return ply // the lay-outs that were looked at are a few of endless ones
	}
	for _, m := range a.Moves {
		ply.Moves = append(ply.Moves, Choice{m.Move.String(), m.Value, m.Exact})
	}
	// A search that was stopped has gone further with some moves than with others: only
	// what it found out about all of them alike can be compared.
	if best := a.Moves[0]; !a.Exact {
		ply.Value = best.Value
		if a.Line[0] != best.Move {
			ply.Best = texts(r.line(ctx, p, best.Move))
		}
	}
	return ply
}

// line is a move and what may well follow.
func (r *Reviewer) line(ctx context.Context, p engine.Position, m engine.Move) []engine.Move {
	h := r.history.Clone()
	if err := r.game.Game.Play(&p, &h, m, nil); err != nil {
		panic(err) // the search has listed it
	}
	briefly := r.limits
	briefly.Nodes = max(leastNodes, briefly.Nodes/4)
	a := r.searcher.Search(ctx, p, &h, briefly)
	return append([]engine.Move{m}, a.Line...)
}

func texts(moves []engine.Move) []string {
	out := make([]string, len(moves))
	for i, m := range moves {
		out[i] = m.String()
	}
	return out
}
