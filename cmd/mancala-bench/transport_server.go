package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"mancala/web/socket"
)

// serveTransport serves the hub of [serveHub] on web/socket until ctx ends. It measures
// the transport alone: what mancala costs above it is the cost of rooms, clocks and the
// journal.
func serveTransport(ctx context.Context, stdout io.Writer) error {
	set := socket.NewSet(socket.Config{
		// The bare hub has no limits either. They would end the run instead of slowing
		// it.
		Messages: 1e9, MessageBurst: 1e9, PerAddress: 1e6,
	})
	h := &transportHub{set: set, rooms: map[string]*transportRoom{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		m := &transportMember{room: h.room(r.FormValue("room")), player: r.Form.Has("player")}
		set.Accept(w, r, netip.Addr{}, m)
	})
	err := serveLoopback(ctx, mux, socket.Listener, stdout)
	down, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	set.Shutdown(down)
	return err
}

type transportHub struct {
	set   *socket.Set
	mu    sync.Mutex
	rooms map[string]*transportRoom
}

func (h *transportHub) room(name string) *transportRoom {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[name]
	if r == nil {
		r = &transportRoom{say: make(chan []byte, 16), players: map[*socket.Socket]bool{}, watchers: h.set.NewFan()}
		h.rooms[name] = r
		go r.run()
	}
	return r
}

// transportRoom writes to the players itself and sends to thousands of watchers
// through a fan, as mancala does.
type transportRoom struct {
	say      chan []byte
	mu       sync.Mutex
	players  map[*socket.Socket]bool
	watchers *socket.Fan
}

func (r *transportRoom) run() {
	for msg := range r.say {
		f := socket.Text(msg)
		r.mu.Lock()
		for s := range r.players {
			s.Send(f)
		}
		r.mu.Unlock()
		r.watchers.Send(f)
	}
}

type transportMember struct {
	room   *transportRoom
	player bool
	socket *socket.Socket
}

func (m *transportMember) Opened(s *socket.Socket) {
	m.socket = s
	if m.player {
		m.room.mu.Lock()
		m.room.players[s] = true
		m.room.mu.Unlock()
	} else {
		m.room.watchers.Add(s)
	}
	s.Send(socket.Text([]byte("hello")))
}

func (m *transportMember) Receive(msg []byte) { m.room.say <- bytes.Clone(msg) }

func (m *transportMember) Drained() {}

func (m *transportMember) Closed(socket.Code) {
	m.room.mu.Lock()
	delete(m.room.players, m.socket)
	m.room.mu.Unlock()
	m.room.watchers.Remove(m.socket)
}
