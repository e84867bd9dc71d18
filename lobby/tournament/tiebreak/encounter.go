package tiebreak

import (
	"cmp"
	"slices"

	"mancala/lobby/tournament/crosstable"
)

// An encounter is the result of one player against all others who are tied with them. Its points are in
// hundredths: the average of two games can be 0.25 or 0.75.
type encounter struct {
	player int
	met    int
	points int
	most   int // if all games that were not played had been won
}

// directEncounter divides players who are tied by their games against each other
// (article 6). It writes the value of each player and the reason for it. The value is 0 where the
// games separate nobody.
func (t *table) directEncounter(tied []int, value func(i int) *Value) [][]int {
	for _, one := range t.encounters(tied) {
		value(one.player).Why = why(WhyEncounter, hundredths(one.points), one.met, len(tied)-1)
		if len(tied) == 1 {
			value(one.player).Why = why(WhyAlone)
		}
	}
	groups := t.divide(tied)
	if len(groups) == 1 {
		return groups // it separates nobody, and is worth nothing
	}
	for place, group := range groups {
		for _, i := range group {
			value(i).Hundredths = 100 * (len(groups) - place)
		}
	}
	return groups
}

// divide divides players who are tied by their games against each other. The players of one
// group are still tied.
func (t *table) divide(tied []int) (divided [][]int) {
	list := t.encounters(tied)
	groups := byPoints(list)
	if slices.ContainsFunc(list, func(one encounter) bool { return one.met < len(tied)-1 }) {
		groups = fromTheTop(list)
	}
	if len(groups) == 1 {
		return groups
	}
	for _, group := range groups { // among fewer players it may be decided
		divided = append(divided, t.divide(group)...)
	}
	return divided
}

// byPoints divides players who have all met (6.1).
func byPoints(list []encounter) [][]int {
	all := make([]int, len(list))
	for k := range list {
		all[k] = k
	}
	groups := split([][]int{all}, func(k int) int { return list[k].points })
	for _, group := range groups {
		for k := range group {
			group[k] = list[group[k]].player
		}
	}
	return groups
}

// fromTheTop divides players who have not all met (6.2). The first place goes to the player who
// would be ahead of all others even if these had won every game that was not played. The next
// place goes by the same rule among the others. The players for whom it decides nothing stay
// together.
func fromTheTop(list []encounter) (groups [][]int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b encounter) int {
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(b.most, a.most))
	})
	first := 0
	for first < len(list)-1 && !slices.ContainsFunc(list[first+1:], func(other encounter) bool { return other.most >= list[first].points }) {
		groups = append(groups, []int{list[first].player})
		first++
	}
	var rest []int
	for _, one := range list[first:] {
		rest = append(rest, one.player)
	}
	slices.Sort(rest)
	return append(groups, rest)
}

// encounters counts the games among players who are tied. Two games of the same players
// count as their average (6.1.2).
func (t *table) encounters(tied []int) []encounter {
	list := make([]encounter, 0, len(tied))
	for _, i := range tied {
		one := encounter{player: i}
		games := map[int][]crosstable.Tenths{}
		for round := range t.rounds {
			r := result(&t.Players[i], round)
			if t.isGame(r) && slices.Contains(tied, r.Opponent-1) {
				games[r.Opponent] = append(games[r.Opponent], t.Points.Of(r.Code))
			}
		}
		for _, brought := range games {
			var sum crosstable.Tenths
			for _, p := range brought {
				sum += p
			}
			one.met++
			one.points += 10 * int(sum) / len(brought)
		}
		one.most = one.points + 10*int(t.Points.Win)*(len(tied)-1-one.met)
		list = append(list, one)
	}
	return list
}
