// Package pairing finds opponents for people who take whoever comes.
//
// Everything here is a value or a pure function: the same people at the same
// time give the same pairs, in whatever order they are listed.
package pairing

import (
	"cmp"
	"slices"
	"time"
)

// Waiting is somebody who waits for an opponent.
type Waiting struct {
	ID      string // nobody is listed twice
	Pool    string // game and speed; only people of the same pool meet
	Rating  int    // 0: none, and then nothing is known that would keep two apart
	Since   time.Time
	Recent  []string // opponents of the last games, by ID
	Blocked []string // whom he does not want to meet, by ID
	Balance int      // how many more games he has begun than not
}

// Pair are two who play. First begins.
type Pair struct{ First, Second string }

// A window says whom somebody accepts. It widens while he waits.
const (
	Widens     = 5 * time.Second  // how often a window widens
	points     = 100              // of rating, at first and with every step
	again      = 20 * time.Second // after which a recent opponent is welcome
	everybody  = time.Minute      // after which the rating does not matter
	unlimited  = int(^uint(0) >> 1)
	unaccepted = -1
)

// window is how far away a rating may be for somebody who has waited so long.
func window(waited time.Duration) int {
	if waited >= everybody {
		return unlimited
	}
	return points * (1 + int(max(waited, 0)/Widens))
}

// Accept says whether two people take each other at a time. Both windows must
// allow it: who has just come is not given to a stranger of another strength
// because that one has waited long.
func Accept(a, b *Waiting, now time.Time) bool {
	return a.Pool == b.Pool && distance(a, b, min(window(now.Sub(a.Since)), window(now.Sub(b.Since))), now) != unaccepted
}

// distance is how far apart two people of the same pool are, or unaccepted.
func distance(a, b *Waiting, most int, now time.Time) int {
	d := 0
	if a.Rating != 0 && b.Rating != 0 {
		d = max(a.Rating-b.Rating, b.Rating-a.Rating)
	}
	if d > most || slices.Contains(a.Blocked, b.ID) || slices.Contains(b.Blocked, a.ID) {
		return unaccepted
	}
	if min(now.Sub(a.Since), now.Sub(b.Since)) < again && (slices.Contains(a.Recent, b.ID) || slices.Contains(b.Recent, a.ID)) {
		return unaccepted
	}
	return d
}

// Wave pairs those who accept each other. Who has waited longest chooses first,
// and gets the nearest rating, of equals the one who waits longest. Afterwards no
// two are left who accept each other.
func Wave(people []Waiting, now time.Time) []Pair {
	order := slices.Clone(people)
	slices.SortFunc(order, func(a, b Waiting) int {
		return cmp.Or(cmp.Compare(a.Pool, b.Pool), a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
	})
	windows, paired := make([]int, len(order)), make([]bool, len(order))
	for i := range order {
		windows[i] = window(now.Sub(order[i].Since))
	}
	var pairs []Pair
	for i := range order {
		if paired[i] {
			continue
		}
		// Those before him have looked at him already. Who comes after him has a
		// window that is no wider.
		best, nearest := 0, unlimited
		for j := i + 1; j < len(order) && order[j].Pool == order[i].Pool && nearest > 0; j++ {
			if paired[j] {
				continue
			}
			if d := distance(&order[i], &order[j], min(windows[j], nearest-1), now); d != unaccepted {
				best, nearest = j, d
			}
		}
		if best > 0 {
			paired[best] = true
			pairs = append(pairs, Seat(&order[i], &order[best]))
		}
	}
	return pairs
}

// Next is when somebody's window widens next after a time, or when he has come if
// that is later; the zero time if it is as wide as can be.
func Next(since, after time.Time) time.Time {
	switch waited := after.Sub(since); {
	case waited <= 0:
		return since
	case waited < everybody:
		return since.Add((waited/Widens + 1) * Widens)
	}
	return time.Time{}
}

// Seat says who begins: who has begun less often; of equals the first, who has
// waited longer.
func Seat(older, younger *Waiting) Pair {
	if younger.Balance < older.Balance {
		return Pair{younger.ID, older.ID}
	}
	return Pair{older.ID, younger.ID}
}
