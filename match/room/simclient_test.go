package room

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
)

// client is one socket of the simulation, with a hub of its own. It remembers
// all that it was told, and what it was promised.
type client struct {
	*sim
	room   string
	player string
	name   string
	home   int // which registry it is connected to
	rng    *rand.Rand
	sent   int

	mu        sync.Mutex
	following *Following
	trust     *Trust // of this connection; its own goroutine's
	seq       uint64
	seen      map[uint64]*Published
	snapshots []Resume
	trouble   string // the first hole or double

	acked []ack
	open  *machine.Command // sent and not answered
	nth   int64            // of open
}

type ack struct {
	command machine.Command
	seq     uint64
	nth     int64 // how many commands its author had sent in this room by then
}

func newClient(s *sim, room, player string, n uint64) *client {
	return &client{
		sim: s, room: room, player: player, name: fmt.Sprint(player, n), home: int(n) % len(s.worlds),
		rng: rand.New(rand.NewPCG(s.run, n+2)), seen: map[uint64]*Published{},
	}
}

// registry is the one that the client is connected to at the moment.
func (c *client) registry() *world { return c.worlds[c.home].Load() }

func (c *client) Entry(p *Published) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.following != nil { // resumed on this subscription
		c.take(p)
	}
}

func (c *client) take(p *Published) {
	if p.Seq != c.seq+1 && c.trouble == "" {
		c.trouble = fmt.Sprintf("%d after %d", p.Seq, c.seq)
	}
	c.seq = p.Seq
	c.seen[p.Seq] = p
}

func (c *client) Note(Note) {}
func (c *client) Gone(error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.following = nil
}

// connect follows the room, if it does not, and resumes where it was.
func (c *client) connect() {
	c.mu.Lock()
	there := c.following != nil
	c.mu.Unlock()
	if there {
		return
	}
	f, err := c.registry().Follow(c.Context(), c.room, c)
	if err != nil {
		return
	}
	f.Join(c.player)
	c.trust = new(Trust)
	if err := c.resume(f); err != nil {
		f.Close()
	}
}

func (c *client) resume(f *Following) error {
	c.mu.Lock()
	since := c.seq
	honest := c.trust.in(c.room)
	switch c.rng.IntN(12) {
	case 0:
		since = 0
	case 1:
		since, honest = c.rng.Uint64(), false
	case 2:
		since, honest = c.rng.Uint64N(c.seq+2), false
	}
	c.mu.Unlock()
	return f.Resume(c.Context(), c.player, since, c.trust, func(r *Resume) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.following = f
		if honest && r.Seq < since && c.trouble == "" {
			c.trouble = fmt.Sprintf("was at %d and is taken back to %d", since, r.Seq)
		}
		c.seq = r.From
		if r.Snapshot != nil {
			c.snapshots = append(c.snapshots, *r)
		} else if r.From != since {
			c.trouble = fmt.Sprintf("asked since %d, got since %d", since, r.From)
		}
		for _, p := range r.Missed {
			c.take(p)
		}
		if c.seq != r.Seq && c.trouble == "" {
			c.trouble = fmt.Sprintf("a resume leads to %d and says %d", c.seq, r.Seq)
		}
	})
}

func (c *client) leave() {
	c.mu.Lock()
	f := c.following
	c.following = nil
	c.mu.Unlock()
	if f != nil {
		f.Close()
	}
}

// live does this and that until the run ends.
func (c *client) live() {
	for !c.stop.Load() {
		switch c.rng.IntN(12) {
		case 0:
			c.leave()
			time.Sleep(upTo(c.rng, 20*time.Second))
		case 1:
			c.mu.Lock()
			f := c.following
			c.mu.Unlock()
			if f != nil {
				_ = c.resume(f)
			}
		case 2:
			c.repeat()
		case 3:
			c.lie()
		case 4, 5:
			time.Sleep(upTo(c.rng, 3*time.Second))
		default:
			c.connect()
			c.act()
		}
		time.Sleep(upTo(c.rng, 300*time.Millisecond))
	}
}

// act sends a new command, or the last one again until it is answered.
func (c *client) act() {
	if c.open == nil {
		c.sent++
		k := []string{"add", "add", "add", "hide", "bell", "task", "idle"}[c.rng.IntN(7)]
		cmd := machine.Command{ID: fmt.Sprint(c.name, "-", c.sent), By: c.player, Kind: k}
		cmd.Body = fmt.Appendf(nil, `{"n":%d,"in":%d,"task":%q}`, c.rng.IntN(100), c.rng.IntN(90000), cmd.ID)
		c.open, c.nth = &cmd, c.author().Add(1)
	}
	c.retryOpen()
}

func (c *client) retryOpen() {
	if c.open != nil && c.forgotten(c.nth) {
		c.open = nil // another tab was busy meanwhile; this client cannot learn whether it was carried out
	}
	if c.open == nil {
		return
	}
	a, err := c.registry().Do(c.Context(), c.room, *c.open)
	switch _, refused := refusal.Of(err); {
	case err == nil:
		if a.Seq != 0 {
			c.acked = append(c.acked, ack{*c.open, a.Seq, c.nth})
		}
	case errors.Is(err, ErrUnavailable), errors.Is(err, ErrMoved), errors.Is(err, ErrBusy):
		return // unanswered
	case !refused:
		c.Errorf("%s: %v", c.name, err)
	}
	c.open = nil
}

// author counts the commands of this client's player, from all of its tabs.
func (c *client) author() *atomic.Int64 {
	n, _ := c.authors.LoadOrStore(c.room+" "+c.player, new(atomic.Int64))
	return n.(*atomic.Int64)
}

// forgotten reports whether a room may no longer know a command, which is too old to be
// sent again.
func (c *client) forgotten(nth int64) bool { return c.author().Load()-nth >= repeatsKept }

// repeat sends what was answered before.
func (c *client) repeat() {
	if len(c.acked) == 0 {
		return
	}
	a := c.acked[len(c.acked)-1-c.rng.IntN(min(len(c.acked), 8))]
	if c.forgotten(a.nth) {
		return
	}
	got, err := c.registry().Do(c.Context(), c.room, a.command)
	if err == nil && (got.Seq != a.seq || !got.Repeat) {
		c.Errorf("%s: %s was entry %d, repeated it is %+v", c.name, a.command.ID, a.seq, got)
	}
}

// lie sends what must not be believed.
func (c *client) lie() {
	id := fmt.Sprint(c.name, "-lie-", c.rng.Uint64())
	for _, bad := range []machine.Command{
		{ID: id, By: c.player, Kind: machine.KindWake},
		{ID: id, By: "mallory", Kind: "add", Body: []byte(`{"n":1}`)},
		{ID: id, By: c.player, Kind: "sit"},
		{ID: id, By: c.player, Kind: "add", Body: []byte(`{`)},
	} {
		if a, err := c.registry().Do(c.Context(), c.room, bad); err == nil {
			c.Errorf("%s: a lie became entry %d", c.name, a.Seq)
		}
	}
}

// verify holds what the client was told against the journal.
func (c *client) verify(journal []*Published, at map[string]uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trouble != "" {
		c.Errorf("%s: %s", c.name, c.trouble)
	}
	if c.seq != uint64(len(journal)) {
		c.Errorf("%s: is at %d, the journal at %d", c.name, c.seq, len(journal))
	}
	for _, a := range c.acked {
		if seq := at[a.command.By+" "+a.command.ID]; seq != a.seq {
			c.Errorf("%s: %s was acknowledged as entry %d and is %d", c.name, a.command.ID, a.seq, seq)
		}
	}
	audience := map[string]machine.Audience{"ann": 0, "bob": 1}
	a, seated := audience[c.player]
	if !seated {
		a = machine.Watchers
	}
	for seq, p := range c.seen {
		if seq > uint64(len(journal)) || !bytes.Equal(p.Public(a), journal[seq-1].Public(a)) {
			c.Errorf("%s: was shown %s as entry %d", c.name, p.Public(a), seq)
		}
	}
	// A snapshot is the state at its sequence, not about then.
	fresh := newLedger(c.room)
	byFrom := map[uint64][]byte{}
	for _, r := range c.snapshots {
		byFrom[r.From] = r.Snapshot
	}
	for i, p := range journal {
		if err := fresh.Apply(p.Entry); err != nil {
			c.Fatal(err)
		}
		if got := byFrom[uint64(i)+1]; got != nil && !bytes.Equal(got, fresh.Snapshot(a)) {
			c.Errorf("%s: the snapshot of %d was\n%s, want\n%s", c.name, i+1, got, fresh.Snapshot(a))
		}
	}
}
