package search_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"pgregory.net/rapid"

	"mancala/engine"
	"mancala/engine/enginetest"
	"mancala/engine/search"
)

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("rapid.nofailfile", "true") // a failure prints the number to repeat it with, and leaves no file
	os.Exit(m.Run())
}

// minimax is the reference: it plays every line to its end, with the history of the
// game, without bounds and without a table. It gives up after left nodes.
type minimax struct {
	game *engine.Game
	me   int // side whose margin is the value
	left int
}

// margin returns what side me has won minus what the best of the others has won.
func (x *minimax) margin(p *engine.Position) int {
	best := 0
	for side, n := range p.Scores() {
		if side != x.me {
			best = max(best, n)
		}
	}
	return p.Score(x.me) - best
}

func (x *minimax) value(p engine.Position, h *engine.History) (value int, ok bool) {
	if x.left--; x.left < 0 {
		return 0, false
	}
	if p.Phase == engine.Over {
		return x.margin(&p), true
	}
	mine := x.game.Side(p.Seat) == x.me
	value = 1000
	if mine {
		value = -1000
	}
	mark := h.Len()
	for _, m := range x.game.LegalMoves(&p, nil) {
		q := p
		if err := x.game.Play(&q, h, m, nil); err != nil {
			panic(err)
		}
		v, ok := x.value(q, h)
		h.Truncate(mark)
		if !ok {
			return 0, false
		}
		if mine {
			value = max(value, v)
		} else {
			value = min(value, v)
		}
	}
	return value, true
}

// smallGame draws a rule set and a position with few seeds.
func smallGame(t *rapid.T) (*engine.Game, engine.Position) {
	g := enginetest.Game(t)
	most := rapid.IntRange(1, 4).Draw(t, "most")
	p := enginetest.Board(t, g, most, rapid.IntRange(2, 9).Draw(t, "seeds"))
	if g.Shape().Sides == 4 && p.Phase == engine.Play {
		p.Out = uint8(rapid.SampledFrom([]int{0, 0, 0, 1, 2, 5}).Draw(t, "seats that have left"))
	}
	return g, p
}

// TestSearchAgreesWithMinimax compares small positions of random rule sets. An exact
// value must be the value, and bounds must hold, however small the table. For more
// positions: go test ./engine/search -run Minimax -rapid.checks=20000.
func TestSearchAgreesWithMinimax(t *testing.T) {
	compare(t, smallGame)
}

// TestSearchAgreesWithMinimaxInGamesWithCycles compares games in which positions come
// back, and games that the count of plies without a win ends early.
func TestSearchAgreesWithMinimaxInGamesWithCycles(t *testing.T) {
	compare(t, func(t *rapid.T) (*engine.Game, engine.Position) {
		g := game(t, fmt.Sprintf("%s pits=%d repetition=%d no_progress=%d cycle_remaining=%s",
			rapid.SampledFrom([]string{
				"clockwise", "oware seeds=2", "oware-abapa seeds=2", "giuthi end_at_most=-1 lift=any", "giuthi end_at_most=0 seeds=2 relay=none",
				"oware seeds=2 capture=cross counts=none skip_origin=false", "oware feed=give seeds=2 again=capture",
			}).Draw(t, "rules"),
			rapid.IntRange(2, 4).Draw(t, "pits"),
			rapid.SampledFrom([]int{0, 2, 2, 3}).Draw(t, "repetition"),
			rapid.SampledFrom([]int{2, 3, 4, 5, 6, 7, 10, 30}).Draw(t, "no progress"),
			rapid.SampledFrom([]string{"own", "split", "nobody"}).Draw(t, "remaining")))
		return g, enginetest.Board(t, g, 4, rapid.IntRange(2, 12).Draw(t, "seeds"))
	})
}

// TestSearchAgreesWithMinimaxInGamesWithClaimedPits compares games in which the same seeds are worth
// more to the side that has claimed a pit.
func TestSearchAgreesWithMinimaxInGamesWithClaimedPits(t *testing.T) {
	compare(t, func(t *rapid.T) (*engine.Game, engine.Position) {
		g := game(t, fmt.Sprintf("%s pits=%d seeds=2 claim=%d claim_ban=%s repetition=%d",
			rapid.SampledFrom([]string{"toguz-kumalak", "oware", "kalah", "mangala", "oware-abapa cycle_remaining=nobody"}).Draw(t, "rules"),
			rapid.IntRange(2, 4).Draw(t, "pits"),
			rapid.IntRange(2, 3).Draw(t, "claim"),
			rapid.SampledFrom([]string{"none", "last", "last,twin"}).Draw(t, "ban"),
			rapid.SampledFrom([]int{2, 3}).Draw(t, "repetition")))
		return g, enginetest.Board(t, g, 4, rapid.IntRange(2, 12).Draw(t, "seeds"))
	})
}

// TestSearchAgreesWithMinimaxInTheKalahFamily compares the games of package kalah.
// Minimax can search only the smaller boards.
func TestSearchAgreesWithMinimaxInTheKalahFamily(t *testing.T) {
	compare(t, func(t *rapid.T) (*engine.Game, engine.Position) {
		g := game(t, fmt.Sprintf("%s pits=%d seeds=1 again=%s",
			rapid.SampledFrom([]string{"kalah", "pressman", "basic", "basic-first-out", "kalah capture=none", "pressman remaining=emptier"}).Draw(t, "rules"),
			rapid.IntRange(2, 6).Draw(t, "pits"),
			rapid.SampledFrom([]string{"store", "none"}).Draw(t, "again")))
		return g, enginetest.Board(t, g, rapid.SampledFrom([]int{2, 4, 12}).Draw(t, "most"), rapid.IntRange(4, 14).Draw(t, "seeds"))
	})
}

func compare(t *testing.T, draw func(*rapid.T) (*engine.Game, engine.Position)) {
	solved, exact := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g, p := draw(t)
		memory := rapid.SampledFrom([]int64{0, 1 << 20}).Draw(t, "memory")
		s := search.New(g, memory)
		for p.Phase != engine.Over {
			x := &minimax{game: g, me: g.Side(p.Seat), left: 50_000}
			want, ok := x.value(p, &engine.History{})
			if !ok {
				return
			}
			solved++
			a := s.Search(context.Background(), p, nil, search.Limits{Nodes: 200_000})
			if a.Low > want || a.High < want || a.Exact && a.Value != float64(want) {
				t.Fatalf("%v\nis worth %d, search says %+v\nrules %v", p, want, a, g.Rules())
			}
			if r := g.Rules(); !a.Exact && r.EndsByItself() && r.Feed != engine.FeedGive && (r.NoProgress == 0 || r.NoProgress-int(p.Clock) > 62) {
				t.Fatalf("%v\nis worth %d, search is not sure: %+v\nrules %v", p, want, a, g.Rules())
			}
			if a.Exact {
				exact++
			}
			next(t, g, &p)
		}
	})
	t.Logf("%d positions by minimax, %d exact by search", solved, exact)
}

// next changes p to another position of the same game, so that the tables already
// know something: one ply later, or at another clock.
func next(t *rapid.T, g *engine.Game, p *engine.Position) {
	legal := g.Legal(p)
	i := rapid.IntRange(0, legal.Len()).Draw(t, "next")
	if limit := int32(g.Rules().NoProgress); i == legal.Len() && limit > 0 && p.Phase == engine.Play {
		p.Clock = rapid.Int32Range(0, limit-1).Draw(t, "clock")
	} else if err := g.Play(p, nil, legal.At(min(i, legal.Len()-1)), nil); err != nil {
		t.Fatal(err)
	}
	p.Ply++
	if p.Ply > 20 {
		p.Phase = engine.Over // stop after 20 positions of this game
	}
}

// TestSearchAgreesWithMinimaxInGamesWithSeedsInHand compares games in which nothing is won before the end.
func TestSearchAgreesWithMinimaxInGamesWithSeedsInHand(t *testing.T) {
	compare(t, func(t *rapid.T) (*engine.Game, engine.Position) {
		g := game(t, fmt.Sprintf("bao-kujifunza pits=4 repetition=%d no_progress=%d %s",
			rapid.SampledFrom([]int{2, 3}).Draw(t, "repetition"),
			rapid.SampledFrom([]int{5, 12}).Draw(t, "no_progress"),
			rapid.SampledFrom([]string{"seeds=2", "reserve=1", "reserve=2 house=f", "reserve=1 block=true", "block=true direction=ccw", "captured=restart"}).Draw(t, "rules")))
		p := enginetest.Board(t, g, rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "most"), rapid.IntRange(4, 14).Draw(t, "seeds"))
		for side := range 2 { // minimax cannot play more entries to the end
			p.Slots[p.Shape.Store(side)] = min(p.Slots[p.Shape.Store(side)], 1)
		}
		p, err := g.Parse(p.String())
		if err != nil {
			t.Fatal(err)
		}
		return g, p
	})
}
