package tournament

import (
	"cmp"
	"slices"

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

// Fallback returns pairings of the next round of a Swiss for a host whose tournament has no legal
// pairing left: the players in the order of the standings, each with the next one whom they have not
// met, or else with the next one. The last player without a bye has the bye.
func (s *State) Fallback() (pairings [][2]int) {
	t := s.table()
	s.addLate(t)
	left := s.leaveOut(t, len(s.Rounds)+1)
	places := map[int]int{}
	for _, row := range s.Standings() {
		places[row.Number] = row.Place
	}
	late := len(places) + 1 // players without a place come last
	slices.SortStableFunc(left, func(a, b int) int {
		return cmp.Compare(cmp.Or(places[a], late), cmp.Or(places[b], late))
	})
	met, rested := s.met()
	var bye []int
	if len(left)%2 == 1 {
		i := len(left) - 1
		for i > 0 && rested[left[i]] {
			i--
		}
		if rested[left[i]] {
			i = len(left) - 1
		}
		bye = []int{left[i]}
		left = slices.Delete(left, i, i+1)
	}
	for len(left) > 0 {
		one := left[0]
		i := max(1, slices.IndexFunc(left, func(other int) bool { return other != one && !met[[2]int{one, other}] }))
		pairings = append(pairings, [2]int{one, left[i]})
		left = slices.Delete(left[1:], i-1, i)
	}
	for _, number := range bye {
		pairings = append(pairings, [2]int{number, 0})
	}
	return pairings
}

// met returns who has been paired with whom or may not meet, in both orders, and who has had a bye.
func (s *State) met() (pairs map[[2]int]bool, rested map[int]bool) {
	pairs, rested = map[[2]int]bool{}, map[int]bool{}
	for _, p := range s.Forbidden {
		pairs[p], pairs[[2]int{p[1], p[0]}] = true, true
	}
	for _, boards := range s.Rounds {
		for _, b := range boards {
			pairs[[2]int{b.First, b.Second}], pairs[[2]int{b.Second, b.First}] = true, true
			if b.Second == 0 {
				rested[b.First] = true
			}
		}
	}
	return pairs, rested
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
