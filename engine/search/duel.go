package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
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
// sides. With partners a mover plays both; with four sides it plays S
// and N, or E and W, each for itself, and has won if one of them has.
type Duel struct {
	Game     *engine.Game
	Movers   [2]Mover
	Openings int
	Random   int    // plies played at random in each
	Number   uint64 // the same number gives the same openings

	// Equal is 1 or 2 if that mover, a Fixed, has for each move the time that the other
	// took on average; else 0.
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
	var t Tally
	random := rand.New(rand.NewPCG(d.Number, 0))
	for i := range d.Openings {
		p, h := d.opening(random)
		number := random.Uint64()
		pair := 0.0
		for first := range 2 {
			score, err := d.play(ctx, p, h.Clone(), first, number+uint64(first), &t)
			if err != nil {
				return t, fmt.Errorf("opening %d: %w", i+1, err)
			}
			pair += score
		}

		t.squares += pair * pair / 4
		show(t)
	}
	return t, nil
}

// opening plays at random, and again if the game ends by that.
func (d Duel) opening(random *rand.Rand) (engine.Position, engine.History) {
	for {
		p, h := d.Game.Start(), engine.History{}
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

// play plays a game in which the first mover has the sides of the given parity, and
// returns its score.
func (d Duel) play(ctx context.Context, p engine.Position, h engine.History, parity int, number uint64, t *Tally) (float64, error) {
	for plies := 0; p.Phase != engine.Over && plies < longest; plies++ {
		who := (d.Game.Side(p.Seat) + parity) % 2
		mover := d.Movers[who]
		if f, ok := mover.(Fixed); ok && d.Equal == who+1 && t.Moves[1-who] > 0 {
			f.Limits.Time = t.Time[1-who] / time.Duration(t.Moves[1-who])
			mover = f
		}
		began := time.Now()
		m, a := mover.Move(ctx, p, &h, number)
		t.Time[who] += time.Since(began)
		t.Nodes[who] += a.Nodes
		t.Moves[who]++
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err := d.Game.Play(&p, &h, m, nil); err != nil {
			return 0, err
		}
	}
	mine, others := false, false // whether a side with the most seeds is the first mover's
	for _, side := range p.Leaders() {
		mine = mine || (side+parity)%2 == 0
		others = others || (side+parity)%2 == 1
	}
	switch {
	case p.Phase != engine.Over || mine && others:
		t.Drawn++
		return 0.5, nil
	case mine:
		t.Won++
		return 1, nil
	}
	t.Lost++
	return 0, nil
}

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
