package review

import (
	"context"
	"fmt"

	"mancala/engine"
	"mancala/engine/search"
)

// A Reviewer reviews one game step by step, so that a caller can share the processor
// between games. Only one goroutine may use it at a time.
type Reviewer struct {
	game     *engine.Replay
	searcher *search.Searcher
	limits   search.Limits
	history  engine.History // of the position that is reviewed
	marks    []int          // length of history before each ply
	review   Review
	left     int // plies that remain; -1: all steps are done
}

// New prepares the review of a game. The error is [ErrTooLong], or reports a move of
// the game that the rules forbid.
func New(game *engine.Replay, b Budget) (*Reviewer, error) {
	if len(game.Moves) > MaxPlies {
		return nil, ErrTooLong
	}
	r := &Reviewer{game: game, searcher: search.New(game.Game, b.Memory), limits: search.Limits{Nodes: b.Nodes}}
	r.review.Plies, r.left = make([]Ply, len(game.Moves)), len(game.Moves)
	choices := uint64(1) // for the end of the game
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

// Steps returns the number of steps in all.
func (r *Reviewer) Steps() int { return len(r.game.Moves) + 1 }

// More reports whether steps remain.
func (r *Reviewer) More() bool { return r.left >= 0 }

// Step reviews the end of the game, and then at each call the ply before. If ctx ends
// during the step, the step does not count and can be repeated.
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

// Review returns the result. It is complete when no step remains.
func (r *Reviewer) Review() *Review {
	r.review.Turning = turning(r.review.Plies)
	return &r.review
}

// last returns the position at the end.
func (r *Reviewer) last() engine.Position {
	if n := len(r.game.Positions); n > 0 {
		return r.game.Positions[n-1]
	}
	return r.game.Start
}

// leastNodes is enough to look at every move once.
const leastNodes = 200

// before returns the position in which a ply was played. A player may have left a
// game of four since the ply before, so it takes the seats that are out from the
// position after.
func (r *Reviewer) before(i int) engine.Position {
	p := r.game.Start
	if i > 0 {
		p = r.game.Positions[i-1]
	}
	p.Out = r.game.Positions[i].Out
	return p
}

// hasChoice reports whether the player had another move. A lay-out always has
// alternatives.
func hasChoice(game *engine.Replay, i int) bool {
	return game.Moves[i].Kind == engine.MoveLayOut || len(game.Legal[i]) > 1
}

// worth returns the worth of a position without a move that was made.
func (r *Reviewer) worth(ctx context.Context, p engine.Position) Worth {
	a := r.searcher.Search(ctx, p, &r.history, r.limits)
	return Worth{int(p.Seat), a.Value, a.Exact && p.End != engine.EndRepetition} // an exact value holds whatever was played before
}

// ply reviews a ply; next is the result for the ply after it.
func (r *Reviewer) ply(ctx context.Context, i int, next Ply) Ply {
	p, m := r.before(i), r.game.Moves[i]
	if !hasChoice(r.game, i) {
		w := r.forced(ctx, p, next.Worth)
		return Ply{Worth: w, Move: m.String(), Played: w.Value}
	}
	ply := r.rate(ctx, p)
	ply.Move = m.String()
	if m.Kind == engine.MoveLayOut {
		ply.Played = r.valueFor(p, next.Worth)
	}
	for _, c := range ply.Moves {
		if c.Move == ply.Move {
			ply.Played, ply.Sure = c.Value, c.Exact && ply.Exact
		}
	}
	if ply.Loss = ply.Value - ply.Played; ply.Loss <= 0 { // the move is as good as any other
		ply.Loss, ply.Value = 0, ply.Played
		if ply.Best[0] != ply.Move {
			ply.Best = append([]string{ply.Move}, next.Best...)
		}
	}
	ply.Label = LabelOf(ply.Loss)
	return ply
}

// forced returns the worth of a position with a single move. It is the worth of the
// next position. With four sides it is searched, because each position is valued for
// another side.
func (r *Reviewer) forced(ctx context.Context, p engine.Position, next Worth) Worth {
	if r.game.Game.Shape().Sides == 4 {
		return r.worth(ctx, p)
	}
	return Worth{int(p.Seat), r.valueFor(p, next), next.Exact}
}

// valueFor returns the value of the next position for the seat that moves in p.
func (r *Reviewer) valueFor(p engine.Position, next Worth) float64 {
	if g := r.game.Game; g.Side(p.Seat) != g.Side(engine.Seat(next.Seat)) {
		return -next.Value
	}
	return next.Value
}

// rate values all moves of p.
func (r *Reviewer) rate(ctx context.Context, p engine.Position) Ply {
	a := r.searcher.Rate(ctx, p, &r.history, r.limits)
	ply := Ply{Worth: Worth{int(p.Seat), a.Value, a.Exact}, Best: texts(a.Line)}
	if p.Phase == engine.Setup || len(a.Moves) == 0 {
		return ply // only a few of all lay-outs were tried
	}
	for _, m := range a.Moves {
		ply.Moves = append(ply.Moves, Choice{m.Move.String(), m.Value, m.Exact})
	}
	// A search that was stopped has searched some moves more deeply than others. Only
	// the results of the same depth can be compared.
	if best := a.Moves[0]; !a.Exact {
		ply.Value = best.Value
		if a.Line[0] != best.Move {
			ply.Best = texts(r.line(ctx, p, best.Move))
		}
	}
	return ply
}

// line returns a move and the best play after it.
func (r *Reviewer) line(ctx context.Context, p engine.Position, m engine.Move) []engine.Move {
	h := r.history.Clone()
	if err := r.game.Game.Play(&p, &h, m, nil); err != nil {
		panic(err) // the search listed this move
	}
	limits := r.limits
	limits.Nodes = max(leastNodes, limits.Nodes/4)
	a := r.searcher.Search(ctx, p, &h, limits)
	return append([]engine.Move{m}, a.Line...)
}

func texts(moves []engine.Move) []string {
	out := make([]string, len(moves))
	for i, m := range moves {
		out[i] = m.String()
	}
	return out
}
