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
	// room makes room number n, or finds it, and returns its name. About so
	// many moves will be played there: what they need beside the moves is
	// prepared now, before anybody counts.
	room(ctx context.Context, n, moves int) (string, error)
	// join opens a socket of a player of a room, seat 0 or 1.
	join(ctx context.Context, room string, seat int) (session, error)
	// watch opens a socket of a spectator. recv is as in dialWebSocket.
	watch(ctx context.Context, room string, recv int) (session, error)
}

// session is one socket in one room. seen may be called from one goroutine and
// everything else from another.
type session interface {
	// ready makes this player able to make the next move or to see it made,
	// after both players have seen the last one: where games end, it begins
	// the next. It may leave work to the other player's ready.
	ready() error
	// turn says whether move n is this player's, once both are ready.
	turn(n int) (bool, error)
	// move sends the room's move number n.
	move(n int) error
	// seen waits for the next move of the room and returns its number.
	seen() (int, error)
	close()
}

// hubDriver plays on a hub of ours, bare or on web/socket: who sends a message
// to a room sends it to everybody there, and nobody knows rules.
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
	c, err := dialWebSocket(ctx, d.url+"?room="+room, "mancala.v1", nil, recv)
	if err != nil {
		return nil, err
	}
	// A hub says hello once the socket is in the room; a player who moves
	// before the other is there would wait for ever.
	if _, err := c.read(); err != nil {
		c.close()
		return nil, err
	}
	return &hubSession{c, seat}, nil
}

type hubSession struct {
	*wsClient
	seat int
}

// hubMove is about as long as the diff of a Kalah move.
var hubMove = `,"ev":"move","seat":0,"lift":3,"drops":[4,5,6,7,8,9],"capture":[],"store":[12,9],"clock":[171234,180000],"turn":1,"sum":"9f3ac211"` + strings.Repeat(" ", 50) + `}`

func (s *hubSession) ready() error { return nil }

func (s *hubSession) turn(n int) (bool, error) { return n%2 == s.seat, nil }

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
		return 0, fmt.Errorf("not a move: %s", b)
	}
	return n, nil
}

// filler is a session that can make its room say something long, so that
// readers who stall are soon stuck. It must be seen by the whole room.
type filler interface {
	fill(size int) error
}

// choker is a spectator who can ask for so much that he is stuck if he does not
// read it. Nobody else sees any of it.
type choker interface {
	choke(size int) error
}

func (s *hubSession) fill(size int) error {
	return s.write(wsText, append([]byte(`{"n":-1,`), strings.Repeat(" ", size)...))
}
