package webtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Frame is a message from the server.
type Frame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	ID   string `json:"id"`
	Code string `json:"code"`
	Kind string `json:"kind"`
	Seq  uint64 `json:"seq"`
	Raw  string `json:"-"`

	As    *int            `json:"as"`
	Me    *string         `json:"me"`
	Snap  json.RawMessage `json:"snap"`
	Ev    json.RawMessage `json:"ev"`
	Names map[string]any  `json:"names"`
	You   *struct {
		Legal []struct {
			M string `json:"m"`
		} `json:"legal"`
	} `json:"you"`
}

// Client is one tab of a person's browser that shows one game. Open it with
// [Person.Open]; its methods are safe from any goroutine.
type Client struct {
	person *Person
	room   string
	cancel context.CancelFunc
	done   chan struct{} // closed when the client has ended

	mu      sync.Mutex
	game    *Game
	frames  []Frame
	changed chan struct{} // closed and replaced whenever something comes
	conn    *websocket.Conn
	ready   bool // subscribed and up to date
	asked   int  // commands so far
	waiting map[string][]byte
	order   []string // of waiting
	answers map[string]Frame
	closes  []websocket.StatusCode
	played  []Turn
	err     error // why it has ended
}

// ErrBroken wraps what no server may do to a client.
var ErrBroken = errors.New("webtest: the server broke the protocol")

const redial = 10 * time.Millisecond // much less than a person's page would wait

// Open opens a game in a new tab. It returns at once; [Client.Until] waits.
func (p *Person) Open(room string) *Client {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{
		person: p, room: room, cancel: cancel, done: make(chan struct{}),
		changed: make(chan struct{}), waiting: map[string][]byte{}, answers: map[string]Frame{},
	}
	go c.run(ctx)
	return c
}

// Close closes the tab and waits until it has gone.
func (c *Client) Close() {
	c.cancel()
	<-c.done
}

// run connects until the tab is closed, or the server says for good.
func (c *Client) run(ctx context.Context) {
	defer close(c.done)
	for {
		err := c.connect(ctx)
		code := websocket.CloseStatus(err)
		c.mu.Lock()
		c.closes = append(c.closes, code)
		c.mu.Unlock()
		if ctx.Err() != nil || errors.Is(err, ErrBroken) || code >= 4500 && code < 5000 {
			c.mu.Lock()
			c.err = err
			c.tell()
			c.mu.Unlock()
			return
		}
		if wait(ctx, redial) != nil {
			return
		}
	}
}

// wait is a pause that ends with ctx.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Dial opens a bare socket.
func (p *Person) Dial(ctx context.Context, header http.Header) (*websocket.Conn, error) {
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.Base, "http")+"/ws", &websocket.DialOptions{
		HTTPClient: p.HTTP, HTTPHeader: header, Subprotocols: []string{"mancala.v1"},
	})
	if err == nil {
		conn.SetReadLimit(1 << 20)
	}
	return conn, err
}

// connect is the life of one connection.
func (c *Client) connect(ctx context.Context) error {
	conn, err := c.person.Dial(ctx, nil)
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	c.mu.Lock()
	c.conn, c.ready = conn, false
	c.subscribe(ctx, false)
	c.mu.Unlock()
	for {
		_, msg, err := conn.Read(ctx)
		if err != nil {
			c.mu.Lock()
			c.ready = false
			c.mu.Unlock()
			return err
		}
		if err := c.take(ctx, msg); err != nil {
			return fmt.Errorf("%w: %w in %s", ErrBroken, err, msg)
		}
	}
}

// subscribe asks for what was missed. Called with mu held.
func (c *Client) subscribe(ctx context.Context, fresh bool) {
	c.ready = false
	sub := map[string]any{"t": "sub", "room": c.room}
	if c.game != nil && !fresh {
		sub["since"] = c.game.Seq
	}
	text, _ := json.Marshal(sub) // of texts and numbers
	c.write(ctx, text)
}

// write sends; that it fails the reader will notice. Called with mu held.
func (c *Client) write(ctx context.Context, text []byte) {
	if c.conn != nil {
		_ = c.conn.Write(ctx, websocket.MessageText, text)
	}
}

// later subscribes again after a moment.
func (c *Client) later(ctx context.Context) {
	conn := c.conn
	time.AfterFunc(redial, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.conn == conn && ctx.Err() == nil {
			c.subscribe(ctx, false)
		}
	})
}

// tell wakes up those who wait. Called with mu held.
func (c *Client) tell() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// take takes in a frame. An error is the server's fault.
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
		c.ready = true
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
		c.ready = false
		c.later(ctx)
	case "err":
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

// refused takes in an error; some only mean that it was the wrong moment.
func (c *Client) refused(ctx context.Context, f Frame) {
	repeat := slices.Contains([]string{"busy", "unavailable", "moved", "not-following"}, f.Code)
	switch {
	case !repeat:
		c.answered(f)
	case !c.ready:
		c.later(ctx)
	case f.Code != "not-following":
		c.later(ctx) // its sync brings everything that waits
	}
}

func (c *Client) answered(f Frame) {
	if _, ok := c.waiting[f.ID]; ok {
		delete(c.waiting, f.ID)
		c.order = slices.DeleteFunc(c.order, func(id string) bool { return id == f.ID })
		c.answers[f.ID] = f
	}
}

// Decode reads a JSON object as [Game] has it: with json.Number for numbers.
func Decode(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v map[string]any
	err := d.Decode(&v)
	return v, err
}
