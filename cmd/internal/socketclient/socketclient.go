// Package socketclient is a WebSocket client that costs very little CPU, because programs that
// load a server share the machine with it. It assumes that the server follows the protocol.
package socketclient

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Client is one connection. One goroutine may call Read while others call Write.
type Client struct {
	conn net.Conn
	r    *bufio.Reader
	in   []byte // the last message; the next one overwrites it

	mu  sync.Mutex // guards out: the reading goroutine writes pongs, another one moves
	out []byte
}

// Dial opens a socket at a ws URL. header may be nil; it can add cookies. recv is the size of
// the receive buffer in bytes, which readers that will stall set; 0 keeps the system's default.
func Dial(ctx context.Context, address, subprotocol string, header http.Header, recv int) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "ws" {
		return nil, fmt.Errorf("%s: only ws:// can be measured, because TLS would measure the cipher", address)
	}
	d := net.Dialer{Timeout: 10 * time.Second}
	conn, err := d.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	if recv > 0 {
		conn.(*net.TCPConn).SetReadBuffer(recv)
	}
	c := &Client{conn: conn, r: bufio.NewReaderSize(conn, 1024)}
	if err := c.upgrade(u, subprotocol, header); err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) upgrade(u *url.URL, subprotocol string, header http.Header) error {
	c.conn.SetDeadline(time.Now().Add(10 * time.Second))
	req := &http.Request{Method: "GET", URL: u, Host: u.Host, Header: header.Clone()}
	if req.Header == nil {
		req.Header = http.Header{}
	}
	for k, v := range map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": subprotocol,
	} {
		req.Header.Set(k, v)
	}
	if err := req.Write(c.conn); err != nil {
		return err
	}
	resp, err := http.ReadResponse(c.r, req)
	if err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Errorf("upgrade: %s", resp.Status)
	}
	return c.conn.SetDeadline(time.Time{})
}

// Close ends the connection without a close frame.
func (c *Client) Close() { c.conn.Close() }

const (
	wsText  = 0x81
	wsClose = 0x88
	wsPing  = 0x89
	wsPong  = 0x8a
)

// Write sends a text message.
func (c *Client) Write(text []byte) error { return c.write(wsText, text) }

// write sends one frame. Its mask is zero, so that the payload needs no copying.
func (c *Client) write(first byte, payload []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := append(c.out[:0], first)
	if len(payload) <= 125 {
		b = append(b, 0x80|byte(len(payload)))
	} else {
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(len(payload)))
	}
	c.out = append(append(b, 0, 0, 0, 0), payload...)
	_, err := c.conn.Write(c.out)
	return err
}

// ClosedError is the close frame with which the server has ended the connection.
type ClosedError struct {
	Code   int
	Reason string
}

func (e *ClosedError) Error() string {
	return fmt.Sprintf("the server closed the socket with %d %s", e.Code, e.Reason)
}

// Final reports whether the client must not connect again.
func (e *ClosedError) Final() bool { return e.Code >= 4500 && e.Code < 5000 }

// keep is the size of a message after which a client keeps its memory for the next one.
const keep = 16 << 10

// Read returns the next text message and answers pings before it. The message is valid
// until the next call. Only one goroutine may call Read.
func (c *Client) Read() ([]byte, error) {
	if cap(c.in) > keep {
		c.in = nil
	}
	for {
		var h [8]byte
		if _, err := io.ReadFull(c.r, h[:2]); err != nil {
			return nil, err
		}
		first, size := h[0], uint64(h[1])
		var err error
		switch size {
		case 126:
			_, err = io.ReadFull(c.r, h[:2])
			size = uint64(binary.BigEndian.Uint16(h[:2]))
		case 127:
			_, err = io.ReadFull(c.r, h[:8])
			size = binary.BigEndian.Uint64(h[:8])
		}
		if err != nil {
			return nil, err
		}
		if size > 16<<20 {
			return nil, fmt.Errorf("the server sent a frame of %d bytes", size)
		}
		if uint64(cap(c.in)) < size {
			c.in = make([]byte, size)
		}
		c.in = c.in[:size]
		if _, err := io.ReadFull(c.r, c.in); err != nil {
			return nil, err
		}
		switch first {
		case wsText:
			return c.in, nil
		case wsPing:
			if err := c.write(wsPong, c.in); err != nil {
				return nil, err
			}
		case wsClose:
			if size >= 2 {
				return nil, &ClosedError{int(binary.BigEndian.Uint16(c.in)), string(c.in[2:])}
			}
			return nil, errors.New("the server closed the socket")
		}
	}
}
