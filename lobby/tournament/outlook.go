package tournament

import "mancala/lobby/tournament/foresight"

// These take time that a room does not have. They are asked of a copy of the state.

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

// Outlook says whether a Swiss can be played to its last round, see package foresight.
func (s *State) Outlook() foresight.Outlook {
	t := s.table()
	s.addLate(t)
	return foresight.Swiss(&t.Event, s.gone(t), 0)
}
