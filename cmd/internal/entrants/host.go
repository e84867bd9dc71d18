package entrants

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"mancala/lobby/tournament"
)

// host is the person who runs the tournament. Their page folds the whole state.
type host struct {
	line
	room    string // of the tournament
	state   *tournament.State
	changed chan struct{}   // closed and replaced at each change
	done    map[string]bool // commands that were answered
}

// takes takes a frame. Called with mu held.
func (h *host) takes(f frame) error {
	switch f.kind {
	case "snap":
		var s struct{ Snap *tournament.State }
		if err := json.Unmarshal(f.text, &s); err != nil {
			return err
		}
		h.state = s.Snap
	case "ev":
		var e struct {
			ID string
			Ev struct {
				At     int64
				Change tournament.Change
				Opened *tournament.OpenedBoards
			}
		}
		if err := json.Unmarshal(f.text, &e); err != nil {
			return err
		}
		if o := e.Ev.Opened; o != nil {
			e.Ev.Change = h.opening(*o)
		}
		if !h.state.Fold(&e.Ev.Change, e.Ev.At) {
			return fmt.Errorf("a change does not fit")
		}
		if e.ID != "" {
			h.answered(e.ID)
			h.done[e.ID] = true
		}
	case "ack", "err":
		d, err := f.details()
		if err != nil {
			return err
		}
		h.done[d.ID] = true
	}
	close(h.changed)
	h.changed = make(chan struct{})
	return nil
}

// opening returns the rows of boards whose last games can be played now. Boards without games are left out.
func (h *host) opening(o tournament.OpenedBoards) tournament.Change {
	c := tournament.Change{Round: o.Round}
	for _, b := range h.state.Rounds[o.Round-1] {
		if last := len(b.Games) - 1; last >= 0 && slices.Contains(o.Boards, b.Number) {
			b.Games = slices.Clone(b.Games)
			b.Games[last].Opened, b.Games[last].Acted = true, h.state.Acted
			c.Boards = append(c.Boards, b)
		}
	}
	return c
}

// until waits until cond reports true for the state. It calls cond with the host locked.
func (h *host) until(ctx context.Context, what string, cond func(*tournament.State) bool) error {
	for {
		h.mu.Lock()
		ok, changed := h.state != nil && cond(h.state), h.changed
		h.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("entrants: waiting for %s: %w", what, context.Cause(ctx))
		}
	}
}

// order sends a command to the tournament, and waits for its answer.
func (h *host) order(ctx context.Context, kind string, fields map[string]any) error {
	h.mu.Lock()
	id := h.say(h.room, kind, fields)
	h.mu.Unlock()
	return h.until(ctx, "an answer to "+kind, func(*tournament.State) bool { return h.done[id] })
}
