package match

import "mancala/match/machine"

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

// receipt returns what the network and the service have cost each seat. Players see it
// after a game that ends now.
func (s *state) receipt(at int64) []bucket {
	list := append([]bucket(nil), s.lag[:len(s.seats)]...)
	some := s.control.clocked()
	for i := range list {
		list[i].Credited = s.credit[i]
		if i == s.onTurn() && s.hold.on() {
			list[i].Credited += max(0, min(at, s.hold.until)-s.hold.since)
		}
		some = some || list[i].Credited > 0
	}
	if !some {
		return nil
	}
	return list
}
