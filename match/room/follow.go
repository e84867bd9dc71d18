package room

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mancala/match/machine"
)

// Follower receives everything that a room publishes. One follower serves all sockets of a
// room on one instance: the web layer's hub. The room keeps a handful of them at most, and
// starts no goroutine for any.
//
// The methods are called by the room's goroutine with the room's feed locked.
// They must return at once: write to the players' sockets without blocking, and
// hand the watchers to a goroutine of the hub's own. They may call
// [Following.Leave], [Following.Say] and [Following.Close], and nothing else of the
// room. A caller of the room must not hold a lock that these methods take.
//
// How a hub feeds a socket:
//
//	following.Join(player)                    // the socket subscribes
//	following.Resume(ctx, player, since, &s.trust, func(r *room.Resume) {
//		h.mu.Lock(); defer h.mu.Unlock()
//		s.seq = r.Seq                         // what it has been sent
//		s.enqueue(frames(r)); h.sockets.add(s)
//	})
//	func (h *hub) Entry(p *room.Published)    // players: write now; watchers: p to the batch
//	                                          // for each socket: skip p.Seq <= s.seq, write, s.seq = p.Seq
//	following.Leave(player)                   // the socket goes
//	following.Do(ctx, command)                // the author's frame of Entry is the acknowledgement
//
// A socket added by Resume's callback sees exactly the entries after r.Seq; the
// skip matters only to a hub whose own batches lag behind.
type Follower interface {
	// Entry is called for each entry, in order and without holes, from the one
	// after those that existed when the follower was added.
	Entry(p *Published)
	// Note is called for news that is not in the journal: lossy, without a number,
	// at most one a second of each kind and author.
	Note(n Note)
	// Gone is the last call: this copy of the room has ended ([ErrFenced],
	// [ErrDrained]). Follow the room again and resume, or tell the sockets to
	// come back.
	Gone(why error)
}

// Following is one follower's subscription to a room. Its methods are safe from any goroutine.
// After [Follower.Gone] they return [ErrMoved].
type Following struct {
	room     *Room
	follower Follower
	closed   atomic.Bool
	remote   bool // another instance
	first    bool // see [Following.First]; never changes

	mu       sync.Mutex
	people   tally // sockets of each player; never held together with the feed's lock by a caller
	watchers int   // remote: how many people without a seat are there
}

// Resume is what one socket needs in order to be up to date.
type Resume struct {
	Seq      uint64           // of the state that this leads to; the next entry will be Seq+1
	Audience machine.Audience // the player's, at Seq
	Roster   *Roster          // at Seq

	Snapshot []byte       // the state as of From for the audience; nil if Missed continues what the socket knows
	From     uint64       // what Missed continues: the snapshot's sequence, or since
	Missed   []*Published // the entries after From up to Seq; do not change
	Private  []byte       // the seat's private part as of Seq, or nil
	Sum      string       // for a seat of a [machine.Checksummed]: its checksum as of Seq

	Now   int64         // the room's time when this was made, in ms; a running clock is computed from it
	Delay time.Duration // how far this audience lags behind; Now is not delayed

	Notes []Note // the sticky notes: absent players, the number of watchers
}

// Kind returns the room's kind.
func (f *Following) Kind() string { return f.room.kind }

// Room returns the room's ID.
func (f *Following) Room() string { return f.room.id }

// First reports whether nothing has followed the room before, here or on another instance, since
// it was made. It returns false where that is not known.
func (f *Following) First() bool { return f.first }

// Ask puts a person's question to a room whose machine is a [machine.Answerer]. It
// returns the answer and the sequence that it holds for.
func (f *Following) Ask(ctx context.Context, player, what string) (answer []byte, seq uint64, err error) {
	type told struct {
		answer []byte
		seq    uint64
	}
	t, err := result(ctx, f.room, func(r *Room) (t told, refused error) {
		m, seq := r.seenBy(player)
		answerer, ok := m.(machine.Answerer)
		if !ok {
			return t, ErrBadCommand
		}
		t.seq = seq
		err := r.guard("tell", func() { t.answer, refused = answerer.Tell(what) })
		return t, errors.Join(err, refused)
	})
	return t.answer, t.seq, err
}

// Join adds a socket of this player. Each Join needs one [Following.Leave].
func (f *Following) Join(player string) {
	f.mu.Lock()
	first := f.people.add(player, 1) == 1
	f.mu.Unlock()
	if first {
		f.room.crowd.changed(f.room)
	}
}

// Leave removes a socket of this player. After the last one the room waits a little
// before it calls the player gone.
func (f *Following) Leave(player string) {
	f.mu.Lock()
	last := f.people.of(player) == 1
	f.people.add(player, -1)
	f.mu.Unlock()
	if last {
		f.room.crowd.changed(f.room)
	}
}

// Close ends the subscription: no further call will start, and all players have left. A hub
// without sockets closes, so that the room may sleep.
func (f *Following) Close() {
	f.closed.Store(true)
	f.mu.Lock()
	f.people = tally{}
	f.mu.Unlock()
	f.room.crowd.changed(f.room)
}

func (f *Following) here(player string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.people.of(player) > 0
}

// Follow attaches a follower to a room, which is opened if it sleeps. The follower is told
// of every entry from now on. [Follower] tells what comes next.
func (reg *Registry) Follow(ctx context.Context, id string, f Follower) (*Following, error) {
	var g *Following
	err := reg.with(ctx, id, func(r *Room) error {
		g = &Following{room: r, follower: f}
		err := r.call(ctx, func(r *Room) error {
			if !g.closed.Load() {
				g.first, r.fresh = r.fresh, false
				r.addFollowing(g)
			}
			return nil
		})
		if err != nil {
			g.Close() // the room may still serve it
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// tally counts by name. A few names are a list, which is all that nearly every room
// needs; the lobby has thousands.
type tally struct {
	few  []counted
	many map[string]int // instead, when there are many
}

type counted struct {
	name string
	n    int
}

// add counts n more of a name and returns how many there are now: 0 if it would be
// less.
func (t *tally) add(name string, n int) int {
	if t.many != nil {
		n += t.many[name]
		if t.many[name] = n; n <= 0 {
			delete(t.many, name)
		}
		return max(n, 0)
	}
	i := t.find(name)
	switch {
	case i >= 0:
		if t.few[i].n += n; t.few[i].n > 0 {
			return t.few[i].n
		}
		t.few = slices.Delete(t.few, i, i+1)
		return 0
	case n <= 0:
		return 0
	case len(t.few) == fewPeople:
		t.many = make(map[string]int, 2*fewPeople)
		for _, c := range t.few {
			t.many[c.name] = c.n
		}
		t.few = nil
		t.many[name] = n
	default:
		t.few = append(t.few, counted{name, n})
	}
	return n
}

func (t *tally) find(name string) int {
	return slices.IndexFunc(t.few, func(c counted) bool { return c.name == name })
}

// of returns how many there are of a name.
func (t *tally) of(name string) int {
	if t.many != nil {
		return t.many[name]
	}
	if i := t.find(name); i >= 0 {
		return t.few[i].n
	}
	return 0
}

// names returns how many names have been counted.
func (t *tally) names() int { return len(t.few) + len(t.many) }
