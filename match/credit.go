package match

import (
	"encoding/json"

	"mancala/match/machine"
	"mancala/match/wire"
)

// receipt is what the network and the service have cost a seat, in ms. Players see it after
// the game.
type receipt struct {
	bucket
	Credited int64            `json:"credited,omitempty"` // what the service cost, given back in full
	Causes   map[string]int64 `json:"causes,omitempty"`   // its parts by cause, see machine.Causes
}

// credits is what was given back to each seat because of the service, in ms by cause. It is
// replaced and never changed, so that a copy of the state is small.
type credits [maxSeats]map[string]int64

// of returns the parts of a seat. c may be nil.
func (c *credits) of(seat int) map[string]int64 {
	if c == nil {
		return nil
	}
	return c[seat]
}

// with returns credits with more for a seat.
func (c *credits) with(seat int, cause string, ms int64) *credits {
	n := new(credits)
	if c != nil {
		*n = *c
	}
	n[seat] = plus(c.of(seat), cause, ms)
	return n
}

// plus returns a copy of parts with more for one cause.
func plus(parts map[string]int64, cause string, ms int64) map[string]int64 {
	n := map[string]int64{cause: ms}
	for k, v := range parts {
		n[k] += v
	}
	return n
}

// causeOf returns why an entry has given time back. Entries of older releases do not tell.
func causeOf(e machine.Entry) string {
	if e.Kind != kindOutage {
		return machine.CauseWait // the player after an outage is back
	}
	var body struct {
		What string `json:"what"`
	}
	if json.Unmarshal(e.Body, &body) != nil || body.What == "" {
		return machine.CauseOutage
	}
	return body.What
}

// credited returns how much time, in ms, an entry has given back to the clock of the seat
// on turn for an outage, a slow write, or the wait for a player after an outage. old is the
// state before the entry. The sum is not a field of an entry: it follows from the entries,
// so journals of every release give the same receipts.
func (s *state) credited(old *state, e machine.Entry) int64 {
	seat := old.onTurn()
	switch {
	case !old.playing() || old.control.kind == noClock:
		return 0
	case e.Kind != kindOutage && old.hold.on() && s.hold != old.hold:
		return max(0, min(e.At, old.hold.until)-old.hold.since)
	case e.Kind != kindOutage:
		return 0
	case old.hold.on():
		return max(0, s.hold.since-old.hold.since)
	case old.due > 0:
		return max(0, s.due-old.due)
	case old.run > 0 && s.run > 0:
		return max(0, s.run-old.run)
	case old.run > 0:
		ran := old.clock[seat] - s.clock[seat] // up to the beginning of the outage
		return max(0, e.At-old.run-ran+s.hold.grace)
	}
	return 0
}

// receipts returns what the network and the service have cost each seat of a game that ends
// now.
func (s *state) receipts(at int64) []receipt {
	list := make([]receipt, len(s.seats))
	some := s.control.atBoard()
	for i := range list {
		parts := s.credit.of(i)
		if i == s.onTurn() && s.hold.on() {
			if waited := min(at, s.hold.until) - s.hold.since; waited > 0 {
				parts = plus(parts, machine.CauseWait, waited)
			}
		}
		list[i] = receipt{bucket: s.lag[i], Causes: parts}
		for _, ms := range parts {
			list[i].Credited += ms
		}
		some = some || list[i].Credited > 0
	}
	if !some {
		return nil
	}
	return list
}

// appendReceipt appends a receipt as JSON. Causes come in a fixed order.
func appendReceipt(b []byte, r receipt) []byte {
	b = wire.AppendInt(append(b, `{"measured":`...), r.Measured)
	b = wire.AppendInt(append(b, `,"given":`...), r.Given)
	b = wire.AppendInt(append(b, `,"left":`...), r.Left)
	if r.Credited > 0 {
		b = wire.AppendInt(append(b, `,"credited":`...), r.Credited)
	}
	if len(r.Causes) > 0 { // an older release wrote none
		causes, err := json.Marshal(r.Causes) // in the order of the names
		if err != nil {
			panic(err) // texts and numbers always encode
		}
		b = append(append(b, `,"causes":`...), causes...)
	}
	return append(b, '}')
}
