package seeks

import (
	"context"
	"errors"
	"slices"
	"time"

	"mancala/match/room"
)

// lookAgain is how often [Client.Await] looks for a game without an event. The room's owner
// may die after it has made the game and before its entry.
const lookAgain = time.Second

// Await returns when the game of a pair exists. It refuses with [CodeSeekGone] if the pair
// gets none. It serves a player without a socket, whom the room cannot send to the game.
func (c *Client) Await(ctx context.Context, game string) error {
	event, forget := c.expect(game)
	defer forget()
	var held *Copy // nil while the room cannot be followed: then only time brings the next look
	defer func() {
		if held != nil {
			held.Release()
		}
	}()
	for {
		if next, err := c.Renew(ctx, held); err == nil { // before looking, so that no event is missed
			held = next
		}
		if _, err := c.rooms.View(ctx, game, ""); !errors.Is(err, room.ErrNoRoom) {
			return err
		}
		select {
		case refused := <-event:
			if refused != nil {
				return refused
			}
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// expect returns a channel that gets nil when the game of a pair has been made, or when the
// copy of the room ends from which that would be heard. It gets a refusal if the pair gets no
// game.
func (c *Client) expect(game string) (event <-chan error, forget func()) {
	e := make(chan error, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expected[game] = append(c.expected[game], e)
	return e, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.expected[game] = slices.DeleteFunc(c.expected[game], func(other chan error) bool { return other == e })
		if len(c.expected[game]) == 0 {
			delete(c.expected, game)
		}
	}
}

// made wakes those who expect a game, with nil or a refusal. Called with mu held.
func (c *Client) made(game string, refused error) {
	for _, e := range c.expected[game] {
		select {
		case e <- refused:
		default: // one is enough
		}
	}
}

// wake makes all look who expect a game: the copy from which they would hear has ended.
func (c *Client) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for game := range c.expected {
		c.made(game, nil)
	}
}
