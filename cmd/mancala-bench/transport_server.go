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

// runBenchSocket is the same hub on web/socket, to measure the transport alone:
// whatever the server proper costs above it is then the price of rooms, clocks
// and journal.
func runBenchSocket(ctx context.Context, stdout io.Writer) error {
	set := socket.NewSet(socket.Config{
		// The yardstick has no limits either; these would end the run, not slow it.
		Messages: 1e9, MessageBurst: 1e9, PerAddress: 1e6,
	})
	h := &socketHub{set: set, rooms: map[string]*socketRoom{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		m := &socketMember{room: h.room(r.FormValue("room")), player: r.Form.Has("player")}
		set.Accept(w, r, netip.Addr{}, m)
	})
	err := serveBench(ctx, mux, socket.Listener, stdout)
	down, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	set.Shutdown(down)
	return err
}

type socketHub struct {
	set   *socket.Set
	mu    sync.Mutex
	rooms map[string]*socketRoom
}

func (h *socketHub) room(name string) *socketRoom {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[name]
	if r == nil {
		r = &socketRoom{say: make(chan []byte, 16), players: map[*socket.Socket]bool{}, watchers: h.set.NewFan()}
		h.rooms[name] = r
		go r.run()
	}
	return r
}

// socketRoom writes to players itself and leaves thousands of watchers to a
// fan, as the server proper does.
type socketRoom struct {
	say      chan []byte
	mu       sync.Mutex
	players  map[*socket.Socket]bool
	watchers *socket.Fan
}

func (r *socketRoom) run() {
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

type socketMember struct {
	room   *socketRoom
	player bool
	socket *socket.Socket
}

func (m *socketMember) Opened(s *socket.Socket) {
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

func (m *socketMember) Receive(msg []byte) { m.room.say <- bytes.Clone(msg) }

func (m *socketMember) Drained() {}

func (m *socketMember) Closed(socket.Code) {
	m.room.mu.Lock()
	delete(m.room.players, m.socket)
	m.room.mu.Unlock()
	m.room.watchers.Remove(m.socket)
}
