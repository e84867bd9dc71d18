package swiss

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"mancala/lobby/tournament/crosstable"
)

// TestPairingsAreThoseOfBruteForce compares Pair with a search through all candidates of
// each bracket, by the criteria one after the other.
func TestPairingsAreThoseOfBruteForce(t *testing.T) {
	tournaments := uint64(600)
	if os.Getenv("MANCALA_TEST_LONG") != "" {
		tournaments = 20000
	}
	for run := range tournaments {
		eachRound(t, run, 3+int(run%7), func(e *crosstable.Event, round int) {
			got, err := Pair(e, round)
			want, wantErr := newBrute(e, round).pair()
			if !errors.Is(err, wantErr) || !slices.Equal(sorted(got), sorted(want)) {
				t.Fatalf("run %d, round %d: %v, %v; want %v, %v", run, round, got, err, want, wantErr)
			}
		})
	}
}

// TestIdealCandidateIsTheOneThatWeighingFinds looks at every bracket of larger tournaments.
func TestIdealCandidateIsTheOneThatWeighingFinds(t *testing.T) {
	ideal, brackets := 0, 0
	for run := range uint64(80) {
		eachRound(t, run, 10+int(run%50), func(e *crosstable.Event, round int) {
			d := newDraw(e, round)
			if d.chooseBye() != nil {
				return
			}
			for b := d.nextBracket(); b != nil; b = d.nextBracket() {
				brackets++
				quick := b.ideal()
				weighed := b.weighed()
				if quick != nil {
					ideal++
					for place := range b.inside {
						if q, w := quick[place], weighed[place]; q != w && (q >= 0 || w >= 0 && w < b.inside) {
							t.Fatalf("run %d, round %d: number %d has the mate %d, weighing finds %d", run, round, b.at(place).number, q, w)
						}
					}
				}
				b.settle(weighed)
			}
		})
	}
	if 2*ideal < brackets {
		t.Errorf("only %d of %d brackets have an ideal candidate", ideal, brackets)
	}
}

// eachRound plays a random tournament of up to seven rounds, and calls look before each.
func eachRound(t *testing.T, run uint64, players int, look func(e *crosstable.Event, round int)) {
	t.Helper()
	r := rand.New(rand.NewPCG(run, 7))
	e := &crosstable.Event{Rounds: 2 + r.IntN(6), Points: crosstable.Usual, OddFirst: true}
	for n := range players {
		e.Players = append(e.Players, crosstable.Player{Number: n + 1})
	}
	if run%3 == 0 { // some are kept apart
		e.Forbidden = []crosstable.Forbidden{{Players: []int{1, players/2 + 1, players}, From: 1}, {Players: []int{2, 3}, From: 2, To: 3}}
	}
	for round := 1; round <= e.Rounds; round++ {
		for i := range e.Players {
			if r.IntN(9) == 0 {
				code := []crosstable.Code{crosstable.Absent, crosstable.HalfBye, crosstable.FullBye}[r.IntN(3)]
				e.Players[i].Results = append(e.Players[i].Results, crosstable.Result{Code: code})
			}
		}
		look(e, round)
		pairings, err := Pair(e, round)
		if err != nil || len(pairings) == 0 {
			return
		}
		for _, p := range pairings {
			addResult(e, p, r.IntN(7))
		}
	}
}

// addResult adds one of seven results to both players of a pairing.
func addResult(e *crosstable.Event, p Pairing, n int) {
	a := e.Player(p.First)
	if p.Second == 0 {
		a.Results = append(a.Results, crosstable.Result{Code: crosstable.PairingBye})
		return
	}
	b := e.Player(p.Second)
	codes := []string{"10", "10", "01", "01", "==", "+-", "--"}[n]
	a.Results = append(a.Results, crosstable.Result{Opponent: p.Second, First: true, Code: crosstable.Code(codes[0])})
	b.Results = append(b.Results, crosstable.Result{Opponent: p.First, Code: crosstable.Code(codes[1])})
}

func sorted(list []Pairing) []Pairing {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Pairing) int { return cmp.Compare(a.First, b.First) })
	return list
}

// brute pairs a round by trying everything.
type brute struct{ *draw }

func newBrute(e *crosstable.Event, round int) brute { return brute{newDraw(e, round)} }

// pairs is a set of pairs by index, the smaller index first.
type pairs [][2]int

// each calls f with every set of pairs of the players in from, as far as they may be paired by
// ok. The others of from stay without a mate.
func each(from []int, ok func(i, j int) bool, f func(made pairs, alone []int)) {
	var try func(made pairs, alone, left []int)
	try = func(made pairs, alone, left []int) {
		if len(left) == 0 {
			f(slices.Clone(made), slices.Clone(alone))
			return
		}
		i, rest := left[0], left[1:]
		for k, j := range rest {
			if ok(i, j) {
				without := slices.Concat(rest[:k], rest[k+1:])
				try(append(slices.Clone(made), [2]int{i, j}), alone, without)
			}
		}
		try(made, append(slices.Clone(alone), i), rest)
	}
	try(nil, nil, from)
}

// complete reports whether players can all be paired, but for one with the bye.
func (b brute) complete(players []int) bool {
	if len(players) == 0 {
		return true
	}
	i, rest := players[0], players[1:]
	if e := &b.entrants[i]; len(players)%2 == 1 && e.mayHaveBye && e.score <= b.byeScore && b.complete(rest) {
		return true
	}
	for k, j := range rest {
		if b.mayMeet(i, j) && b.complete(slices.Concat(rest[:k], rest[k+1:])) {
			return true
		}
	}
	return false
}

func (b brute) pair() ([]Pairing, error) {
	all := b.all()
	possible := false
	for _, score := range b.scores(all, false) {
		if b.byeScore = score; b.complete(all) {
			possible = true
			break
		}
	}
	if !possible && len(all) > 0 {
		return nil, ErrNoPairing
	}
	var moved []int
	for next := 0; next < len(all); {
		from := next
		for next < len(all) && b.entrants[next].score == b.entrants[from].score {
			next++
		}
		moved = b.bracket(moved, all[from:next], all[next:])
	}
	for _, i := range moved {
		b.without = i
	}
	return b.pairings(), nil
}

// scores returns the scores of players, one for each.
func (b brute) scores(players []int, descending bool) []crosstable.Tenths {
	var list []crosstable.Tenths
	for _, i := range players {
		list = append(list, b.entrants[i].score)
	}
	slices.Sort(list)
	if descending {
		slices.Reverse(list)
	}
	return list
}

// bracket settles the best candidate of a bracket and returns who floats.
func (b brute) bracket(moved, residents, below []int) []int {
	in := slices.Concat(moved, residents)
	ok := func(i, j int) bool {
		return b.mayMeet(i, j) && !(slices.Contains(moved, i) && slices.Contains(moved, j))
	}
	fewest := len(in)
	var candidates []candidate
	each(in, ok, func(made pairs, alone []int) {
		if len(alone) > fewest || !b.complete(slices.Concat(alone, below)) {
			return
		}
		fewest = min(fewest, len(alone))
		candidates = append(candidates, candidate{made: made, alone: alone})
	})
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return len(c.alone) > fewest })
	var best *candidate
	for k := range candidates {
		c := &candidates[k]
		b.judge(c, moved, residents, below)
		if best == nil || slices.Compare(c.key, best.key) < 0 {
			best = c
		}
	}
	for _, p := range best.made {
		b.mates[p[0]], b.mates[p[1]] = p[1], p[0]
	}
	return best.alone
}

// candidate is one way to pair a bracket. The one with the least key is the best.
type candidate struct {
	made  pairs
	alone []int
	key   []int
}

// judge fills in the key of c: the criteria in their order, then the place of c in the
// sequence of candidates.
func (b brute) judge(c *candidate, moved, residents, below []int) {
	add := func(values ...int) { c.key = append(c.key, values...) }
	count := func(cost func(x, y *entrant) bool) {
		n := 0
		for _, p := range c.made {
			if cost(&b.entrants[p[0]], &b.entrants[p[1]]) {
				n++
			}
		}
		add(n)
	}
	for _, s := range b.scores(c.alone, true) { // C7
		add(int(s))
	}
	add(b.below(c.alone, below)...) // C8
	resident := b.entrants[residents[0]].score
	if b.odd && b.byeScore >= resident && len(c.alone) == 1 { // C9
		add(b.round - 1 - b.entrants[c.alone[0]].games)
	}
	count(func(x, y *entrant) bool { return clash(x, y) && min(x.surplus, y.surplus) > 1 })         // C10
	count(thirdInARow)                                                                              // C11
	count(clash)                                                                                    // C12
	count(func(x, y *entrant) bool { return clash(x, y) && min(x.strength, y.strength) == strong }) // C13
	for back := range min(2, b.round-1) {                                                           // C14 to C17
		n := 0
		for _, i := range c.alone {
			if slices.Contains(residents, i) && b.entrants[i].drifts[back] == down {
				n++
			}
		}
		add(n)
		count(func(x, y *entrant) bool { return x.score > y.score && y.drifts[back] == up })
	}
	for back := range min(2, b.round-1) { // C18 to C21: scores of those who float again, descending
		var again, opponents []int
		for _, i := range c.alone {
			if b.entrants[i].drifts[back] == down {
				again = append(again, int(b.entrants[i].score))
			}
		}
		for _, p := range c.made {
			if x, y := &b.entrants[p[0]], &b.entrants[p[1]]; x.score > y.score && y.drifts[back] == up {
				opponents = append(opponents, int(x.score))
			}
		}
		for _, list := range [][]int{again, opponents} {
			slices.Sort(list)
			slices.Reverse(list)
			add(append(list, make([]int, len(moved)+len(residents)-len(list))...)...)
		}
	}
	add(b.sequence(c, moved, residents)...)
}

// below returns how many of the next bracket float at least, and their scores, if these
// players are moved into it.
func (b brute) below(moved, below []int) []int {
	var next, rest []int
	for _, i := range below {
		if b.entrants[i].score == b.entrants[below[0]].score {
			next = append(next, i)
		} else {
			rest = append(rest, i)
		}
	}
	var best []int
	ok := func(i, j int) bool {
		return b.mayMeet(i, j) && !(slices.Contains(moved, i) && slices.Contains(moved, j))
	}
	each(slices.Concat(moved, next), ok, func(_ pairs, alone []int) {
		if best != nil && len(alone) > best[0] || !b.complete(slices.Concat(alone, rest)) {
			return
		}
		key := []int{len(alone)}
		for _, s := range b.scores(alone, true) {
			key = append(key, int(s))
		}
		if best == nil || slices.Compare(key, best) < 0 {
			best = key
		}
	})
	return append(best, make([]int, len(moved)+len(below)+1-len(best))...)
}

// sequence returns what orders candidates that are equal by all criteria (articles 3.6, 3.7
// and 4): who of those moved down is paired, with whom, who is exchanged, who meets whom.
func (b brute) sequence(c *candidate, moved, residents []int) (key []int) {
	mate := map[int]int{}
	for _, p := range c.made {
		mate[p[0]], mate[p[1]] = p[1], p[0]
	}
	var opponents []int
	taken := map[int]bool{}
	for _, i := range moved {
		if j, paired := mate[i]; paired {
			key = append(key, i)
			opponents = append(opponents, j)
			taken[j] = true
		}
	}
	key = append(key, opponents...)
	var remainder, upper []int
	rank := map[int]int{}
	for _, i := range residents {
		if !taken[i] {
			rank[i] = len(remainder)
			remainder = append(remainder, i)
			if j, paired := mate[i]; paired && i < j {
				upper = append(upper, i)
			}
		}
	}
	var goesDown, goesUp []int // ranks that are exchanged
	sum := 0
	for r, i := range remainder {
		switch isUpper := slices.Contains(upper, i); {
		case r < len(upper) && !isUpper:
			goesDown = append(goesDown, -r)
			sum -= r
		case r >= len(upper) && isUpper:
			goesUp = append(goesUp, r)
			sum += r
		}
	}
	slices.Sort(goesDown) // the lowest player first
	key = append(key, len(goesUp), sum)
	key = append(key, goesDown...)
	key = append(key, goesUp...)
	for _, i := range upper {
		key = append(key, mate[i])
	}
	return key
}
