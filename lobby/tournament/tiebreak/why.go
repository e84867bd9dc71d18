package tiebreak

import (
	"fmt"
	"strings"
)

// A Why says how the value of a tie-break comes about. Pages have a text for each kind, in each
// language; String gives the English one.
type Why struct {
	Kind WhyKind
	Args []string // the parts of the text, in the order of the kind's names
}

// WhyKind is a kind of explanations.
type WhyKind string

// Kinds of explanations, and the names of their arguments.
const (
	WhyFigures     WhyKind = "figures"     // figures: "12.5 = 4 + 3.5 + 3 + 2", the same in every language
	WhyCut         WhyKind = "cut"         // figures, cut: the term that is left out
	WhyCutTwo      WhyKind = "cut-two"     // figures, cut, other: the two terms that are left out
	WhyRounds      WhyKind = "rounds"      // n, rounds: those that count
	WhyEncounter   WhyKind = "encounter"   // points, met, all: how many of the tied players they have met
	WhyAlone       WhyKind = "alone"       // nobody else is tied
	WhyPerformance WhyKind = "performance" // value, average, difference, percent
	WhyUnrated     WhyKind = "unrated"     // no games against rated opponents
)

// kinds has the names of the arguments of each kind, and its text.
var kinds = map[WhyKind]struct {
	names []string
	text  string
}{
	WhyFigures:     {[]string{"figures"}, "{figures}"},
	WhyCut:         {[]string{"figures", "cut"}, "{figures}, without {cut}"},
	WhyCutTwo:      {[]string{"figures", "cut", "other"}, "{figures}, without {cut} and {other}"},
	WhyRounds:      {[]string{"n", "rounds"}, "{n}: rounds {rounds}"},
	WhyEncounter:   {[]string{"points", "met", "all"}, "{points} in games of the tied players ({met} of {all} met)"},
	WhyAlone:       {nil, "nobody else is tied"},
	WhyPerformance: {[]string{"value", "average", "difference", "percent"}, "{value}: {average} for opponents of {average} on average, {difference} for {percent} %"},
	WhyUnrated:     {nil, "no games against rated opponents"},
}

// why returns an explanation.
func why(kind WhyKind, args ...any) Why {
	w := Why{Kind: kind}
	for _, a := range args {
		w.Args = append(w.Args, fmt.Sprint(a))
	}
	return w
}

// Pairs returns the arguments with their names, as pairs of name and value.
func (w Why) Pairs() (pairs []any) {
	for i, name := range kinds[w.Kind].names {
		pairs = append(pairs, name, w.Args[i])
	}
	return pairs
}

func (w Why) String() string {
	text := kinds[w.Kind].text
	for i, name := range kinds[w.Kind].names {
		text = strings.ReplaceAll(text, "{"+name+"}", w.Args[i])
	}
	return text
}
