package match

import (
	"mancala/engine"
	"mancala/match/wire"
)

// appendTrace appends what a move did, as the steps of web/PROTOCOL.md. Drops into
// three or more pits in a row are written as a run, since most of a sowing consists
// of them.
func appendTrace(b []byte, events []engine.Event, pits int) []byte {
	b = append(b, '[')
	for i := 0; i < len(events); {
		if i > 0 {
			b = append(b, ',')
		}
		e := events[i]
		switch e.Kind {
		case engine.EventLift:
			b = append(b, `["lift",`...)
			b = append(wire.AppendInt(b, int64(e.Slot)), ',')
			b = append(wire.AppendInt(b, int64(e.Seeds)), ']')
		case engine.EventSeize:
			b = append(b, `["seize",`...)
			b = append(wire.AppendInt(b, int64(e.Slot)), ',')
			b = append(wire.AppendInt(b, int64(e.Seeds)), ']')
		case engine.EventDrop:
			b, i = appendSow(b, events, i, pits)
			continue
		case engine.EventCapture, engine.EventSweep:
			if e.Kind == engine.EventCapture {
				b = append(b, `["take",`...)
			} else {
				b = append(b, `["sweep",`...)
			}
			b = append(appendSlot(b, e.Slot, pits), ',')
			b = append(wire.AppendInt(b, int64(e.Seeds)), ',')
			b = append(appendSlot(b, e.To, pits), ']')
		case engine.EventEnter:
			b = appendSlot(append(b, `["enter",`...), e.To, pits)
			b = append(wire.AppendInt(append(b, ','), int64(e.Slot)), ']')
		case engine.EventUnhouse:
			b = append(wire.AppendInt(append(b, `["unhouse",`...), int64(e.Slot)), ']')
		case engine.EventBlock:
			b = append(wire.AppendInt(append(b, `["block",`...), int64(e.Slot)), ']')
		case engine.EventUnblock:
			b = append(wire.AppendInt(append(b, `["unblock",`...), int64(e.Slot)), ']')
		case engine.EventGift:
			b = append(b, `["give",`...)
			b = append(wire.AppendInt(b, int64(e.Slot)), ',')
			b = append(wire.AppendInt(b, int64(e.To)), ']')
		case engine.EventLay:
			b = append(b, `["lay"`...)
			for ; i < len(events) && events[i].Kind == engine.EventLay; i++ {
				b = wire.AppendInt(append(b, ','), int64(events[i].Seeds))
			}
			b = append(b, ']')
			continue
		case engine.EventClaim:
			b = append(wire.AppendInt(append(b, `["claim",`...), int64(e.Slot)), ']')
		case engine.EventTurn:
			b = append(b, `["turn"]`...)
		}
		i++
	}
	return append(b, ']')
}

// appendSow appends the drops from events[i] on as one step. It returns the index of
// the event after them.
func appendSow(b []byte, events []engine.Event, i, pits int) ([]byte, int) {
	b = append(b, `["sow"`...)
	for i < len(events) && events[i].Kind == engine.EventDrop {
		b = append(b, ',')
		slot := int(events[i].Slot)
		up, down := runLength(events[i:], pits, 1), runLength(events[i:], pits, -1)
		switch {
		case up >= 3:
			b = appendRun(b, slot, slot+up-1)
			i += up
		case down >= 3:
			b = appendRun(b, slot, slot-down+1)
			i += down
		default:
			b = appendSlot(b, uint8(slot), pits)
			i++
		}
	}
	return append(b, ']'), i
}

// runLength returns how many drops follow each other pit by pit in the direction of
// step.
func runLength(events []engine.Event, pits, step int) int {
	at := int(events[0].Slot)
	if at >= pits {
		return 0
	}
	n := 1
	for n < len(events) && events[n].Kind == engine.EventDrop {
		at += step
		if int(events[n].Slot) != at || at >= pits {
			break
		}
		n++
	}
	return n
}

func appendRun(b []byte, from, to int) []byte {
	b = wire.AppendInt(append(b, '"'), int64(from))
	b = wire.AppendInt(append(b, '-'), int64(to))
	return append(b, '"')
}

// appendSlot appends a pit's index, a store as "s0", or null for no slot.
func appendSlot(b []byte, slot uint8, pits int) []byte {
	switch {
	case slot == engine.NoSlot:
		return append(b, "null"...)
	case int(slot) >= pits:
		b = wire.AppendInt(append(b, '"', 's'), int64(int(slot)-pits))
		return append(b, '"')
	}
	return wire.AppendInt(b, int64(slot))
}
