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
	EventLift    EventKind = iota // seeds of Slot go into the hand, Seeds in number; every lift but the first begins a relay lap
	EventDrop                     // one seed from the hand falls into Slot
	EventCapture                  // the seeds of Slot are won and go to the store To
	EventSweep                    // at the end of the game the seeds of Slot, of the hand (NoSlot) or of a store go to the store To, or to no side
	EventGift                     // one seed goes from Slot to the opponent's pit To
	EventLay                      // the seeds are laid out in Slot
	EventSeize                    // the seeds of Slot are captured and go into the hand, to be sown in the next lap
	EventEnter                    // one seed from the mover's hand goes into Slot
	EventUnhouse                  // Slot is a house no more
	EventBlock                    // Slot is blocked
	EventUnblock                  // Slot is blocked no more
	EventTurn                     // the board is turned round: each side takes the other's pits
	EventClaim                    // Slot is claimed by the other side, whose store is To; its seeds were captured just before
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

// marksGone adds what the end of the game did to marks.
func (t *Trace) marksGone(before, after Marks) {
	for side, house := range before.House {
		if house != after.House[side] {
			t.add(EventUnhouse, house-1, 0, 0)
		}
	}
	if before.Blocked != after.Blocked {
		t.add(EventUnblock, before.Blocked-1, 0, 0)
	}
}

// Sown returns the number of seeds dropped in all laps.
func (t *Trace) Sown() int { return t.count(EventDrop) }

// Laps returns the number of laps. Each begins with a lift, or with captured seeds from one
// or two pits.
func (t *Trace) Laps() int {
	n := t.count(EventLift)
	for i, e := range t.Events {
		if e.Kind == EventSeize && !t.seizedBefore(i) {
			n++
		}
	}
	return n
}

// seizedBefore reports whether the event before i seized seeds for the same lap.
func (t *Trace) seizedBefore(i int) bool {
	for i--; t.Events[i].Kind == EventUnhouse; i-- {
	}
	return t.Events[i].Kind == EventSeize
}

func (t *Trace) count(kind EventKind) int {
	n := 0
	for _, e := range t.Events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// Apply changes the slots and marks of p as the events say.
func (t *Trace) Apply(p *Position) {
	for _, e := range t.Events {
		switch e.Kind {
		case EventLift, EventSeize:
			p.Slots[e.Slot] -= e.Seeds
		case EventDrop:
			p.Slots[e.Slot]++
		case EventCapture, EventSweep, EventGift:
			if e.Slot != NoSlot {
				p.Slots[e.Slot] -= e.Seeds
			}
			if e.To != NoSlot {
				p.Slots[e.To] += e.Seeds
			}
		case EventEnter:
			p.Slots[e.Slot]++
			p.Slots[e.To]--
		case EventUnhouse:
			p.Marks.House[int(e.Slot)/int(p.Shape.Pits)] = 0
		case EventBlock:
			p.Marks.Blocked = e.Slot + 1
		case EventUnblock:
			p.Marks.Blocked = 0
		case EventLay:
			p.Slots[e.Slot] = e.Seeds
		case EventTurn:
			p.turn()
		case EventClaim:
			p.Marks.claim(int(e.Slot)/int(p.Shape.Pits), e.Slot)
		}
	}
}
