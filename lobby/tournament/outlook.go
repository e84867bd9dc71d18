package tournament

import (
	"mancala/lobby/tournament/foresight"
	"mancala/lobby/tournament/swiss"
)

// The functions of this file take too long for the goroutine of a room. They are called on a
// copy of the state.

// Preview returns the next round and its pairings, as [KindStart] would make them without the
// host's. It refuses as that does.
func (s *State) Preview() (round int, pairings [][2]int, err error) {
	d := decision{State: s}
	if err := d.startRound(nil); err != nil {
		return 0, nil, err
	}
	for _, b := range d.change.Boards {
		pairings = append(pairings, [2]int{b.First, b.Second})
	}
	return d.change.Round, pairings, nil
}

// Outlook estimates whether all rounds of a Swiss can be paired, see package foresight.
func (s *State) Outlook() foresight.Outlook {
	t := s.table()
	s.addLate(t)
	return foresight.Swiss(&t.Event, s.left(t), 0)
}

// A Breach is one of the host's pairings that the system would never make, and why.
type Breach struct {
	Pairing [2]int       `json:"pairing"`
	Reason  swiss.Reason `json:"reason"`
}

// Breaches returns those of the host's pairings for the next round of a Swiss that break a
// rule, so that the host can be asked. It refuses as [KindStart] would.
func (s *State) Breaches(pairings [][2]int) (list []Breach, err error) {
	t := s.table()
	s.addLate(t)
	round := len(s.Rounds) + 1
	places, err := t.manual(pairings, s.leaveOut(t, round))
	if err != nil || s.Settings.Format != Swiss {
		return nil, err
	}
	for _, b := range swiss.Breaches(&t.Event, round, places) {
		pairing := [2]int{t.numbers[b.Pairing.First-1]}
		if !b.Pairing.IsBye() {
			pairing[1] = t.numbers[b.Pairing.Second-1]
		}
		list = append(list, Breach{pairing, b.Reason})
	}
	return list, nil
}
