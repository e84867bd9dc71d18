package room

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"mancala/match/machine"
)

// Published is one entry on its way to the followers: one value for all of them, to be
// kept and used by any goroutine. It does not change, except for Private.
//
// A socket gets one frame of it: Public for its audience (nil: only the number), and
// spliced in the command ID for the entry's author, which is the acknowledgement, and
// the Private part for a seat. Only the public bytes may leave for other people; Entry
// itself never does.
type Published struct {
	Seq    uint64
	Entry  machine.Entry
	Roster *Roster // the audience of each player after this entry; the same pointer until one changes; nil in an old entry read back

	NewState bool // the state of a [machine.Staged] has changed with this entry

	held bool // watchers get it later
	late bool // it is later now, and all players have had it

	private *privateParts // until all followers have been told
	encoder encoder
	mu      sync.Mutex
	public  []publicForm
}

// privateParts are lent to an entry while the followers are told: a room keeps many
// entries, and every byte of an entry is written with every move.
type privateParts struct {
	parts []privatePart
	bytes []byte
}

var privates = sync.Pool{New: func() any { return new(privateParts) }}

type privatePart struct {
	seat machine.Audience
	data []byte
}

type publicForm struct {
	audience machine.Audience
	data     []byte
}

// addPrivate prepares the private parts for the seats whose players are here.
func (r *Room) addPrivate(roster *Roster, p *privateParts) {
	p.parts, p.bytes = p.parts[:0], p.bytes[:0]
	coming := r.crowd.dirty.Load() // people came that we have not looked at
	if r.followed == 0 && !coming {
		return
	}
	for i, a := range roster.audiences {
		if !a.IsSeat() || !(r.people[i].near || coming) {
			continue
		}
		from := len(p.bytes)
		if r.guard("private", func() { p.bytes = r.machine.AppendPrivate(p.bytes, a) }) == nil && len(p.bytes) > from {
			p.parts = append(p.parts, privatePart{a, p.bytes[from:len(p.bytes):len(p.bytes)]})
		}
	}
}

// ForPlayers reports whether players get the entry now.
func (p *Published) ForPlayers() bool { return !p.late }

// ForWatchers reports whether watchers get the entry now. In a room whose watchers lag
// behind it comes twice: for the players, and later for the watchers.
func (p *Published) ForWatchers() bool { return !p.held }

// View returns the audience whose public form this audience gets: the watchers', if the
// machine has no secrets.
func (p *Published) View(a machine.Audience) machine.Audience {
	if p.encoder.noSecrets() {
		return machine.Watchers
	}
	return a
}

// Public returns what an audience may see of the entry, a JSON object; nil if it may
// know only the number. It is encoded once, when first asked for, and kept for the many
// readers that come back at the same time.
func (p *Published) Public(a machine.Audience) []byte {
	a = p.View(a)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.public {
		if f.audience == a {
			return f.data
		}
	}
	data := p.encoder.appendPublic(nil, p.Entry, a)
	p.public = append(p.public, publicForm{a, data})
	return data
}

// AppendPublic is Public for a caller that passes it on and keeps nothing.
func (p *Published) AppendPublic(b []byte, a machine.Audience) []byte {
	return p.encoder.appendPublic(b, p.Entry, p.View(a))
}

// Private returns what only this seat gets beside the entry. It is nil if there is
// nothing, if the seat's player is not here, or if the entry is an old one. It is for
// [Follower.Entry] alone, and its bytes are good until that returns: what a move makes
// possible is of no interest after the next one, and the tail keeps many entries.
func (p *Published) Private(seat machine.Audience) []byte {
	if p.private == nil {
		return nil
	}
	for _, s := range p.private.parts {
		if s.seat == seat {
			return s.data
		}
	}
	return nil
}

// Roster tells which audience a player belongs to. It never changes: a new one replaces
// it. A person who is not in it watches.
type Roster struct {
	players   []string
	audiences []machine.Audience
	index     map[string]int // only when there are many
}

// Audience returns the player's audience.
func (r *Roster) Audience(player string) machine.Audience {
	if i := r.find(player); i >= 0 {
		return r.audiences[i]
	}
	return machine.Watchers
}

// Players returns the players whose presence matters. Do not change the slice.
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

// update returns r itself if the machine's players are those of r.
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
	if len(players) > fewPeople {
		n.index = make(map[string]int, len(players))
		for i, p := range n.players {
			n.index[p] = i
		}
	}
	return n
}

// encoder makes public forms off the room's goroutine: of fresh entries for the first
// reader, and of old ones read back from the journal.
type encoder interface {
	appendPublic(b []byte, e machine.Entry, a machine.Audience) []byte
	noSecrets() bool
}

// appendPublic asks a machine that only encodes, one for all rooms of a kind: a room's
// own is busy with its state. See [machine.Machine.AppendPublic].
func (r *Room) appendPublic(b []byte, e machine.Entry, a machine.Audience) (data []byte) {
	defer func() {
		if why := recover(); why != nil {
			data = b
			s := fmt.Sprintf("encode panicked: %v", why)
			r.broken.CompareAndSwap(nil, &s)
			r.nudge()
		}
	}()
	return r.encoder.AppendPublic(b, e, a)
}

// ephemeral reports whether the journal does not have the state. Any goroutine may ask.
func (r *Room) ephemeral() bool {
	_, yes := r.encoder.(machine.Restorer)
	return yes
}

func (r *Room) noSecrets() bool { return hasNoSecrets(r.encoder) }

func hasNoSecrets(m machine.Machine) bool {
	_, ok := m.(machine.NoSecrets)
	return ok
}

// reader encodes entries that are read without a room.
type reader struct {
	machine machine.Machine
	log     *slog.Logger
}

func (r *reader) noSecrets() bool { return hasNoSecrets(r.machine) }

func (r *reader) appendPublic(b []byte, e machine.Entry, a machine.Audience) (data []byte) {
	defer func() {
		if why := recover(); why != nil {
			data = b
			r.log.Error("room: encode panicked", "kind", e.Kind, "panic", why)
		}
	}()
	return r.machine.AppendPublic(b, e, a)
}
