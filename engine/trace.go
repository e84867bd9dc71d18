package engine

// Trace records what a move did, event by event, in order: what browsers animate
// and screen readers announce. The events applied to the position before give
// the position after. A Trace can be used again after Reset.
type Trace struct {
	Events []Event
}

// Event is one thing that happened on the board.
type Event struct {
	Kind  EventKind
	Slot  uint8 // where
	Seeds uint8 // how many; 1 for a drop
	To    uint8 // captures, sweeps and gifts: the slot they go to, or NoSlot
}

// EventKind says what happened.
type EventKind uint8

const (
	EventLift    EventKind = iota // all seeds of Slot go into the hand; each but the first begins a relay lap
	EventDrop                     // one seed from the hand falls into Slot
	EventCapture                  // Seeds of Slot are won and go To a store
	EventSweep                    // at the end: Seeds of Slot go To a store, or are nobody's
	EventGift                     // one seed goes from Slot To the opponent's pit
	EventLay                      // Seeds are laid out in Slot
	EventTurn                     // the board is turned round: each side takes the other's pits
)

// Reset empties the trace and keeps its memory.
func (t *Trace) Reset() { t.Events = t.Events[:0] }

func (t *Trace) add(kind EventKind, slot, seeds, to uint8) {
	if t != nil {
		t.Events = append(t.Events, Event{kind, slot, seeds, to})
	}
}

// mark and cut undo what was added since; both do nothing without a trace.
func (t *Trace) mark() int {
	if t == nil {
		return 0
	}
	return len(t.Events)
}

func (t *Trace) cut(mark int) {
	if t != nil {
		t.Events = t.Events[:mark]
	}
}

// Sown is how many seeds were dropped, all laps together.
func (t *Trace) Sown() int { return t.count(EventDrop) }

// Laps is how many times seeds were lifted to be sown.
func (t *Trace) Laps() int { return t.count(EventLift) }

func (t *Trace) count(kind EventKind) int {
	n := 0
	for _, e := range t.Events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// Apply does to the slots of p what the events say.
func (t *Trace) Apply(p *Position) {
	for _, e := range t.Events {
		switch e.Kind {
		case EventLift:
			p.Slots[e.Slot] = 0
		case EventDrop:
			p.Slots[e.Slot]++
		case EventCapture, EventSweep, EventGift:
			p.Slots[e.Slot] -= e.Seeds
			if e.To != NoSlot {
				p.Slots[e.To] += e.Seeds
			}
		case EventLay:
			p.Slots[e.Slot] = e.Seeds
		case EventTurn:
			p.turn()
		}
	}
}
