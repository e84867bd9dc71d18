package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"mancala/engine"
)

// A Mover chooses moves: a [Player], a [Plain], a [Fixed].
type Mover interface {
	Move(ctx context.Context, p engine.Position, h *engine.History, number uint64) (engine.Move, Answer)
}

// Fixed plays at full strength within limits.
type Fixed struct {
	Searcher *Searcher
	Limits   Limits
}

// Move is the best move found within the limits.
func (f Fixed) Move(ctx context.Context, p engine.Position, h *engine.History, _ uint64) (engine.Move, Answer) {
	a := f.Searcher.Search(ctx, p, h, f.Limits)
	return a.Line[0], a
}

// A Duel is two movers against each other, from random openings, each from both
// sides. With partners a mover plays both; with four sides it plays two
// (see half), each for itself, and has won if one of them has.
type Duel struct {
	Game     *engine.Game
	Movers   [2]Mover
	Openings int
	Random   int     // plies played at random in each
	Within   float64 // openings are dealt again that look worth more than so many seeds to a side; 0: any will do
	Number   uint64  // the same number gives the same openings

	// Equal is 1 or 2 if that mover, a Fixed, has as much time as the other takes, all in
	// all; else 0.
	Equal int
}

// Tally is the result of a duel, seen from the first mover.
type Tally struct {
	Won, Drawn, Lost int
	squares          float64 // of the scores from one opening, added up
	Nodes            [2]uint64
	Time             [2]time.Duration
	Moves            [2]int
}

// longest is how many plies a game may take before it counts as drawn.
const longest = 1000

// Run plays the duel. After each opening it shows the tally so far.
func (d Duel) Run(ctx context.Context, show func(Tally)) (Tally, error) {
	runtime.LockOSThread() // for threadTime
	defer runtime.UnlockOSThread()
	var t Tally
	random, judge := rand.New(rand.NewPCG(d.Number, 0)), New(d.Game, 1<<20)
	for i := range d.Openings {
		p, h := d.opening(ctx, judge, random)
		number, whole := random.Uint64(), t
		var pair [2]outcome
		for first := range pair {
			var err error
			if pair[first], err = d.play(ctx, p, h.Clone(), first, number+uint64(first), &t); err != nil {
				return whole, fmt.Errorf("opening %d: %w", i+1, err) // half a pair says nothing
			}
		}
		if d.Game.Rules().Match == engine.MatchDifference {
			pair = rounds(pair)
		}
		t.add(pair)
		show(t)
	}
	return t, nil
}

// opening is a random one that is balanced, as far as a brief search sees. An opening
// that decides the game shows nothing: each mover wins from one side.
func (d Duel) opening(ctx context.Context, judge *Searcher, random *rand.Rand) (engine.Position, engine.History) {
	for tries := 0; ; tries++ {
		p, h := d.randomOpening(random)
		if d.Within == 0 || d.Game.Shape().Sides != 2 || p.Phase == engine.Setup || tries == 50 {
			return p, h
		}
		judge.Forget()
		if a := judge.Search(ctx, p, &h, Limits{Nodes: judged}); math.Abs(a.Value) <= d.Within {
			return p, h
		}
	}
}

// judged is how many positions are looked at to see whether an opening is balanced.
const judged = 20_000

// randomOpening plays at random, and again if the game ends by that.
func (d Duel) randomOpening(random *rand.Rand) (engine.Position, engine.History) {
	for {
		p, h := d.Game.Start(), engine.History{}
		if d.Game.Rules().Start == engine.StartRightmost && p.Phase == engine.Setup {
			return p, h // the lay-out is all there is to choose
		}
		for range d.Random {
			if p.Phase == engine.Over {
				break
			}
			m := engine.Move{}
			if p.Phase == engine.Setup {
				m = d.Game.RandomLayOut(random)
			} else {
				legal := d.Game.Legal(&p)
				m = legal.At(random.IntN(legal.Len()))
			}
			if err := d.Game.Play(&p, &h, m, nil); err != nil {
				panic(err) // Legal and Play disagree: a bug that engine's tests look for
			}
		}
		if p.Phase != engine.Over {
			return p, h
		}
	}
}

// half is which mover has a side: of four, S and E against N and W, so that those who
// face and capture each other are not the same mover's.
func (d Duel) half(side int) int {
	if d.Game.Shape().Sides == 4 {
		return side / 2
	}
	return side
}

// outcome is how a game ended for the first mover: its points, and how many seeds it has won
// more than the other (of four sides: which says nothing).
type outcome struct {
	points float64
	seeds  int
}

// rounds is the outcome of two games as two rounds of a match by difference: they are won
// by who has won more seeds in both. Each alone is mostly won by who laid out.
func rounds(pair [2]outcome) [2]outcome {
	seeds := pair[0].seeds + pair[1].seeds
	points := float64(1+cmp.Compare(seeds, 0)) / 2
	return [2]outcome{{points, seeds}, {points, seeds}}
}

// play plays a game in which the first mover has one half of the sides, or the other
// (parity 1).
func (d Duel) play(ctx context.Context, p engine.Position, h engine.History, parity int, number uint64, t *Tally) (outcome, error) {
	for plies := 0; p.Phase != engine.Over && plies < longest; plies++ {
		who := (d.half(d.Game.Side(p.Seat)) + parity) % 2
		mover := d.Movers[who]
		if f, ok := mover.(Fixed); ok {
			f.Searcher.clock = threadTime
			if d.Equal == who+1 {
				f.Limits.Time = t.equal(who, d.left(&p))
			}
			mover = f
		}
		began := threadTime()
		m, a := mover.Move(ctx, p, &h, number)
		t.Time[who] += threadTime() - began
		t.Nodes[who] += a.Nodes
		t.Moves[who]++
		if ctx.Err() != nil {
			return outcome{}, ctx.Err()
		}
		if err := d.Game.Play(&p, &h, m, nil); err != nil {
			return outcome{}, err
		}
	}
	mine, others := false, false // whether a side with the most seeds is the first mover's
	for _, side := range p.Leaders() {
		mine = mine || (d.half(side)+parity)%2 == 0
		others = others || (d.half(side)+parity)%2 == 1
	}
	end := outcome{seeds: p.Score(parity) - p.Score(1-parity)}
	switch {
	case p.Phase != engine.Over || mine && others:
		end.points = 0.5
	case mine:
		end.points = 1
	}
	return end, nil
}

// add counts the games from one opening.
func (t *Tally) add(pair [2]outcome) {
	sum := 0.0
	for _, o := range pair {
		switch sum += o.points; o.points {
		case 1:
			t.Won++
		case 0.5:
			t.Drawn++
		default:
			t.Lost++
		}
	}
	t.squares += sum * sum / 4
}

// left is the part of the seeds that nobody has won.
func (d Duel) left(p *engine.Position) float64 {
	won, all := 0, d.Game.Rules().Total
	for side := range p.Scores() {
		won += p.Score(side)
	}
	for _, n := range p.Slots {
		all += int(n)
	}
	return 1 - float64(won)/max(1, float64(all))
}

// equal is the time for the next move of a mover that has as much as the other takes: more
// than for a move on average while there are many seeds on the board, of which left is
// the part, and more while earlier moves have taken less.
func (t *Tally) equal(who int, left float64) time.Duration {
	moves := time.Duration(t.Moves[1-who])
	if moves == 0 {
		return firstTime
	}
	average := t.Time[1-who] / moves
	saved := average*time.Duration(t.Moves[who]) - t.Time[who]
	return min(max(time.Duration(2*left*float64(average))+saved/8, average/8), 4*average)
}

// firstTime is for the first move of a duel, when the other has not moved yet.
const firstTime = time.Millisecond

// Score is the first mover's points, and how many games there were.
func (t Tally) Score() (points float64, games int) {
	return float64(t.Won) + float64(t.Drawn)/2, t.Won + t.Drawn + t.Lost
}

// Interval is half the width of the 95 % confidence interval of points per game. The
// two games from one opening are counted as one, since they are not independent.
func (t Tally) Interval() float64 {
	points, games := t.Score()
	n, mean := float64(games)/2, points/float64(games)
	if n < 2 {
		return 1
	}
	return 1.96 * math.Sqrt(max(0, t.squares/n-mean*mean)/(n-1))
}
