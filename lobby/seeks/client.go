package seeks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// Client follows the room for everything on this instance that needs it: the pages in
// the lobby, the programs that wait there, and what instances tell each other. It
// follows while somebody holds it, so that the room may sleep afterwards.
type Client struct {
	rooms *room.Registry

	following sync.Mutex // held while the room is followed or left; taken before all others
	current   *Copy      // guarded by following; nil or ended: to be followed anew

	mu        sync.Mutex
	listeners []Listener
}

// Listener is told what happens in the room. The methods are those of
// [room.Follower], with its restrictions: they are called with the room's feed
// locked.
type Listener interface {
	Entry(*Copy, *room.Published)
	Note(room.Note)
	Gone(*Copy, error) // everybody in that copy must announce themselves again
}

// Copy is one copy of the room, from when it was followed until it ends.
type Copy struct {
	*room.Following
	client *Client
	holds  int // guarded by client.following
	gone   atomic.Bool
}

// NewClient returns a client that follows nothing yet.
func NewClient(rooms *room.Registry) *Client { return &Client{rooms: rooms} }

// Listen adds a listener, for good.
func (c *Client) Listen(l Listener) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = append(slices.Clip(c.listeners), l)
}

// Hold returns the copy of the room that there is now. Each Hold needs one
// [Copy.Release].
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

// Release gives a copy back. The last one lets the room sleep.
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
	p.Close()
}

// Gone reports whether this copy has ended, or nobody holds it any more.
func (p *Copy) Gone() bool { return p.gone.Load() }

const (
	busyTries = 6
	busyWait  = 10 * time.Millisecond // at first
)

// Do carries a player's command to the room, for a client without a socket. The body
// holds the facts that the room needs. A busy room is asked again a few times, as a
// page would.
func (c *Client) Do(ctx context.Context, player, kind string, body json.RawMessage) (room.Answer, error) {
	command := machine.Command{ID: kind + "-" + rand.Text(), Kind: kind, By: player, Body: body}
	for try := time.Duration(1); ; try++ {
		a, err := c.rooms.Do(ctx, Room, command)
		if !refusal.Is(err, room.CodeBusy) || try == busyTries {
			return a, err
		}
		select {
		case <-time.After(try * busyWait):
		case <-ctx.Done():
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
	for _, l := range f.listeners() {
		l.Entry(f.copy, p)
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
}
