package seeks

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	"mancala/match/refusal"
	"mancala/match/room"
)

// News is what an entry of the room has changed.
type News struct {
	Change
	Over []Over // the challenges that have ended
}

// Over is a challenge that has ended, and the reason.
type Over struct {
	Challenge
	Why string
}

// Begin reads the state of a copy, unless that was done before. From then on the client
// knows the state, and listeners are told of its changes.
func (p *Copy) Begin(ctx context.Context) error {
	c := p.client
	c.mu.Lock()
	begun := c.state != nil && c.from == p
	c.mu.Unlock()
	if begun {
		return nil
	}
	return p.Resume(ctx, "", 0, nil, p.bring)
}

// bring stores the state of a copy. Resume calls it with the feed locked.
func (p *Copy) bring(r *room.Resume) {
	state := new(State)
	if json.Unmarshal(r.Snapshot, state) != nil {
		return // unreachable: the snapshot is our own text
	}
	for _, missed := range r.Missed {
		if c, err := Read(missed.Entry); err == nil {
			state.Fold(c)
		}
	}
	c := p.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.Gone() {
		return
	}
	c.state, c.from = state, p
	for _, f := range state.Found {
		if c.sent[f.Player].Game != f.Game { // otherwise the player was sent to this game before and has come back
			c.missed[f.Player] = f
		}
	}
}

// fold applies a change to the state, and returns what listeners are told. begun is false
// if the state of this copy is not known.
func (p *Copy) fold(change Change) (news News, begun bool) {
	c := p.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if change.Done != nil {
		c.made(change.Done.ID, nil)
	}
	if change.Parted != nil {
		c.made(change.Parted.ID, refusal.New(CodeSeekGone))
	}
	if c.state == nil || c.from != p {
		return News{}, false
	}
	news.Change = change
	for _, e := range change.Ended {
		if ask := c.state.Challenge(e.ID); ask != nil {
			news.Over = append(news.Over, Over{*ask, e.Why})
		}
	}
	c.state.Fold(change)
	return news, true
}

// drop forgets the state of a copy that has ended.
func (c *Client) drop(p *Copy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.from == p {
		c.state, c.from = nil, nil
	}
}

// Followed calls look with the state that this instance follows, and reports whether it
// follows any. look must neither keep the state nor call the client.
func (c *Client) Followed(look func(*State)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != nil {
		look(c.state)
	}
	return c.state != nil
}

// State calls look with the state that this instance follows. If it follows none, State
// reads the state from the room. look must neither keep the state nor call the client.
func (c *Client) State(ctx context.Context, look func(*State)) error {
	if c.Followed(look) {
		return nil
	}
	view, err := c.rooms.View(ctx, Room, "")
	if err != nil {
		return err
	}
	read := c.read.Load()
	if read == nil || !read.from(view.Snapshot) {
		read = &readState{snapshot: view.Snapshot}
		if err := json.Unmarshal(view.Snapshot, &read.state); err != nil {
			return err
		}
		c.read.Store(read)
	}
	look(&read.state)
	return nil
}

// readState is a state that was read from a snapshot. With thousands of seeks that takes
// megabytes, so it is done once for all requests until the state changes.
type readState struct {
	snapshot []byte
	state    State // is not changed
}

// from reports whether the state was read from this snapshot. The room makes one snapshot
// of a state for all readers, so the same memory is enough.
func (r *readState) from(snapshot []byte) bool {
	return len(snapshot) > 0 && len(snapshot) == len(r.snapshot) && &snapshot[0] == &r.snapshot[0]
}

// KeepApart tells the room that two players must not be paired. It does nothing unless
// both wait.
func (c *Client) KeepApart(ctx context.Context, player, other string) error {
	waiting := false
	err := c.State(ctx, func(s *State) { waiting = s.Of(player) != nil && s.Of(other) != nil })
	if err != nil || !waiting {
		return err
	}
	body, err := json.Marshal(Order{To: other, Facts: Facts{Apart: []string{other}}})
	if err == nil {
		_, err = c.Do(ctx, player, KindApart, body)
	}
	return err
}

// Withdraw ends what a player waits for, and the player's own challenges.
func (c *Client) Withdraw(ctx context.Context, player string) error {
	var open []Order
	err := c.State(ctx, func(s *State) {
		if s.Of(player) != nil {
			open = append(open, Order{})
		}
		for _, ask := range s.AsksOf(player) {
			if ask.By == player {
				open = append(open, Order{Seek: ask.ID})
			}
		}
	})
	for _, o := range open {
		body, failed := json.Marshal(o)
		if failed == nil {
			_, failed = c.Do(ctx, player, KindLeave, body)
		}
		if !refusal.Is(failed, CodeSeekGone) { // otherwise it has ended by itself
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Sent notes that a page on this instance has sent a player to their game.
func (c *Client) Sent(f Found) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[f.Player] = f
	c.forget()
}

// Missed notes that no page on this instance could send a player to their game.
func (c *Client) Missed(f Found) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.missed[f.Player] = f
	c.forget()
}

// TakeMissed returns the game that a player has missed, if it was made a short while ago,
// and notes that the player is sent to it.
func (c *Client) TakeMissed(player string) (f Found, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget()
	if f, ok = c.missed[player]; ok {
		delete(c.missed, player)
		c.sent[player] = f
	}
	return f, ok
}

// forget drops what was found too long ago. Called with mu held.
func (c *Client) forget() {
	old := func(_ string, f Found) bool { return c.rooms.Now()-f.At > FoundFor.Milliseconds() }
	maps.DeleteFunc(c.missed, old)
	maps.DeleteFunc(c.sent, old)
}
