package arena_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mancala/lobby/tournament/arena"
	"mancala/lobby/tournament/crosstable"
)

func TestGamesCountDoubleAfterTwoWinsInARow(t *testing.T) {
	for _, tt := range []struct {
		outcomes string // W, D or L
		sheet    string
		points   int
		streak   int
	}{
		{"", "[]", 0, 0},
		{"WWD", "[2 2 2]", 6, 0},
		{"WWWW", "[2 2 4 4]", 12, 4},
		{"WWLWW", "[2 2 0 2 2]", 8, 2},
		{"WDWWW", "[2 1 2 2 4]", 11, 3},
		{"WWDWD", "[2 2 2 2 1]", 9, 0},
		{"DDLLW", "[1 1 0 0 2]", 4, 1},
	} {
		p := &arena.Player{Number: 1}
		for _, c := range tt.outcomes {
			o := map[rune]arena.Outcome{'W': arena.Win, 'D': arena.Draw, 'L': arena.Loss}[c]
			p.Games = append(p.Games, arena.Game{Opponent: 2, Outcome: o})
		}
		if got := fmt.Sprint(p.Sheet()); got != tt.sheet || p.Points() != tt.points || p.Streak() != tt.streak || p.Doubles() != (tt.streak > 1) {
			t.Errorf("%s: %s, %d points, streak %d", tt.outcomes, got, p.Points(), p.Streak())
		}
	}
}

func TestEqualPointsAreOrderedByPerformance(t *testing.T) {
	players := []*arena.Player{
		{Number: 1, Games: []arena.Game{{Opponent: 9, Rating: 1400, Outcome: arena.Win}}},
		{Number: 2, Games: []arena.Game{{Opponent: 9, Outcome: arena.Win}}}, // against 1500
		{Number: 3, Games: []arena.Game{{Opponent: 9, Rating: 1500, Outcome: arena.Draw}, {Opponent: 9, Rating: 1700, Outcome: arena.Draw}}},
		{Number: 4, Games: []arena.Game{{Opponent: 9, Rating: 2400, Outcome: arena.Loss}}},
		{Number: 5, Games: []arena.Game{{Opponent: 9, Rating: 1500, Outcome: arena.Win}}},
		{Number: 6},
	}
	var got []string
	for _, row := range arena.Standings(players) {
		got = append(got, fmt.Sprintf("%d:%d(%d)", row.Place, row.Number, row.Performance))
	}
	if s := fmt.Sprint(got); s != "[1:2(2000) 1:5(2000) 3:1(1900) 4:3(1600) 5:4(1900) 6:6(0)]" {
		t.Error(s)
	}
}

func TestFirstWavePairsNeighboursInRating(t *testing.T) {
	var free []*arena.Player
	for i, rating := range []int{1500, 2100, 1200, 1990, 1480, 1230, 1000} {
		free = append(free, &arena.Player{Number: i + 1, Rating: rating})
	}
	pairings, left := arena.Wave(free, len(free), nil)
	if s := fmt.Sprint(pairings, left); s != "[4-2 5-1 3-6] [7]" {
		t.Error(s)
	}
}

func TestRematchAtOnceIsTheLastResort(t *testing.T) {
	met := func(number, opponent, waited int) *arena.Player {
		return &arena.Player{Number: number, Games: []arena.Game{{Opponent: opponent}}, Waited: waited}
	}
	for _, tt := range []struct {
		what    string
		free    []*arena.Player
		present int
		want    string
	}{
		{"others are still playing", []*arena.Player{met(1, 2, 0), met(2, 1, 0)}, 4, "[]"},
		{"the two are alone", []*arena.Player{met(1, 2, 0), met(2, 1, 0)}, 2, "[1-2]"},
		{"one has waited", []*arena.Player{met(1, 2, arena.Patience), met(2, 1, 0)}, 4, "[]"},
		{"both have waited", []*arena.Player{met(1, 2, arena.Patience), met(2, 1, arena.Patience)}, 4, "[1-2]"},
		{"there are others", []*arena.Player{met(1, 2, 9), met(2, 1, 9), met(3, 4, 9), met(4, 3, 9)}, 4, "[3-1 4-2]"},
		{"a third one comes first", []*arena.Player{met(1, 2, 0), met(2, 1, 0), {Number: 3}}, 3, "[2-3]"},
	} {
		pairings, left := arena.Wave(tt.free, tt.present, nil)
		slices.SortFunc(pairings, func(a, b crosstable.Pairing) int { return min(a.First, a.Second) - min(b.First, b.Second) })
		if got := fmt.Sprint(pairings); got != tt.want || 2*len(pairings)+len(left) != len(tt.free) {
			t.Errorf("%s: %s, left %v, want %s", tt.what, got, left, tt.want)
		}
	}
}

func TestPlayersWithoutAMateAmongTheirNeighboursMeetOthers(t *testing.T) {
	var free []*arena.Player
	for i := range 64 {
		free = append(free, &arena.Player{Number: i + 1, Rating: 3000 - i})
	}
	club := func(number int) int { return (number + 11) / 32 } // two clubs of 20 and 21 players near each other
	apart := func(a, b int) bool { return club(a) == club(b) && (a+11)%32 > 10 && (b+11)%32 > 10 }
	if pairings, left := arena.Wave(free, 64, apart); len(left) > 0 {
		t.Errorf("%d pairings, %v are left", len(pairings), left)
	}
}

// event is a random arena that is played tick by tick.
type event struct {
	*rand.Rand
	players []*arena.Player
	ends    []int // the tick at which the game of a player ends, or -1
	mates   []int
	first   []bool
	pauses  []int // until this tick
	apart   func(a, b int) bool
}

func newEvent(run uint64, n int) *event {
	e := &event{Rand: rand.New(rand.NewPCG(run, 4)), mates: make([]int, n), first: make([]bool, n), pauses: make([]int, n)}
	for i := range n {
		e.players = append(e.players, &arena.Player{Number: i + 1, Rating: 800 + e.IntN(1400)})
		e.ends = append(e.ends, -1)
	}
	return e
}

// tick ends games, and returns the players who are free now and the number of those present.
func (e *event) tick(now, pauses int) (free []*arena.Player, present int) {
	for i, p := range e.players {
		if j := e.mates[i] - 1; e.ends[i] == now && i < j {
			outcome := arena.Outcome(e.IntN(3))
			e.end(i, j, outcome)
			e.end(j, i, arena.Win-outcome)
		}
		if e.ends[i] < 0 && e.pauses[i] <= now && e.IntN(1000) < pauses {
			e.pauses[i], p.Waited = now+1+e.IntN(20), 0
		}
	}
	for i, p := range e.players {
		if e.pauses[i] > now {
			continue
		}
		present++
		if e.ends[i] < 0 {
			free = append(free, p)
		}
	}
	return free, present
}

func (e *event) end(i, j int, o arena.Outcome) {
	p := e.players[i]
	p.Games = append(p.Games, arena.Game{Opponent: j + 1, Rating: e.players[j].Rating, First: e.first[i], Outcome: o})
	e.ends[i] = -1
}

// start begins the games of a wave.
func (e *event) start(now, longest int, pairings []crosstable.Pairing, left []int) {
	for _, p := range pairings {
		i, j := p.First-1, p.Second-1
		e.first[i], e.first[j] = true, false
		e.mates[i], e.mates[j] = j+1, i+1
		e.ends[i] = now + 1 + e.IntN(longest)
		e.ends[j] = e.ends[i]
		e.players[i].Waited, e.players[j].Waited = 0, 0
	}
	for _, number := range left {
		e.players[number-1].Waited++
	}
}

func TestWavesKeepTheirRules(t *testing.T) {
	for run := range uint64(2000) {
		r := rand.New(rand.NewPCG(run, 5))
		n := 2 + r.IntN(20)
		if run%100 == 0 {
			n = 30 + r.IntN(120)
		}
		e := newEvent(run, n)
		siblings := r.IntN(2) * r.IntN(n)
		e.apart = func(a, b int) bool {
			return siblings > 0 && (a == siblings && b == siblings+1 || b == siblings && a == siblings+1)
		}
		pauses, longest := r.IntN(2)*r.IntN(30), 1+r.IntN(8)
		for now := range 25 {
			free, present := e.tick(now, pauses)
			pairings, left := arena.Wave(free, present, e.apart)
			if wrong := e.breach(free, present, pairings, left); wrong != "" {
				t.Fatalf("run %d, wave %d: %s", run, now, wrong)
			}
			e.start(now, longest, pairings, left)
		}
	}
}

// breach returns a rule that a wave breaks, or "".
func (e *event) breach(free []*arena.Player, present int, pairings []crosstable.Pairing, left []int) string {
	seen := map[int]bool{}
	for _, number := range left {
		seen[number] = true
	}
	playing := map[int]bool{}
	again := func(a, b *arena.Player) bool { return last(a) == b.Number || last(b) == a.Number }
	patient := func(a, b *arena.Player) bool {
		return present <= 2 || min(a.Waited, b.Waited) >= arena.Patience
	}
	for _, p := range pairings {
		a, b := e.players[p.First-1], e.players[p.Second-1]
		if seen[p.First] || seen[p.Second] {
			return fmt.Sprintf("%v is there twice", p)
		}
		seen[p.First], seen[p.Second] = true, true
		playing[p.First], playing[p.Second] = true, true
		if e.apart(p.First, p.Second) || again(a, b) && !patient(a, b) {
			return fmt.Sprintf("%v meet", p)
		}
		if surplus(a) > surplus(b) {
			return fmt.Sprintf("%v: the first one has moved first more often", p)
		}
	}
	for _, p := range free {
		if !seen[p.Number] {
			return fmt.Sprintf("%d is forgotten", p.Number)
		}
	}
	if len(seen) != len(free) {
		return "somebody who is not free is paired"
	}
	for i, a := range left {
		for _, b := range left[i+1:] {
			if x, y := e.players[a-1], e.players[b-1]; !e.apart(a, b) && !again(x, y) {
				return fmt.Sprintf("%d and %d could meet", a, b)
			}
		}
		if x := e.players[a-1]; len(free) > 5 && len(left) == 1 {
			for _, p := range free {
				if p.Waited < x.Waited {
					return fmt.Sprintf("%d has waited %d times, and %d only %d times", a, x.Waited, p.Number, p.Waited)
				}
			}
		}
		if x := e.players[a-1]; len(free) > 5 && x.Waited > 1 {
			return fmt.Sprintf("%d has waited %d times", a, x.Waited)
		}
	}
	return ""
}

func last(p *arena.Player) int {
	if len(p.Games) == 0 {
		return 0
	}
	return p.Games[len(p.Games)-1].Opponent
}

func surplus(p *arena.Player) (n int) {
	for _, g := range p.Games {
		n--
		if g.First {
			n += 2
		}
	}
	return n
}

func TestArenasArePairedNearInScoreAndBalanced(t *testing.T) {
	for run := range uint64(10) {
		e := newEvent(run, 60+int(run)*16)
		apart, distance, possible, games := 0, 0.0, 0.0, 0
		for now := range 100 {
			free, present := e.tick(now, 5)
			pairings, left := arena.Wave(free, present, nil)
			for _, p := range pairings {
				games++
				distance += math.Abs(float64(e.players[p.First-1].Points() - e.players[p.Second-1].Points()))
				other := free[e.IntN(len(free))]
				possible += math.Abs(float64(e.players[p.First-1].Points() - other.Points()))
			}
			e.start(now, 5, pairings, left)
		}
		for _, p := range e.players {
			apart = max(apart, surplus(p), -surplus(p))
		}
		if apart > 2 || distance > possible/2 {
			t.Errorf("run %d: first moves differ by %d; points by %.1f on average, at random by %.1f", run, apart, distance/float64(games), possible/float64(games))
		}
	}
}

// BenchmarkWave pairs 1,000 players: all at once, and as they become free. The figure is for one
// wave.
func BenchmarkWave(b *testing.B) {
	for _, longest := range []int{1, 10} {
		b.Run(fmt.Sprintf("longest=%d", longest), func(b *testing.B) {
			e := newEvent(1, 1000)
			now := 0
			for ; now < 40; now++ {
				free, present := e.tick(now, 0)
				pairings, left := arena.Wave(free, present, nil)
				e.start(now, longest, pairings, left)
			}
			free, present := e.tick(now, 0)
			for b.Loop() {
				arena.Wave(free, present, nil)
			}
			b.ReportMetric(float64(len(free)), "players")
		})
	}
}
