package web

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"mancala/lobby/seeks"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/socket"
)

// What everybody in the lobby is told stays small, however much happens: a
// window of the open seeks, which changes once a second and by a few seeks.
const (
	maxShown  = 20
	maxNews   = 5 // in one frame
	newsEvery = time.Second
)

// lounge is all sockets of this instance that are in the lobby. What concerns one
// person he is told at once; the list of seeks goes round by a fan.
//
// Locks: as of a hub. mu is taken with the room's feed locked, so nothing that
// belongs to the room is called with mu held.
type lounge struct {
	server *Server

	entering sync.Mutex // held while the room is followed or left; taken before mu
	tie      *tie       // to the copy of the room that is followed

	mu       sync.Mutex
	visitors map[*session]*visitor
	people   map[string][]*visitor  // with an identity
	state    *seeks.State           // nil until the first visitor has brought it
	missed   map[string]seeks.Found // who had no socket here when his game came
	sent     map[string]seeks.Found // who has been sent to his
	shown    []seekShown            // what all visitors see
	fan      *socket.Fan
	telling  bool // a goroutine tells the news
	news     bool // there may be something to tell
}

// visitor is one socket in the lobby.
type visitor struct {
	session *session
	tie     *tie
	apart   []string // whose seeks he is not shown
}

// tie implements [room.Follower] for one copy of the room: what a former one still
// says is not heard.
type tie struct {
	lounge    *lounge
	following *room.Following
	gone      bool // guarded by the lounge's mu
}

// seekShown is an open seek as visitors see it.
type seekShown struct {
	ID   string `json:"seek"`
	Name string `json:"name"`
	seeks.Game
	by string
}

func newLounge(srv *Server) *lounge {
	return &lounge{server: srv, visitors: map[*session]*visitor{}, people: map[string][]*visitor{},
		missed: map[string]seeks.Found{}, sent: map[string]seeks.Found{}, fan: srv.Sockets.NewFan()}
}

// Entry implements [room.Follower].
func (t *tie) Entry(p *room.Published) {
	c, err := seeks.Read(p.Entry)
	if err != nil {
		return // the machine has read it: it would be in quarantine
	}
	l := t.lounge
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil || t.gone {
		return
	}
	l.state.Fold(c)
	for _, player := range c.Out {
		l.tell(player, waitFrame{"wait", seeks.Room, l.waitOf(player)})
	}
	if c.In != nil && !slices.Contains(c.Out, c.In.Player) {
		l.tell(c.In.Player, waitFrame{"wait", seeks.Room, l.waitOf(c.In.Player)})
	}
	if d := c.Done; d != nil {
		for _, player := range d.People() {
			found := seeks.Found{Player: player, Game: d.ID, At: d.At}
			if l.tell(player, goFrame{"go", seeks.Room, d.ID}) {
				l.sent[player] = found
			} else {
				l.missed[player] = found
			}
		}
		l.forget()
		if d.Late {
			l.tell(d.Other, l.server.errFrame(request{Room: seeks.Room}, &machine.Error{Code: seeks.CodeSeekGone}))
		}
	}
	l.changed()
}

// Note implements [room.Follower]: how many are here is nobody's business.
func (t *tie) Note(room.Note) {}

// Gone implements [room.Follower]: visitors come again, and announce themselves.
func (t *tie) Gone(why error) {
	l := t.lounge
	l.mu.Lock()
	defer l.mu.Unlock()
	t.gone = true
	for s, v := range l.visitors {
		if v.tie == t {
			l.remove(s)
			s.send(message(goneFrame{"gone", seeks.Room, codeOf(why)}))
		}
	}
	l.state, l.shown = nil, nil
}

// tell tells all tabs of a person something, if there are any. Called with mu held.
func (l *lounge) tell(player string, frame any) bool {
	people := l.people[player]
	if len(people) == 0 {
		return false
	}
	f := message(frame)
	for _, v := range people {
		v.session.send(f)
	}
	return true
}

func (l *lounge) waitOf(player string) *waitShown {
	if l.state == nil {
		return nil
	}
	return showWait(l.state.Of(player))
}

func showWait(w *seeks.Wait) *waitShown {
	if w == nil {
		return nil
	}
	return &waitShown{w.ID, w.Key, w.Pool, w.Since, w.Game}
}

// add takes a visitor in and shows him what all see, and with what he waits.
// Called with mu held.
func (l *lounge) add(v *visitor) {
	s := v.session
	l.remove(s) // he may be here, and only asks again
	l.visitors[s] = v
	if id := s.identity(); id != "" {
		l.people[id] = append(l.people[id], v)
	}
	if len(v.apart) == 0 {
		l.fan.Add(s.socket)
	}
	s.send(l.snapshot(v))
	l.forget()
	if f, ok := l.missed[s.identity()]; ok {
		delete(l.missed, f.Player)
		l.sent[f.Player] = f
		s.send(message(goFrame{"go", seeks.Room, f.Game}))
	}
}

// forget drops what is no longer news. Called with mu held.
func (l *lounge) forget() {
	old := func(_ string, f seeks.Found) bool { return time.Since(time.UnixMilli(f.At)) > seeks.FoundFor }
	maps.DeleteFunc(l.missed, old)
	maps.DeleteFunc(l.sent, old)
}

func (l *lounge) snapshot(v *visitor) socket.Frame {
	s := v.session
	f := lobbyFrame{T: "snap", Room: seeks.Room, Me: s.identity(), Now: time.Now().UnixMilli(), Wait: l.waitOf(s.identity())}
	f.Snap.Kind, f.Snap.Seeks, f.Snap.Open = "lobby", v.sees(l.shown), l.open(v.apart)
	return message(f)
}

// open counts the seeks that anybody may accept, but for those of some people.
func (l *lounge) open(apart []string) (n int) {
	if l.state == nil {
		return 0
	}
	for _, w := range l.state.Open() {
		if !slices.Contains(apart, w.Player) {
			n++
		}
	}
	return n
}

// remove lets a visitor go. Called with mu held.
func (l *lounge) remove(s *session) {
	if l.visitors[s] == nil {
		return
	}
	delete(l.visitors, s)
	l.fan.Remove(s.socket)
	id := s.identity()
	l.people[id] = slices.DeleteFunc(l.people[id], func(v *visitor) bool { return v.session == s })
	if len(l.people[id]) == 0 {
		delete(l.people, id)
	}
}

// bring takes in the state of a room that has just been followed. It is called
// by Resume with the feed locked.
func (l *lounge) bring(r *room.Resume) {
	state := new(seeks.State)
	if json.Unmarshal(r.Snapshot, state) != nil {
		return // our own text
	}
	for _, p := range r.Missed {
		if c, err := seeks.Read(p.Entry); err == nil {
			state.Fold(c)
		}
	}
	l.state = state
	for _, f := range state.Found {
		if l.sent[f.Player].Game != f.Game { // else he has been there, and has come back
			l.missed[f.Player] = f
		}
	}
}

type lobbyFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	Me   string `json:"me"`
	Now  int64  `json:"now"`
	Snap struct {
		Kind  string      `json:"kind"`
		Seeks []seekShown `json:"seeks"`
		Open  int         `json:"open"`
	} `json:"snap"`
	Wait *waitShown `json:"wait,omitempty"`
}

type seeksFrame struct {
	T    string      `json:"t"`
	Room string      `json:"room"`
	New  []seekShown `json:"new,omitempty"`
	Gone []string    `json:"gone,omitempty"`
	Open int         `json:"open"`
}

type waitFrame struct {
	T    string     `json:"t"`
	Room string     `json:"room"`
	Wait *waitShown `json:"wait,omitempty"`
}

type waitShown struct {
	ID    string `json:"seek"`
	Key   string `json:"key"`
	Pool  bool   `json:"pool"`
	Since int64  `json:"since"`
	seeks.Game
}

type goFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	Game string `json:"game"`
}
