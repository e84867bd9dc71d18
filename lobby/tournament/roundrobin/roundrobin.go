// Package roundrobin pairs tournaments in which each player meets every other.
//
// The pairings are those of the Berger tables (FIDE Handbook, C.05, Annex 1: Details of
// Berger tables). A player's number is their row in the table. Everything here is a pure
// function. The table stays as it is when players leave: their opponents then have a round
// without a game.
package roundrobin

import (
	"mancala/lobby/tournament/crosstable"
)

// ByeCode is the code of a round in which the table has no opponent for a player. It is worth
// nothing, since an odd number of players gives everybody the same number of such rounds.
const ByeCode = crosstable.Absent

// Rounds returns the number of rounds for n players. In a double tournament, everybody meets
// everybody twice.
func Rounds(n int, double bool) int {
	rounds := cycle(n)
	if double {
		rounds *= 2
	}
	return rounds
}

// cycle returns the number of rounds in which each of n players meets every other once.
func cycle(n int) int {
	if n < 2 {
		return 0
	}
	return n - 1 + n%2
}

// Pairings returns the pairings of a round, from 1, of n players in the order of the table. If n
// is odd, the bye comes last. A round that does not exist has no pairings.
//
// The second half of a double tournament is the first with the other player moving first. The
// first half has its last two rounds in reverse order, as the Handbook recommends: otherwise
// some players would have the same start three times in a row.
func Pairings(n, round int, double bool) []crosstable.Pairing {
	if round < 1 || round > Rounds(n, double) {
		return nil
	}
	single, second := round, round > cycle(n)
	if second {
		single -= cycle(n)
	} else if double && n > 2 {
		switch cycle(n) - round {
		case 0:
			single--
		case 1:
			single++
		}
	}
	pairings := berger(n, single)
	if second {
		for i, p := range pairings {
			if !p.IsBye() {
				pairings[i] = crosstable.Pairing{First: p.Second, Second: p.First}
			}
		}
	}
	return pairings
}

// berger returns a round of the Berger table for n players.
//
// All numbers but the greatest even one stand on a circle. One of them meets the greatest.
// The others meet the number that is as far from that one on the other side.
func berger(n, round int) []crosstable.Pairing {
	last := n + n%2 // the number that is not on the circle; for an odd n nobody has it
	circle := last - 1
	half := last / 2
	pivot := (round - 1) * half % circle // from 0
	var pairings []crosstable.Pairing
	bye := crosstable.Pairing{First: pivot + 1}
	if n == last {
		top := crosstable.Pairing{First: pivot + 1, Second: last}
		if pivot+1 > half {
			top = crosstable.Pairing{First: last, Second: pivot + 1}
		}
		pairings = append(pairings, top)
	}
	for step := 1; step < half; step++ {
		a, b := (pivot+step)%circle+1, (pivot-step+circle)%circle+1
		pairings = append(pairings, crosstable.Pairing{First: a, Second: b})
	}
	if n != last {
		pairings = append(pairings, bye)
	}
	return pairings
}
