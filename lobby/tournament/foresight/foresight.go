// Package foresight estimates whether all rounds of a Swiss tournament can be paired.
//
// A Swiss with few players and many rounds runs out of legal pairings: two players may not
// meet twice. A host should know that before the start, and while something can be done. The
// answer comes from playing the rest of the tournament many times with random results.
package foresight

import (
	"math/rand/v2"
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/simulation"
	"mancala/lobby/tournament/swiss"
)

// An Outlook is how the trials went.
type Outlook struct {
	Last   int // the last round that was paired in every trial: the rounds up to it can be announced
	Trials int
	Stuck  int // trials that did not reach the last round
}

// Safe reports whether every trial reached the last round.
func (o Outlook) Safe() bool { return o.Stuck == 0 }

// Trials is how many times [Swiss] plays the rest of a tournament.
const Trials = 40

// Swiss plays the rounds of e that are left. The players with the numbers in out are not
// paired. Games that are not over get a random result. The same arguments give the same
// answer.
func Swiss(e *crosstable.Event, out []int, run uint64) Outlook {
	o := Outlook{Last: e.Rounds, Trials: Trials}
	for trial := range uint64(Trials) {
		if last := play(e, out, rand.New(rand.NewPCG(run, trial))); last < e.Rounds {
			o.Last = min(o.Last, last)
			o.Stuck++
		}
	}
	return o
}

// play plays a copy of e on. It returns the last round that could be paired.
func play(e *crosstable.Event, out []int, r *rand.Rand) int {
	from := e.Paired() + 1
	e = finished(e, from-1, r)
	for round := from; round <= e.Rounds; round++ {
		for i := range e.Players {
			if p := &e.Players[i]; len(p.Results) < round && slices.Contains(out, p.Number) {
				p.Results = append(p.Results, crosstable.Result{Code: crosstable.Absent})
			}
		}
		pairings, err := swiss.Pair(e, round)
		if err != nil || len(pairings) == 0 {
			return round - 1
		}
		for _, p := range pairings {
			simulation.Play(e, p, r, chances)
		}
	}
	return e.Rounds
}

// chances are those of the trials' results.
var chances = simulation.Options{Draws: 10}

// finished returns a copy of e whose last round has no unfinished games.
func finished(e *crosstable.Event, last int, r *rand.Rand) *crosstable.Event {
	copied := *e
	copied.Players = slices.Clone(e.Players)
	for i := range copied.Players {
		copied.Players[i].Results = slices.Clone(e.Players[i].Results)
	}
	for i := range copied.Players {
		p := &copied.Players[i]
		if last == 0 || len(p.Results) < last || p.Results[last-1].Code != crosstable.Unfinished {
			continue
		}
		codes := [2]crosstable.Code{crosstable.Win, crosstable.Loss}
		if r.IntN(2) == 0 {
			codes[0], codes[1] = codes[1], codes[0]
		}
		p.Results[last-1].Code = codes[0]
		copied.Player(p.Results[last-1].Opponent).Results[last-1].Code = codes[1]
	}
	return &copied
}
