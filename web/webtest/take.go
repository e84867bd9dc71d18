package webtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// take applies a frame. An error means that the server broke the protocol.
func (c *Client) take(ctx context.Context, msg []byte) error {
	f := Frame{Raw: string(msg)}
	if err := json.Unmarshal(msg, &f); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.tell()
	c.frames = append(c.frames, f)
	if f.Room != c.room {
		return nil
	}
	err := c.follow(ctx, f)
	if o := c.person.Observer; o != nil && err == nil && c.ready && c.subs == 0 && (f.T == "ev" || f.T == "sync") {
		o.Saw(c.game, f)
	}
	return err
}

// follow takes a frame about the client's game. The caller holds mu.
func (c *Client) follow(ctx context.Context, f Frame) error {
	switch f.T {
	case "snap":
		state, err := Decode(f.Snap)
		if err != nil {
			return err
		}
		c.game = &Game{Seq: f.Seq, State: state, As: -1, Names: map[string]any{}}
		if sum := c.game.Sum(); sum != state["sum"] {
			return fmt.Errorf("the snapshot's board has the sum %s", sum)
		}
	case "ev":
		return c.entry(ctx, f)
	case "sync":
		if c.game == nil || c.game.Seq != f.Seq {
			return errors.New("sync does not end what came")
		}
		c.place(f)
		c.subs = max(0, c.subs-1)
		c.abreast()
		for _, id := range c.order {
			c.write(ctx, c.waiting[id])
		}
	case "as":
		if c.game != nil {
			c.game.As = *f.As
		}
	case "names":
		if c.game != nil {
			maps.Copy(c.game.Names, f.Names)
		}
	case "gone":
		c.behind()
		c.later(ctx)
	case "err":
		if f.ID == "" {
			c.subs = max(0, c.subs-1)
		}
		c.refused(ctx, f)
	case "ack":
		c.answered(f)
	}
	return nil
}

func (c *Client) place(f Frame) {
	if f.As != nil {
		c.game.As = *f.As
	}
	if f.Me != nil {
		c.game.Me = *f.Me
	}
	c.game.Legal = nil
	if f.You != nil {
		for _, l := range f.You.Legal {
			c.game.Legal = append(c.game.Legal, l.M)
		}
	}
}

func (c *Client) entry(ctx context.Context, f Frame) error {
	if c.game == nil {
		return errors.New("an entry before any snapshot")
	}
	if f.Seq <= c.game.Seq {
		if !c.ready || c.subs > 0 {
			return nil // the entry crossed our subscription on the way; the answer to that brings it again
		}
		return errors.New("an entry that is known")
	}
	ev := map[string]any{}
	if f.Ev != nil {
		var err error
		if ev, err = Decode(f.Ev); err != nil {
			return err
		}
	}
	if err := c.game.fold(f.Seq, ev); errors.Is(err, ErrGap) {
		if c.ready {
			c.subscribe(ctx, true)
		}
		return nil
	} else if err != nil {
		return err
	}
	if f.You != nil {
		c.place(f)
	}
	if f.ID != "" {
		c.answered(f)
	}
	return nil
}

// refused handles an error frame. For some codes the client sends the command
// again later.
func (c *Client) refused(ctx context.Context, f Frame) {
	repeat := slices.Contains([]string{"busy", "unavailable", "moved", "not-following"}, f.Code)
	switch {
	case !repeat:
		c.answered(f)
	case !c.ready:
		c.later(ctx)
	case f.Code != "not-following":
		c.later(ctx) // the sync that follows sends all waiting commands again
	}
}

func (c *Client) answered(f Frame) {
	if _, ok := c.waiting[f.ID]; ok {
		delete(c.waiting, f.ID)
		c.order = slices.DeleteFunc(c.order, func(id string) bool { return id == f.ID })
		c.answers[f.ID] = f
		if o := c.person.Observer; o != nil {
			o.Answered(f)
		}
	}
}

// Decode reads a JSON object in the form that [Game] uses, with json.Number for
// numbers.
func Decode(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v map[string]any
	err := d.Decode(&v)
	return v, err
}
