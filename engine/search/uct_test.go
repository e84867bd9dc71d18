package search_test

import (
	"context"
	"testing"

	"mancala/engine/search"
)

// TestStrongLevelCapturesInAGameOfFour has a capture of nine seeds to find.
func TestStrongLevelCapturesInAGameOfFour(t *testing.T) {
	g := game(t, "basic-four")
	p := position(t, g, "1,0,1,0,0,3/2,2,2,2,2,2/2,2,9,2,2,2/2,2,2,2,2,2 8/8/8/8 S play 0 20") // c captures 9
	m, a := search.Level{Nodes: 3000}.Player(g).Move(context.Background(), p, nil, 1)
	if m.String() != "c" || a.Value <= 0 || a.Value > float64(a.High) || a.Line[0] != m || a.Moves[0].Move != m {
		t.Errorf("%v: %+v", m, a)
	}
}

// TestUCTEndsInAGameWithCyclesAndReturnsAMoveWhenCancelled uses a game that never
// ends by itself.
func TestUCTEndsInAGameWithCyclesAndReturnsAMoveWhenCancelled(t *testing.T) {
	g := game(t, "basic-four store=false again=none repetition=0 no_progress=1000000")
	p := position(t, g, "0,0,0,0,0,1/0,0,0,0,0,1/0,0,0,0,0,1/0,0,0,0,0,1 23/23/23/23 S play 0 60")
	player := search.Level{Nodes: 20_000}.Player(g)
	if _, a := player.Move(context.Background(), p, nil, 1); a.Nodes < 20_000 || a.Nodes > 20_200 || a.Stop != search.NodesOut {
		t.Errorf("ended with %s after %d nodes", a.Stop, a.Nodes)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, a := player.Move(ctx, g.Start(), nil, 1)
	if err := g.Play(new(g.Start()), nil, m, nil); err != nil || a.Stop != search.Cancelled || len(a.Moves) == 0 {
		t.Errorf("cancelled: %v (%v), %+v", m, err, a)
	}
}
