package trf

import "mancala/lobby/tournament/crosstable"

// finish checks what concerns more than one line, and gives every player the same number of
// rounds.
func (in *reader) finish() error {
	e := in.event
	for i := range e.Players {
		if e.Players[i].Number == 0 {
			return &crosstable.Problem{Code: "missing", Number: i + 1}
		}
	}
	for _, f := range e.Forbidden {
		for _, n := range f.Players {
			if n > len(e.Players) {
				return &crosstable.Problem{Code: "missing", Number: n}
			}
		}
	}
	if err := in.agree(); err != nil {
		return err
	}
	if !in.firstSet {
		inferFirst(e)
	}
	rounds := e.Paired()
	for i := range e.Players {
		p := &e.Players[i]
		for len(p.Results) < rounds {
			p.Results = append(p.Results, crosstable.Result{})
		}
		for round := range p.Results {
			if p.Results[round].Code == 0 {
				p.Results[round].Code = crosstable.Absent
			}
		}
	}
	for _, b := range in.byes {
		if b.Round <= rounds {
			continue // they are in the players' lines
		}
		if b.Round > rounds+1 {
			e.Asked = append(e.Asked, b)
		}
		for _, n := range b.Players {
			if n > len(e.Players) {
				return &crosstable.Problem{Code: "missing", Number: n}
			}
			if p := e.Player(n); b.Round == rounds+1 && len(p.Results) == rounds {
				p.Results = append(p.Results, crosstable.Result{Code: b.Code})
			}
		}
	}
	if e.Coming != rounds+1 {
		e.Coming = 0 // it was written for another round
	}
	if err := in.enterSeeds(); err != nil {
		return err
	}
	if e.Rounds < rounds {
		e.Rounds = rounds
	}
	return in.checkPoints(rounds)
}

// enterSeeds puts the seed differences of the comments into the results.
func (in *reader) enterSeeds() error {
	for n, seeds := range in.seeds {
		if n > len(in.event.Players) {
			return &crosstable.Problem{Code: "missing", Number: n}
		}
		results := in.event.Player(n).Results
		for round, seeds := range seeds {
			if round >= len(results) {
				return &crosstable.Problem{Code: "seeds-round", Round: round + 1, Number: n}
			}
			results[round].Seeds = seeds
		}
	}
	return nil
}

// agree checks that the lines of both players of a game name each other, and agree about who moved first and
// whether the game was played. It does not compare the results.
func (in *reader) agree() error {
	e := in.event
	for i := range e.Players {
		for round, r := range e.Players[i].Results {
			if r.Opponent == 0 {
				continue
			}
			if r.Opponent > len(e.Players) {
				return &crosstable.Problem{Code: "opponent", Round: round + 1, Number: i + 1, Other: r.Opponent}
			}
			other := e.Player(r.Opponent)
			if round >= len(other.Results) || other.Results[round].Opponent != i+1 ||
				other.Results[round].Code.Played() != r.Code.Played() || r.Code.Played() && other.Results[round].First == r.First {
				return &crosstable.Problem{Code: "disagree", Round: round + 1, Number: i + 1, Other: r.Opponent}
			}
		}
	}
	return nil
}

// checkPoints compares the points that players' lines give with their results. Some
// programs count extra points in, and a bye of the round to come.
func (in *reader) checkPoints(rounds int) error {
	e := in.event
	for i := range e.Players {
		p := &e.Players[i]
		given := in.given[p.Number]
		bare, coming, extra := e.Score(p, rounds), e.Score(p, len(p.Results)), crosstable.Tenths(0)
		if rounds < len(p.Extra) {
			extra = p.Extra[rounds]
		}
		switch given {
		case bare, coming, bare + extra, coming + extra:
		default:
			return &crosstable.Problem{Code: "sum", Number: p.Number, Text: decimal(given), Worth: decimal(bare)}
		}
	}
	return nil
}

// inferFirst takes from the first games who moves first in round 1.
func inferFirst(e *crosstable.Event) {
	for round := range e.Paired() {
		odd := true
		for i := range e.Players {
			p := &e.Players[i]
			if !p.HasEntered(round + 1) {
				continue
			}
			if round < len(p.Results) && p.Results[round].Opponent != 0 {
				e.OddFirst = p.Results[round].First == odd
				return
			}
			odd = !odd
		}
	}
}
