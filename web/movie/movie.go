// Package movie shows a whole game as a moving picture.
//
// Each ply is at least one frame, the board after it. Before that come the board with a ring
// around the pit that is played, and the pits with a ring whose seeds are captured.
package movie

import (
	"time"

	"mancala/engine"
	"mancala/web/picture"
)

// MaxPlies is the number of plies that a moving picture shows. Of a longer game it shows the
// first position and then the last plies, so that its size and its time are bounded.
const MaxPlies = 240

// How long frames stay.
const (
	first      = time.Second
	choice     = 450 * time.Millisecond
	capture    = 700 * time.Millisecond
	afterwards = 650 * time.Millisecond
	last       = 4 * time.Second
)

// maxCaptures is the number of frames in which one ply shows captures. A relay can have more.
const maxCaptures = 3

// Movie makes the moving picture of one game, a few plies at a time.
type Movie struct {
	game    *engine.Replay
	winners []int
	film    *picture.Film
	next    int // the ply to show next, from 0
}

// New returns a movie of which nothing is drawn yet. winners are the sides that have won, and
// none for a game that is not over. A game without a termination has a turn at its end.
func New(game *engine.Replay, winners []int) *Movie {
	return &Movie{game: game, winners: winners}
}

// Draw draws the next plies, at most the given number. It reports whether the movie is complete.
func (m *Movie) Draw(plies int) (complete bool, err error) {
	if m.film == nil {
		if err := m.begin(); err != nil {
			return false, err
		}
	}
	for range plies {
		if m.next == len(m.game.Moves) {
			break
		}
		if err := m.ply(m.next); err != nil {
			return false, err
		}
		m.next++
	}
	return m.next == len(m.game.Moves), nil
}

// GIF returns the file. The movie must be complete.
func (m *Movie) GIF() []byte { return m.film.GIF() }

// begin draws the first position.
func (m *Movie) begin() error {
	m.film = picture.NewFilm(BoardOf(m.game.Game, m.game.Start))
	m.next = max(0, len(m.game.Moves)-MaxPlies)
	if len(m.game.Moves) == 0 {
		return m.film.Add(m.end(m.game.Start), last)
	}
	return m.film.Add(BoardOf(m.game.Game, m.game.Start), first)
}

// ply draws a ply.
func (m *Movie) ply(i int) error {
	before, after := m.before(i), m.game.Positions[i]
	events := m.events(before, after, m.game.Moves[i])
	if pit, ok := played(events); ok {
		if err := m.add(before, choice, pit); err != nil {
			return err
		}
	}
	for _, c := range captures(events) {
		taken := before
		(&engine.Trace{Events: events[:c.from]}).Apply(&taken)
		if err := m.add(taken, capture, c.pits...); err != nil {
			return err
		}
	}
	if i == len(m.game.Moves)-1 {
		return m.film.Add(m.end(after), last)
	}
	return m.add(after, afterwards)
}

// before returns the position before a ply.
func (m *Movie) before(i int) engine.Position {
	if i == 0 {
		return m.game.Start
	}
	return m.game.Positions[i-1]
}

// events returns what a ply does. It is played once more, without the positions before it: they
// decide only whether the game ends.
func (m *Movie) events(before, after engine.Position, move engine.Move) []engine.Event {
	before.Out = after.Out // a seat may have left the game between two plies
	var trace engine.Trace
	if m.game.Game.Play(&before, new(engine.History), move, &trace) != nil {
		return nil // not reached: the game has this ply
	}
	return trace.Events
}

// add adds a frame with rings around these pits.
func (m *Movie) add(p engine.Position, stays time.Duration, ringed ...int) error {
	b := BoardOf(m.game.Game, p)
	b.Ringed = ringed
	return m.film.Add(b, stays)
}

// end returns the board of the last frame.
func (m *Movie) end(p engine.Position) picture.Board {
	b := BoardOf(m.game.Game, p)
	b.Winners = m.winners
	if m.game.Termination != "" {
		b.Turn = -1
	}
	return b
}

// played returns the pit that a ply begins at. Laying seeds out begins at none.
func played(events []engine.Event) (pit int, ok bool) {
	for _, e := range events {
		switch e.Kind {
		case engine.EventLift, engine.EventEnter, engine.EventGift:
			return int(e.Slot), true
		}
	}
	return 0, false
}

// captured are captures that follow each other directly.
type captured struct {
	from int // the index of the first event
	pits []int
}

// captures returns the first captures of a ply.
func captures(events []engine.Event) (list []captured) {
	running := false
	for i, e := range events {
		switch e.Kind {
		case engine.EventCapture, engine.EventSeize:
			if !running {
				if len(list) == maxCaptures {
					return list
				}
				list, running = append(list, captured{from: i}), true
			}
			c := &list[len(list)-1]
			c.pits = append(c.pits, int(e.Slot))
		case engine.EventUnhouse, engine.EventClaim:
		default:
			running = false
		}
	}
	return list
}

// BoardOf returns the picture of a position.
func BoardOf(g *engine.Game, p engine.Position) picture.Board {
	shape, rules := g.Shape(), g.Rules()
	b := picture.Board{
		Sides: int(shape.Sides), Partners: int(shape.Partners), Rows: rules.Rows, Stores: rules.Store, Made: picture.MadeOf(rules),
		Pits: make([]int, int(shape.Sides)*int(shape.Pits)), Marks: map[int]string{}, Won: p.Scores(), Turn: int(p.Seat),
	}
	for i := range b.Pits {
		b.Pits[i] = int(p.Slots[i])
		if marks := p.Marks.Of(i); marks != "" {
			b.Marks[i] = marks
		}
	}
	b.Hand = picture.InHand(rules, b.Pits)
	if p.Phase == engine.Over {
		b.Turn = -1
	}
	return b
}
