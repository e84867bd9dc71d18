package search

import (
	"context"
	"slices"

	"mancala/engine"
)

// A Level is an opponent: how far it looks ahead, and which errors it makes. The
// weaker levels err as people do. They overlook moves, and long sowings most, because
// those are hard to count. They take what they can get at once. They forget the
// opponent's answer. What a level overlooks depends on the position and a number. So
// a game can be repeated exactly.
//
// Budgets are in nodes, so a level is as strong on a slow machine. Each of the strong
// levels has several times the nodes of the one before it. In small trees, as in the
// Egyptian games or near the end, all of them would find the best move. So all but
// the strongest have a limited depth and sometimes overlook a move.
type Level struct {
	Name      string
	Character string

	Nodes    uint64
	Depth    int // plies ahead; 0: limited by Nodes alone
	Overlook int // per cent of the sowings of eight seeds or more that it overlooks; shorter ones in proportion
	Forget   int // per cent of the moves at which it ignores the opponent's answer
	Careless int // sixteenths of a seed within which moves are equal to it
}

// Levels lists all levels, weakest first: level 1 is Levels[0].
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

// Memory returns the size in bytes of the tables of a Player.
func (l Level) Memory() int64 { return min(max(int64(l.Nodes)*32, 1<<18), 64<<20) }

// A Player plays a game at a level. Only one goroutine may use it at a time.
type Player struct {
	level    Level
	game     *engine.Game
	searcher *Searcher
}

// Move chooses a move in p, which must not be over, after h (nil: a fresh history).
// The choice depends on p, h and number alone, unless ctx ends first.
func (p *Player) Move(ctx context.Context, at engine.Position, h *engine.History, number uint64) (engine.Move, Answer) {
	l, mood := p.level, whim(p.game.Key(&at)^number*0x9e3779b97f4a7c15)
	limits := Limits{Nodes: l.Nodes, Depth: l.Depth}
	switch {
	case at.Phase != engine.Play:
		limits.Depth = 0
	case mood.percent(forgetsAnswer) < l.Forget:
		limits.Depth = 1
	}
	p.searcher.Forget()
	p.searcher.number = number
	four := p.game.Shape().Sides == 4 && at.Phase == engine.Play
	perfect := at.Phase != engine.Play || l.Overlook == 0 && l.Careless == 0
	a := Answer{}
	switch {
	case four && l.Nodes >= uctFromNodes:
		a = p.searcher.searchUCT(ctx, at, h, limits)
	case four:
		limits.Nodes *= 4 // max^n cannot cut moves
		if limits.Depth > 1 {
			limits.Depth = 2*limits.Depth - 2 // a round of four takes more turns
		}
		a = p.searcher.searchMaxN(ctx, at, h, limits)
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

// uctFromNodes is the budget from which UCT plays better than max^n in games of four.
const uctFromNodes = 12_000

// choose returns the best of the moves that the level does not overlook. Moves whose
// values differ by at most Careless are equal to it, and it picks any of them.
func (l Level) choose(moves []Rated, at engine.Position, mood whim) engine.Move {
	seen := slices.DeleteFunc(slices.Clone(moves), func(r Rated) bool {
		seeds := int(at.Slots[at.Shape.Slot(int(at.Seat)%int(at.Shape.Sides), int(r.Move.Pit))])
		return mood.percent(overlooksPit+uint64(r.Move.Pit)) < l.Overlook*min(seeds, 8)/8
	})
	if len(seen) == 0 {
		seen = moves[len(moves)-1:] // it overlooks all moves, and takes the worst
	}
	best := seen[0].Value
	like := slices.IndexFunc(seen, func(r Rated) bool { return best-r.Value > float64(l.Careless)/seed })
	if like < 0 {
		like = len(seen)
	}
	return seen[mood.percent(picksAmongEqual)*like/100].Move
}

// whim is a source of pseudo-random numbers for one position: the same position and
// game number give the same numbers.
type whim uint64

// The uses of the numbers. overlooksPit is the first of one use for each pit.
const (
	forgetsAnswer uint64 = iota
	picksAmongEqual
	overlooksPit
)

// percent returns a number from 0 to 99: splitmix64 (S. Vigna, public domain).
func (m whim) percent(what uint64) int {
	x := uint64(m) + (what+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) >> 32 * 100 >> 32)
}
