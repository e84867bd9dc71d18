package match

import (
	"fmt"
	"regexp"
	"strconv"

	"mancala/engine"
	"mancala/match/machine"
)

// Story is a match ply by ply, as its entries tell it, for the page of a finished
// game. Plies that were taken back are left out.
type Story struct {
	Match  *Match
	Rounds []Chapter
}

// Chapter is a round; a single game has one.
type Chapter struct {
	First engine.Position
	Clock []int64 // ms left for each seat at its start; empty without a clock
	Steps []Step
}

// Step is a ply.
type Step struct {
	Seat     int
	Move     string
	Position engine.Position // after it
	Trace    []byte          // JSON, as in web/PROTOCOL.md
	At       int64           // ms since 1970
	Clock    []int64         // ms left for each seat after it; empty without a clock
}

// StoryOf reads a match from all of its entries. The story refers to memory of the
// entries.
func StoryOf(entries []machine.Entry) (*Story, error) {
	s := &Story{Match: New()}
	m := s.Match
	for i, e := range entries {
		if err := m.Apply(e); err != nil {
			return nil, fmt.Errorf("match: entry %d: %w", i+1, err)
		}
		if m.began == 0 {
			continue
		}
		if len(s.Rounds) < m.round {
			s.Rounds = append(s.Rounds, Chapter{First: m.rules.game.StartWith(m.firstSeat), Clock: m.clocksNow()})
		}
		c := &s.Rounds[len(s.Rounds)-1]
		if n := len(m.moves); len(c.Steps) > n {
			c.Steps = c.Steps[:n]
		}
		if e.Kind == KindMove {
			c.Steps = append(c.Steps, Step{int(m.last.seat), m.last.move, m.pos, m.last.trace, e.At, m.clocksNow()})
		}
	}
	return s, nil
}

// Replay returns a round in the form of a record that was played through, without its result.
func (c Chapter) Replay(g *engine.Game) *engine.Replay {
	r := &engine.Replay{Game: g, Start: c.First}
	at := c.First
	for _, s := range c.Steps {
		m, _ := engine.ParseMove(s.Move) // valid: the match has played it
		at.Out = s.Position.Out
		r.Moves, r.Legal, r.Positions = append(r.Moves, m), append(r.Legal, g.LegalMoves(&at, nil)), append(r.Positions, s.Position)
		at = s.Position
	}
	return r
}

func (s *state) clocksNow() []int64 { return append([]int64(nil), s.clock[:s.clocks()]...) }

// Game returns the game that is played, or nil before the first entry.
func (m *Match) Game() *engine.Game {
	if m.rules == nil {
		return nil
	}
	return m.rules.game
}

// Position returns the present position.
func (m *Match) Position() engine.Position { return m.pos }

// State implements [machine.Staged]: it returns how far the match has come, the field "state" of web/PROTOCOL.md. It
// is empty before the first entry.
func (m *Match) State() string { return stageNames[m.stage] }

// Over reports whether the match has ended.
func (m *Match) Over() bool { return m.stage == over }

// A Moment is a place in a match: the position after a number of plies of a round.
type Moment struct {
	Place    string // as in an address
	At, Of   int    // the turns up to the position, and those of the round, as people count them
	Position engine.Position
}

// turns returns the number of turns of plies. A seat that plays again goes on with its turn.
func turns(steps []Step) (n int) {
	for i := range steps {
		if i == 0 || steps[i].Seat != steps[i-1].Seat {
			n++
		}
	}
	return n
}

// placeForm is a place as in the addresses of games: "12" is after ply 12 of the last round, "2.12" after ply 12 of
// round 2. history.js reads the same.
var placeForm = regexp.MustCompile(`^(?:(\d{1,3})\.)?(\d{1,5})$`)

// Moment returns the moment at a place, or the nearest one if the match has no such place. It returns nil for
// the end of the match, and for a text that is no place.
func (s *Story) Moment(place string) *Moment {
	said, last := placeForm.FindStringSubmatch(place), len(s.Rounds)-1
	if said == nil || last < 0 {
		return nil
	}
	round := last
	if said[1] != "" {
		n, _ := strconv.Atoi(said[1])
		round = min(max(n-1, 0), last)
	}
	n, _ := strconv.Atoi(said[2])
	c := s.Rounds[round]
	at := min(n, len(c.Steps))
	if round == last && at == len(c.Steps) {
		return nil
	}
	m := &Moment{Place: strconv.Itoa(at), At: turns(c.Steps[:at]), Of: turns(c.Steps), Position: c.First}
	if at > 0 {
		m.Position = c.Steps[at-1].Position
	}
	if last > 0 {
		m.Place = fmt.Sprintf("%d.%d", round+1, at)
	}
	return m
}
