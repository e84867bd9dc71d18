// Package tiebreak orders players who have the same number of points, and says why.
//
// The formulas are those of FIDE's Tie-Break Regulations (C.07) in the edition of 2024. Where
// their text was not at hand, they are those of the Tie Break Server of FIDE's Technical
// Commission. Rounds without a game count by article 16 in a Swiss, and by article 15.2 in tournaments
// with predetermined pairings. Everything here is a pure function of a table.
package tiebreak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mancala/lobby/tournament/crosstable"
)

// A Rule is one tie-break.
type Rule struct {
	Code string // as in lists, such as BH/C1
	Name string
	what func(*table, int) Value // nil for the direct encounter, which looks at all who are tied
}

// rules are all tie-breaks, each once.
var rules = []Rule{
	{"DE", "direct encounter", nil},
	{"BH", "Buchholz", buchholz(0, 0)},
	{"BH/C1", "Buchholz, without the lowest", buchholz(1, 0)},
	{"BH/C2", "Buchholz, without the two lowest", buchholz(2, 0)},
	{"BH/M1", "Buchholz, without the highest and the lowest", buchholz(1, 1)},
	{"SB", "Sonneborn-Berger", sonnebornBerger},
	{"PS", "progressive scores", progressive},
	{"KS", "Koya", koya},
	{"WIN", "wins", wins},
	{"WON", "wins at the board", won},
	{"TPR", "rating performance", performance},
	{"SEEDS", "seed difference", seedDifference},
}

// Usual is the list for a Swiss tournament whose host has chosen none.
const Usual = "DE,BH/C1,BH,SB,WON"

// Parse reads a list of codes with commas between them. BH-C1 is the same as BH/C1.
func Parse(list string) ([]Rule, error) {
	var parsed []Rule
	for code := range strings.SplitSeq(list, ",") {
		code = strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(code), "-", "/"))
		i := slices.IndexFunc(rules, func(r Rule) bool { return r.Code == code })
		if i < 0 {
			return nil, fmt.Errorf("%.20q is no tie-break; there are %s", code, strings.Join(Codes(), ", "))
		}
		if slices.ContainsFunc(parsed, func(r Rule) bool { return r.Code == code }) {
			return nil, fmt.Errorf("the tie-break %s is there twice", code)
		}
		parsed = append(parsed, rules[i])
	}
	return parsed, nil
}

// Codes returns the codes of all tie-breaks.
func Codes() []string {
	var codes []string
	for _, r := range rules {
		codes = append(codes, r.Code)
	}
	return codes
}

// A Row is one player in the standings.
type Row struct {
	Place  int // from 1; players whom no tie-break separates share a place
	Number int
	Points crosstable.Tenths
	Values []Value // one for each rule
}

// A Value is what a tie-break is worth for a player. The greater one is placed higher.
type Value struct {
	Hundredths int
	Why        Why
}

// Standings returns the players in the order of their points and of the tie-breaks.
func Standings(e *crosstable.Event, rules []Rule) []Row {
	t := newTable(e)
	rows := make([]Row, len(e.Players))
	all := make([]int, len(e.Players))
	for i := range rows {
		rows[i] = Row{Number: i + 1, Points: t.scores[i], Values: make([]Value, len(rules))}
		all[i] = i
	}
	groups := split([][]int{all}, func(i int) int { return int(t.scores[i]) })
	for k, rule := range rules {
		if rule.what == nil {
			var next [][]int
			for _, tied := range groups {
				next = append(next, t.directEncounter(tied, func(i int) *Value { return &rows[i].Values[k] })...)
			}
			groups = next
			continue
		}
		for i := range rows {
			rows[i].Values[k] = rule.what(t, i)
		}
		groups = split(groups, func(i int) int { return rows[i].Values[k].Hundredths })
	}
	sorted := make([]Row, 0, len(rows))
	for _, tied := range groups {
		place := len(sorted) + 1
		for _, i := range tied {
			rows[i].Place = place
			sorted = append(sorted, rows[i])
		}
	}
	return sorted
}

// split divides each group by a value, the greatest first.
func split(groups [][]int, value func(i int) int) (divided [][]int) {
	for _, tied := range groups {
		tied = slices.Clone(tied)
		slices.SortStableFunc(tied, func(i, j int) int { return cmp.Compare(value(j), value(i)) })
		for from := 0; from < len(tied); {
			to := from + 1
			for to < len(tied) && value(tied[to]) == value(tied[from]) {
				to++
			}
			divided = append(divided, tied[from:to])
			from = to
		}
	}
	return divided
}
