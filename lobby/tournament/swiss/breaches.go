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
	SecondBye Reason = "second-bye" // the player has had a bye, or the points of a win without a game (C2)
	Forbidden Reason = "forbidden"  // the host keeps the two apart
	SameStart Reason = "same-start" // a player would move first, or second, too often (C3, C.04.1)
)

// Breaches returns the pairings of a round that break a rule. A host who pairs by hand may want
// them all the same. Who moves first counts too: a player who must move second, since they
// have moved first too often, may not move first. The round must not have been paired, and
// each player of the pairings takes part in it.
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
		case d.startsTooOften(p, i, index(p.Second)):
			list = append(list, Breach{p, SameStart})
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

// startsTooOften reports whether the players with indices i and j, who may meet, move in an
// order in which one of them has the same start too often. The system's own order never counts.
func (d *draw) startsTooOften(p Pairing, i, j int) bool {
	if d.order(min(i, j), max(i, j)) == p {
		return false
	}
	a, b := &d.entrants[i], &d.entrants[j]
	return a.strength == absolute && a.wish == second || b.strength == absolute && b.wish == first
}
