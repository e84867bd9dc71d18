package engine

// Trace records what a move did, event by event and in order. Browsers animate it and
// screen readers announce it. The events applied to the old position give the new
// one. A Trace can be used again after Reset.
type Trace struct {
	Events []Event
}

// Event is one thing that happened on the board.
type Event struct {
	Kind  EventKind
	Slot  uint8 // the slot where it happened
	Seeds uint8 // number of seeds; 1 for a drop
	To    uint8 // for captures, sweeps and gifts: the slot that the seeds go to, or NoSlot
}

// EventKind is the kind of an event.
type EventKind uint8

const (
	EventLift    EventKind = iota // all seeds of Slot go into the hand; every lift but the first begins a relay lap
	EventDrop                     // one seed from the hand falls into Slot
	EventCapture                  // the seeds of Slot are won and go to the store To
	EventSweep                    // at the end of the game the seeds of Slot go to the store To, or to no side
	EventGift                     // one seed goes from Slot to the opponent's pit To
	EventLay                      // the seeds are laid out in Slot
	EventTurn                     // the board is turned round: each side takes the other's pits
)

// Reset empties the trace and keeps its memory.
func (t *Trace) Reset() { t.Events = t.Events[:0] }

func (t *Trace) add(kind EventKind, slot, seeds, to uint8) {
	if t != nil {
		t.Events = append(t.Events, Event{kind, slot, seeds, to})
	}
}

// mark returns a place that cut goes back to. Without a trace both do nothing.
func (t *Trace) mark() int {
	if t == nil {
		return 0
	}
	return len(t.Events)
}

// cut removes the events added since mark.
func (t *Trace) cut(mark int) {
	if t != nil {
		t.Events = t.Events[:mark]
	}
}

// Sown returns the number of seeds dropped in all laps.
func (t *Trace) Sown() int { return t.count(EventDrop) }

// Laps returns the number of lifts.
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

// Apply changes the slots of p as the events say.
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
