package match

import (
	"mancala/engine"
	"mancala/match/refusal"
)

// lastTurn returns how many plies of this round had been played before the last turn
// of a seat. It returns false if the seat has had no turn.
func (s *state) lastTurn(seat int) (plies int, ok bool) {
	by := make([]engine.Seat, 0, len(s.moves))
	if _, _, err := s.replay(len(s.moves), nil, func(_ int, seat engine.Seat) { by = append(by, seat) }); err != nil {
		return 0, false
	}
	i := len(by) - 1
	for i >= 0 && int(by[i]) != seat {
		i--
	}
	if i < 0 {
		return 0, false
	}
	for i > 0 && int(by[i-1]) == seat {
		i--
	}
	return i, true
}

// takeBack undoes the last turn of a seat, with its extra plies and the plies that
// others played after it. The clocks keep their times. From now on the clock of the
// seat that has its turn again runs.
func (d *decision) takeBack(seat int) error {
	n, ok := d.lastTurn(seat)
	if !ok {
		return refusal.New(CodeNoTakeback)
	}
	var t engine.Trace
	d.last = lastPly{}
	pos, hist, err := d.replay(n, &t, func(i int, by engine.Seat) {
		if i == n-1 {
			m := unpackMove(d.moves[i], d.lay)
			d.last = lastPly{by, m.String(), appendTrace(nil, t.Events, d.rules.game.Start().Shape.Store(0))}
		}
	})
	if err != nil {
		return refusal.New(CodeNoTakeback)
	}
	d.stop(d.at)
	d.moves, d.pos, d.hist = d.moves[:n:n], pos, hist
	if d.pos.Phase == engine.Setup {
		d.lay = ""
	}
	for i, l := range d.left {
		if int(l.ply) > n { // a seat that has left stays out
			d.left = append([]leaver(nil), d.left...)
			d.left[i].ply = int32(n)
		}
	}
	for _, l := range d.left {
		d.pos.Out |= 1 << l.seat
	}
	d.settle()
	d.startClock(d.at)
	return nil
}
