package live

import (
	"slices"
	"sync"

	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/seeks"
	"mancala/lobby/workers"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/messages"
	"mancala/web/request"
	"mancala/web/socket"
)

// lobbyHub holds all sockets of this instance that follow the lobby. News about one
// player is sent to that player at once, on any page. The list of seeks is sent by
// fans, one for each view.
//
// Locks: the same as for a hub. mu is taken with the room's feed locked, so no
// method of the room may be called with mu held.
type lobbyHub struct {
	server *Live

	entering sync.Mutex  // held while the room is followed or left; taken before mu
	copy     *seeks.Copy // the copy of the room that visitors follow; guarded by entering; nil while there are no visitors

	mu       sync.Mutex
	visitors map[*session]*visitor
	people   map[string][]*visitor // the visitors with an identity, by player
	views    map[viewKey]*view
	news     *workers.Pace           // sends changes of the list of seeks
	asked    map[string][]seeks.Over // players to be told of challenges, with the ended challenges to name
	asking   *workers.Pace           // sends them
}

// visitor is one socket in the lobby. A quiet visitor is on another page: it does
// not count as present, sees no seeks, and only receives news about its own player.
type visitor struct {
	session *session
	copy    *seeks.Copy
	quiet   bool
	view    *view           // nil for a quiet one
	can     *policy.Ability // nil for a guest
}

func newLobbyHub(srv *Live) *lobbyHub {
	l := &lobbyHub{server: srv, visitors: map[*session]*visitor{}, people: map[string][]*visitor{},
		views: map[viewKey]*view{}, asked: map[string][]seeks.Over{}}
	l.news = srv.Workers.NewPace(newsEvery, l.tellNews)
	l.asking = srv.Workers.NewPace(0, l.tellAsked)
	return l
}

// Changed implements [seeks.Listener].
func (l *lobbyHub) Changed(c seeks.News) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noteAsked(c)
	for _, player := range c.Out {
		l.tell(player, waitFrame{"wait", seeks.Room, l.waitOf(player)}, false)
	}
	if c.In != nil && !slices.Contains(c.Out, c.In.Player) {
		l.tell(c.In.Player, waitFrame{"wait", seeks.Room, l.waitOf(c.In.Player)}, false)
	}
	if c.Done != nil {
		l.done(c.Done)
	}
	if c.Parted != nil {
		l.parted(c.Parted)
	}
	if c.In != nil || len(c.Out) > 0 || c.Parted != nil {
		l.news.Mark()
	}
}

// done sends both players of a pair to their game. Called with mu held.
func (l *lobbyHub) done(d *seeks.Done) {
	for _, player := range d.People() {
		found := seeks.Found{Player: player, Game: d.ID, At: d.At}
		if l.tell(player, goFrame{"go", seeks.Room, d.ID}, d.Asked) {
			l.server.LobbyRoom.Sent(found)
		} else {
			l.server.LobbyRoom.Missed(found)
		}
	}
	if d.Late {
		l.refuseSeek(&d.Pair)
	}
}

// parted shows the players of a pair that gets no game what they wait for again. A player
// who has accepted a seek is refused it. Called with mu held.
func (l *lobbyHub) parted(p *seeks.Parted) {
	for _, w := range p.Waits {
		l.tell(w.Player, waitFrame{"wait", seeks.Room, l.waitOf(w.Player)}, false)
	}
	if p.Accepted() {
		l.refuseSeek(&p.Pair)
	}
}

// refuseSeek tells the other player of a pair that the seek is gone. Called with mu held.
func (l *lobbyHub) refuseSeek(p *seeks.Pair) {
	l.tell(p.Other, l.server.errFrame(l.words(p.Other), request.Request{Room: seeks.Room}, refusal.New(seeks.CodeSeekGone)), p.Asked)
}

// Note implements [seeks.Listener]. Visitors are not told how many others are
// present.
func (l *lobbyHub) Note(room.Note) {}

// Gone implements [seeks.Listener]. The clients subscribe again and repeat their
// seeks.
func (l *lobbyHub) Gone(ended *seeks.Copy, why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s, v := range l.visitors {
		if v.copy == ended {
			l.remove(s)
			s.send(message(goneFrame{"gone", seeks.Room, lobby.CodeOf(why)}))
		}
	}
	clear(l.views)
}

// tell sends a frame to the tabs of a player that are in the lobby. With everywhere
// it sends to the tabs on all pages. It reports whether there was such a tab. Called
// with mu held.
func (l *lobbyHub) tell(player string, frame any, everywhere bool) (told bool) {
	var f socket.Frame
	for _, v := range l.people[player] {
		if v.quiet && !everywhere {
			continue
		}
		if !told {
			f, told = message(frame), true
		}
		v.session.send(f)
	}
	return told
}

// words returns the catalog in the language of a player with a socket here. If the
// player's pages differ in language, it returns the catalog of any of them. Called
// with mu held.
func (l *lobbyHub) words(player string) *messages.Catalog {
	for _, v := range l.people[player] {
		return v.session.words
	}
	return l.server.Languages.Usual()
}

// waitOf returns what a player waits for, or nil.
func (l *lobbyHub) waitOf(player string) (wait *seeks.OwnWait) {
	l.server.LobbyRoom.Followed(func(s *seeks.State) { wait = s.Of(player).Own() })
	return wait
}

// asksOf returns the challenges by and to a player.
func (l *lobbyHub) asksOf(player string) (asks []seeks.Challenge) {
	l.server.LobbyRoom.Followed(func(s *seeks.State) { asks = s.AsksOf(player) })
	return asks
}

// add registers a visitor and sends the snapshot: the seeks of its view, and its
// player's own seek. Called with mu held.
func (l *lobbyHub) add(v *visitor) {
	s := v.session
	l.visitors[s] = v
	if id := s.Identity(); id != "" {
		l.people[id] = append(l.people[id], v)
	}
	if v.view != nil {
		v.view.fan.Add(s.socket)
	}
	s.send(l.snapshot(v))
	if s.Identity() != "" && len(l.asksOf(s.Identity())) > 0 {
		l.tellOf(s.Identity())
	}
	if v.quiet {
		return
	}
	if f, ok := l.server.LobbyRoom.TakeMissed(s.Identity()); ok {
		s.send(message(goFrame{"go", seeks.Room, f.Game}))
	}
}

func (l *lobbyHub) snapshot(v *visitor) socket.Frame {
	me := v.session.Identity()
	f := lobbyFrame{T: "snap", Room: seeks.Room, Me: me, Now: l.server.Rooms.Now()}
	f.Snap.Kind, f.Snap.Seeks = "lobby", []seeks.Shown{}
	if me != "" {
		f.Asks = len(l.asksOf(me))
	}
	if f.Can = v.can; v.view != nil {
		f.Wait = l.waitOf(me)
		f.Snap.Seeks = append(f.Snap.Seeks, v.view.Shown()...)
		l.server.LobbyRoom.Followed(func(s *seeks.State) { f.Snap.Open = v.view.Open(s) })
	}
	return message(f)
}

// remove unregisters a socket's visitor. Called with mu held.
func (l *lobbyHub) remove(s *session) {
	v := l.visitors[s]
	if v == nil {
		return
	}
	delete(l.visitors, s)
	if v.view != nil {
		v.view.fan.Remove(s.socket)
		if l.views[v.view.key] == v.view && v.view.fan.Len() == 0 {
			delete(l.views, v.view.key)
		}
	}
	id := s.Identity()
	l.people[id] = slices.DeleteFunc(l.people[id], func(v *visitor) bool { return v.session == s })
	if len(l.people[id]) == 0 {
		delete(l.people, id)
	}
}
