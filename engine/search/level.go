package search

import (
	"context"
	"slices"

	"mancala/engine"
)

// A Level is an opponent: how far it looks, and how it errs. The weaker ones err as
// people do. They overlook moves, long sowings first since those are hard to count;
// they take what they can get at once; they forget that the other will answer. What
// they overlook depends on the position and a number, so that a game can be played
// again just as it was, and nothing is thrown like dice.
//
// Budgets are in nodes, so that a level is as strong on a slow machine. Each of the strong
// levels has several times as many as the one before it. But where the tree is small, as in
// the Egyptian games or near the end, they would all find the best move with that: so all
// but the strongest see only so far, and now and then overlook something.
type Level struct {
	Name      string
	Character string

	Nodes    uint64
	Depth    int // plies ahead; 0: as far as the nodes go
	Overlook int // per cent of the sowings of eight seeds or more that it does not see
	Forget   int // per cent of the moves at which it forgets the other's answer
	Careless int // parts of a seed (of 16) that make no difference to it
}

// Levels are all of them, weakest first: level 1 is Levels[0].
var Levels = [...]Level{
	{"Pip", "has just learned how to sow and likes every move", 200, 1, 95, 100, 96},
	{"Poppy", "loves to fill the store and never looks back", 400, 1, 50, 100, 16},
	{"Basil", "sees your answer, when he remembers to look", 1_000, 2, 30, 30, 8},
	{"Clove", "counts short sowings well and long ones badly", 3_000, 3, 25, 15, 4},
	{"Sorrel", "plans a few moves ahead and seldom slips", 6_000, 5, 8, 5, 0},
	{"Juniper", "calm and careful, and hard to surprise", 12_000, 8, 6, 0, 0},
	{"Baobab", "has seen a thousand games and remembers them", 60_000, 12, 4, 0, 0},
	{"Sankofa", "looks at everything and forgives nothing", 2_000_000, 0, 0, 0, 0},
}

// Player returns a Player of this level.
func (l Level) Player(g *engine.Game) *Player {
	return &Player{level: l, game: g, searcher: New(g, l.Memory())}
}

// Memory is how many bytes the tables of a Player take.
func (l Level) Memory() int64 { return min(max(int64(l.Nodes)*32, 1<<18), 64<<20) }

// A Player plays a game at a level. A goroutine uses it alone.
type Player struct {
	level    Level
	game     *engine.Game
	searcher *Searcher
}

// Move chooses a move in p, which is not over, after h (nil: a fresh history). The
// choice depends on p, h and number alone, unless ctx ends first.
func (p *Player) Move(ctx context.Context, at engine.Position, h *engine.History, number uint64) (engine.Move, Answer) {
	l, mood := p.level, mood(p.game.Key(&at)^number*0x9e3779b97f4a7c15)
	limits := Limits{Nodes: l.Nodes, Depth: l.Depth}
	switch {
	case at.Phase != engine.Play:
		limits.Depth = 0
	case mood.percent(forgets) < l.Forget:
		limits.Depth = 1
	}
	p.searcher.Forget()
	p.searcher.number = number
	four := p.game.Shape().Sides == 4 && at.Phase == engine.Play
	perfect := at.Phase != engine.Play || l.Overlook == 0 && l.Careless == 0
	a := Answer{}
	switch {
	case four && l.Nodes >= manyForFour:
		a = p.searcher.grow(ctx, at, h, limits)
	case four:
		limits.Nodes *= 4 // nothing is cut
		if limits.Depth > 1 {
			limits.Depth = 2*limits.Depth - 2 // to see a round of four it takes more turns
		}
		a = p.searcher.guess(ctx, at, h, limits)
	case perfect:
		a = p.searcher.Search(ctx, at, h, limits)
	default:
		a = p.searcher.Rate(ctx, at, h, limits)
	}
	if perfect {
		return a.Line[0], a
	}
	return l.choose(a.Moves, at, mood), a
}

// manyForFour is how many nodes it takes for a tree (tree.go) to pay in games of four.
const manyForFour = 12_000

// choose takes the best of the moves that the level sees. Those that seem as good are
// alike to it, and it takes any.
func (l Level) choose(moves []Rated, at engine.Position, mood mood) engine.Move {
	seen := slices.DeleteFunc(slices.Clone(moves), func(r Rated) bool {
		seeds := int(at.Slots[at.Shape.Slot(int(at.Seat)%int(at.Shape.Sides), int(r.Move.Pit))])
		return mood.percent(overlooks+uint64(r.Move.Pit)) < l.Overlook*min(seeds, 8)/8
	})
	if len(seen) == 0 {
		seen = moves[len(moves)-1:] // it sees none, and takes what nobody else would
	}
	best := seen[0].Value
	like := slices.IndexFunc(seen, func(r Rated) bool { return best-r.Value > float64(l.Careless)/seed })
	if like < 0 {
		like = len(seen)
	}
	return seen[mood.percent(likes)*like/100].Move
}

// mood is what a level makes of a position: numbers that look like chance, but are
// the same each time.
type mood uint64

// What the numbers are for; overlooks is the first of one for each pit.
const (
	forgets uint64 = iota
	likes
	overlooks
)

// percent is a number from 0 to 99: splitmix64 (S. Vigna, public domain).
func (m mood) percent(what uint64) int {
	x := uint64(m) + (what+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) >> 32 * 100 >> 32)
}
