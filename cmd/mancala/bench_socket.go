package main

import (
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
		Messages: 1e9, MessageBurst: 1e9, Bytes: 1e12, ByteBurst: 1e9, PerAddress: 1e6,
	})
	h := &socketHub{rooms: map[string]*socketRoom{}}
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
	mu    sync.Mutex
	rooms map[string]*socketRoom
}

func (h *socketHub) room(name string) *socketRoom {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[name]
	if r == nil {
		r = &socketRoom{say: make(chan []byte, 16), members: map[*socket.Socket]bool{}, watchers: map[*socket.Socket]bool{}}
		h.rooms[name] = r
		go r.run()
	}
	return r
}

// socketRoom writes to players first: with thousands of watchers the last of
// them waits for all others.
type socketRoom struct {
	say               chan []byte
	mu                sync.Mutex
	members, watchers map[*socket.Socket]bool
}

func (r *socketRoom) run() {
	for msg := range r.say {
		f := socket.Text(msg)
		r.mu.Lock()
		for s := range r.members {
			s.Send(f)
		}
		for s := range r.watchers {
			s.Send(f)
		}
		r.mu.Unlock()
	}
}

type socketMember struct {
	room   *socketRoom
	player bool
	socket *socket.Socket
}

func (m *socketMember) mine() map[*socket.Socket]bool {
	if m.player {
		return m.room.members
	}
	return m.room.watchers
}

func (m *socketMember) Opened(s *socket.Socket) {
	m.socket = s
	m.room.mu.Lock()
	defer m.room.mu.Unlock()
	m.mine()[s] = true
	s.Send(socket.Text([]byte("hello")))
}

func (m *socketMember) Receive(msg []byte) { m.room.say <- msg }

func (m *socketMember) Drained() {}

func (m *socketMember) Closed(socket.Code) {
	m.room.mu.Lock()
	defer m.room.mu.Unlock()
	delete(m.mine(), m.socket)
}
