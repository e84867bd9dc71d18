package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/coder/websocket"
)

// serveHub serves the smallest possible room hub on coder/websocket until ctx ends. It is
// the unit of most results. It has a goroutine for each room and one Write for each
// member. It stores and checks nothing, and waits for slow members without a limit.
func serveHub(ctx context.Context, stdout io.Writer) error {
	h := bareHub{rooms: make(chan bareLookup)}
	go h.run()
	mux := http.NewServeMux()
	mux.HandleFunc("/ws", h.serve)
	return serveLoopback(ctx, mux, nil, stdout)
}

// serveLoopback serves on a free port of loopback until ctx ends. It prints the address
// first.
func serveLoopback(ctx context.Context, h http.Handler, wrap func(net.Listener) net.Listener, stdout io.Writer) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, ln.Addr())
	if wrap != nil {
		ln = wrap(ln)
	}
	srv := &http.Server{Handler: h}
	context.AfterFunc(ctx, func() { srv.Close() })
	if err := srv.Serve(ln); ctx.Err() == nil {
		return err
	}
	return nil
}

type bareHub struct{ rooms chan bareLookup }

type bareLookup struct {
	name string
	room chan *bareRoom
}

func (h bareHub) run() {
	rooms := map[string]*bareRoom{}
	for l := range h.rooms {
		r := rooms[l.name]
		if r == nil {
			r = &bareRoom{join: make(chan *websocket.Conn), leave: make(chan *websocket.Conn), say: make(chan []byte, 16)}
			rooms[l.name] = r
			go r.run()
		}
		l.room <- r
	}
}

func (h bareHub) serve(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"mancala.v1"}})
	if err != nil {
		return
	}
	defer c.CloseNow()
	l := bareLookup{r.FormValue("room"), make(chan *bareRoom)}
	h.rooms <- l
	room := <-l.room
	room.join <- c
	defer func() { room.leave <- c }()
	for {
		_, msg, err := c.Read(context.Background())
		if err != nil {
			return
		}
		room.say <- msg
	}
}

type bareRoom struct {
	join, leave chan *websocket.Conn
	say         chan []byte
}

func (r *bareRoom) run() {
	ctx := context.Background()
	members := map[*websocket.Conn]bool{}
	for {
		select {
		case c := <-r.join:
			members[c] = true
			c.Write(ctx, websocket.MessageText, []byte("hello"))
		case c := <-r.leave:
			delete(members, c)
		case msg := <-r.say:
			for c := range members {
				c.Write(ctx, websocket.MessageText, msg)
			}
		}
	}
}
