package tournament

import (
	"cmp"
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/match"
	"mancala/match/refusal"
)

// A Past is the rounds of a Swiss that began elsewhere. The Swiss goes on from them
// (deploy/decisions/0036).
type Past struct {
	Rounds    int           `json:"rounds"` // as announced, or the number that was played if no more are announced
	Boards    [][]PastBoard `json:"boards"` // by round
	Forbidden [][2]int      `json:"forbidden,omitempty"`
}

// A PastBoard is the numbers of both players, the index of the result in pastResults, and how many
// more seeds the first player has won. The second number of a bye is 0. It is short, so that 500
// players and 9 rounds fit into one command.
type PastBoard [4]int

// pastResults are the results of boards, by their index in a [PastBoard].
var pastResults = append([]string{""}, results...)

// Entrants returns the players of a report file, without their IDs. The error is a [*crosstable.Problem]
// if a Swiss cannot go on from the file.
func Entrants(e *crosstable.Event) (list []Entrant, past *Past, err error) {
	switch {
	case e.System != crosstable.Swiss:
		return nil, nil, &crosstable.Problem{Code: "system"}
	case e.Points != crosstable.Usual:
		return nil, nil, &crosstable.Problem{Code: "other-points"}
	case !e.OddFirst:
		return nil, nil, &crosstable.Problem{Code: "first"}
	}
	rounds := e.Paired()
	if max(e.Rounds, rounds) > MaxRounds {
		return nil, nil, &crosstable.Problem{Code: "rounds", Most: MaxRounds}
	}
	past = &Past{Rounds: e.Rounds, Boards: make([][]PastBoard, rounds)}
	for i := range e.Players {
		p := &e.Players[i]
		if len(p.Extra) > 0 {
			return nil, nil, &crosstable.Problem{Code: "extra", Number: p.Number}
		}
		one := Entrant{Rating: p.Rating}
		for round := range p.Results {
			if err := enterPast(past, &one, e, p, round); err != nil {
				return nil, nil, err
			}
		}
		list = append(list, one)
	}
	if err := askedIn(list, e, rounds); err != nil {
		return nil, nil, err
	}
	for round, boards := range past.Boards {
		sortBoards(boards, e, round)
	}
	past.Forbidden, err = apartIn(e, rounds)
	return list, past, err
}

// apartIn returns the pairs of a file who may not meet after the given number of rounds, each once. A
// record of a file may name thousands of players, also one player thousands of times.
func apartIn(e *crosstable.Event, rounds int) (pairs [][2]int, err error) {
	known := map[[2]int]bool{}
	for _, f := range e.Forbidden {
		if f.To != 0 && f.To <= rounds && f.To < e.Rounds {
			continue // of earlier rounds alone
		}
		players := slices.Compact(slices.Sorted(slices.Values(f.Players)))
		for i, b := range players {
			for _, a := range players[:i] {
				pair := [2]int{a, b}
				if known[pair] {
					continue
				}
				if known[pair] = true; len(pairs) == maxForbid {
					return nil, &crosstable.Problem{Code: "apart", Most: maxForbid}
				}
				pairs = append(pairs, pair)
			}
		}
	}
	return pairs, nil
}

// enterPast puts one round of a player into the past: a board that the player begins, a bye that the
// pairing gave, or a bye that the player asked for.
func enterPast(past *Past, one *Entrant, e *crosstable.Event, p *crosstable.Player, round int) error {
	r := p.Results[round]
	switch {
	case r.Opponent != 0:
		if !begins(e, p, round) {
			return nil
		}
		result, ok := resultOfCodes(r.Code, e.Player(r.Opponent).Results[round].Code)
		if !ok || result == "" && round+1 < len(past.Boards) {
			return &crosstable.Problem{Code: "unusable", Round: round + 1, Number: p.Number, Other: r.Opponent}
		}
		past.Boards[round] = append(past.Boards[round], PastBoard{p.Number, r.Opponent, slices.Index(pastResults, result), r.Seeds})
	case r.Code == crosstable.PairingBye:
		past.Boards[round] = append(past.Boards[round], PastBoard{p.Number})
	case r.Code == crosstable.HalfBye:
		one.Byes = append(one.Byes, round+1)
	case r.Code != crosstable.Absent:
		return &crosstable.Problem{Code: "full-bye", Round: round + 1, Number: p.Number}
	case round >= len(past.Boards):
		one.Zero = append(one.Zero, round+1)
	}
	return nil
}

// askedIn gives the players the byes that they have asked for in later rounds than the next, and withdraws
// those who will be absent in all rounds to come. A file of another program does not tell who has withdrawn:
// there, also those who were absent in the last round or will be in the next have.
func askedIn(list []Entrant, e *crosstable.Event, rounds int) error {
	for _, b := range e.Asked {
		for _, n := range b.Players {
			one := &list[n-1]
			switch {
			case b.Round > e.Rounds || slices.Contains(one.Byes, b.Round) || slices.Contains(one.Zero, b.Round):
			case b.Code == crosstable.HalfBye:
				one.Byes = append(one.Byes, b.Round)
			case b.Code == crosstable.Absent:
				one.Zero = append(one.Zero, b.Round)
			default:
				return &crosstable.Problem{Code: "full-bye", Round: b.Round, Number: n}
			}
		}
	}
	for i := range list {
		one, p := &list[i], &e.Players[i]
		foreign := e.Coming == 0 && rounds > 0 && p.Results[rounds-1].Code == crosstable.Absent
		next := slices.Contains(one.Zero, rounds+1)
		if foreign || next && (e.Coming == 0 || len(one.Zero) >= e.Rounds-rounds) {
			one.Out, one.Zero = true, nil
		}
	}
	return nil
}

// begins reports whether a player is the first one of their board. A board that was not played may
// have no first player in the file.
func begins(e *crosstable.Event, p *crosstable.Player, round int) bool {
	r := p.Results[round]
	if other := e.Player(r.Opponent).Results[round]; r.First == other.First {
		return p.Number < r.Opponent
	}
	return r.First
}

// resultOfCodes returns the result of a board for the codes of its two players.
func resultOfCodes(first, second crosstable.Code) (string, bool) {
	full := map[crosstable.Code]crosstable.Code{
		crosstable.ShortWin: crosstable.Win, crosstable.ShortDraw: crosstable.Draw, crosstable.ShortLoss: crosstable.Loss,
	}
	both := [2]crosstable.Code{cmp.Or(full[first], first), cmp.Or(full[second], second)}
	for _, result := range pastResults {
		if codes[result] == both {
			return result, true
		}
	}
	return "", false
}

// sortBoards puts the boards of a round into the usual order: by the points of the better player,
// then of the other one, then by number. Byes come last.
func sortBoards(boards []PastBoard, e *crosstable.Event, round int) {
	key := func(b PastBoard) [4]int {
		if b[1] == 0 {
			return [4]int{1, 0, 0, b[0]}
		}
		one, other := int(e.Score(e.Player(b[0]), round)), int(e.Score(e.Player(b[1]), round))
		return [4]int{0, -max(one, other), -min(one, other), min(b[0], b[1])}
	}
	slices.SortFunc(boards, func(a, b PastBoard) int {
		one, other := key(a), key(b)
		return slices.Compare(one[:], other[:])
	})
}

// goOn lets the tournament go on from rounds that were played elsewhere. The players of the order
// have entered, and nobody else.
func (d *decision) goOn(past *Past) error {
	n := len(d.order.Entrants)
	if past.Rounds < len(past.Boards) || past.Rounds > MaxRounds || len(past.Forbidden) > maxForbid {
		return refusal.New(match.CodeBadCommand)
	}
	for _, f := range past.Forbidden {
		if f[0] < 1 || f[0] >= f[1] || f[1] > n {
			return refusal.New(match.CodeBadCommand)
		}
	}
	for _, boards := range past.Boards {
		list, ok := boardsOf(boards, n)
		if !ok {
			return refusal.New(match.CodeBadCommand)
		}
		d.change.Past = append(d.change.Past, list)
	}
	settings := d.Settings
	settings.Rounds = max(settings.Rounds, len(past.Boards))
	if past.Rounds > len(past.Boards) {
		settings.Rounds = past.Rounds
	}
	d.change.Settings, d.change.Final = &settings, true
	if len(past.Forbidden) > 0 {
		d.change.Forbidden = &past.Forbidden
	}
	if len(past.Boards) > 0 {
		d.change.Stage = Running
		for number := range n {
			d.change.Start = append(d.change.Start, number+1)
		}
	}
	return nil
}

// boardsOf returns the boards of a round of n players. It reports false if a player is not there,
// or at two boards.
func boardsOf(round []PastBoard, n int) (boards []Board, ok bool) {
	seen := make([]bool, n+1)
	take := func(number int) bool {
		free := number >= 1 && number <= n && !seen[number]
		if free {
			seen[number] = true
		}
		return free
	}
	for i, past := range round {
		b := Board{Number: i + 1, First: past[0], Second: past[1], Result: Bye}
		if !take(b.First) || b.Second != 0 && !take(b.Second) || past[2] < 0 || past[2] >= len(pastResults) {
			return nil, false
		}
		if b.Second != 0 {
			b.Result, b.Seeds, b.Paper, b.ByHost = pastResults[past[2]], past[3], true, past[2] > 0
		}
		boards = append(boards, b)
	}
	return boards, true
}
