package web

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/coder/websocket"

	"mancala/web/webtest"
)

// talk is a conversation over a bare socket, message by message.
type talk struct {
	*service
	conn *websocket.Conn
}

func (s *service) talk(conn *websocket.Conn) *talk { return &talk{s, conn} }

// say sends a message.
func (c *talk) say(format string, args ...any) {
	c.Helper()
	c.must(c.conn.Write(c.ctx, websocket.MessageText, fmt.Appendf(nil, format, args...)))
}

// hear waits for the next message of one of these kinds.
func (c *talk) hear(kinds ...string) webtest.Frame {
	c.Helper()
	for {
		f, err := c.next()
		if err != nil {
			c.Fatalf("waiting for %v: %v", kinds, err)
		}
		if slices.Contains(kinds, f.T) {
			return f
		}
	}
}

func (c *talk) next() (f webtest.Frame, err error) {
	_, msg, err := c.conn.Read(c.ctx)
	if err != nil {
		return f, err
	}
	f.Raw = string(msg)
	return f, json.Unmarshal(msg, &f)
}

// refused fails the test unless the next error has this code.
func (c *talk) refused(code string) {
	c.Helper()
	if f := c.hear("err"); f.Code != code {
		c.Errorf("refused with %s, want %s", f.Raw, code)
	}
}

// closed waits for the close frame and returns its code.
func (c *talk) closed() websocket.StatusCode {
	for {
		if _, err := c.next(); websocket.CloseStatus(err) != -1 {
			return websocket.CloseStatus(err)
		} else if err != nil {
			c.Errorf("the socket ended without a close frame: %v", err)
			return -1
		}
	}
}
