package swiss

import "mancala/lobby/tournament/crosstable"

// PairByWeighing is Pair without the quick way for brackets that have an ideal candidate.
func PairByWeighing(e *crosstable.Event, round int) ([]Pairing, error) {
	d := newDraw(e, round)
	if err := d.chooseBye(); err != nil {
		return nil, err
	}
	for b := d.nextBracket(); b != nil; b = d.nextBracket() {
		b.settle(b.weighed())
	}
	if !d.done() {
		if err := d.finish(); err != nil {
			return nil, err
		}
	}
	return d.pairings(), nil
}
