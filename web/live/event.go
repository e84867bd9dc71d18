package live

import (
	"context"
	"encoding/json"
	"slices"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/lobby/workers"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/site"
	"mancala/web/socket"
)

// eventHub is what the hub of a tournament has beside its sockets. Two thousand players may follow
// it, so an entry costs a frame for each socket and nothing for each player: no names are sent,
// no lists of games are updated, and only the hosts learn who has a page open.
type eventHub struct {
	hub    *hub
	tables *workers.Pace // sends rows of the standings
	brief  *socket.Fan   // serves the sockets that read an [opening]

	hosts []string // guarded by the hub's mu
	since uint64   // guarded by the hub's mu: the sockets were sent the standings after this entry; 0: not yet

	players []string // by number, from 1: their IDs as of the standings; guarded by the hub's mu

	rows map[int]site.TableRow // by number, as they were sent; only tables uses it
}

// hold makes the hub one of a tournament.
func (h *hub) hold(ctx context.Context) {
	e := &eventHub{hub: h, brief: h.server.Sockets.NewFan()}
	e.tables = h.server.Workers.NewPace(tablesEvery, e.tell)
	h.mu.Lock()
	h.event = e
	h.mu.Unlock()
	hosts, err := h.server.Hosting.Hosts(ctx, h.id)
	if err != nil {
		lobby.Warn(h.server.Log, "web: hosts not read", err, "room", h.id)
	}
	h.mu.Lock()
	if e.hosts == nil { // otherwise an entry with a later list has come
		e.hosts = hosts
	}
	h.mu.Unlock()
	e.tables.Mark()
}

// eventOf returns what a hub has for its tournament, or nil.
func (h *hub) eventOf() *eventHub {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.event
}

// entry sends an entry to all sockets. Called with the hub's mu held.
func (e *eventHub) entry(p *room.Published) {
	if p.Roster != nil {
		e.hub.roster = p.Roster
	}
	buffer := heads.Get().(*[]byte)
	*buffer = appendHead((*buffer)[:0], e.hub.id, p, machine.Watchers)
	rows := socket.Text(*buffer, closing)
	heads.Put(buffer)
	opened := tournament.OpenedBy(p.Entry)
	if opened == nil {
		e.hub.toWatchers(rows)
	} else {
		if e.hub.fan != nil {
			e.hub.fan.Send(rows)
		}
		// Every player reads one for each fifty boards. Those who can play now, and the hosts, get it at once.
		f := message(openingFrame{"ev", e.hub.id, p.Seq, opening{p.Entry.Kind, p.Entry.At, opened.OpenedBoards}})
		e.brief.Later(f, e.socketsOf(opened.Players)...)
	}
	if p.Entry.Kind == tournament.KindHost {
		var c tournament.Change
		if json.Unmarshal(p.Entry.Body, &c) == nil {
			e.hosts = c.Hosts
		}
	}
	if opened == nil && tournament.MayRank(p.Entry) {
		e.tables.Mark()
	}
}

// socketsOf returns the sockets of the hosts and of players with these numbers. Called with the hub's mu held.
func (e *eventHub) socketsOf(numbers []int) (sockets []*socket.Socket) {
	wanted := make(map[string]bool, len(numbers)+len(e.hosts))
	for _, host := range e.hosts {
		wanted[host] = true
	}
	for _, n := range numbers {
		if n > 0 && n <= len(e.players) {
			wanted[e.players[n-1]] = true
		}
	}
	for s := range e.hub.watchers {
		if wanted[s.player] && s.player != "" {
			sockets = append(sockets, s.session.socket)
		}
	}
	return sockets
}

// openingFrame is the entry after which games of a round can be played, for readers that asked for brief
// entries.
type openingFrame struct {
	T    string  `json:"t"`
	Room string  `json:"room"`
	Seq  uint64  `json:"seq"`
	Ev   opening `json:"ev"`
}

// opening names the boards in place of their rows.
type opening struct {
	Kind   string                  `json:"k"`
	At     int64                   `json:"at"`
	Opened tournament.OpenedBoards `json:"opened"`
}

// attach tells a new socket the entry since which the standings are unchanged. It tells a host which
// players have no page open. Called with the hub's mu held.
func (e *eventHub) attach(s *sub, r *room.Resume) {
	if e.since > 0 {
		s.session.send(message(tableFrame{T: "table", Room: e.hub.id, From: e.since, Seq: e.since, Rows: []site.TableRow{}}))
	}
	away := []string{}
	for _, n := range r.Notes {
		if n.Kind == room.NotePresence {
			away = append(away, n.By)
		} else if n.Kind != room.NoteWatching {
			if f, ok := NoteFrame(e.hub.id, n, s.audience); ok {
				s.session.send(f)
			}
		}
	}
	if slices.Contains(e.hosts, s.Identity()) {
		s.session.send(message(awayFrame{"note", e.hub.id, "away", away}))
	}
}

// awayFrame tells a host which players have no page open.
type awayFrame struct {
	T       string   `json:"t"`
	Room    string   `json:"room"`
	Kind    string   `json:"kind"`
	Players []string `json:"players"`
}

// note passes on a note. The number of watchers is not sent.
func (e *eventHub) note(n room.Note) {
	switch {
	case n.Hubs && n.Kind == noteRenamed:
		var who renamedPlayer
		if json.Unmarshal(n.Body, &who) == nil {
			e.hub.server.People.Changed(who.Player)
			e.hub.server.Workers.Start(func() { e.renamed(who.Player, false) })
		}
	case n.Hubs, n.Kind == room.NoteWatching:
	case n.Kind == room.NotePresence:
		e.toHosts(n)
	default:
		if f, ok := NoteFrame(e.hub.id, n, e.hub.audienceOf(n.By)); ok {
			e.hub.broadcast(f)
		}
	}
}

// toHosts passes a note on to the hosts.
func (e *eventHub) toHosts(n room.Note) {
	e.hub.mu.Lock()
	defer e.hub.mu.Unlock()
	for s := range e.hub.watchers {
		if !slices.Contains(e.hosts, s.Identity()) {
			continue
		}
		if f, ok := NoteFrame(e.hub.id, n, s.audience); ok {
			s.session.send(f)
		}
	}
}

// noteRenamed is the kind of the note in which an instance tells the others that it has renamed a
// player. Pages get a note of this kind, too.
const noteRenamed = "renamed"

type renamedPlayer struct {
	Player string `json:"player"`
}

// renamed tells all sockets that a player of the tournament has another name. here reports whether
// this instance has renamed them: then it tells the others.
func (e *eventHub) renamed(player string, spread bool) {
	ctx, cancel := context.WithTimeout(e.hub.server.Workers.Context(), workers.Timeout)
	defer cancel()
	number, err := e.hub.server.Hosting.Renamed(ctx, e.hub.id, player)
	if err != nil || number == 0 {
		return
	}
	e.hub.broadcast(message(renamedFrame{"note", e.hub.id, noteRenamed, number}))
	if !spread {
		return
	}
	if body, err := json.Marshal(renamedPlayer{player}); err == nil {
		e.hub.Spread(noteRenamed, body)
	}
}

// renamedFrame tells a page to ask for a player's name again.
type renamedFrame struct {
	T      string `json:"t"`
	Room   string `json:"room"`
	Kind   string `json:"kind"`
	Number int    `json:"n"`
}
