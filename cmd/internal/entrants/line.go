package entrants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/socketclient"
)

// line is a person's socket. It follows rooms, opens another connection when one has ended, and
// repeats commands until they are answered. Its owner takes the frames in order.
type line struct {
	*person
	take func(f frame) error // of a followed room; called with mu held
	fail func(error)         // an error that no client should see

	mu      sync.Mutex
	ctx     context.Context
	conn    *socketclient.Client
	rooms   map[string]*following
	waiting []command // not answered yet, in their order
	asked   int
}

// following is a room that a line follows.
type following struct {
	seq  uint64 // the last entry seen
	here bool   // it is up to date on this connection
	lost bool   // an entry is missing, so that a snapshot must come
}

// command is a command that was not answered yet.
type command struct {
	room, id string
	text     []byte
}

// run keeps a connection until ctx ends.
func (l *line) run(ctx context.Context) {
	l.mu.Lock()
	l.ctx = ctx
	l.mu.Unlock()
	for ctx.Err() == nil {
		err := l.connect(ctx)
		if ctx.Err() != nil {
			return
		}
		if closed := (*socketclient.ClosedError)(nil); errors.As(err, &closed) && closed.Final() {
			l.fail(fmt.Errorf("entrants: %w", err))
			return
		}
		_ = cli.Pause(ctx, again(err))
	}
}

// again returns how long to wait before the next connection, as pages do.
func again(err error) time.Duration {
	if err != nil {
		if _, after, found := strings.Cut(err.Error(), "retry-ms="); found {
			var ms int
			if _, err := fmt.Sscan(after, &ms); err == nil {
				return time.Duration(ms) * time.Millisecond
			}
		}
	}
	return 375*time.Millisecond + rand.N(250*time.Millisecond)
}

// connect runs one connection from its start to its end.
func (l *line) connect(ctx context.Context) error {
	conn, err := l.service.socket(ctx, l.person)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, conn.Close)()
	l.mu.Lock()
	l.conn = conn
	for room := range l.rooms {
		l.subscribe(room)
	}
	l.mu.Unlock()
	for {
		text, err := conn.Read()
		if err != nil {
			l.mu.Lock()
			l.conn = nil
			l.mu.Unlock()
			return err
		}
		if err := l.read(readFrame(text)); err != nil {
			l.fail(fmt.Errorf("entrants: %w in %.300s", err, text))
		}
	}
}

// follow begins to follow a room. Called with mu held.
func (l *line) follow(room string) {
	if l.rooms[room] == nil {
		l.rooms[room] = new(following)
		l.subscribe(room)
	}
}

// unfollow ends it. Called with mu held.
func (l *line) unfollow(room string) {
	if l.rooms[room] != nil {
		delete(l.rooms, room)
		l.write([]byte(`{"t":"unsub","room":"` + room + `"}`))
	}
}

// subscribe asks for what is missing. Called with mu held.
func (l *line) subscribe(room string) {
	r := l.rooms[room]
	r.here = false
	text := `{"t":"sub","room":"` + room + `","brief":true}`
	if r.seq > 0 && !r.lost {
		text = fmt.Sprintf(`{"t":"sub","room":"%s","brief":true,"since":%d}`, room, r.seq)
	}
	l.write([]byte(text))
}

// later subscribes after a moment.
func (l *line) later(room string) {
	conn := l.conn
	time.AfterFunc(50*time.Millisecond+rand.N(150*time.Millisecond), func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.conn == conn && l.rooms[room] != nil {
			l.subscribe(room)
		}
	})
}

// write sends a frame. The reader meets the same error. Called with mu held.
func (l *line) write(text []byte) {
	if l.conn != nil {
		_ = l.conn.Write(text)
	}
}

// say sends a command, and returns its ID. Called with mu held.
func (l *line) say(room, kind string, fields map[string]any) (id string) {
	l.asked++
	id = fmt.Sprintf("%s-%d", kind, l.asked)
	all := map[string]any{"t": "cmd", "room": room, "id": id, "kind": kind}
	maps.Copy(all, fields)
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // texts and numbers
	}
	l.waiting = append(l.waiting, command{room, id, text})
	if r := l.rooms[room]; r != nil && r.here {
		l.write(text)
	}
	return id
}

var errRefused = errors.New("the service refused this")

// passing are the codes after which a client repeats its command.
var passing = []string{"busy", "unavailable", "moved", "not-following"}

// read takes a frame.
func (l *line) read(f frame) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rooms[f.room]
	if r == nil {
		return nil // it was followed before
	}
	switch f.kind {
	case "ev":
		switch {
		case f.seq <= r.seq || r.lost:
			return nil // it crossed our subscription
		case f.seq > r.seq+1:
			r.lost = true
			l.subscribe(f.room)
			return nil
		}
		r.seq = f.seq
	case "snap":
		r.seq, r.lost = f.seq, false
	case "sync":
		r.here = true
		for _, c := range l.waiting {
			if c.room == f.room {
				l.write(c.text)
			}
		}
	case "gone":
		r.here = false
		l.later(f.room)
		return nil
	case "ack", "err":
		return l.answer(f)
	case "note", "names", "chat", "as":
		return nil
	}
	return l.take(f)
}

// answer takes the answer to a command, or the refusal of a subscription.
func (l *line) answer(f frame) error {
	d, err := f.details()
	if err != nil {
		return err
	}
	if f.kind == "err" && slices.Contains(passing, d.Code) {
		l.later(f.room) // the answer to it sends all commands again
		return nil
	}
	l.answered(d.ID)
	if f.kind == "err" {
		return errors.Join(errRefused, l.take(f))
	}
	return l.take(f)
}

// answered forgets a command. Called with mu held.
func (l *line) answered(id string) {
	l.waiting = slices.DeleteFunc(l.waiting, func(c command) bool { return id != "" && c.id == id })
}
