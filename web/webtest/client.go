package webtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
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
	Now  int64  `json:"now"`
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

// Client is one tab of a person's browser that shows one game. [Person.Open]
// makes one. Its methods are safe from any goroutine.
type Client struct {
	person *Person
	room   string
	cancel context.CancelFunc
	done   chan struct{} // closed when the client has ended

	mu      sync.Mutex
	game    *Game
	frames  []Frame
	changed chan struct{} // closed and replaced at each change
	conn    *websocket.Conn
	ready   bool // subscribed and up to date
	subs    int  // subscriptions sent over conn and not answered yet
	asked   int  // number of commands so far
	waiting map[string][]byte
	order   []string // the keys of waiting, in the order of sending
	answers map[string]Frame
	closes  []websocket.StatusCode
	lost    time.Time       // when the client was last up to date; zero while it is
	away    []time.Duration // how long each period lasted in which it was not up to date
	played  []Turn
	longest time.Duration
	err     error // why the client has ended
}

// Observer is told what a client asks and sees. The client is locked during the calls, so
// they must return at once and must not call it.
type Observer interface {
	// Asked is called before a command is sent for the first time.
	Asked(id, kind string, fields map[string]any)
	// Answered is called with the answer to a command.
	Answered(f Frame)
	// Saw is called with the game after each frame that changes it, while the client is up to
	// date.
	Saw(g *Game, f Frame)
}

// ErrBroken wraps each error about a server that broke the protocol.
var ErrBroken = errors.New("webtest: the server broke the protocol")

const redial = 10 * time.Millisecond // much shorter than the wait of a real page

// pause returns how long to wait before a new connection after one that ended
// with err. It follows socket.js.
func (c *Client) pause(err error) time.Duration {
	if !c.person.AsPage {
		return redial
	}
	var end websocket.CloseError
	var ms int
	if errors.As(err, &end) {
		if _, e := fmt.Sscanf(end.Reason, "retry-ms=%d", &ms); e == nil {
			return time.Duration(ms) * time.Millisecond
		}
	}
	return 375*time.Millisecond + rand.N(250*time.Millisecond)
}

// Open opens a game in a new tab. It returns at once. [Client.Until] waits.
func (p *Person) Open(room string) *Client {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{
		person: p, room: room, cancel: cancel, done: make(chan struct{}),
		changed: make(chan struct{}), waiting: map[string][]byte{}, answers: map[string]Frame{},
	}
	go c.run(ctx)
	return c
}

// Close closes the tab and waits until the client has ended.
func (c *Client) Close() {
	c.cancel()
	<-c.done
}

// run connects again and again until the tab is closed or the server closes the
// connection for good.
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
		if wait(ctx, c.pause(err)) != nil {
			return
		}
	}
}

// wait pauses for d and ends early with ctx.
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

// connect runs one connection from its start to its end.
func (c *Client) connect(ctx context.Context) error {
	conn, err := c.person.Dial(ctx, nil)
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	c.mu.Lock()
	c.conn, c.subs = conn, 0
	c.subscribe(ctx, false)
	c.mu.Unlock()
	for {
		_, msg, err := conn.Read(ctx)
		if err != nil {
			c.mu.Lock()
			c.behind()
			c.mu.Unlock()
			return err
		}
		if err := c.take(ctx, msg); err != nil {
			return fmt.Errorf("%w: %w in %s", ErrBroken, err, msg)
		}
	}
}

// subscribe asks the server for the entries that the client missed. The caller
// holds mu.
func (c *Client) subscribe(ctx context.Context, fresh bool) {
	c.behind()
	sub := map[string]any{"t": "sub", "room": c.room}
	if c.game != nil && !fresh {
		sub["since"] = c.game.Seq
	}
	text, _ := json.Marshal(sub) // of texts and numbers
	c.subs++
	c.write(ctx, text)
}

// behind records that the client is not up to date. abreast records that it is
// up to date again. The caller of either holds mu.
func (c *Client) behind() {
	if c.ready {
		c.ready, c.lost = false, time.Now()
	}
}

func (c *Client) abreast() {
	c.ready = true
	if !c.lost.IsZero() {
		c.away, c.lost = append(c.away, time.Since(c.lost)), time.Time{}
	}
}

// write sends text. It ignores an error, because the reader meets the same
// error. The caller holds mu.
func (c *Client) write(ctx context.Context, text []byte) {
	if c.conn != nil {
		_ = c.conn.Write(ctx, websocket.MessageText, text)
	}
}

// later subscribes again after a short pause.
func (c *Client) later(ctx context.Context) {
	conn, moment := c.conn, redial
	if c.person.AsPage {
		moment = rand.N(200 * time.Millisecond)
	}
	time.AfterFunc(moment, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.conn == conn && ctx.Err() == nil {
			c.subscribe(ctx, false)
		}
	})
}

// tell wakes up every waiting goroutine. The caller holds mu.
func (c *Client) tell() {
	close(c.changed)
	c.changed = make(chan struct{})
}
