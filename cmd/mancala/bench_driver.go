package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// driver is how the load generator plays on one kind of server. The same games
// run through every driver, so that their figures can be divided.
type driver interface {
	// room makes room number n, or finds it, and returns its name.
	room(ctx context.Context, n int) (string, error)
	// join opens a socket of a player of a room, seat 0 or 1.
	join(ctx context.Context, room string, seat int) (session, error)
	// watch opens a socket of a spectator. recv is as in dialBench.
	watch(ctx context.Context, room string, recv int) (session, error)
}

// session is one socket in one room. move and seen may be called from two
// goroutines, each from one at a time.
type session interface {
	// move sends the room's move number n. The caller sees to it that it is
	// this player's turn and that move n-1 was seen here.
	move(n int) error
	// seen waits for the next move of the room and returns its number.
	seen() (int, error)
	close()
}

// hubDriver plays on a hub of ours, bare or on web/socket: who sends a message
// to a room sends it to everybody there, and nobody knows rules.
type hubDriver struct{ url string }

func (d hubDriver) room(_ context.Context, n int) (string, error) {
	return fmt.Sprintf("r%d", n), nil
}

func (d hubDriver) join(ctx context.Context, room string, seat int) (session, error) {
	return d.dial(ctx, room+"&player", 0)
}

func (d hubDriver) watch(ctx context.Context, room string, recv int) (session, error) {
	return d.dial(ctx, room, recv)
}

func (d hubDriver) dial(ctx context.Context, room string, recv int) (session, error) {
	c, err := dialBench(ctx, d.url+"?room="+room, "mancala.v1", nil, recv)
	if err != nil {
		return nil, err
	}
	// A hub says hello once the socket is in the room; a player who moves
	// before the other is there would wait for ever.
	if _, err := c.read(); err != nil {
		c.close()
		return nil, err
	}
	return &hubSession{c}, nil
}

type hubSession struct{ *benchConn }

// hubMove is about as long as the diff of a Kalah move will be.
var hubMove = `,"ev":"move","seat":0,"lift":3,"drops":[4,5,6,7,8,9],"capture":[],"store":[12,9],"clock":[171234,180000],"turn":1,"sum":"9f3ac211"` + strings.Repeat(" ", 50) + `}`

func (s *hubSession) move(n int) error {
	b := append(make([]byte, 0, 256), `{"n":`...)
	b = strconv.AppendInt(b, int64(n), 10)
	return s.write(wsText, append(b, hubMove...))
}

func (s *hubSession) seen() (int, error) {
	b, err := s.read()
	if err != nil {
		return 0, err
	}
	digits, _, ok := bytes.Cut(bytes.TrimPrefix(b, []byte(`{"n":`)), []byte(","))
	n, err := strconv.Atoi(string(digits))
	if !ok || err != nil {
		return 0, fmt.Errorf("bench: not a move: %s", b)
	}
	return n, nil
}

// filler is a session that can make its room say something long, so that
// readers who stall are soon stuck. It must be seen by the whole room.
type filler interface {
	fill(size int) error
}

func (s *hubSession) fill(size int) error {
	return s.write(wsText, append([]byte(`{"n":-1,`), strings.Repeat(" ", size)...))
}
