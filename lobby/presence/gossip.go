package presence

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/lobby/workers"
	"mancala/match/room"
)

// gossip shares news about players between the instances of one service, as notes beside
// the lobby. Each instance announces which players its pages subscribe to. The other
// instances answer which of these players are connected to them, and whose games have
// changed. Everything expires after a while and is repeated before that. So a lost message
// only delays the news, and what a dead instance has sent expires.
type gossip struct {
	presence *Presence
	self     string
	news     *workers.Pace // there may be something to send
	received received

	copy *seeks.Copy // of tell: the copy of the lobby through which notes are sent
	late []string    // of tell: players whose games may have changed before other instances knew of our subscription

	mu      sync.Mutex
	wants   [2]map[string]struct{} // to be sent next: the players that we subscribe to
	looks   map[string]bool        // to be sent next: players whose presence is told; true: their absence is told too
	games   map[string]struct{}    // to be sent next: players whose games have changed
	changes map[string]struct{}    // to be sent next: players whose settings, follows or blocks have changed
	asks    map[string]struct{}    // to be sent next: players that we ask about
	opens   map[string]struct{}    // to be sent next: players that others ask about, and who have a page open here
	all     bool                   // all subscriptions must be sent again
}

const (
	noteGossip = "people" // the kind of the notes
	maxPlayers = 500      // in one message
)

func (g *gossip) begin(p *Presence) {
	g.presence, g.self = p, rand.Text()
	g.received.begin()
	g.clear()
	g.news = p.Workers.NewPace(every, g.tell)
	if p.Rooms.Alone() {
		return
	}
	p.Lobby.Listen(g)
	g.again() // subscribe from the start
	p.Workers.Every(wantEvery, func() {
		g.presence.noted(g.received.expire())
		g.again()
	})
}

// WantGames subscribes this instance to changes of these players' lists of games on other
// instances.
func (p *Presence) WantGames(players ...string) { p.gossip.want(aboutGames, players...) }

// GamesMoved tells the subscribed instances that these players' lists of games have
// changed.
func (p *Presence) GamesMoved(players []string) { p.gossip.gamesMoved(players) }

// clear drops all that waits to be sent.
func (g *gossip) clear() {
	g.wants, g.looks, g.all = [2]map[string]struct{}{{}, {}}, map[string]bool{}, false
	g.games, g.changes = map[string]struct{}{}, map[string]struct{}{}
	g.asks, g.opens = map[string]struct{}{}, map[string]struct{}{}
}

// note changes what is sent next. Without other instances it does nothing.
func (g *gossip) note(f func()) {
	if g.presence.Rooms.Alone() {
		return
	}
	g.mu.Lock()
	f()
	g.mu.Unlock()
	g.news.Mark()
}

// want subscribes this instance to news about these players.
func (g *gossip) want(what topic, players ...string) {
	if len(players) > 0 {
		g.note(func() {
			for _, id := range players {
				g.wants[what][id] = struct{}{}
			}
		})
	}
}

// again sends all subscriptions once more.
func (g *gossip) again() { g.note(func() { g.all = true }) }

// changed notes that these players may have connected, disconnected or changed their game
// on this instance.
func (g *gossip) changed(players []string) {
	if players = g.received.wanted(aboutPlayers, players); len(players) > 0 {
		g.note(func() {
			for _, id := range players {
				g.looks[id] = true
			}
		})
	}
}

func (g *gossip) gamesMoved(players []string) {
	if players = g.received.wanted(aboutGames, players); len(players) > 0 {
		g.note(func() {
			for _, id := range players {
				g.games[id] = struct{}{}
			}
		})
	}
}

// tell sends what waits, in messages of bounded length.
func (g *gossip) tell() {
	g.presence.lists.Noted(g.late)
	g.late = nil
	if err := g.follow(); err != nil {
		g.presence.Log.Debug("presence: news not sent to other instances", "err", err)
		g.again()
		return
	}
	g.mu.Lock()
	wants, looks, games, changes, all := g.wants, g.looks, g.games, g.changes, g.all
	asks, opens := g.asks, g.opens
	g.clear()
	g.mu.Unlock()
	if g.late = slices.Collect(maps.Keys(wants[aboutGames])); len(g.late) > 0 {
		g.news.Mark()
	}
	if all {
		wants = [2]map[string]struct{}{g.presence.followed(), g.presence.lists.Shown()}
	}
	here, gone, err := g.look(looks)
	if err != nil {
		lobby.Warn(g.presence.Log, "presence: players here not read", err)
	}
	keys := func(of map[string]struct{}, what func([]string) message) {
		for players := range slices.Chunk(slices.Collect(maps.Keys(of)), maxPlayers) {
			g.send(what(players))
		}
	}
	keys(wants[aboutPlayers], func(players []string) message { return message{People: players} })
	keys(wants[aboutGames], func(players []string) message { return message{Mine: players} })
	for present := range slices.Chunk(here, maxPlayers) {
		g.send(message{Here: present})
	}
	for players := range slices.Chunk(gone, maxPlayers) {
		g.send(message{Gone: players})
	}
	keys(games, func(players []string) message { return message{Games: players} })
	keys(changes, func(players []string) message { return message{Other: players} })
	keys(asks, func(players []string) message { return message{Ask: players} })
	keys(opens, func(players []string) message { return message{Open: players} })
}

// look returns which of these players are connected here, and which are not.
func (g *gossip) look(players map[string]bool) (here []Present, gone []string, err error) {
	if len(players) == 0 {
		return nil, nil, nil
	}
	ctx, cancel := context.WithTimeout(g.presence.Workers.Context(), workers.Timeout)
	defer cancel()
	if here, err = g.presence.onThisInstance(ctx, slices.Collect(maps.Keys(players))); err != nil {
		return nil, nil, err
	}
	for id, also := range players {
		if also && !slices.ContainsFunc(here, func(p Present) bool { return p.ID == id }) {
			gone = append(gone, id)
		}
	}
	return here, gone, nil
}

func (g *gossip) send(m message) {
	m.From = g.self
	body, err := json.Marshal(m)
	if err == nil {
		g.copy.Spread(noteGossip, body)
	}
}

// follow holds the current copy of the lobby.
func (g *gossip) follow() error {
	ctx, cancel := context.WithTimeout(g.presence.Workers.Context(), workers.Timeout)
	defer cancel()
	copy, err := g.presence.Lobby.Renew(ctx, g.copy)
	if err != nil || copy == g.copy {
		return err
	}
	g.copy = copy
	g.again()
	return nil
}

// Changed implements [seeks.Listener].
func (g *gossip) Changed(seeks.News) {}

// Gone implements [seeks.Listener]: everything is sent again to the next copy of the room.
func (g *gossip) Gone(*seeks.Copy, error) { g.again() }

// Note implements [seeks.Listener].
func (g *gossip) Note(n room.Note) {
	if n.Hubs && n.Kind == noteGossip {
		g.hear(n.Body)
	}
}

// hear reads a message of another instance. It is called with the lobby's feed locked.
func (g *gossip) hear(body []byte) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		lobby.Warn(g.presence.Log, "presence: message of another instance not decoded", err)
		return
	}
	if changed := g.received.take(&m); len(changed) > 0 {
		g.presence.noted(changed)
	}
	g.presence.lists.Noted(m.Games)
	g.presence.invalidate(m.Other)
	g.hearAsked(&m)
	if len(m.People) > 0 {
		g.note(func() {
			for _, id := range m.People {
				if _, due := g.looks[id]; !due {
					g.looks[id] = false
				}
			}
		})
	}
}
