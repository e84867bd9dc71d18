package compose_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/engine/enginetest"
)

func TestGamesAreTheSameUpToThePlaceWhereTheyPart(t *testing.T) {
	for _, tt := range []struct {
		a, b  string
		plies int // at most
		start bool
	}{
		{"kalah", "oware", 0, true}, // Oware has no stores, and the same first board: see below
		{"kalah", "kalah pits=7", 0, true},
		{"kalah", "clockwise", 0, false},
		{"kalah", "kalah again=none", 0, false},
		{"kalah", "pressman", 8, false},
		{"oware", "oware-abapa", 400, false},
		{"oware", "oware skip_origin=false", 400, false},
		{"giuthi", "giuthi repetition=3", 400, false},
		{"wise", "wise swap=none", 1, false},
		{"ignorant total=12", "ignorant total=12 start=any", 400, false}, // as many seeds as pits
		{"bao", "bao-kujifunza", 0, true},
	} {
		t.Run(tt.a+"/"+tt.b, func(t *testing.T) {
			a, b := engine.MustCompile(tt.a), engine.MustCompile(tt.b)
			found, ok := compose.Part(a, b)
			if !ok {
				t.Fatal("no place was found")
			}
			if found.AtStart != (a.Start() != b.Start()) {
				t.Errorf("at the start: %v", found.AtStart)
			}
			checkParting(t, a, b, found)
			if len(found.Moves) > tt.plies {
				t.Errorf("they part after %v", found.Moves)
			}
			if again, _ := compose.Part(a, b); !slices.Equal(again.Moves, found.Moves) || again.Move != found.Move {
				t.Error("the second search found another place")
			}
		})
	}
}

// checkParting plays both games up to the place and through the move that parts them.
func checkParting(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, a, b *engine.Game, found compose.Parting) {
	t.Helper()
	if found.AtStart {
		return
	}
	pa, pb, ha, hb := a.Start(), b.Start(), engine.History{}, engine.History{}
	for i, m := range found.Moves {
		if ea, eb := a.Play(&pa, &ha, m, nil), b.Play(&pb, &hb, m, nil); ea != nil || eb != nil || pa != pb {
			t.Fatalf("move %d, %s: %v and %v, %s and %s", i, m, ea, eb, pa, pb)
		}
	}
	if pa != found.Before {
		t.Fatalf("the place is %s, and the moves lead to %s", found.Before, pa)
	}
	ea, eb := a.Play(&pa, &ha, found.Move, nil), b.Play(&pb, &hb, found.Move, nil)
	if (ea == nil) != found.A.Legal || (eb == nil) != found.B.Legal {
		t.Fatalf("%s is legal %v and %v", found.Move, ea, eb)
	}
	if ea == nil && pa != found.A.After || eb == nil && pb != found.B.After {
		t.Fatalf("%s leads to %s and %s", found.Move, pa, pb)
	}
	if found.A == found.B {
		t.Fatalf("%s does not part them", found.Move)
	}
}

func TestAnyTwoRuleSetsPartWhereTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := enginetest.Game(t), enginetest.Game(t)
		if found, ok := compose.Show(a, b); ok && !found.AtStart {
			if p := found.Before; a.Side(p.Seat) == 0 || p.Phase != engine.Play {
				if err := a.Play(&p, nil, found.Move, nil); err != nil || !found.A.Legal {
					t.Fatalf("%s is shown in %s: %v", found.Move, found.Before, err)
				}
			} else {
				t.Fatalf("a move of another side is shown in %s", p)
			}
		}
		if rapid.IntRange(0, 4).Draw(t, "one of five") > 0 {
			return
		}
		if found, ok := compose.Part(a, b); ok {
			checkParting(t, a, b, found)
		}
		if _, ok := compose.Show(a, a); ok {
			t.Fatalf("%s parts from itself", a.Rules())
		}
	})
}

func TestTurnedPositionIsTheOneThatTheOtherPlayersSee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := enginetest.Game(t)
		p := enginetest.Position(t, g)
		if p.Phase != engine.Play {
			t.Skip("no move yet")
		}
		side := g.Side(p.Seat)
		turned := p.Turned(side)
		if g.Side(turned.Seat) != 0 {
			t.Fatalf("%s turned is %s", p, turned)
		}
		for _, m := range g.LegalMoves(&p, nil) {
			after, other := p, turned
			if err := g.Play(&after, nil, m, nil); err != nil {
				t.Fatal(err)
			}
			if err := g.Play(&other, nil, m, nil); err != nil {
				t.Fatalf("%s in %s: %v", m, turned, err)
			}
			if after.Turned(side) != other {
				t.Fatalf("%s in %s leads to %s, turned to %s, and in %s to %s", m, p, after, after.Turned(side), turned, other)
			}
		}
	})
}
