package engine_test

import (
	"testing"

	"mancala/engine"
)

// TestGamesEndForTheReasonsOfTheRules has rows for each reason of RULES.md §7.8, in
// its order, and for the side that gets the seeds left (RULES.md §7.4).
func TestGamesEndForTheReasonsOfTheRules(t *testing.T) {
	for _, tt := range []struct {
		name, rules, from, moves, end, want string
	}{
		{"grand-slam: the opponent keeps the rest", "oware grand_slam=opponent-keeps", slam, "f", "grand-slam", "0,0,0,0,0,0/0,0,0,0,0,0 26/22 N over 0 51"},
		{"grand-slam comes before board-empty", "oware grand_slam=opponent-keeps", slamAll, "f", "grand-slam", "0,0,0,0,0,0/0,0,0,0,0,0 26/22 N over 0 51"},
		{"board-empty", "oware", slamAll, "f", "board-empty", "0,0,0,0,0,0/0,0,0,0,0,0 26/22 N over 0 51"},
		{"board-empty comes before side-empty", "kalah", "0,0,0,0,1,0/1,0,0,0,0,0 23/23 S play 0 60", "e", "board-empty", "0,0,0,0,0,0/0,0,0,0,0,0 25/23 N over 0 61"},
		{"lone-seed: to the owner of its side", "wise", "1,0,0,0,0,1/1,0,0,0,0,0 30/39 S play 0 50", "f", "lone-seed", "0,0,0,0,0,0/0,0,0,0,0,0 33/39 S over 0 51"},
		{"lone-seed: always its owner", "wise remaining=nobody", "0,0,0,0,0,1/1,0,0,0,0,1 30/39 S play 0 50", "f", "lone-seed", "0,0,0,0,0,0/0,0,0,0,0,0 32/40 S over 0 51"},
		{"majority", "kalah end=majority", "0,0,0,0,0,1/4,4,4,4,4,3 24/0 S play 0 50", "f", "majority", "0,0,0,0,0,0/0,0,0,0,0,0 25/23 S over 0 51"},
		{"majority is more than half", "kalah end=majority", "0,0,0,0,1,1/4,4,4,4,4,3 23/0 S play 0 50", "f", "", "0,0,0,0,1,0/4,4,4,4,4,3 24/0 S play 0 51"},
		{"majority comes before side-empty", "kalah end=side-empty,majority remaining=nobody", "0,0,0,0,0,1/4,4,4,4,4,3 24/0 S play 0 50", "f", "majority", "0,0,0,0,0,0/4,4,4,4,4,3 25/0 S over 0 51"},
		{"side-empty", "kalah", lastOut, "f", "side-empty", "0,0,0,0,0,0/0,0,0,0,0,0 21/27 S over 0 41"},
		{"side-empty: not yet", "kalah", "0,0,0,1,0,0/1,0,0,0,0,0 20/21 N play 0 40", "a", "", "0,0,0,1,0,0/0,1,0,0,0,0 20/21 S play 1 41"},
		{"side-empty by a capture", "kalah", "1,0,1,0,0,0/0,0,0,0,4,0 20/20 S play 0 40", "a", "side-empty", "0,0,0,0,0,0/0,0,0,0,0,0 26/20 N over 0 41"},
		{"side-empty: emptier by moving", "basic-first-out", lastOut, "f", "side-empty", "0,0,0,0,0,0/0,0,0,0,0,0 27/21 S over 0 41"},
		{"side-empty: emptied by a capture, each keeps its own", "basic-first-out", "1,0,1,0,0,0/0,0,0,0,4,0 20/20 S play 0 40", "a", "side-empty", "0,0,0,0,0,0/0,0,0,0,0,0 26/20 N over 0 41"},
		{"side-empty: split loses the odd seed", "kalah remaining=split", "0,0,0,0,0,1/2,0,3,0,2,0 20/21 S play 0 40", "f", "side-empty", "0,0,0,0,0,0/0,0,0,0,0,0 24/24 S over 0 41"},
		{"side-empty: nobody, and the seeds stay", "kalah remaining=nobody", lastOut, "f", "side-empty", "0,0,0,0,0,0/2,0,3,0,1,0 21/21 S over 0 41"},
		{"side-empty on any of four sides", "basic-four", "0,0,0,0,0,1/1,0,0,0,0,0/2,0,0,0,0,0/3,0,0,0,0,0 5/5/5/5 S play 0 60", "f", "side-empty", "0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0 6/6/7/8 S over 0 61"},
		{"split among four", "basic-four remaining=split", "0,0,0,0,0,1/1,1,1,0,0,0/2,0,0,0,0,0/3,3,3,0,0,0 5/5/5/5 S play 0 60", "f", "side-empty", "0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0 9/8/8/8 S over 0 61"},
		{"row-empty after a lap: the mover's row", "maruba end=row-empty remaining=rival", "0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,2/2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,0 10/10 S play 0 20", "p", "row-empty", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 10/48 N over 1 21"},
		{"row-empty after a lap, with captures that are sown", "hus end=row-empty", "0,9,0,0,0,0,0,0,0,0,0,0,0,0,0,2/2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0 0/0 S play 5 20", "p", "row-empty", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 0/35 N over 6 21"},
		{"row-empty after a capture: what was captured is the mover's", "hus end=row-empty", "1,0,0,0,0,0,0,0,2,0,1,0,0,0,0,0/0,0,3,0,0,0,0,4,0,0,0,0,0,5,0,0 0/0 S play 5 20", "i", "row-empty", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 16/0 N over 0 21"},
		{"row-empty: not yet", "hus end=row-empty", "0,9,0,0,0,0,0,0,0,0,0,0,0,0,1,2/2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0 0/0 S play 5 20", "p", "", "1,0,1,1,1,1,1,1,1,1,1,1,0,0,1,0/2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0 0/0 N play 6 21"},
		{"side-at-most, the mover's", "giuthi", "2,0,0,0,0,3/2,2,2,2,0,0 30/29 S play 0 50", "f>", "side-at-most", "0,0,0,0,0,0/0,0,0,0,0,0 41/31 N over 0 51"},
		{"side-at-most, with nothing left to own", "giuthi end_at_most=0", "0,0,0,0,0,2/2,0,2,2,0,0 30/30 S play 0 50", "f>", "side-at-most", "0,0,0,0,0,0/0,0,0,0,0,0 30/38 N over 1 51"},
		{"repetition", "oware repetition=2", "1,0,0,0,0,0/1,0,0,0,0,0 23/23 S play 0 0", "a a b b c c d d e e f f", "repetition", "0,0,0,0,0,0/0,0,0,0,0,0 24/24 S over 12 12"},
		{"no-progress", "oware no_progress=3", "1,0,0,0,0,0/1,0,0,0,0,0 23/23 S play 0 0", "a a b", "no-progress", "0,0,0,0,0,0/0,0,0,0,0,0 24/24 N over 3 3"},
		{"no-progress: cycle_remaining, not remaining", "oware no_progress=3 cycle_remaining=nobody", "1,0,0,0,0,0/1,0,0,0,0,0 23/23 S play 0 0", "a a b", "no-progress", "0,0,1,0,0,0/0,1,0,0,0,0 23/23 N over 3 3"},
		{"repetition comes before no-progress", "oware repetition=2 no_progress=12", "1,0,0,0,0,0/1,0,0,0,0,0 23/23 S play 0 0", "a a b b c c d d e e f f", "repetition", "0,0,0,0,0,0/0,0,0,0,0,0 24/24 S over 12 12"},
		{"stuck", "oware-abapa", slamAll, "f", "stuck", "0,0,0,0,0,0/0,0,0,0,0,0 20/28 N over 1 51"},
		{"stuck: no seeds of two", "giuthi stuck=end end_at_most=-1", "2,0,0,0,0,0/1,0,1,0,0,1 30/30 S play 0 50", "a>", "stuck", "0,0,0,0,0,0/0,0,0,0,0,0 32/33 N over 1 51"},
		{"all-stuck", "oware", slam, "f", "all-stuck", "0,0,0,0,0,0/0,0,0,0,0,0 28/20 N over 0 51"},
		{"all-stuck with singles on both sides", "giuthi end_at_most=-1", "2,0,0,0,0,0/1,0,1,0,0,1 30/30 S play 0 50", "a>", "all-stuck", "0,0,0,0,0,0/0,0,0,0,0,0 32/33 N over 1 51"},
		{"7.10 a won majority does not end a game", "kalah", "0,0,0,0,1,1/1,0,0,0,0,0 40/0 S play 0 50", "f", "", "0,0,0,0,1,0/1,0,0,0,0,0 41/0 S play 0 51"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := game(t, tt.rules)
			p := position(t, g, tt.from)
			play(t, g, &p, &engine.History{}, tt.moves)
			if string(p.End) != tt.end || p.String() != tt.want {
				t.Errorf("got  %s %v\nwant %s %s", p.End, p, tt.end, tt.want)
			}
		})
	}
}

// TestReadingAFinishedPositionAppliesTheEndRules reads positions that are over
// (RULES.md §2). They have no mover, so with remaining emptier each side keeps its
// own seeds.
func TestReadingAFinishedPositionAppliesTheEndRules(t *testing.T) {
	for _, tt := range []struct{ rules, from, end, result string }{
		{"kalah", "0,0,0,0,0,0/0,0,0,0,0,0 24/24 S play 0 60", "board-empty", "24-24"},
		{"kalah", "0,0,0,0,0,0/2,0,3,0,1,0 21/21 S play 0 41", "side-empty", "21-27"},
		{"basic-first-out", "0,0,0,0,0,0/2,0,3,0,1,0 21/21 S play 0 41", "side-empty", "21-27"},
		{"wise", "0,0,0,0,0,0/0,0,0,0,0,1 30/41 S play 1 51", "lone-seed", "30-42"},
		{"oware", "1,0,0,0,0,0/1,0,0,0,0,0 23/23 S play 100 200", "no-progress", "24-24"},
		{"oware-abapa", "0,0,0,0,0,0/1,0,0,0,0,0 23/24 S play 0 200", "stuck", "23-25"},
		{"oware", "0,0,0,0,0,0/1,0,0,0,0,0 23/24 N play 0 200", "all-stuck", "23-25"},
	} {
		p := position(t, game(t, tt.rules), tt.from)
		if string(p.End) != tt.end || p.ResultText() != tt.result || p.Phase != engine.Over {
			t.Errorf("%s %s: got %s %v, want %s %s", tt.rules, tt.from, p.End, p, tt.end, tt.result)
		}
	}
}

// TestRepetitionCountsOccurrencesOfAPosition checks RULES.md §7.6. Each side has a
// single seed that walks round the board; after 12 plies the position is the same
// again.
func TestRepetitionCountsOccurrencesOfAPosition(t *testing.T) {
	const round = " a a b b c c d d e e f f"
	from := "1,0,0,0,0,0/1,0,0,0,0,0 23/23 S play 0 0"

	t.Run("the position read is the first occurrence", func(t *testing.T) {
		g := game(t, "oware")
		p, h := position(t, g, from), &engine.History{}
		play(t, g, &p, h, round)
		if p.Phase != engine.Play {
			t.Fatalf("two occurrences: got %v", p)
		}
		play(t, g, &p, h, round)
		if p.End != engine.EndRepetition {
			t.Errorf("three occurrences: got %v", p)
		}
	})
	t.Run("the seat to move is part of a position", func(t *testing.T) {
		g := game(t, "oware repetition=2")
		p, h := position(t, g, "1,0,0,0,0,0/1,0,0,0,0,0 23/23 S play 0 0"), &engine.History{}
		play(t, g, &p, h, " a a b b c c")
		if p.Phase != engine.Play { // the board is turned half round: South's seed lies where North's was
			t.Errorf("got %v", p)
		}
	})
	t.Run("winning a seed clears the count", func(t *testing.T) {
		g := game(t, "wise repetition=2 capture=count counts=2 count_opposite=false")
		p, h := position(t, g, "1,0,0,0,0,1/0,0,0,0,0,0 20/20 S play 0 0"), &engine.History{}
		if n := h.Len(); n != 0 {
			t.Fatalf("a new history holds %d positions", n)
		}
		play(t, g, &p, h, "f")
		if h.Len() != 2 {
			t.Errorf("after a ply it holds %d positions, want 2", h.Len())
		}
	})
	t.Run("without a history none is found", func(t *testing.T) {
		g := game(t, "oware repetition=2")
		p := position(t, g, from)
		play(t, g, &p, nil, round)
		if p.Phase != engine.Play {
			t.Errorf("got %v", p)
		}
	})
	t.Run("a history taken back, copied and trimmed goes on as before", func(t *testing.T) {
		g := game(t, "oware repetition=2")
		p, h := position(t, g, from), &engine.History{}
		play(t, g, &p, h, " a a b b c c d d")
		was, n := p, h.Len()
		play(t, g, &p, h, "e")
		p = was
		h.Truncate(n)
		c := h.Clone()
		c.Trim(&p)
		for _, h := range []*engine.History{h, &c} {
			p := was
			play(t, g, &p, h, " e e f f")
			if p.End != engine.EndRepetition {
				t.Errorf("got %v", p)
			}
		}
	})
	t.Run("own store, ccw: nothing can repeat, nothing is kept", func(t *testing.T) {
		g := game(t, "kalah")
		p, h := g.Start(), &engine.History{}
		play(t, g, &p, h, "c a b")
		if h.Len() != 0 {
			t.Errorf("the history holds %d positions", h.Len())
		}
	})
}

// TestClockCountsPliesSinceTheLastSeedWon checks RULES.md §2 and RULES.md §7.7.
func TestClockCountsPliesSinceTheLastSeedWon(t *testing.T) {
	for _, tt := range []struct{ name, rules, from, moves, want string }{
		{"a seed sown into the store is won", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 5 9", "d", "4,4,4,0,5,5/5,4,4,4,4,4 1/0 N play 0 10"},
		{"none won", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 5 9", "a", "0,5,5,5,5,4/4,4,4,4,4,4 0/0 N play 6 10"},
		{"a pass counts", "oware", "0,0,0,0,0,0/0,0,0,0,5,0 23/18 S play 5 52", "-", "0,0,0,0,0,0/0,0,0,0,5,0 23/18 N play 6 53"},
		{"a gift counts", "wise", starved, "+b", "1,0,0,0,0,0/1,1,0,3,0,1 30/35 S play 3 31"},
		{"set-up and swap do not", "wise", "", "=0.9.10.8.9.0/0.10.9.9.8.0 swap", "0,10,9,9,8,0/0,9,10,8,9,0 0/0 S play 0 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := game(t, tt.rules)
			p := position(t, g, tt.from)
			play(t, g, &p, nil, tt.moves)
			if p.String() != tt.want {
				t.Errorf("got  %v\nwant %s", p, tt.want)
			}
		})
	}
}

// TestLeadersAreTheSidesWithTheHighestScore checks RULES.md §7.9.
func TestLeadersAreTheSidesWithTheHighestScore(t *testing.T) {
	for _, tt := range []struct {
		rules, from string
		want        []int
	}{
		{"kalah", "0,0,0,0,0,0/0,0,0,0,0,0 25/23 S over 0 60", []int{0}},
		{"kalah", "0,0,0,0,0,0/0,0,0,0,0,0 24/24 S over 0 60", []int{0, 1}},
		{"basic-four", "0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0 9/20/9/20 S over 0 60", []int{1, 3}},
	} {
		p := position(t, game(t, tt.rules), tt.from)
		got := p.Leaders()
		if len(got) != len(tt.want) || got[0] != tt.want[0] || got[len(got)-1] != tt.want[len(got)-1] {
			t.Errorf("%s: got %v, want %v", tt.from, got, tt.want)
		}
	}
}

// TestPlayerWhoLeftAGameOfFourOnlyPasses checks RULES.md §7.9 with four sides: the
// pits of a player who left are played no more, the player passes, and the others go
// on.
func TestPlayerWhoLeftAGameOfFourOnlyPasses(t *testing.T) {
	g := game(t, "basic-four")
	p := g.Start()
	p.Out = 1 << 1 // East
	play(t, g, &p, nil, "a")
	if got := moveTexts(g.LegalMoves(&p, nil)); got != "-" {
		t.Fatalf("East has left and may play %s", got)
	}
	if refused := refusal(t, g, p, "a"); refused.Reason != engine.MustPass {
		t.Errorf("got %v", refused)
	}
	play(t, g, &p, nil, "- a")
	if want := "0,5,5,5,5,4/4,4,4,4,4,4/0,5,5,5,5,4/4,4,4,4,4,4 0/0/0/0 W play 3 3"; p.String() != want {
		t.Errorf("got  %v\nwant %s", p, want)
	}
}

// TestTurnedBoardHasTheSamePlayersOut turns a game of four that East and West have left.
func TestTurnedBoardHasTheSamePlayersOut(t *testing.T) {
	g := game(t, "basic-four")
	p := g.StartWith(2) // North
	p.Out = 1<<1 | 1<<3
	for side, want := range []uint8{1<<1 | 1<<3, 1<<0 | 1<<2, 1<<1 | 1<<3, 1<<0 | 1<<2} {
		turned := p.Turned(side)
		if got, legal := turned.Out, g.Legal(&turned).Len(); got != want || legal != g.Legal(&p).Len() {
			t.Errorf("turned to side %d: the seats %04b are out, want %04b, and there are %d moves", side, got, want, legal)
		}
	}
}

// With stuck end, a seat without a move ends the game. A seat that has left does not.
func TestPlayerWhoLeftDoesNotEndTheGameByBeingStuck(t *testing.T) {
	g := game(t, "basic-four end=none")
	from := "1,1,0,0,0,0/0,0,0,0,0,0/1,0,0,0,0,0/1,0,0,0,0,0 9/9/9/9 S play 0 60"
	p := position(t, g, from)
	play(t, g, &p, nil, "a")
	if p.End != engine.EndStuck {
		t.Errorf("East has no move: got %v", p)
	}
	p = position(t, g, from)
	p.Out = 1 << 1
	play(t, g, &p, nil, "a -")
	if p.Phase != engine.Play || p.Shape.SeatName(p.Seat) != "N" {
		t.Errorf("East has left and passes: got %v", p)
	}
}

// TestResigningARoundGivesEverySeedToTheOpponent checks the end of RULES.md §7.9:
// every seed on the board goes to the opponent, and before play the whole total.
func TestResigningARoundGivesEverySeedToTheOpponent(t *testing.T) {
	g := game(t, "wise")
	for _, tt := range []struct {
		from  string
		loser engine.Seat
		want  string
	}{
		{rule9, 1, "66-6"},
		{rule9, 0, "0-72"},
		{"", 0, "0-72"},
		{"0,9,10,8,9,0/0,10,9,9,8,0 0/0 N swap 0 1", 1, "72-0"},
	} {
		p := position(t, g, tt.from)
		before := p.Scores()
		g.ResignRound(&p, tt.loser)
		want := []int{before[0], before[1]}
		want[1-tt.loser] = 72 - before[tt.loser]
		if p.Score(0) != want[0] || p.Score(1) != want[1] || p.Phase != engine.Over {
			t.Errorf("%s, seat %d resigns: got %v, want %v", tt.from, tt.loser, p, want)
		}
	}
}
