package room

import (
	"slices"
	"sync"

	"mancala/match/machine"
)

// Published is one entry on its way to those who follow: one value for all of
// them, immutable, to be kept and used by any goroutine.
//
// A socket gets one frame of it: Public for its audience (nil: only the
// number), and spliced in for the entry's author the command ID, which is the
// acknowledgement, and for a seat its Private part. Only the public bytes may
// leave for others; Entry itself never does.
type Published struct {
	Seq    uint64
	Entry  machine.Entry
	Roster *Roster // who is which audience after this entry; the same pointer until that changes; nil in an old entry read back

	private []privatePart
	encoder *encoder
	mu      sync.Mutex
	public  []publicForm
}

type privatePart struct {
	seat machine.Audience
	data []byte
}

type publicForm struct {
	audience machine.Audience
	data     []byte
}

// Public is what an audience may see of the entry, a JSON object; nil if it may
// know just the number. It is encoded when first asked for, once.
func (p *Published) Public(a machine.Audience) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.public {
		if f.audience == a {
			return f.data
		}
	}
	data := p.encoder.encode(p.Entry, a)
	p.public = append(p.public, publicForm{a, data})
	return data
}

// Private is what only this seat gets beside the entry; nil if there is
// nothing, if the seat's player is not here, or if the entry is an old one that
// was read back.
func (p *Published) Private(seat machine.Audience) []byte {
	for _, s := range p.private {
		if s.seat == seat {
			return s.data
		}
	}
	return nil
}

// Roster says which audience a player belongs to. It never changes: a new one
// replaces it. Whoever is not in it watches.
type Roster struct {
	players   []string
	audiences []machine.Audience
	index     map[string]int // only when there are many
}

// Audience is the player's audience.
func (r *Roster) Audience(player string) machine.Audience {
	if i := r.find(player); i >= 0 {
		return r.audiences[i]
	}
	return machine.Watchers
}

// Players are those whose presence matters. Do not change the slice.
func (r *Roster) Players() []string { return r.players }

func (r *Roster) find(player string) int {
	if r.index == nil {
		return slices.Index(r.players, player)
	}
	if i, ok := r.index[player]; ok {
		return i
	}
	return -1
}

// update gives r itself if the machine's players are what r says.
func (r *Roster) update(m machine.Machine) *Roster {
	players := m.Players()
	same := r != nil && slices.Equal(r.players, players)
	for i := 0; same && i < len(players); i++ {
		same = m.Audience(players[i]) == r.audiences[i]
	}
	if same {
		return r
	}
	n := &Roster{players: slices.Clone(players), audiences: make([]machine.Audience, len(players))}
	for i, p := range n.players {
		n.audiences[i] = m.Audience(p)
	}
	if len(players) > 16 {
		n.index = make(map[string]int, len(players))
		for i, p := range n.players {
			n.index[p] = i
		}
	}
	return n
}

// encoder makes public forms off the room's goroutine: of fresh entries for
// whoever asks first, and of old ones read back from the journal.
type encoder struct {
	machine machine.Machine // see machine.Machine.Encode: this one method is anybody's
	broken  func(why any)   // called when it panics
}

func (e *encoder) encode(entry machine.Entry, a machine.Audience) (data []byte) {
	defer func() {
		if why := recover(); why != nil {
			data = nil
			e.broken(why)
		}
	}()
	return e.machine.Encode(entry, a)
}
