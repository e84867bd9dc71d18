package search_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"mancala/engine"
	"mancala/engine/search/review"
)

// TestReviewAgreesWithMinimax compares the plies of small endings: the worth of the
// position, and that of the move.
func TestReviewAgreesWithMinimax(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		g, p := smallGame(t)
		game := &engine.Replay{Game: g, Start: p}
		for h := (&engine.History{}); p.Phase == engine.Play && len(game.Moves) < 25; {
			legal := g.LegalMoves(&p, nil)
			m := rapid.SampledFrom(legal).Draw(t, "move")
			if err := g.Play(&p, h, m, nil); err != nil {
				t.Fatal(err)
			}
			game.Legal, game.Moves, game.Positions = append(game.Legal, legal), append(game.Moves, m), append(game.Positions, p)
		}
		r, err := review.Of(context.Background(), game, review.Budget{Nodes: 20_000, Memory: 1 << 18})
		if err != nil {
			t.Fatal(err)
		}
		worth := func(me int, at engine.Position, h *engine.History) (int, bool) {
			return (&minimax{game: g, me: me, left: 5000}).value(at, h)
		}
		at := game.Start
		for i, ply := range r.Plies {
			// An exact value holds whatever was played before.
			me, before, h := g.Side(at.Seat), at, &engine.History{}
			best, ok := worth(me, at, h)
			if err := g.Play(&at, h, game.Moves[i], nil); err != nil {
				t.Fatal(err)
			}
			played, also := worth(me, at, h)
			at = game.Positions[i] // the game may be over by repetition
			if ok && ply.Exact && ply.Value != float64(best) || also && ply.Sure && ply.Played != float64(played) {
				t.Fatalf("%v\nis worth %d, %s %d; the review says %+v\nrules %v", before, best, ply.Move, played, ply, g.Rules())
			}
			if ok && ply.Exact {
				compared++
			}
		}
	})
	t.Logf("%d plies compared", compared)
}
