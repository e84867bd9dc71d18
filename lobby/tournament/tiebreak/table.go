package tiebreak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mancala/lobby/tournament/crosstable"
)

// table is an event with the scores that the tie-breaks ask for.
type table struct {
	*crosstable.Event
	rounds   int
	scores   []crosstable.Tenths
	adjusted []crosstable.Tenths // what a player counts for their opponents
	most     crosstable.Tenths   // the maximum possible score
}

func newTable(e *crosstable.Event) *table {
	t := &table{Event: e, rounds: e.Paired()}
	for i := range e.Players {
		p := &e.Players[i]
		t.scores = append(t.scores, e.Score(p, t.rounds))
		t.adjusted = append(t.adjusted, t.adjustedScore(p))
		t.most = max(t.most, e.Points.Win*crosstable.Tenths(t.chances(p)))
	}
	return t
}

// chances returns the number of rounds in which a player could win a point. In a Swiss those are all, since
// even a bye can be worth a point. With predetermined pairings a round without an opponent, or with an
// opponent whose results do not count, brings nothing.
func (t *table) chances(p *crosstable.Player) (n int) {
	if !t.System.Predetermined() {
		return t.rounds
	}
	for round := range t.rounds {
		if result(p, round).Opponent != 0 {
			n++
		}
	}
	return n
}

// adjustedScore returns what a player counts for their opponents. Article 16.3 applies to Swiss
// tournaments alone: with predetermined pairings it is the score (article 15). There, a last round
// without an opponent does not mean that the player has left.
func (t *table) adjustedScore(p *crosstable.Player) (sum crosstable.Tenths) {
	if t.System.Predetermined() {
		return t.Score(p, t.rounds)
	}
	last := 0 // the last round that was played, or missed against the player's will
	for round := range t.rounds {
		if !voluntarilyUnplayed(result(p, round).Code) {
			last = round + 1
		}
	}
	for round := range t.rounds {
		r := result(p, round)
		if round < last || r.Opponent != 0 {
			sum += t.Points.Of(r.Code)
		} else {
			sum += t.Points.Draw // rounds after the player has left (16.3.2)
		}
	}
	return sum
}

// result returns a round, from 0, of a player who may have left before it.
func result(p *crosstable.Player, round int) crosstable.Result {
	if round < len(p.Results) {
		return p.Results[round]
	}
	return crosstable.Result{Code: crosstable.Absent}
}

// isGame reports whether a round counts as a game against its opponent. With predetermined pairings a
// forfeit does, for both players (article 15.2).
//
// Wins at the board and the rating performance count what was played, in each system: their articles (7.2
// and 10) say so, and so does article 15.2 in the edition of 2026.
func (t *table) isGame(r crosstable.Result) bool {
	return r.Opponent != 0 && (r.Code.Played() || t.System.Predetermined())
}

// voluntarilyUnplayed reports whether a player could have played a round and did not
// (article 16.2): a half-point bye, absence, or a lost forfeit.
func voluntarilyUnplayed(c crosstable.Code) bool {
	switch c {
	case crosstable.HalfBye, crosstable.Absent, crosstable.ForfeitLoss:
		return true
	}
	return false
}

// term is what one round adds to a tie-break.
type term struct {
	opponent  crosstable.Tenths // the points of the opponent, or one's own for a round without a game
	own       crosstable.Tenths // the points that the round brought
	worth     int               // hundredths
	voluntary bool
}

// terms returns a term for each round: the opponent's adjusted points, and for a round without a
// game a dummy opponent with the player's own points (article 16.4). With predetermined pairings
// there is no dummy, so that a round without an opponent has no term.
func (t *table) terms(i int) []term {
	p := &t.Players[i]
	var list []term
	for round := range t.rounds {
		r := result(p, round)
		if r.Opponent == 0 && t.System.Predetermined() {
			continue
		}
		one := term{opponent: t.scores[i], own: t.Points.Of(r.Code), voluntary: voluntarilyUnplayed(r.Code)}
		if t.isGame(r) {
			one.opponent, one.voluntary = t.adjusted[r.Opponent-1], false
		}
		list = append(list, one)
	}
	return list
}

func buchholz(lowest, highest int) func(*table, int) Value {
	return func(t *table, i int) Value {
		list := t.terms(i)
		for k := range list {
			list[k].worth = 10 * int(list[k].opponent)
		}
		kept, cut := cutTerms(list, lowest, highest)
		v := sumOf(kept, func(one term) string { return points(one.opponent) })
		if len(cut) > 0 {
			var words []string
			for _, one := range cut {
				words = append(words, points(one.opponent))
			}
			if v.Why = why(WhyCut, v.Why.Args[0], words[0]); len(words) > 1 { // never more than two
				v.Why = why(WhyCutTwo, v.Why.Args[0], words[0], words[1])
			}
		}
		return v
	}
}

// cutTerms takes out the lowest and the highest terms (article 14). Rounds that were missed
// voluntarily are the first of the lowest.
func cutTerms(list []term, lowest, highest int) (kept, cut []term) {
	kept = slices.Clone(list)
	take := func(compare func(a, b term) int) {
		if len(kept) == 0 {
			return
		}
		k := 0
		for i := range kept {
			if compare(kept[i], kept[k]) < 0 {
				k = i
			}
		}
		cut = append(cut, kept[k])
		kept = slices.Delete(kept, k, k+1)
	}
	for range lowest {
		take(func(a, b term) int {
			if a.voluntary != b.voluntary {
				if a.voluntary {
					return -1
				}
				return 1
			}
			return cmp.Compare(a.worth, b.worth)
		})
	}
	for range highest {
		take(func(a, b term) int { return cmp.Compare(b.worth, a.worth) })
	}
	return kept, cut
}

func sonnebornBerger(t *table, i int) Value {
	list := t.terms(i)
	for k := range list {
		list[k].worth = int(list[k].opponent * list[k].own)
	}
	return sumOf(list, func(one term) string { return points(one.opponent) + "×" + points(one.own) })
}

func progressive(t *table, i int) Value {
	var list []term
	var sum crosstable.Tenths
	for round := range t.rounds {
		sum += t.Points.Of(result(&t.Players[i], round).Code)
		list = append(list, term{own: sum, worth: 10 * int(sum)})
	}
	return sumOf(list, func(one term) string { return points(one.own) })
}

// koya counts the points against opponents who have at least half of the maximum possible score
// (article 9.2). While a round robin goes on, that is the maximum of the player with the most games so far.
func koya(t *table, i int) Value {
	p := &t.Players[i]
	var list []term
	for round := range t.rounds {
		r := result(p, round)
		if r.Opponent != 0 && 2*t.scores[r.Opponent-1] >= t.most {
			own := t.Points.Of(r.Code)
			list = append(list, term{own: own, worth: 10 * int(own)})
		}
	}
	return sumOf(list, func(one term) string { return points(one.own) })
}

func wins(t *table, i int) Value {
	return t.countRounds(i, func(r crosstable.Result) bool { return t.Points.Of(r.Code) == t.Points.Win })
}

func won(t *table, i int) Value {
	return t.countRounds(i, func(r crosstable.Result) bool { return r.Code == crosstable.Win || r.Code == crosstable.ShortWin })
}

// seedDifference counts the seeds won less those of the opponents. It is not one of FIDE's
// tie-breaks, since only games of the mancala family have seeds.
func seedDifference(t *table, i int) Value {
	var v Value
	var words []string
	for round := range t.rounds {
		if r := result(&t.Players[i], round); r.Code.Played() {
			v.Hundredths += 100 * r.Seeds
			words = append(words, fmt.Sprintf("%+d", r.Seeds))
		}
	}
	sum := fmt.Sprintf("%+d", v.Hundredths/100)
	if len(words) > 0 {
		sum += ": " + strings.Join(words, " ")
	}
	v.Why = why(WhyFigures, sum)
	return v
}

func (t *table) countRounds(i int, counts func(crosstable.Result) bool) Value {
	var in []string
	for round := range t.rounds {
		if counts(result(&t.Players[i], round)) {
			in = append(in, fmt.Sprint(round+1))
		}
	}
	v := Value{Hundredths: 100 * len(in), Why: why(WhyFigures, len(in))}
	if len(in) > 0 {
		v.Why = why(WhyRounds, len(in), strings.Join(in, ", "))
	}
	return v
}

// sumOf adds terms up and says how.
func sumOf(list []term, word func(term) string) Value {
	var v Value
	var words []string
	for _, one := range list {
		v.Hundredths += one.worth
		words = append(words, word(one))
	}
	sum := hundredths(v.Hundredths)
	if len(words) > 0 {
		sum += " = " + strings.Join(words, " + ")
	}
	v.Why = why(WhyFigures, sum)
	return v
}

// hundredths writes a number with as few decimals as it needs.
func hundredths(n int) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%02d", n/100, n%100), "0"), ".")
}

func points(t crosstable.Tenths) string { return hundredths(10 * int(t)) }
