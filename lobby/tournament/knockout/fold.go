package knockout

// Kind is what happened.
type Kind uint8

const (
	// Played is a game of a match that is over. A second report of the same game corrects the
	// first.
	Played Kind = iota
	// Missed is a player who did not come to a match, and loses it.
	Missed
	// Left is a player who has left the tournament. They lose the match that they are in, and
	// every later one.
	Left
	// Back is a player who has returned. What they have lost meanwhile stays lost. With a match,
	// it takes back that they missed it.
	Back
	// Awarded is a match that the host has decided. Player 0 takes the decision back.
	Awarded
)

// An Event is something that happened. Events have an order, since a player who leaves after
// their opponent has won the match. An event that corrects another one can also take its place.
type Event struct {
	Kind   Kind
	Match  int // for Played, Missed and Awarded; for Back it may be 0
	Player int // for Missed, Left, Back and Awarded

	// For Played. A game whose players are not those of the match any more has no effect.
	Game          int // from 1
	First, Second int
	Outcome       Outcome
	Seeds         int // how many more seeds First has won than Second
}

// New returns the bracket of n players after some events. The settings must be valid.
func New(n int, s Settings, events []Event) *Bracket {
	b := &Bracket{Players: n, Settings: s, left: make([]bool, max(n, 0)+1)}
	b.build()
	for _, m := range b.matches {
		if m.Round == 1 {
			m.begins = b.beginner(m)
			b.settle(m)
		}
	}
	for i, e := range events {
		if !b.apply(e) {
			b.Ignored = append(b.Ignored, i)
		}
	}
	b.Over = true
	for _, m := range b.matches {
		b.Over = b.Over && m.State == Over
	}
	switch {
	case len(b.Rounds) > 0:
		b.Champion = b.final().Winner
	case n == 1:
		b.Champion = 1
	}
	return b
}

// apply folds one event into the bracket. It reports false for an event without effect.
func (b *Bracket) apply(e Event) bool {
	switch e.Kind {
	case Left, Back:
		if e.Player < 1 || e.Player > b.Players {
			return false
		}
		m := b.Match(e.Match)
		if e.Kind == Back && m != nil {
			return b.miss(m, e.Player, false)
		}
		changed := b.left[e.Player] != (e.Kind == Left)
		b.left[e.Player] = e.Kind == Left
		for _, m := range b.matches {
			if m.State == Open {
				b.missForLeavers(m)
				b.settle(m)
			}
		}
		return changed
	}
	m := b.Match(e.Match)
	if m == nil {
		return false
	}
	switch e.Kind {
	case Missed:
		// The second player of a match may be reported after the first.
		return (m.State == Open || m.Reason == ByWalkover) && b.miss(m, e.Player, true)
	case Awarded:
		if m.State == Waiting || e.Player != 0 && m.side(e.Player) < 0 || m.awarded == e.Player {
			return false
		}
		m.awarded = e.Player
		b.settle(m)
		return true
	case Played:
		return b.play(m, e)
	}
	return false
}

// miss notes whether a player is absent from a match.
func (b *Bracket) miss(m *Match, player int, absent bool) bool {
	side := m.side(player)
	if side < 0 || m.absent[side] == absent {
		return false
	}
	m.absent[side] = absent
	b.settle(m)
	return true
}

// play adds a game, or corrects one.
func (b *Bracket) play(m *Match, e Event) bool {
	game := Game{Match: m.ID, Number: e.Game, First: e.First, Second: e.Second, Outcome: e.Outcome, Seeds: e.Seeds}
	switch {
	case e.Outcome > SecondWon:
		return false
	case e.Game == len(m.Games)+1 && m.State == Open:
		next := b.next(m)
		if next.First != e.First || next.Second != e.Second {
			return false
		}
		game.Decider = next.Decider
		m.Games = append(m.Games, game)
	case e.Game >= 1 && e.Game <= len(m.Games):
		was := m.Games[e.Game-1]
		game.Decider = was.Decider
		if game == was || game.First != was.First || game.Second != was.Second {
			return false
		}
		m.Games[e.Game-1] = game
	default:
		return false
	}
	b.settle(m)
	return true
}
