package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"mancala/cmd/internal/socketclient"
)

// driver plays on one kind of server. The same games run through every driver, so that
// the results can be divided.
type driver interface {
	// room makes or finds room number n and returns its name. It prepares the room
	// for about the given number of moves before the measured time begins.
	room(ctx context.Context, n, moves int) (string, error)
	// join opens the socket of the player in seat 0 or 1 of a room.
	join(ctx context.Context, room string, seat int) (session, error)
	// watch opens the socket of a watcher. recv is as in [socketclient.Dial].
	watch(ctx context.Context, room string, recv int) (session, error)
}

// session is one socket in one room. One goroutine may call seen while another calls
// the other methods.
type session interface {
	// ready prepares this player for the next move after both players have seen the
	// last one. After the end of a game it begins the next game. It may leave a part of
	// that to the other player's ready.
	ready() error
	// turn reports whether this player makes move n. Both players must be ready.
	turn(n int) (bool, error)
	// move sends move n of the room.
	move(n int) error
	// seen waits for the next move of the room and returns its number.
	seen() (int, error)
	Close()
}

// hubDriver plays on one of the [yardsticks]. They know no rules: they send each message
// to everyone in the room.
type hubDriver struct{ url string }

func (d hubDriver) room(_ context.Context, n, _ int) (string, error) {
	return fmt.Sprintf("r%d", n), nil
}

func (d hubDriver) join(ctx context.Context, room string, seat int) (session, error) {
	return d.dial(ctx, room+"&player", seat, 0)
}

func (d hubDriver) watch(ctx context.Context, room string, recv int) (session, error) {
	return d.dial(ctx, room, -1, recv)
}

func (d hubDriver) dial(ctx context.Context, room string, seat, recv int) (session, error) {
	c, err := socketclient.Dial(ctx, d.url+"?room="+room, "mancala.v1", nil, recv)
	if err != nil {
		return nil, err
	}
	// A hub sends hello when the socket is in the room. A player who moved before the
	// other one was there would wait forever.
	if _, err := c.Read(); err != nil {
		c.Close()
		return nil, err
	}
	return &hubSession{c, seat}, nil
}

type hubSession struct {
	*socketclient.Client
	seat int
}

// hubMove is the rest of a message that is about as long as the diff of a Kalah move.
var hubMove = `,"ev":"move","seat":0,"lift":3,"drops":[4,5,6,7,8,9],"capture":[],"store":[12,9],"clock":[171234,180000],"turn":1,"sum":"9f3ac211"` + strings.Repeat(" ", 50) + `}`

func (s *hubSession) ready() error { return nil }

func (s *hubSession) turn(n int) (bool, error) { return n%2 == s.seat, nil }

func (s *hubSession) move(n int) error {
	b := append(make([]byte, 0, 256), `{"n":`...)
	b = strconv.AppendInt(b, int64(n), 10)
	return s.Write(append(b, hubMove...))
}

func (s *hubSession) seen() (int, error) {
	b, err := s.Read()
	if err != nil {
		return 0, err
	}
	digits, _, ok := bytes.Cut(bytes.TrimPrefix(b, []byte(`{"n":`)), []byte(","))
	n, err := strconv.Atoi(string(digits))
	if !ok || err != nil {
		return 0, fmt.Errorf("this is not a move: %s", b)
	}
	return n, nil
}

// filler is a session that can send a long message to its whole room, which fills the
// buffers of watchers who never read.
type filler interface {
	fill(size int) error
}

// choker is a watcher who can ask the server for more bytes than their buffers hold, so that
// these are full if they do not read. The server sends these bytes to no other client.
type choker interface {
	choke(size int) error
}

func (s *hubSession) fill(size int) error {
	return s.Write(append([]byte(`{"n":-1,`), strings.Repeat(" ", size)...))
}
