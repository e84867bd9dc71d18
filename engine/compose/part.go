package compose

import (
	"math/rand/v2"
	"slices"

	"mancala/engine"
)

// Parting is a place where the games of two rule sets part: up to there, both have the same moves and
// the same boards.
type Parting struct {
	Moves   []engine.Move   // that lead there; South has made the first one, or laid out
	Before  engine.Position // the place; of the first rule set, if they part at the start
	AtStart bool            // the boards differ before the first move
	Move    engine.Move     // that parts them, unless they part at the start
	A, B    Outcome
}

// Outcome is what a move comes to in one of the two games.
type Outcome struct {
	Legal bool
	After engine.Position
}

// Limits of the search for a parting, in events on the boards: a sowing of many laps is as much work as many
// short ones.
const (
	inOrder  = 60_000    // of moves that are tried in the order of their number from the start
	atRandom = 4_000_000 // of moves that are tried in random games after that
	longest  = 400       // plies of such a game
	// stuck is the cost of a move after which no seat can move, in a game with laps. To find out that a sowing
	// would never end, the engine makes a thousand laps (RULES.md §7.5), which leave no events.
	stuck = 500
)

// Part returns the first place where games by a and b part, or false if it has found none. The first few
// moves are searched wholly. Beyond them it plays random games, the same every time, so that there may be
// an earlier place.
func Part(a, b *engine.Game) (Parting, bool) {
	s := &search{a: a, b: b, order: inOrder, random: atRandom}
	return s.part()
}

// Show returns a move of South in a for which its rules matter: with the rules of b, it would come to
// something else, or South could play another move. It searches less than [Part] does.
func Show(a, b *engine.Game) (Parting, bool) {
	s := &search{a: a, b: b, order: 3_000, random: 15_000, southOnly: true}
	return s.part()
}

// search finds the place where two games part.
type search struct {
	a, b          *engine.Game
	order, random int  // events that each part of the search may spend
	southOnly     bool // only moves of South that a allows count
	spent         int  // events so far
	trace         engine.Trace
}

// place is a position that both games have come to.
type place struct {
	p      engine.Position
	before int // the index of the place before it; -1 at the start
	move   engine.Move
}

func (s *search) part() (Parting, bool) {
	a, b := s.a.Start(), s.b.Start()
	if a != b {
		return Parting{AtStart: true, Before: a, A: Outcome{Legal: true, After: a}, B: Outcome{Legal: true, After: b}}, true
	}
	if found, ok := s.inOrder(a); ok {
		return found, true
	}
	return s.atRandom(a)
}

// inOrder tries all moves of the start, then all moves after one move, and so on.
func (s *search) inOrder(start engine.Position) (Parting, bool) {
	places := []place{{p: start, before: -1}}
	for at := 0; at < len(places) && s.spent < s.order; at++ {
		p := places[at].p
		if found, ok := s.compare(p, nil, nil); ok {
			for i := at; places[i].before >= 0; i = places[i].before {
				found.Moves = append(found.Moves, places[i].move)
			}
			slices.Reverse(found.Moves)
			return found, true
		}
		for _, m := range s.moves(p) {
			next := p
			if s.play(s.a, &next, nil, m) == nil && next.Phase != engine.Over {
				places = append(places, place{next, at, m})
			}
		}
	}
	return Parting{}, false
}

// atRandom plays random games to the end and returns the earliest place that it finds.
func (s *search) atRandom(start engine.Position) (Parting, bool) {
	var best Parting
	found, most := false, longest
	random := rand.New(rand.NewPCG(1, 2))
	end := s.spent + s.random
	for s.spent < end && most > 0 {
		p, ha, hb := start, engine.History{}, engine.History{}
		var played []engine.Move
		for len(played) < most && p.Phase != engine.Over && s.spent < end {
			if parting, ok := s.compare(p, &ha, &hb); ok {
				parting.Moves = slices.Clone(played)
				best, found, most = parting, true, len(played)
				end -= (end - s.spent) / 2 // an earlier place is worth some more games
				break
			}
			moves := s.moves(p)
			if len(moves) == 0 {
				break
			}
			m, other := moves[random.IntN(len(moves))], p
			if s.play(s.a, &p, &ha, m) != nil || s.play(s.b, &other, &hb, m) != nil {
				break
			}
			played = append(played, m)
		}
		if len(played) == 0 {
			break
		}
	}
	return best, found
}

// moves returns the legal moves of the first game, with some lay-outs where one is due.
func (s *search) moves(p engine.Position) []engine.Move {
	if p.Phase != engine.Setup {
		return s.a.LegalMoves(&p, nil)
	}
	random := rand.New(rand.NewPCG(3, 4))
	return []engine.Move{s.a.RandomLayOut(random), s.a.RandomLayOut(random)}
}

// compare tries the moves that either game allows in p.
func (s *search) compare(p engine.Position, ha, hb *engine.History) (Parting, bool) {
	if s.southOnly && p.Phase == engine.Play && s.a.Side(p.Seat) != 0 {
		return Parting{}, false
	}
	moves := s.moves(p)
	if p.Phase == engine.Setup {
		moves = append(moves, s.b.RandomLayOut(rand.New(rand.NewPCG(5, 6))))
	} else {
		for _, m := range s.b.LegalMoves(&p, nil) {
			if !slices.Contains(moves, m) {
				moves = append(moves, m)
			}
		}
	}
	for _, m := range moves {
		a, b := s.outcome(s.a, p, ha, m), s.outcome(s.b, p, hb, m)
		if a != b && s.southOnly && !a.Legal { // another move shows it
			m, a = moves[0], s.outcome(s.a, p, ha, moves[0])
		}
		if a != b {
			return Parting{Before: p, Move: m, A: a, B: b}, true
		}
	}
	return Parting{}, false
}

// play makes a move, and counts its events and the move itself.
func (s *search) play(g *engine.Game, p *engine.Position, h *engine.History, m engine.Move) error {
	s.trace.Reset()
	err := g.Play(p, h, m, &s.trace)
	s.spent += 1 + len(s.trace.Events)
	if g.Rules().Relay != engine.RelayNone && (p.End == engine.EndStuck || p.End == engine.EndAllStuck) {
		s.spent += stuck
	}
	return err
}

// outcome plays a move in a copy of p, and takes it back out of the history.
func (s *search) outcome(g *engine.Game, p engine.Position, h *engine.History, m engine.Move) Outcome {
	before := h.Len()
	err := s.play(g, &p, h, m)
	h.Truncate(before)
	if err != nil {
		return Outcome{}
	}
	return Outcome{Legal: true, After: p}
}
