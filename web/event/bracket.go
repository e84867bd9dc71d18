package event

import (
	"mancala/lobby/tournament"
	"mancala/lobby/tournament/knockout"
)

// bracketRound is a column of the bracket of a knockout.
type bracketRound struct {
	Name    string
	Matches []bracketMatch
}

// bracketMatch is a match of the bracket. A list of matches says the same as the drawing.
type bracketMatch struct {
	ID    int
	Sides [2]bracketSide
	Room  string // its game, while it is played
	Third bool   // for third place
	Level bool   // the better seed number has decided it
}

type bracketSide struct {
	Name  string // or from where the player comes
	Known bool
	Score string
	Won   bool
	Mine  bool
}

// bracket returns the bracket by rounds. It is nil for other formats, and before the first round.
func (v *view) bracket() (rounds []bracketRound) {
	s := &v.State
	if s.Settings.Format != tournament.Knockout || len(s.Rounds) == 0 {
		return nil
	}
	b, numbers := s.Bracket()
	rooms := playing(s)
	for _, r := range b.Rounds {
		column := bracketRound{Name: v.roundName(r.Places)}
		for _, m := range r.Matches {
			column.Matches = append(column.Matches, v.match(m, numbers, rooms[m.ID]))
		}
		rounds = append(rounds, column)
	}
	if b.Third != nil {
		m := v.match(b.Third, numbers, rooms[b.Third.ID])
		m.Third = true
		last := &rounds[len(rounds)-1]
		last.Matches = append(last.Matches, m)
	}
	return rounds
}

// roundName returns the name of a round with the given number of places for players.
func (v *view) roundName(places int) string {
	switch places {
	case 2:
		return v.t("bracket.final")
	case 4:
		return v.t("bracket.semifinals")
	case 8:
		return v.t("bracket.quarterfinals")
	}
	return v.t("bracket.round", "n", places)
}

// playing returns the rooms of the games that are being played, by match.
func playing(s *tournament.State) map[int]string {
	rooms := map[int]string{}
	for _, boards := range s.Rounds {
		for i := range boards {
			if g := boards[i].Running(); g != nil {
				rooms[boards[i].Match] = g.Room
			}
		}
	}
	return rooms
}

// match returns a match of the bracket. The numbers are those of the players, in the starting order.
func (v *view) match(m *knockout.Match, numbers []int, room string) bracketMatch {
	view := bracketMatch{ID: m.ID, Room: room, Level: m.Reason == knockout.BySeedNumber}
	for i, side := range m.Sides {
		s := &view.Sides[i]
		switch {
		case side.Player > 0:
			number := numbers[side.Player-1]
			s.Name, s.Known, s.Won = v.name(number), true, m.Winner == side.Player
			s.Mine = v.Me != nil && v.Me.Number == number
			if len(m.Games) > 0 {
				s.Score = v.c.Tenths(5 * m.Points[i])
				if v.State.Settings.BySeeds && m.Reason == knockout.ByScore {
					s.Score += " (" + v.c.Signed(m.Seeds*(1-2*i)) + ")" // counted from the first side
				}
			}
		case side.Empty:
			s.Name = v.t("bracket.free")
		case side.Loser:
			s.Name = v.t("bracket.loser", "n", side.From)
		case side.From > 0:
			s.Name = v.t("bracket.winner", "n", side.From)
		}
	}
	return view
}
