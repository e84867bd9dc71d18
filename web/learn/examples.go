package learn

import (
	"math/rand/v2"
	"slices"

	"mancala/engine"
)

// Example is a move that shows a rule. South makes it, so the reader sees it from the
// bottom of the board.
type Example struct {
	Move          engine.Move
	Before, After engine.Position
	Events        []engine.Event

	sown, laps, captures, won, swept int
}

// Limits of the search in Find. A rule that seldom applies may get no example.
const (
	games = 30
	plies = 120 // of each game
)

// wanted scores how well a move shows a rule, by the section of the rule; 0 means not
// at all.
var wanted = map[string]func(*engine.Game, *Example) int{
	"sow": func(g *engine.Game, e *Example) int {
		if e.laps != 1 || e.captures+e.swept > 0 || e.sown < 3 || e.sown > 7 {
			return 0
		}
		score := 200 - int(e.Before.Ply)
		if last := e.last(); g.Rules().Store && last != int(g.Shape().Store(0)) && e.dropped(g.Shape().Store(0)) {
			score += 100 // it sows past the store
		}
		return score
	},
	"relay": func(_ *engine.Game, e *Example) int {
		if e.laps < 2 || e.swept > 0 {
			return 0
		}
		return max(1, 300-40*e.laps-5*e.sown-10*distance(int(e.Before.Slots[e.Move.Pit]), 3)-20*e.captures)
	},
	"capture": func(g *engine.Game, e *Example) int {
		if e.captures == 0 || e.swept > 0 {
			return 0
		}
		score := 300 - 40*e.laps - 6*distance(e.sown, 3) + 2*min(e.won, 10)
		if r := g.Rules(); (r.CountChain || r.CrossRun) && e.captures > 1 {
			score += 60
		}
		if slices.ContainsFunc(e.Events, func(ev engine.Event) bool { return ev.Kind == engine.EventClaim }) {
			score += 100 // it claims a pit
		}
		if g.Rules().Capture == engine.CaptureCross && e.sown > int(g.Shape().Pits) {
			score -= 100
		}
		return max(1, score)
	},
	"again": func(_ *engine.Game, e *Example) int {
		if e.After.Seat != e.Before.Seat || e.After.Phase != engine.Play || e.Move.Kind != engine.MoveLift {
			return 0
		}
		return max(1, 300-40*e.laps-10*distance(e.sown, 3)-10*e.captures-int(e.Before.Ply))
	},
	"feed": func(g *engine.Game, e *Example) int {
		for i := range int(g.Shape().Pits) {
			if e.Before.Slots[g.Shape().Slot(1, i)] > 0 {
				return 0
			}
		}
		if g.Rules().Feed == engine.FeedNone || e.After.Phase != engine.Play {
			return 0
		}
		return max(1, 100-e.sown)
	},
	"end": func(_ *engine.Game, e *Example) int {
		if e.After.Phase != engine.Over || e.After.End == engine.EndRepetition || e.After.End == engine.EndNoProgress {
			return 0
		}
		score := 100 - 5*e.laps - 2*e.sown - 10*e.captures
		if e.swept > 0 {
			score += 50
		}
		return max(1, score)
	},
}

// Find plays random games and returns the moves that show each section's rule best. It
// plays the same games every time.
func Find(g *engine.Game) map[string]*Example {
	best, score := map[string]*Example{}, map[string]int{}
	random := rand.New(rand.NewPCG(1, 2))
	var moves []engine.Move
	for range games {
		p := begin(g, random)
		for range plies {
			moves = g.LegalMoves(&p, moves[:0])
			if p.Phase != engine.Play || len(moves) == 0 {
				break
			}
			if p.Seat == 0 {
				for _, m := range moves {
					if e, ok := try(g, p, m); ok {
						keepBest(g, e, best, score)
					}
				}
			}
			if g.Play(&p, nil, moves[random.IntN(len(moves))], nil) != nil {
				break
			}
		}
	}
	return best
}

func keepBest(g *engine.Game, e *Example, best map[string]*Example, score map[string]int) {
	for name, judge := range wanted {
		if s := judge(g, e); s > score[name] {
			best[name], score[name] = e, s
		}
	}
}

// try plays m in a copy of p.
func try(g *engine.Game, p engine.Position, m engine.Move) (*Example, bool) {
	var t engine.Trace
	e := &Example{Move: m, Before: p, After: p}
	if g.Play(&e.After, nil, m, &t) != nil {
		return nil, false
	}
	e.Events, e.sown, e.laps = t.Events, t.Sown(), t.Laps()
	for _, ev := range t.Events {
		switch ev.Kind {
		case engine.EventCapture, engine.EventSeize:
			e.captures++
			e.won += int(ev.Seeds)
		case engine.EventSweep:
			e.swept++
		}
	}
	return e, true
}

// distance returns how far n is from want.
func distance(n, want int) int { return max(n-want, want-n) }

// last returns the slot of the last seed, or -1.
func (e *Example) last() int {
	last := -1
	for _, ev := range e.Events {
		if ev.Kind == engine.EventDrop {
			last = int(ev.Slot)
		}
	}
	return last
}

func (e *Example) dropped(slot int) bool {
	for _, ev := range e.Events {
		if ev.Kind == engine.EventDrop && int(ev.Slot) == slot {
			return true
		}
	}
	return false
}

// Begin returns the first position with South to move, after a lay-out if the game has
// one.
func Begin(g *engine.Game) engine.Position {
	return begin(g, rand.New(rand.NewPCG(3, 4)))
}

func begin(g *engine.Game, random *rand.Rand) engine.Position {
	p := g.Start()
	if p.Phase == engine.Setup {
		p.Seat = 1 // North lays out, South moves first
		if g.Play(&p, nil, g.RandomLayOut(random), nil) != nil {
			return p
		}
		if p.Phase == engine.Swapping {
			_ = g.Play(&p, nil, engine.Move{Kind: engine.MoveKeep}, nil) // legal whenever that phase is
		}
	}
	return p
}
