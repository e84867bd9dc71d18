// Package simulation makes random tournaments, for tests and for independent checks of the
// pairings. Package foresight plays the rest of real ones with [Play], to tell the host whether all
// rounds can be paired.
//
// The same options always give the same tournament.
package simulation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/swiss"
)

// Options are what a tournament is made from. The chances are in percent.
type Options struct {
	Players, Rounds int
	Run             uint64 // its number; all that is drawn follows from it

	Withdrawals int // the chance of a player to leave at some time
	Late        int // the chance of a player to come after the first round
	Byes        int // the chance of a player to ask for a bye in one round
	Forfeits    int // the chance of a pairing that one of the players does not come
	Draws       int // the chance of a game to be drawn
	Forbidden   int // the chance of a player that the host keeps them apart from another one
}

// Check returns an error where no tournament can have these options.
func (o Options) Check() error {
	if o.Players < 2 || o.Players > 5000 || o.Rounds < 1 || o.Rounds > 100 {
		return errors.New("a tournament has 2 to 5000 players and 1 to 100 rounds")
	}
	for _, chance := range []int{o.Withdrawals, o.Late, o.Byes, o.Forfeits, o.Draws, o.Forbidden} {
		if chance < 0 || chance > 100 {
			return errors.New("a chance is 0 to 100 percent")
		}
	}
	return nil
}

// Swiss plays a Swiss tournament. It returns what has been played, also with
// [swiss.ErrNoPairing] where the players have run out of opponents.
func Swiss(o Options) (*crosstable.Event, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(o.Run, 0x5155495353))
	chance := func(percent int) bool { return r.IntN(100) < percent }
	e := &crosstable.Event{
		Name: fmt.Sprintf("Simulated tournament %d", o.Run), Rounds: o.Rounds, Points: crosstable.Usual, OddFirst: chance(50),
	}
	leaves, comes, bye := make([]int, o.Players), make([]int, o.Players), make([]int, o.Players)
	for i := range o.Players {
		rating := 2400 - 1200*i/o.Players + r.IntN(20)
		e.Players = append(e.Players, crosstable.Player{Number: i + 1, Name: fmt.Sprintf("Player %d", i+1), Rating: rating})
		leaves[i], comes[i] = o.Rounds+1, 1
		if chance(o.Late) && o.Rounds > 1 {
			comes[i] = 2 + r.IntN(max(1, o.Rounds/2))
		}
		if chance(o.Withdrawals) && o.Rounds > 1 {
			leaves[i] = max(comes[i], 2) + r.IntN(o.Rounds)
		}
		if chance(o.Byes) {
			bye[i] = 1 + r.IntN(o.Rounds)
		}
	}
	e.Forbidden = forbidden(o)
	for round := 1; round <= o.Rounds; round++ {
		for i := range e.Players {
			p := &e.Players[i]
			switch {
			case round < comes[i] || round >= leaves[i]:
				p.Results = append(p.Results, crosstable.Result{Code: crosstable.Absent})
			case round == bye[i]:
				p.Results = append(p.Results, crosstable.Result{Code: crosstable.HalfBye})
			}
		}
		pairings, err := swiss.Pair(e, round)
		if err != nil || len(pairings) == 0 {
			return e, err
		}
		for _, p := range pairings {
			Play(e, p, r, o)
		}
	}
	return e, nil
}

// forbidden returns the pairs that may not meet, half of them for some rounds only. Its random
// numbers are its own, so that the rest of a tournament without such pairs stays the same.
func forbidden(o Options) (list []crosstable.Forbidden) {
	r := rand.New(rand.NewPCG(o.Run, 0x464f52))
	for a := 1; a <= o.Players; a++ {
		b := 1 + r.IntN(o.Players)
		f := crosstable.Forbidden{Players: []int{a, b}, From: 1}
		if r.IntN(2) == 0 {
			f.From = 1 + r.IntN(o.Rounds)
			f.To = f.From + r.IntN(o.Rounds-f.From+1)
		}
		if r.IntN(100) < o.Forbidden && a != b {
			list = append(list, f)
		}
	}
	return list
}

// Play adds a random result of a pairing to the table. The stronger player wins more often.
func Play(e *crosstable.Event, p swiss.Pairing, r *rand.Rand, o Options) {
	chance := func(percent int) bool { return r.IntN(100) < percent }
	a := e.Player(p.First)
	if p.Second == 0 {
		a.Results = append(a.Results, crosstable.Result{Code: crosstable.PairingBye})
		return
	}
	b := e.Player(p.Second)
	codes := [2]crosstable.Code{crosstable.Win, crosstable.Loss}
	// The expected score of Elo's formula, as if draws were shared.
	expected := 1 / (1 + math.Pow(10, float64(b.Rating-a.Rating)/400))
	switch {
	case chance(o.Forfeits):
		codes = [2]crosstable.Code{crosstable.ForfeitWin, crosstable.ForfeitLoss}
	case chance(o.Draws):
		codes = [2]crosstable.Code{crosstable.Draw, crosstable.Draw}
	}
	if r.Float64() >= expected {
		codes[0], codes[1] = codes[1], codes[0]
	}
	a.Results = append(a.Results, crosstable.Result{Opponent: p.Second, First: true, Code: codes[0]})
	b.Results = append(b.Results, crosstable.Result{Opponent: p.First, Code: codes[1]})
}
