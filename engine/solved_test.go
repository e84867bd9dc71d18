package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"mancala/engine"
)

// The values of Kalah(m,n) and a perfect game for each come from G. Irving, J.
// Donkers and J. Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000, tables 9 and 10.
// The paper plays the rule of pressman (RULES.md §7.2: the seed is won even if the
// opposite pit is empty) and ends the game as soon as a side is empty, as this engine
// does.

// winDrawLoss is table 10, for the first player: a row for m = 1 to 6 pits, a letter
// for n = 1 to 6 seeds in each pit.
var winDrawLoss = [...]string{"DLWLWD", "WLLLWW", "DWWWWL", "WWWWWD", "DDWWWW", "WWWWW"}

// perfectGames is table 9: the margin of the first player, and the pits played in
// each turn, counted from 0. The game printed for Kalah(4,6) is left out: its ninth
// turn lifts an empty pit.
var perfectGames = []struct {
	pits, seeds, margin int
	turns               string
}{
	{4, 1, 2, "32-32-1"},
	{4, 2, 6, "3-3-230-231-1323"},
	{4, 3, 8, "13-1-032-2-3-0-1320-3-0-2"},
	{4, 4, 2, "02-2-3-0-2-21-303231-0-32-1-0"},
	{4, 5, 2, "0-2-1-3-0-2-1-0-32-3-021-2-0-02-2-1-3-3-313032-13031-1-2-2-3"},
	{5, 1, 0, "43-43-2-2"},
	{5, 2, 0, "31-32-24-0-0-31-3"},
	{5, 3, 8, "24-3-3-03-41-1-04342-3-3-2-2-4-414342-3"},
	{5, 4, 12, "12-04-03-2-20-41-1-42-32-3-2-40-0-1"},
	{5, 5, 2, "03-2-2-1-1-23-24-2-0-34414340-4240-2-14342"},
	{5, 6, 2, "2-0-0-3-3-0-2-1-440-4-42-2-121-12-3-1-4-20-0-34-24-324-1-3-3-1-41-43-2-2-3"},
	{6, 1, 2, "54-54-3-3-2"},
	{6, 2, 10, "42-42-30-0-1-1-4-5"},
	{6, 3, 2, "4-5-35-250-2-154-451535452-53-3-54-2"},
	{6, 4, 10, "25-10-3-3-5153-1-4-5-045-4-535452-53-4-1-3-2-0-54-1-3"},
	{6, 5, 12, "12-02-05-2-4-51-53-3-45-20-3-2-2-345-5-4-351-0-54-1-52-354-4-254-3-3"},
}

func kalah(t *testing.T, system string, pits, seeds int) *engine.Game {
	return game(t, fmt.Sprintf("%s pits=%d seeds=%d", system, pits, seeds))
}

// TestPublishedPerfectGamesHaveThePublishedMargin plays the games of the paper: each
// turn must pass to the other seat where the paper says so.
func TestPublishedPerfectGamesHaveThePublishedMargin(t *testing.T) {
	for _, tt := range perfectGames {
		t.Run(fmt.Sprintf("Kalah(%d,%d)", tt.pits, tt.seeds), func(t *testing.T) {
			g := kalah(t, "pressman", tt.pits, tt.seeds)
			p := g.Start()
			for turn, pits := range strings.Split(tt.turns, "-") {
				for _, pit := range pits {
					if int(p.Seat) != turn%2 {
						t.Fatalf("turn %d, pit %c: it is seat %d's turn in %v", turn+1, pit, p.Seat, p)
					}
					if err := g.Play(&p, nil, engine.Move{Pit: uint8(pit - '0')}, nil); err != nil {
						t.Fatalf("turn %d in %v: %v", turn+1, p, err)
					}
				}
			}
			if margin := p.Score(0) - p.Score(1); p.Phase != engine.Over || margin != tt.margin {
				t.Errorf("got %v, want over and %+d", p, tt.margin)
			}
		})
	}
}

// TestSmallKalahBoardsHaveThePublishedValues solves the small boards by plain search.
// Larger ones take minutes: go test ./engine -run SmallKalah -seeds 40.
func TestSmallKalahBoardsHaveThePublishedValues(t *testing.T) {
	margins := map[[2]int]int{}
	for _, p := range perfectGames {
		margins[[2]int{p.pits, p.seeds}] = p.margin
	}
	for i, row := range winDrawLoss {
		for j, want := range row {
			pits, seeds := i+1, j+1
			if 2*pits*seeds > *solveSeeds {
				continue
			}
			t.Run(fmt.Sprintf("Kalah(%d,%d)", pits, seeds), func(t *testing.T) {
				g := kalah(t, "pressman", pits, seeds)
				got := solve(g, g.Start())
				if sign := "LDW"[1+max(-1, min(1, got))]; rune(sign) != want {
					t.Errorf("got %+d, want %c", got, want)
				}
				if margin, ok := margins[[2]int{pits, seeds}]; ok && got != margin {
					t.Errorf("got %+d, want %+d", got, margin)
				}
			})
		}
	}
}

// solve returns the margin by which South wins if both play best. It is minimax with
// alpha-beta and a table. The seeds in the stores do not change how play goes on, so
// the table holds bounds on the margin that is still to be won.
func solve(g *engine.Game, p engine.Position) int {
	type key struct {
		pits string
		seat engine.Seat
	}
	type bounds struct{ low, high int }
	known := map[key]bounds{}
	stores := int(g.Shape().Sides) * int(g.Shape().Pits)

	var best func(p engine.Position, alpha, beta int) int
	best = func(p engine.Position, alpha, beta int) int {
		won := p.Score(0) - p.Score(1)
		if p.Phase == engine.Over {
			return won
		}
		k := key{string(p.Slots[:stores]), p.Seat}
		b, ok := known[k]
		if !ok {
			left := sum(p) - p.Score(0) - p.Score(1)
			b = bounds{-left, left}
		}
		switch low, high := won+b.low, won+b.high; {
		case low >= beta || low == high:
			return low
		case high <= alpha:
			return high
		}
		low, high := alpha, beta
		value := -1000
		if p.Seat == 1 {
			value = 1000
		}
		legal := g.Legal(&p)
		for i := legal.Len() - 1; i >= 0 && low < high; i-- { // from the right: extra plies first
			q := p
			if err := g.Play(&q, nil, legal.At(i), nil); err != nil {
				panic(err)
			}
			if v := best(q, low, high); p.Seat == 0 {
				value = max(value, v)
				low = max(low, value)
			} else {
				value = min(value, v)
				high = min(high, value)
			}
		}
		if value < beta {
			b.high = min(b.high, value-won)
		}
		if value > alpha {
			b.low = max(b.low, value-won)
		}
		known[k] = b
		return value
	}
	return best(p, -1000, 1000)
}
