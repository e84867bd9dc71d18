package tournament

import (
	"slices"
	"strings"
	"time"

	"mancala/lobby/tournament/crosstable"
)

// HasReport reports whether a tournament of this format has a report file.
func (f Format) HasReport() bool { return slices.Contains([]Format{Swiss, RoundRobin, DoubleRound}, f) }

// CrossTable returns a Swiss or a round robin as a table for a report file. The names are by player ID. The
// table has the players who have been in a pairing or could have been, by their numbers in the starting
// order. Of a Swiss that is not over it also has what the next rounds will be paired from: the players who
// have joined late, and those who will have a bye or have withdrawn.
func (s *State) CrossTable(names map[string]string) *crosstable.Event {
	t := s.table()
	if s.Settings.Format == Swiss && s.Stage != Over && len(s.Rounds) < s.Settings.Rounds {
		s.addLate(t)
		s.ask(t)
	}
	return s.fill(t, names)
}

// ask puts into the table which players will not be paired in the rounds to come, as far as it is known.
func (s *State) ask(t *table) {
	t.Coming = len(s.Rounds) + 1
	for round := t.Coming; round <= s.Settings.Rounds; round++ {
		half, absent := crosstable.Asked{Round: round, Code: crosstable.HalfBye}, crosstable.Asked{Round: round, Code: crosstable.Absent}
		for i, number := range t.numbers {
			switch p := &s.Players[number-1]; {
			case p.Byes[round] == HalfBye:
				half.Players = append(half.Players, i+1)
			case p.Out || p.Byes[round] == ZeroBye:
				absent.Players = append(absent.Players, i+1)
			}
		}
		for _, asked := range []crosstable.Asked{half, absent} {
			if len(asked.Players) > 0 {
				t.Asked = append(t.Asked, asked)
			}
		}
	}
}

// fill returns a table with what only a report file tells: the names, the places and the settings.
func (s *State) fill(t *table, names map[string]string) *crosstable.Event {
	e := &t.Event
	e.Clock = s.Settings.Clock
	e.TieBreaks = strings.Split(s.Settings.TieBreaks, ",")
	if s.Settings.Starts > 0 {
		e.Starts = time.UnixMilli(s.Settings.Starts).UTC().Add(-time.Duration(s.Settings.Zone) * time.Minute).Format("2006/01/02")
	}
	for i, number := range t.numbers {
		p := &e.Players[i]
		p.Name, p.ID = names[s.Players[number-1].ID], "" // a report file has federations' IDs
		if p.Name == "" {
			p.Name = "?" // the player was deleted, or gave up the place
		}
	}
	for _, row := range s.standings(t) {
		e.Players[t.places[row.Number]-1].Rank = row.Place
	}
	return e
}

// CrossTableBefore returns the table from which a round was paired: with the results and the pairs who may
// not meet as they were then, and without the players who have joined later.
func (s *State) CrossTableBefore(round int, names map[string]string) *crosstable.Event {
	then := s.uncorrected(round)
	e := then.fill(then.table(), names).Before(round)
	numbers := s.Start
	for i := range e.Players {
		e.Players[i].Rank = 0 // as of then
		if s.Players[numbers[i]-1].Joined > round {
			e.Players = e.Players[:i] // later players come last
			break
		}
	}
	var forbidden []crosstable.Forbidden
	for _, f := range e.Forbidden {
		if f.Players[0] <= len(e.Players) && f.Players[1] <= len(e.Players) {
			forbidden = append(forbidden, f)
		}
	}
	e.Forbidden = forbidden
	return e
}

// uncorrected returns the state with what a round was paired from, before later changes of a host.
func (s *State) uncorrected(round int) *State {
	then := *s
	then.Forbidden = s.apart(round)
	then.Rounds = slices.Clone(s.Rounds)
	for i, boards := range s.Rounds[:min(round-1, len(s.Rounds))] {
		then.Rounds[i] = slices.Clone(boards)
		for j := range boards {
			then.Rounds[i][j].Result = boards[j].resultBefore(round)
		}
	}
	return &then
}

// A Played is one game of a tournament, or a board whose games had no room.
type Played struct {
	Round  int    `json:"round"`
	Board  int    `json:"board"`
	Game   int    `json:"game"`   // from 1
	First  int    `json:"first"`  // number of the player who moved first
	Second int    `json:"second"` // 0: First had the bye
	Result string `json:"result"` // for First; empty: not over
	Counts string `json:"counts"` // the result of the board, for First
	Reason string `json:"reason,omitempty"`
	Seeds  int    `json:"seeds,omitempty"` // how many more First has won
	Room   string `json:"room,omitempty"`
}

// Played returns all games by round and board.
func (s *State) Played() (list []Played) {
	for round, boards := range s.Rounds {
		for _, b := range boards {
			games := b.Games
			if len(games) == 0 { // the host has entered the result, or there was none to play
				games = []Game{{Result: b.Result, Seeds: b.Seeds}}
			}
			for i, g := range games {
				p := Played{
					Round: round + 1, Board: b.Number, Game: i + 1, First: b.First, Second: b.Second,
					Result: g.Result, Counts: b.Result, Reason: g.Reason, Seeds: g.Seeds, Room: g.Room,
				}
				if g.Swapped {
					p.First, p.Second, p.Seeds = p.Second, p.First, -p.Seeds
					p.Result, p.Counts = mirrored(p.Result), mirrored(p.Counts)
				}
				list = append(list, p)
			}
		}
	}
	return list
}

// mirrored returns a result for the other player.
func mirrored(result string) string {
	switch result {
	case FirstWins:
		return SecondWins
	case SecondWins:
		return FirstWins
	case FirstUnplayed:
		return SecondUnplayed
	case SecondUnplayed:
		return FirstUnplayed
	}
	return result
}
