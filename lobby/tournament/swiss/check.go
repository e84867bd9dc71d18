package swiss

import "mancala/lobby/tournament/crosstable"

// Check compares the pairings that a round of e has with those of the system. It returns both
// where they differ: the pairings of the system that the round does not have, and the pairings
// of the round that the system would not make. The error is [ErrNoPairing] where the system
// has no pairing for the round.
func Check(e *crosstable.Event, round int) (missing, foreign []Pairing, err error) {
	pairings, err := Pair(e.Before(round), round)
	if err != nil {
		return nil, nil, err
	}
	wanted := make(map[Pairing]bool, len(pairings))
	for _, p := range pairings {
		wanted[p] = true
	}
	for _, p := range Played(e, round) {
		if !wanted[p] {
			foreign = append(foreign, p)
		}
		delete(wanted, p)
	}
	for _, p := range pairings {
		if wanted[p] {
			missing = append(missing, p)
		}
	}
	return missing, foreign, nil
}

// Played returns the pairings that a round of e has, by the number of the player who moves first.
func Played(e *crosstable.Event, round int) (pairings []Pairing) {
	for i := range e.Players {
		p := &e.Players[i]
		if round > len(p.Results) {
			continue
		}
		switch r := p.Results[round-1]; {
		case r.Opponent != 0 && (r.First || !r.Code.Played() && !e.Player(r.Opponent).Results[round-1].First && p.Number < r.Opponent):
			pairings = append(pairings, Pairing{First: p.Number, Second: r.Opponent})
		case r.Code == crosstable.PairingBye:
			pairings = append(pairings, Pairing{First: p.Number})
		}
	}
	return pairings
}
