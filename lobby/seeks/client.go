package seeks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mancala/match/deadline"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Client follows the room for everything on this instance that needs it: pages in the
// lobby, programs that wait there, and the presence gossip between instances. It follows
// only while a [Copy] is held, so that the room can sleep afterwards. It knows the state of
// the room once a copy has begun ([Copy.Begin]), and for which players a game was found.
type Client struct {
	rooms *room.Registry

	following sync.Mutex // held while the room is followed or left; taken before all others
	current   *Copy      // guarded by following; nil or ended: Hold follows again

	mu        sync.Mutex // taken after all others
	listeners []Listener
	state     *State                  // nil until a copy has begun
	from      *Copy                   // the copy that state was read from
	missed    map[string]Found        // players who had no page here when their game was made
	sent      map[string]Found        // players who have been sent to their game
	expected  map[string][]chan error // by game: those who wait for it in [Client.Await]

	read atomic.Pointer[readState] // the state that was read last while no copy was followed
}

// Listener gets the events of the room. Its methods are called with the room's feed
// locked, as those of [room.Follower].
type Listener interface {
	Changed(News) // not before a copy has begun
	Note(room.Note)
	Gone(*Copy, error) // all players in that copy must announce themselves again
}

// Copy is one copy of the room, from when it was followed until it ends.
type Copy struct {
	*room.Following
	client *Client
	holds  int // how often it is held; guarded by client.following
	gone   atomic.Bool
}

// NewClient returns a client that does not follow the room yet.
func NewClient(rooms *room.Registry) *Client {
	return &Client{rooms: rooms, missed: map[string]Found{}, sent: map[string]Found{}, expected: map[string][]chan error{}}
}

// Listen adds a listener, which cannot be removed.
func (c *Client) Listen(l Listener) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = append(slices.Clip(c.listeners), l)
}

// Hold returns the current copy of the room. Each Hold needs one [Copy.Release].
func (c *Client) Hold(ctx context.Context) (*Copy, error) {
	c.following.Lock()
	defer c.following.Unlock()
	if c.current == nil || c.current.Gone() {
		next := &Copy{client: c}
		following, err := c.rooms.Follow(ctx, Room, follower{next})
		if err != nil {
			return nil, err
		}
		next.Following = following
		c.current = next
	}
	c.current.holds++
	return c.current, nil
}

// Renew is [Client.Hold] for a caller that may hold a copy already: held, or nil. If held has not ended, Renew
// returns it. Otherwise it releases held and returns the current copy. After an error the caller still holds held.
func (c *Client) Renew(ctx context.Context, held *Copy) (*Copy, error) {
	if held != nil && !held.Gone() {
		return held, nil
	}
	next, err := c.Hold(ctx)
	if err != nil {
		return nil, err
	}
	if held != nil {
		held.Release()
	}
	return next, nil
}

// Release ends one hold. After the last one the room can sleep.
func (p *Copy) Release() {
	c := p.client
	c.following.Lock()
	defer c.following.Unlock()
	if p.holds--; p.holds > 0 {
		return
	}
	if c.current == p {
		c.current = nil
	}
	p.gone.Store(true)
	c.drop(p)
	p.Close()
}

// Gone reports whether this copy has ended or is no longer held.
func (p *Copy) Gone() bool { return p.gone.Load() }

const (
	busyTries = 6
	busyWait  = 10 * time.Millisecond // grows with each try
)

// Do sends a player's command to the room, for a client without a socket. The body must
// hold the facts that the room needs. If the room is busy, Do tries again a few times, as
// a page does.
func (c *Client) Do(ctx context.Context, player, kind string, body json.RawMessage) (room.Answer, error) {
	command := machine.Command{ID: kind + "-" + rand.Text(), Kind: kind, By: player, Body: body}
	for try := time.Duration(1); ; try++ {
		a, err := c.rooms.Do(ctx, Room, command)
		if !refusal.Is(err, room.CodeBusy) || try == busyTries {
			return a, err
		}
		if deadline.Wait(ctx, try*busyWait) != nil {
			return a, err
		}
	}
}

// follower implements [room.Follower] for one copy.
type follower struct{ copy *Copy }

func (f follower) listeners() []Listener {
	c := f.copy.client
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.listeners
}

func (f follower) Entry(p *room.Published) {
	change, err := Read(p.Entry)
	if err != nil {
		return // unreachable: the machine has read this entry, or the room would be quarantined
	}
	news, begun := f.copy.fold(change)
	if !begun {
		return
	}
	for _, l := range f.listeners() {
		l.Changed(news)
	}
}

func (f follower) Note(n room.Note) {
	for _, l := range f.listeners() {
		l.Note(n)
	}
}

func (f follower) Gone(why error) {
	f.copy.gone.Store(true)
	for _, l := range f.listeners() {
		l.Gone(f.copy, why)
	}
	f.copy.client.drop(f.copy)
	f.copy.client.wake()
}
