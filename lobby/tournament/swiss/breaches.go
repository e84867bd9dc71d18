package swiss

import (
	"slices"

	"mancala/lobby/tournament/crosstable"
)

// A Breach is a pairing that the system would never make, and the first reason for it.
type Breach struct {
	Pairing Pairing
	Reason  Reason
}

// A Reason is a rule that no pairing of the system breaks.
type Reason string

const (
	HaveMet   Reason = "have-met"   // the two have played each other (C1)
	SecondBye Reason = "second-bye" // the player has had a bye, or points without a game (C2)
	Forbidden Reason = "forbidden"  // the host keeps the two apart
	SameStart Reason = "same-start" // both must move first, or both must move second (C3)
)

// Breaches returns the pairings of a round that break a rule. A host who pairs by hand may want
// them all the same. The round must not have been paired, and each player of the pairings
// takes part in it.
func Breaches(e *crosstable.Event, round int, pairings []Pairing) (list []Breach) {
	d := newDraw(e, round)
	index := func(number int) int {
		return slices.IndexFunc(d.entrants, func(one entrant) bool { return one.number == number })
	}
	for _, p := range pairings {
		switch i := index(p.First); {
		case p.IsBye():
			if !d.entrants[i].mayHaveBye {
				list = append(list, Breach{p, SecondBye})
			}
		case !d.mayMeet(i, index(p.Second)):
			list = append(list, Breach{p, d.reason(p)})
		}
	}
	return list
}

// reason returns why two players may not meet.
func (d *draw) reason(p Pairing) Reason {
	for _, r := range d.event.Player(p.First).Results {
		if r.Opponent == p.Second && r.Code.Played() {
			return HaveMet
		}
	}
	for _, f := range d.event.Forbidden {
		if f.Holds(d.round) && slices.Contains(f.Players, p.First) && slices.Contains(f.Players, p.Second) {
			return Forbidden
		}
	}
	return SameStart
}
