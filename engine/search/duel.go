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

// Move returns the best move found within the limits.
func (f Fixed) Move(ctx context.Context, p engine.Position, h *engine.History, _ uint64) (engine.Move, Answer) {
	a := f.Searcher.Search(ctx, p, h, f.Limits)
	return a.Line[0], a
}

// A Duel is a series of games between two movers, from random openings, each opening
// played from both sides. With partners a mover plays both seats of its side. With
// four sides a mover plays two sides (see moverOf), each for itself; the mover wins
// if one of its sides wins.
type Duel struct {
	Game     *engine.Game
	Movers   [2]Mover
	Openings int
	Random   int     // random plies in each opening
	Within   float64 // an opening that looks worth more than this number of seeds to a side is drawn again; 0: never
	Number   uint64  // the same number gives the same openings

	// Sequential ends the duel as soon as [Tally.Verdict] is clear.
	Sequential bool

	// Drawn has the openings, if several duels of different movers share them. Otherwise it is nil.
	Drawn *Openings

	// Equal is 1 or 2 if that mover, which must be a Fixed, gets as much time in all
	// as the other takes. Otherwise it is 0.
	Equal int
}

// Tally is the result of a duel for the first mover.
type Tally struct {
	Won, Drawn, Lost int
	South            float64 // points of the side that moves first, of all games; with four sides it has no meaning
	squares          float64 // sum of the squared scores of the openings
	Nodes            [2]uint64
	Time             [2]time.Duration
	Moves            [2]int
}

// maxPlies is the length at which a game counts as drawn.
const maxPlies = 1000

// Run plays the duel. After each opening it calls show with the tally so far.
func (d Duel) Run(ctx context.Context, show func(Tally)) (Tally, error) {
	runtime.LockOSThread() // for threadTime
	defer runtime.UnlockOSThread()
	var t Tally
	drawn := d.Drawn
	if drawn == nil {
		drawn = d.NewOpenings()
	}
	for i := range d.Openings {
		o, whole := drawn.at(ctx, i), t
		var pair [2]outcome
		for first := range pair {
			var err error
			if pair[first], err = d.play(ctx, o.position, o.history.Clone(), first, o.number+uint64(first), &t); err != nil {
				return whole, fmt.Errorf("opening %d: %w", i+1, err) // one game of a pair gives no result
			}
			t.South += math.Abs(float64(first) - pair[first].points) // the first mover plays South, then North
		}
		if d.Game.Rules().Match == engine.MatchDifference {
			pair = asRounds(pair)
		}
		t.add(pair)
		show(t)
		if d.Sequential && t.Verdict() != 0 {
			break
		}
	}
	return t, nil
}

// Openings are the openings of duels by the same rules. Each is drawn when it is first needed.
type Openings struct {
	duel   Duel // says how they are drawn
	random *rand.Rand
	judge  *Searcher
	list   []opening
}

// opening is where two games begin, and their number.
type opening struct {
	position engine.Position
	history  engine.History
	number   uint64
}

// NewOpenings returns openings for duels with the same Game, Random, Within and Number.
func (d Duel) NewOpenings() *Openings {
	return &Openings{duel: d, random: rand.New(rand.NewPCG(d.Number, 0)), judge: New(d.Game, 1<<20)}
}

func (o *Openings) at(ctx context.Context, i int) opening {
	for i >= len(o.list) {
		p, h := o.draw(ctx)
		o.list = append(o.list, opening{p, h, o.random.Uint64()})
	}
	return o.list[i]
}

// draw draws an opening that a brief search values as balanced. An opening that
// decides the game gives no information: each mover wins from one side.
func (o *Openings) draw(ctx context.Context) (engine.Position, engine.History) {
	d := o.duel
	for tries := 0; ; tries++ {
		p, h := d.randomOpening(o.random)
		if d.Within == 0 || d.Game.Shape().Sides != 2 || p.Phase == engine.Setup || tries == 50 {
			return p, h
		}
		o.judge.Forget()
		if a := o.judge.Search(ctx, p, &h, Limits{Nodes: balanceNodes}); math.Abs(a.Value) <= d.Within {
			return p, h
		}
	}
}

// balanceNodes is the budget for the check whether an opening is balanced.
const balanceNodes = 20_000

// randomOpening plays at random, and again if the game ends by that.
func (d Duel) randomOpening(random *rand.Rand) (engine.Position, engine.History) {
	for {
		p, h := d.Game.Start(), engine.History{}
		if d.Game.Rules().Start == engine.StartRightmost && p.Phase == engine.Setup {
			return p, h // every move after the lay-out is forced
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
				panic(err) // Legal and Play disagree: a defect that the engine's tests look for
			}
		}
		if p.Phase != engine.Over {
			return p, h
		}
	}
}

// moverOf returns the mover of a side. With four sides, S and E belong to one mover
// and N and W to the other, so that sides that face and capture each other have
// different movers.
func (d Duel) moverOf(side int) int {
	if d.Game.Shape().Sides == 4 {
		return side / 2
	}
	return side
}

// outcome is the result of a game for the first mover: its points, and its seeds
// minus those of the other mover. With four sides the seeds have no meaning.
type outcome struct {
	points float64
	seeds  int
}

// asRounds turns two games into two rounds of a match by difference: the mover with
// more seeds in both together wins both. A single round is mostly won by the player
// who laid out.
func asRounds(pair [2]outcome) [2]outcome {
	seeds := pair[0].seeds + pair[1].seeds
	points := float64(1+cmp.Compare(seeds, 0)) / 2
	return [2]outcome{{points, seeds}, {points, seeds}}
}

// play plays one game. With parity 1 the movers exchange their sides.
func (d Duel) play(ctx context.Context, p engine.Position, h engine.History, parity int, number uint64, t *Tally) (outcome, error) {
	for plies := 0; p.Phase != engine.Over && plies < maxPlies; plies++ {
		who := (d.moverOf(d.Game.Side(p.Seat)) + parity) % 2
		mover := d.Movers[who]
		if f, ok := mover.(Fixed); ok {
			f.Searcher.clock = threadTime
			if d.Equal == who+1 {
				f.Limits.Time = t.equalTime(who, d.seedsLeft(&p))
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
	mine, others := false, false // whether the first mover, or the other, has a side with the most seeds
	for _, side := range p.Leaders() {
		mine = mine || (d.moverOf(side)+parity)%2 == 0
		others = others || (d.moverOf(side)+parity)%2 == 1
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

// add counts the two games from one opening.
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

// seedsLeft returns the part of the seeds that no side has won.
func (d Duel) seedsLeft(p *engine.Position) float64 {
	won, all := 0, d.Game.Rules().Total
	for side := range p.Scores() {
		won += p.Score(side)
	}
	for _, n := range p.Slots {
		all += int(n)
	}
	return 1 - float64(won)/max(1, float64(all))
}

// equalTime returns the time for the next move of a mover that gets as much as the
// other takes. It is more than the average while a large part of the seeds is left,
// and more after moves that took less.
func (t *Tally) equalTime(who int, left float64) time.Duration {
	moves := time.Duration(t.Moves[1-who])
	if moves == 0 {
		return firstMoveTime
	}
	average := t.Time[1-who] / moves
	saved := average*time.Duration(t.Moves[who]) - t.Time[who]
	return min(max(time.Duration(2*left*float64(average))+saved/8, average/8), 4*average)
}

// firstMoveTime is the time for the first move of a duel, before the other mover has
// moved.
const firstMoveTime = time.Millisecond

// Score returns the first mover's points and the number of games.
func (t Tally) Score() (points float64, games int) {
	return float64(t.Won) + float64(t.Drawn)/2, t.Won + t.Drawn + t.Lost
}

// The sequential test of [Tally.Verdict]: the two claims, and the logarithm of the odds at which one of them is
// taken for true. Each error then has a probability of about 5 %.
const (
	equal, better = 0.5, 0.56 // points per game
	clearOdds     = 2.94
	fewOpenings   = 8
)

// Verdict compares two claims: that the first mover is better than the other, and that they are equal. It is 1
// or -1 as soon as the games decide for one of them, and 0 before. The test is Wald's, with the two
// games from one opening as one result.
func (t Tally) Verdict() int {
	points, games := t.Score()
	n, mean := float64(games)/2, points/float64(games)
	if n < fewOpenings {
		return 0
	}
	variance := max(t.squares/n-mean*mean, 1/n) // games that all ended alike do not prove that others will
	odds := n * (better - equal) * (mean - (equal+better)/2) / variance
	switch {
	case odds >= clearOdds:
		return 1
	case odds <= -clearOdds:
		return -1
	}
	return 0
}

// Interval returns half the width of the 95 % confidence interval of points per game.
// The two games from one opening count as one, because they are not independent.
func (t Tally) Interval() float64 {
	points, games := t.Score()
	n, mean := float64(games)/2, points/float64(games)
	if n < 2 {
		return 1
	}
	return 1.96 * math.Sqrt(max(0, t.squares/n-mean*mean)/(n-1))
}
