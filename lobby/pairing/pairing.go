// Package pairing finds opponents for people who wait in a pool.
//
// Everything here is a value or a pure function. The same people at the same time give
// the same pairs, in any order of the list.
package pairing

import (
	"cmp"
	"slices"
	"time"
)

// Waiting is a person who waits for an opponent.
type Waiting struct {
	ID      string // unique in a list
	Pool    string // game and speed; only people of the same pool are paired
	Rating  int    // 0: unrated; an unrated person may meet every rating
	Since   time.Time
	Recent  []string // opponents of the last games, by ID
	Blocked []string // people whom this person must not meet, by ID
	Balance int      // games that this person has begun, less the others
}

// Pair is two people who play. First begins.
type Pair struct{ First, Second string }

// A window is the range of ratings that a person accepts. It widens while they wait.
const (
	Widens     = 5 * time.Second  // how often a window widens
	points     = 100              // of rating, at first and with every step
	again      = 20 * time.Second // after which a recent opponent is accepted while other people wait
	everybody  = time.Minute      // after which every rating is accepted
	unlimited  = int(^uint(0) >> 1)
	unaccepted = -1
)

// window returns how far away a rating may be for a person who has waited so long.
func window(waited time.Duration) int {
	if waited >= everybody {
		return unlimited
	}
	return points * (1 + int(max(waited, 0)/Widens))
}

// Accept reports whether two people accept each other now. Both windows must allow it:
// a person who has just come is not paired with a much stronger or weaker one because
// that one has waited long. alone reports whether no other person waits in their pool. Then
// they accept each other even if they have just played.
func Accept(a, b *Waiting, alone bool, now time.Time) bool {
	return a.Pool == b.Pool && distance(a, b, min(window(now.Sub(a.Since)), window(now.Sub(b.Since))), alone, now) != unaccepted
}

// distance returns the difference in rating of two people of the same pool, or unaccepted.
func distance(a, b *Waiting, most int, alone bool, now time.Time) int {
	d := 0
	if a.Rating != 0 && b.Rating != 0 {
		d = max(a.Rating-b.Rating, b.Rating-a.Rating)
	}
	if d > most || slices.Contains(a.Blocked, b.ID) || slices.Contains(b.Blocked, a.ID) {
		return unaccepted
	}
	if !alone && min(now.Sub(a.Since), now.Sub(b.Since)) < again && (slices.Contains(a.Recent, b.ID) || slices.Contains(b.Recent, a.ID)) {
		return unaccepted
	}
	return d
}

// Wave pairs people who accept each other. The person who has waited longest chooses
// first and gets the nearest rating, and of equals the one who has waited longest. No two
// people who accept each other are left. The last two of a pool are alone, so recent
// opponents are kept apart only while a third person waits.
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
		// Earlier people have considered this one already. Later ones have a window
		// that is no wider.
		best, nearest := 0, unlimited
		for j := i + 1; j < len(order) && order[j].Pool == order[i].Pool && nearest > 0; j++ {
			if paired[j] {
				continue
			}
			if d := distance(&order[i], &order[j], min(windows[j], nearest-1), false, now); d != unaccepted {
				best, nearest = j, d
			}
		}
		if best > 0 {
			paired[i], paired[best] = true, true
			pairs = append(pairs, Seat(&order[i], &order[best]))
		}
	}
	for _, two := range lastTwo(order, paired) {
		if Accept(two[0], two[1], true, now) {
			pairs = append(pairs, Seat(two[0], two[1]))
		}
	}
	return pairs
}

// lastTwo returns the people who are left in each pool with exactly two people. The order
// is by pool.
func lastTwo(order []Waiting, paired []bool) (all [][2]*Waiting) {
	var left []*Waiting
	for i := range order {
		if !paired[i] {
			left = append(left, &order[i])
		}
		if end := i+1 == len(order) || order[i+1].Pool != order[i].Pool; end {
			if len(left) == 2 {
				all = append(all, [2]*Waiting{left[0], left[1]})
			}
			left = left[:0]
		}
	}
	return all
}

// Next returns when the window of a person who waits since then widens next after a time,
// or since if that is later. It returns the zero time if the window is unlimited.
func Next(since, after time.Time) time.Time {
	switch waited := after.Sub(since); {
	case waited <= 0:
		return since
	case waited < everybody:
		return since.Add((waited/Widens + 1) * Widens)
	}
	return time.Time{}
}

// Seat decides who begins: the person who has begun less often, and of equals the older
// one, who has waited longer.
func Seat(older, younger *Waiting) Pair {
	if younger.Balance < older.Balance {
		return Pair{younger.ID, older.ID}
	}
	return Pair{older.ID, younger.ID}
}
