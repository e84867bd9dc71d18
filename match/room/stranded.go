package room

import (
	"time"

	"mancala/match/machine"
)

// strandedFor is for how long the turns of a player wait who was connected to an instance
// that died. It is the longest time for which a machine waits after an outage.
const strandedFor = 30 * time.Second

// A player is stranded when the instance that they are connected to dies, is frozen or is
// cut off: their page may not know yet, and shows an old board. A turn of theirs that
// begins then must cost them nothing until they are back.

// strand notes that the instance from is dead, to which players may be connected.
func (r *Room) strand(from string) {
	p := r.peers[from]
	if p == nil {
		return
	}
	for i := range r.people {
		if id := r.people[i].player; p.tie.here(id) {
			r.strandPlayer(&r.people[i])
		}
	}
	r.dismiss(from)
}

// strandAll notes after an outage that players may be on their way back.
func (r *Room) strandAll() {
	for i := range r.people {
		if p := &r.people[i]; !p.bot {
			r.strandPlayer(p)
		}
	}
}

func (r *Room) strandPlayer(p *person) {
	p.stranded, r.stranded = time.Now(), true
	if p.told == toldBack {
		p.told = toldUnknown // the machine is told when they are back
	}
}

// holdForStranded makes the machine wait for a stranded player whose turn has begun with
// the entry that a command became. It does nothing for other seats.
func (r *Room) holdForStranded(kind string) {
	if !r.stranded || kind == machine.KindOutage {
		return
	}
	now := time.Now()
	r.stranded = false
	for i := 0; i < len(r.people) && r.mode() == deciding; i++ {
		p := &r.people[i]
		if now.Sub(p.stranded) > strandedFor {
			continue
		}
		r.stranded = true
		if p.here {
			continue
		}
		c := outageCommand(r.last)
		c.By = p.player
		_, _ = r.decide(c, true, now) // after an error the room is cut off, and holds everybody after that
	}
}
