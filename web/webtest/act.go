package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// Until waits until cond reports true for the game. It calls cond with the
// client locked, so cond must not call the client.
func (c *Client) Until(ctx context.Context, what string, cond func(*Game) bool) error {
	return c.wait(ctx, what, func() bool { return c.ready && c.game != nil && cond(c.game) })
}

// Ready waits until the client is up to date.
func (c *Client) Ready(ctx context.Context) error {
	return c.Until(ctx, "an answer to sub", func(*Game) bool { return true })
}

// wait waits until cond is true. It calls cond with mu held.
func (c *Client) wait(ctx context.Context, what string, cond func() bool) error {
	for {
		c.mu.Lock()
		ok, err, changed := cond(), c.err, c.changed
		c.mu.Unlock()
		switch {
		case ok:
			return nil
		case err != nil:
			return fmt.Errorf("webtest: waiting for %s: %w", what, err)
		}
		select {
		case <-changed:
		case <-c.done:
			return fmt.Errorf("webtest: waiting for %s: the tab is closed", what)
		case <-ctx.Done():
			return fmt.Errorf("webtest: waiting for %s in %s: %w; the last frames were%s", what, c.room, ctx.Err(), c.lastFrames())
		}
	}
}

// lastFrames returns the last frames that the client received. An error about a
// missing frame shows them.
func (c *Client) lastFrames() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	for _, f := range c.frames[max(0, len(c.frames)-6):] {
		fmt.Fprintf(&b, "\n\t%.300s", f.Raw)
	}
	return b.String()
}

// Look calls f with the current game.
func (c *Client) Look(f func(*Game)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.game)
}

// Frames returns all frames that the client has received so far.
func (c *Client) Frames() []Frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.frames)
}

// Closes returns the close code of each connection that has ended so far. The
// code -1 means that there was no close frame.
func (c *Client) Closes() []websocket.StatusCode {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.closes)
}

// Away returns how long each period lasted in which the client was not up to
// date. A period is added when the client has caught up.
func (c *Client) Away() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.away)
}

// Played returns the plies that this client has made and that the server has
// acknowledged.
func (c *Client) Played() []Turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.played)
}

// Expect waits for the first frame for which is reports true. Frames that have
// come already count.
func (c *Client) Expect(ctx context.Context, what string, is func(Frame) bool) (Frame, error) {
	return c.ExpectNth(ctx, what, 1, is)
}

// ExpectNth waits for the nth frame for which is reports true.
func (c *Client) ExpectNth(ctx context.Context, what string, n int, is func(Frame) bool) (found Frame, err error) {
	err = c.wait(ctx, what, func() bool {
		seen := 0
		for _, f := range c.frames {
			if is(f) {
				if seen++; seen == n {
					found = f
					return true
				}
			}
		}
		return false
	})
	return found, err
}

// Send sends text unchanged.
func (c *Client) Send(ctx context.Context, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.write(ctx, []byte(text))
}

// Drop ends the connection without a close frame. The client reconnects by
// itself.
func (c *Client) Drop() {
	c.mu.Lock()
	conn := c.conn
	c.mu.Unlock()
	if conn != nil {
		_ = conn.CloseNow()
	}
}

// Take makes this tab the one that plays.
func (c *Client) Take(ctx context.Context) {
	c.Send(ctx, fmt.Sprintf(`{"t":"sub","room":%q,"take":true}`, c.room))
}

// Do sends a command and waits for its answer: the entry, an "ack" or an "err".
// The client repeats the command with the same ID until an answer comes.
func (c *Client) Do(ctx context.Context, kind string, fields map[string]any) (Frame, error) {
	c.mu.Lock()
	c.asked++
	id := fmt.Sprintf("%p-%d", c, c.asked)
	cmd := map[string]any{"t": "cmd", "room": c.room, "id": id, "kind": kind}
	maps.Copy(cmd, fields)
	text, err := json.Marshal(cmd)
	if err != nil {
		c.mu.Unlock()
		return Frame{}, err
	}
	if o := c.person.Observer; o != nil {
		o.Asked(id, kind, fields)
	}
	c.waiting[id] = text
	c.order = append(c.order, id)
	if c.ready {
		c.write(ctx, text)
	}
	c.mu.Unlock()

	var answer Frame
	asked := time.Now()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.longest = max(c.longest, time.Since(asked))
	}()
	err = c.wait(ctx, "an answer to "+string(text), func() (ok bool) {
		answer, ok = c.answers[id]
		return ok
	})
	return answer, err
}

// Longest returns the longest time for which this client has waited for an
// answer.
func (c *Client) Longest() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.longest
}

// Must calls Do and returns an error if the server refuses the command.
func (c *Client) Must(ctx context.Context, kind string, fields map[string]any) error {
	f, err := c.Do(ctx, kind, fields)
	if err == nil && f.T == "err" {
		err = fmt.Errorf("webtest: %s %v was refused: %s; the last frames were%s", kind, fields, f.Raw, c.lastFrames())
	}
	return err
}

// Turn is a ply that a client is about to make.
type Turn struct {
	Ply  int
	Move string
}

// MyTurn waits until this seat is on turn, the game is over or stop reports
// true. Then it chooses a legal ply or a lay-out. ok is false if the seat has
// no ply to make.
func (c *Client) MyTurn(ctx context.Context, r *rand.Rand, stop func(*Game) bool) (t Turn, ok bool, err error) {
	err = c.Until(ctx, "my turn", func(g *Game) bool {
		if g.Over() || stop != nil && stop(g) {
			return true
		}
		if s := g.Text("state"); s != "setup" && s != "live" || g.Number("turn") != g.As {
			return false
		}
		t.Ply, ok = g.Number("ply"), true
		switch {
		case g.Text("phase") == "setup":
			t.Move = LayOut(r, g)
		case len(g.Legal) > 0:
			t.Move = g.Legal[r.IntN(len(g.Legal))]
		default:
			ok = false
		}
		return ok
	})
	return t, ok, err
}

// LayOut lays out the seeds at random, as the game's rules require. Each pit
// that may hold seeds gets at least one.
func LayOut(r *rand.Rand, g *Game) string {
	total, paired := 0, false
	for word := range strings.FieldsSeq(g.Text("canonical")) {
		fmt.Sscanf(word, "total=%d", &total)
		paired = paired || word == "opening=paired"
	}
	row := number(g.list("shape")[2])
	seeds := make([]int, 2*row)
	var free []int
	for i := range seeds {
		if at := i % row; !paired || at > 0 && at < row-1 {
			free, seeds[i] = append(free, i), 1
		}
	}
	for n := len(free); n < total; n++ {
		seeds[free[r.IntN(len(free))]]++
	}
	text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(seeds[:row])), "."), "[]")
	other := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(seeds[row:])), "."), "[]")
	return "=" + text + "/" + other
}

// PlayOn makes random plies whenever it is this seat's turn, until the game is
// over or stop reports true. Between two rounds it starts the next round.
func (c *Client) PlayOn(ctx context.Context, r *rand.Rand, stop func(*Game) bool) error {
	for {
		paused := false
		t, ok, err := c.MyTurn(ctx, r, func(g *Game) bool {
			if stop != nil && stop(g) {
				return true
			}
			paused = g.Text("state") == "pause"
			return paused
		})
		switch {
		case err != nil:
			return err
		case ok:
			err = c.Play(ctx, t)
		case paused:
			_, err = c.Do(ctx, "next", nil) // the other seat may have started it already
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Play makes a ply.
func (c *Client) Play(ctx context.Context, t Turn) error {
	if err := c.Must(ctx, "move", map[string]any{"ply": t.Ply, "move": t.Move}); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.played = append(c.played, t)
	return nil
}

// Closed waits until the server has closed the tab for good, and returns the
// close code.
func (c *Client) Closed(ctx context.Context) (websocket.StatusCode, error) {
	select {
	case <-c.done:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return websocket.CloseStatus(c.err), nil
}
