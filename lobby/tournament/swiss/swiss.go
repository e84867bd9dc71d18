// Package swiss pairs the rounds of a Swiss tournament by the FIDE (Dutch) System, C.04.3 in
// the edition that applies from 1 July 2025. Who moves first takes the place of the colour:
// "first" is white.
//
// Everything here is a pure function of the table so far. Rooms, formats other than the
// Swiss, and files do not belong here.
package swiss

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/matching"
)

// ErrNoPairing is the error for a round that can't be paired. Every pairing of it would break
// an absolute rule (C.04.3 article 2.1), for example let two players meet a second time.
var ErrNoPairing = errors.New("swiss: no legal pairing is left")

// A Pairing is two players who meet, or the player who has the bye.
type Pairing = crosstable.Pairing

// Pair pairs a round. The round before it must have been paired. A player who has a result in
// the round already, such as a bye that they asked for, is left out. The pairings are in the order of
// their boards (C.04.2, order of pairings), the bye last. The error is [ErrNoPairing] where
// there is no pairing.
func Pair(e *crosstable.Event, round int) ([]Pairing, error) {
	d := newDraw(e, round)
	if err := d.chooseBye(); err != nil {
		return nil, err
	}
	for !d.done() {
		if err := d.pairBracket(); err != nil {
			return nil, fmt.Errorf("round %d: %w", round, err)
		}
	}
	return d.pairings(), nil
}

// draw is the pairing of one round under way.
type draw struct {
	event    *crosstable.Event
	round    int
	entrants []entrant // in order: score, then number (article 1.2)
	apart    []bool    // n×n: who may not meet (article 2.1 and forbidden pairs)

	odd      bool              // the number of players is odd, so that one gets the bye
	byeScore crosstable.Tenths // the score of the player who gets the bye (criterion C5)

	moved   []int // indices of players who were moved down into the next bracket
	next    int   // the index of the first player below the bracket
	mates   []int // by index: the opponent, or −1
	without int   // the index of the player who gets the bye, or −1
}

func newDraw(e *crosstable.Event, round int) *draw {
	d := &draw{event: e, round: round, without: -1}
	entered := 0 // late players have no place until they play (C.04.2, late entries)
	for i := range e.Players {
		p := &e.Players[i]
		switch {
		case len(p.Results) < round:
			entered++
			d.entrants = append(d.entrants, newEntrant(e, p, round))
			d.entrants[len(d.entrants)-1].oddPlace = entered%2 == 1
		case p.HasEntered(round): // also with a pairing of this round, which the host has made
			entered++
		}
	}
	slices.SortStableFunc(d.entrants, func(a, b entrant) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.number, b.number))
	})
	n := len(d.entrants)
	d.odd = n%2 == 1
	d.mates = make([]int, n)
	for i := range d.mates {
		d.mates[i] = -1
	}
	d.keepApart()
	return d
}

// keepApart marks the pairs that are not allowed. Two players may not meet if they have met
// (C1), if both must move first or both second (C3), or if the host forbids it.
func (d *draw) keepApart() {
	n := len(d.entrants)
	d.apart = make([]bool, n*n)
	index := make([]int, len(d.event.Players)+1)
	for i := range index {
		index[i] = -1
	}
	for i := range d.entrants {
		index[d.entrants[i].number] = i
	}
	separate := func(i, j int) { d.apart[i*n+j], d.apart[j*n+i] = true, true }
	lastRound := d.round >= d.event.Rounds
	half := crosstable.Tenths(d.round-1) * max(d.event.Points.Win, d.event.Points.Draw) / 2
	for i := range d.entrants {
		a := &d.entrants[i]
		separate(i, i)
		for _, r := range d.event.Player(a.number).Results {
			if r.Opponent != 0 && r.Code.Played() && index[r.Opponent] >= 0 {
				separate(i, index[r.Opponent])
			}
		}
		for j := range i {
			b := &d.entrants[j]
			topScorers := lastRound && (a.score > half || b.score > half)
			if a.strength == absolute && b.strength == absolute && a.wish == b.wish && !topScorers {
				separate(i, j)
			}
		}
	}
	for _, f := range d.event.Forbidden {
		if !f.Holds(d.round) {
			continue
		}
		for _, a := range f.Players {
			for _, b := range f.Players {
				if index[a] >= 0 && index[b] >= 0 {
					separate(index[a], index[b])
				}
			}
		}
	}
}

func (d *draw) mayMeet(i, j int) bool { return !d.apart[i*len(d.entrants)+j] }

// chooseBye finds the least score at which a player can get the bye while all others can
// be paired (criteria C2, C4 and C5).
func (d *draw) chooseBye() error {
	n := len(d.entrants)
	if !d.odd {
		if _, complete := matching.Complete(n, d.mayMeet); !complete {
			return ErrNoPairing
		}
		return nil
	}
	for i := n - 1; i >= 0; i-- {
		score := d.entrants[i].score
		if i > 0 && d.entrants[i-1].score == score {
			continue
		}
		if d.completes(d.all(), score) {
			d.byeScore = score
			return nil
		}
	}
	return ErrNoPairing
}

func (d *draw) all() []int {
	all := make([]int, len(d.entrants))
	for i := range all {
		all[i] = i
	}
	return all
}

// completes reports whether players can all be paired, where one of them gets the bye if
// their number is odd: one with at most a score.
func (d *draw) completes(players []int, byeScore crosstable.Tenths) bool {
	n := len(players)
	if n%2 == 0 {
		_, complete := matching.Complete(n, func(u, v int) bool { return d.mayMeet(players[u], players[v]) })
		return complete
	}
	_, complete := matching.Complete(n+1, func(u, v int) bool {
		u, v = min(u, v), max(u, v)
		if v < n {
			return d.mayMeet(players[u], players[v])
		}
		e := &d.entrants[players[u]]
		return e.mayHaveBye && e.score <= byeScore
	})
	return complete
}

func (d *draw) done() bool { return d.next == len(d.entrants) && len(d.moved) == 0 }

// pairings returns the pairs in the order of their boards.
func (d *draw) pairings() []Pairing {
	var list []Pairing
	for i, j := range d.mates { // entrants are in order, so the higher player of a pair comes first
		if i < j {
			list = append(list, d.order(i, j))
		}
	}
	d.sortBoards(list)
	if d.without >= 0 {
		list = append(list, Pairing{First: d.entrants[d.without].number})
	}
	return list
}

// sortBoards puts pairings into the order of their boards, byes last.
func (d *draw) sortBoards(list []Pairing) {
	n := len(d.entrants)
	index := map[int]int{0: n} // the bye is below all players
	for i := range d.entrants {
		index[d.entrants[i].number] = i
	}
	slices.SortStableFunc(list, func(a, b Pairing) int {
		places := func(p Pairing) (higher, lower int) {
			i, j := index[p.First], index[p.Second]
			return min(i, j), max(i, j)
		}
		aHigher, aLower := places(a)
		bHigher, bLower := places(b)
		if a.IsBye() || b.IsBye() {
			return cmp.Or(cmp.Compare(aLower/n, bLower/n), cmp.Compare(aHigher, bHigher))
		}
		return cmp.Or(
			cmp.Compare(d.entrants[bHigher].score, d.entrants[aHigher].score),
			cmp.Compare(d.entrants[bLower].score, d.entrants[aLower].score),
			cmp.Compare(aHigher, bHigher))
	})
}

// order returns the pairing of the players with indices i < j, with the player who moves first.
func (d *draw) order(i, j int) Pairing {
	a, b := &d.entrants[i], &d.entrants[j]
	if startOf(a, b, d.event.OddFirst) == first {
		return Pairing{First: a.number, Second: b.number}
	}
	return Pairing{First: b.number, Second: a.number}
}
