package swiss

import (
	"errors"
	"fmt"
	"slices"

	"mancala/lobby/tournament/crosstable"
)

// ErrNotFree is the error for a fixed pairing whose player is not paired in the round, or is
// in two of the fixed pairings.
var ErrNotFree = errors.New("swiss: a player of a fixed pairing is not free")

// PairAround pairs a round in which the host has fixed some pairings and byes. The fixed ones
// stay as they are, whatever rules they break: see [Breaches]. The other players are paired by
// the system as if the fixed ones had a result already, so one more player gets a bye if the
// number of the others is odd. The pairings are in the order of their boards, byes last. The
// error is [ErrNotFree], or [ErrNoPairing] where the others cannot be paired.
func PairAround(e *crosstable.Event, round int, fixed []Pairing) ([]Pairing, error) {
	around, err := hold(e, round, fixed)
	if err != nil {
		return nil, err
	}
	others, err := Pair(around, round)
	if err != nil {
		return nil, err
	}
	list := slices.Concat(fixed, others)
	newDraw(e, round).sortBoards(list)
	return list, nil
}

// hold returns a copy of e in which the players of the fixed pairings have a result.
func hold(e *crosstable.Event, round int, fixed []Pairing) (*crosstable.Event, error) {
	held := *e
	held.Players = slices.Clone(e.Players)
	give := func(p Pairing, number int, r crosstable.Result) error {
		if number < 1 || number > len(held.Players) || len(held.Player(number).Results) >= round {
			return fmt.Errorf("%w: number %d of %v", ErrNotFree, number, p)
		}
		player := held.Player(number)
		for len(player.Results) < round-1 { // rounds that are missing are rounds without a game
			player.Results = append(slices.Clip(player.Results), crosstable.Result{Code: crosstable.Absent})
		}
		player.Results = append(slices.Clip(player.Results), r)
		return nil
	}
	for _, p := range fixed {
		if p.IsBye() {
			if err := give(p, p.First, crosstable.Result{Code: crosstable.PairingBye}); err != nil {
				return nil, err
			}
			continue
		}
		if err := errors.Join(
			give(p, p.First, crosstable.Result{Opponent: p.Second, First: true, Code: crosstable.Unfinished}),
			give(p, p.Second, crosstable.Result{Opponent: p.First, Code: crosstable.Unfinished}),
		); err != nil {
			return nil, err
		}
	}
	return &held, nil
}

// CanPair reports whether a round has a legal pairing, which [Pair] would find. It takes a small
// part of the time.
func CanPair(e *crosstable.Event, round int) bool { return newDraw(e, round).chooseBye() == nil }
