package tournament

import (
	"errors"
	"slices"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/roundrobin"
	"mancala/lobby/tournament/swiss"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// start starts the next round: with the host's pairings, if there are some, or else with
// those of the format. Two hosts may press the button at once, so the command names the round.
func (d *decision) start() error {
	stopped := d.InWaves() && d.Due == 0 // the one round goes on
	if d.order.Round != len(d.Rounds)+1 && !(stopped && d.order.Round == len(d.Rounds)) {
		return refusal.New(CodeNoRound)
	}
	return d.startRound(d.order.Pairings)
}

func (d *decision) startRound(byHost [][2]int) error {
	switch {
	case d.Stage == Over:
		return refusal.New(CodeClosed)
	case d.InWaves():
		return d.startWaves()
	case !d.roundOver():
		return refusal.New(CodeRoundOpen)
	}
	before := Change{Start: d.Start}
	t := d.table()
	d.addLate(t)
	round := len(d.Rounds) + 1
	if round > d.rounds(len(t.numbers)) {
		return refusal.New(CodeNoRound)
	}
	boards, err := d.boards(t, round, byHost)
	if err != nil {
		return err
	}
	due := d.dueAfter(round, boards)
	d.change = Change{Stage: Running, Round: round, Boards: boards, Due: &due}
	if d.Settings.Days > 0 {
		d.change.Ends = d.Settings.endOfRound(round, d.at)
	}
	d.undoable(KindStart, before)
	if len(t.numbers) != len(d.Start) {
		d.change.Start = t.numbers
	}
	return nil
}

// dueAfter returns when the round after a round with these boards is due, in ms. It is 0 if games have to be
// played first, since the last one that ends makes it due, if the host starts the rounds, and after the last round.
func (d *decision) dueAfter(round int, boards []Board) int64 {
	open := slices.ContainsFunc(boards, func(b Board) bool { return b.Result == "" })
	if d.Settings.Pause == 0 || open || round >= d.Total() {
		return 0
	}
	return d.at + int64(d.Settings.Pause)*1000
}

// Total returns how many rounds the tournament has with the players whom it has now.
func (s *State) Total() int {
	if n := len(s.Start); n > 0 {
		return s.rounds(n)
	}
	return s.rounds(len(s.startingOrder()))
}

// boards returns the boards of a round.
func (d *decision) boards(t *table, round int, byHost [][2]int) (boards []Board, err error) {
	if d.Settings.Format != Swiss && byHost != nil {
		return nil, refusal.New(match.CodeBadCommand)
	}
	if d.Settings.Format == Knockout {
		return d.matches(t, round)
	}
	pairings, err := d.pairings(t, round, byHost)
	for i, p := range pairings {
		boards = append(boards, d.newBoard(t, round, i+1, p))
	}
	return boards, err
}

// addLate gives the players who have joined a Swiss after its first round the next numbers of
// the starting order.
func (s *State) addLate(t *table) {
	for _, p := range s.Players {
		if t.places[p.Number] > 0 || p.Out {
			continue
		}
		t.numbers = append(t.numbers, p.Number)
		t.places[p.Number] = len(t.numbers)
		t.Players = append(t.Players, crosstable.Player{Number: len(t.numbers), ID: p.ID, Rating: p.Rating, Results: s.results(&p)})
	}
	t.keepApart(s.Forbidden) // a host may have kept them apart from others
}

// pairings returns who meets whom in a round, by their places in the starting order.
func (d *decision) pairings(t *table, round int, byHost [][2]int) ([]crosstable.Pairing, error) {
	if d.Settings.Format != Swiss {
		if len(t.numbers) < 2 {
			return nil, refusal.New(CodeTooFew)
		}
		return roundrobin.Pairings(len(t.numbers), round, d.Settings.Format == DoubleRound), nil
	}
	paired := d.leaveOut(t, round)
	if len(paired) < 2 {
		return nil, refusal.New(CodeTooFew)
	}
	if byHost != nil {
		return t.manual(byHost, paired)
	}
	pairings, err := swiss.Pair(&t.Event, round)
	if errors.Is(err, swiss.ErrNoPairing) {
		return nil, refusal.New(CodeNoPairing)
	}
	return pairings, err
}

// leaveOut gives those who are not paired in a round their result. It returns the numbers of
// the others.
func (s *State) leaveOut(t *table, round int) (paired []int) {
	for i, number := range t.numbers {
		p := &s.Players[number-1]
		if p.Out || p.Byes[round] != "" {
			t.Players[i].Results = append(t.Players[i].Results, crosstable.Result{Code: s.without(p, round)})
		} else {
			paired = append(paired, number)
		}
	}
	return paired
}

// manual returns the host's pairings, which must hold each player once.
func (t *table) manual(byHost [][2]int, paired []int) (pairings []crosstable.Pairing, err error) {
	left := slices.Clone(paired)
	take := func(number int) bool {
		i := slices.Index(left, number)
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		return i >= 0
	}
	for _, p := range byHost {
		if !take(p[0]) || p[1] != 0 && !take(p[1]) {
			return nil, refusal.New(CodeBadPairing)
		}
		pairings = append(pairings, crosstable.Pairing{First: t.places[p[0]], Second: t.places[p[1]]})
	}
	if len(left) > 0 {
		return nil, refusal.New(CodeBadPairing)
	}
	return pairings, nil
}

// newBoard returns a board of a round that starts.
func (d *decision) newBoard(t *table, round, number int, p crosstable.Pairing) Board {
	b := Board{Number: number, First: t.numbers[p.First-1]}
	if p.IsBye() {
		b.Result = Bye
		return b
	}
	b.Second = t.numbers[p.Second-1]
	first, second := &d.Players[b.First-1], &d.Players[b.Second-1]
	switch b.Paper = first.Paper || second.Paper; {
	case first.Out && second.Out:
		b.Result = Neither
	case first.Out:
		b.Result = SecondUnplayed
	case second.Out:
		b.Result = FirstUnplayed
	case !b.Paper:
		b.Games = []Game{{Room: d.gameID(round, number, 1)}}
	}
	return b
}

// wait keeps the next round from starting by itself.
func (d *decision) wait() error {
	if d.Due == 0 {
		return machine.ErrNothing
	}
	d.change.Due = new(int64)
	return nil
}

// wake starts the next round or wave when it is due, or closes a round at its end. If no pairing is left,
// the host goes on.
func (d *decision) wake() error {
	if end := d.EndOfRound(); end > 0 && d.at >= end {
		return d.closeRound()
	}
	if d.Due == 0 || d.at < d.Due {
		return machine.ErrNothing
	}
	if d.InWaves() {
		return d.wave()
	}
	if err := d.startRound(nil); err != nil {
		if _, refused := refusal.Of(err); !refused {
			return err
		}
		d.change = Change{Due: new(int64)}
	}
	return nil
}

// finish ends the tournament.
func (d *decision) finish() error {
	switch {
	case d.Stage == Over:
		return machine.ErrNothing
	case !d.roundOver() && d.Settings.Format != Class: // the games of a class end without it
		return refusal.New(CodeRoundOpen)
	}
	d.change = Change{Stage: Over, Due: new(int64), Final: true}
	return nil
}
