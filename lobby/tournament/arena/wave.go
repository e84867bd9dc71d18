package arena

import (
	"cmp"
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/matching"
)

const (
	// Patience is the number of waves after which two players who have no other opponent may meet
	// again at once.
	Patience = 3

	// group is the greatest number of players who are weighed against each other. Work grows with
	// its square for each player.
	group = 32

	recent = 4 // how many games back an opponent counts as recent
)

// A wave gives each pair a weight. Each pair has a constant worth, so that as many players as possible
// are paired. The other worths follow in the order of their importance: each constant is greater than
// the sum of all worths of a pair that follow it.
const (
	worthPair   = 1 << 44
	worthWait   = 1 << 34 // for each wave that a player has waited, up to mostWaits
	mostWaits   = 7
	worthOther  = 1 << 28 // for an opponent who is not the last one
	worthGames  = 1 << 16 // for each game that a player has fewer than the free player with the most, up to mostGames
	mostGames   = 511
	worthNear   = 1 << 15 // less the costs of a pair
	costRecent  = 400     // times 4 for the opponent of the last game, 3 for the one before, and so on
	costSurplus = 100     // for the square of what the pair makes worse
)

// Wave pairs the players who are free. Those who waited longest are paired first, then those who
// have played least. Opponents are near each other in the standings, and at the beginning in
// rating. They are not those of the last game, unless the two are alone or have both waited for
// [Patience] waves. The player who has moved first less often moves first.
//
// All who are in the tournament and do not pause are present, also those in a game. Where apart is
// not nil, it reports whether two players may not meet. left has the numbers of the players without
// an opponent. The caller adds one to their Waited, and sets that of the others in free to 0: Wave
// changes no player.
func Wave(free []*Player, present int, apart func(a, b int) bool) (pairings []crosstable.Pairing, left []int) {
	w := &wave{alone: present <= 2, apart: apart}
	for _, p := range free {
		w.add(p)
	}
	slices.SortFunc(w.seekers, func(a, b seeker) int {
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Number, b.Number))
	})
	for i := range w.seekers {
		w.seekers[i].rank = i
	}
	rest := w.seekers
	if len(rest)%2 == 1 && len(rest) > group {
		rest = w.leaveOne(rest)
	}
	var unpaired []seeker
	for len(rest) > 0 {
		n := len(rest)
		if n > group {
			n = min(group, (n/2+1)/2*2) // no group becomes very small
		}
		unpaired = append(unpaired, w.pair(rest[:n])...)
		rest = rest[n:]
	}
	if len(w.seekers) > group { // they may have mates in other groups
		n := min(len(unpaired), 2*group)
		unpaired = append(unpaired[n:], w.pair(unpaired[:n])...)
	}
	for _, s := range unpaired {
		w.left = append(w.left, s.Number)
	}
	slices.SortFunc(w.pairings, func(a, b board) int { return cmp.Compare(a.rank, b.rank) })
	for _, b := range w.pairings {
		pairings = append(pairings, b.Pairing)
	}
	return pairings, w.left
}

// wave is one wave under way.
type wave struct {
	seekers  []seeker
	alone    bool
	apart    func(a, b int) bool
	most     int // the greatest number of games
	pairings []board
	left     []int
}

// seeker is a player who is free, with what a wave asks about.
type seeker struct {
	*Player
	points  int
	surplus int
	rank    int
}

// board is a pairing with the better rank of its players.
type board struct {
	crosstable.Pairing
	rank int
}

func (w *wave) add(p *Player) {
	w.seekers = append(w.seekers, seeker{Player: p, points: p.Points(), surplus: p.surplus()})
	w.most = max(w.most, len(p.Games))
}

// leaveOne leaves out the player who has waited least, among them the one with the most games, and
// among these the last in the standings.
func (w *wave) leaveOne(from []seeker) []seeker {
	worst := 0
	for i, s := range from {
		if cmp.Or(cmp.Compare(s.Waited, from[worst].Waited), cmp.Compare(len(from[worst].Games), len(s.Games))) <= 0 {
			worst = i
		}
	}
	w.left = append(w.left, from[worst].Number)
	return slices.Concat(from[:worst], from[worst+1:])
}

// pair pairs the players of a group, and returns those without a mate.
func (w *wave) pair(from []seeker) (unpaired []seeker) {
	g := matching.NewGraph(len(from), 1)
	for j := range from {
		for i := range j {
			g.Weight(i, j)[0] = w.worth(&from[i], &from[j])
		}
	}
	for i, j := range g.Heaviest() {
		switch {
		case j < 0:
			unpaired = append(unpaired, from[i])
		case i < j:
			w.pairings = append(w.pairings, board{order(&from[i], &from[j]), from[i].rank})
		}
	}
	return unpaired
}

// worth returns what a pair is worth, or 0 for players who may not meet.
func (w *wave) worth(a, b *seeker) uint64 {
	if w.apart != nil && w.apart(a.Number, b.Number) {
		return 0
	}
	worth := worthPair + worthWait*(min(a.Waited, mostWaits)+min(b.Waited, mostWaits))
	worth += worthGames * (min(w.most-len(a.Games), mostGames) + min(w.most-len(b.Games), mostGames))
	switch {
	case a.last() != b.Number && b.last() != a.Number:
		worth += worthOther
	case !w.alone && min(a.Waited, b.Waited) < Patience:
		return 0
	}
	distance := b.rank - a.rank
	cost := distance * distance
	cost += costRecent*recency(a.Games, b.Number) + costRecent*recency(b.Games, a.Number)
	if (a.surplus > 0) == (b.surplus > 0) {
		both := min(max(a.surplus, -a.surplus), max(b.surplus, -b.surplus))
		cost += costSurplus * both * both
	}
	return uint64(worth + max(worthNear-cost, 0))
}

// recency returns how recent an opponent is, from 0 for one who is not among the recent ones.
func recency(games []Game, opponent int) int {
	for back := 1; back <= min(recent, len(games)); back++ {
		if games[len(games)-back].Opponent == opponent {
			return recent + 1 - back
		}
	}
	return 0
}

// order returns the pairing of two players with the one who moves first: the one who has moved
// first less often than second; among equals the one who moved second in their last game, and then
// as in Berger tables the lower number where the sum of both is odd.
func order(a, b *seeker) crosstable.Pairing {
	aFirst := (a.Number < b.Number) == ((a.Number+b.Number)%2 == 1)
	if x, y := a.movedFirst(), b.movedFirst(); x != y {
		aFirst = !x
	}
	if a.surplus != b.surplus {
		aFirst = a.surplus < b.surplus
	}
	if aFirst {
		return crosstable.Pairing{First: a.Number, Second: b.Number}
	}
	return crosstable.Pairing{First: b.Number, Second: a.Number}
}

// movedFirst reports whether the player moved first in their last game.
func (p *Player) movedFirst() bool { return len(p.Games) > 0 && p.Games[len(p.Games)-1].First }
