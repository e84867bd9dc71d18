package presence

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

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

	copy  *seeks.Copy    // of tell: the copy of the lobby through which notes are sent
	heard [2]atomic.Bool // by topic: whether other instances subscribe to any player
	late  []string       // of tell: players whose games may have changed before other instances knew of our subscription

	mu      sync.Mutex
	asked   [2]map[string]time.Time        // by topic: the players that other instances subscribe to, and until when
	seen    map[string]map[string]sighting // by player and instance
	wants   [2]map[string]struct{}         // to be sent next: the players that we subscribe to
	looks   map[string]bool                // to be sent next: whether these players are here; true: also if they are not
	games   map[string]struct{}            // to be sent next: players whose games have changed
	changes map[string]struct{}            // to be sent next: players whose settings, follows or blocks have changed
	all     bool                           // all subscriptions must be sent again
}

// topic is a kind of news about a player.
type topic int

const (
	aboutPlayers topic = iota // whether they are here, and what they play
	aboutGames                // whether their list of games has changed
)

// sighting is a player who is connected to another instance.
type sighting struct {
	game  string
	until time.Time
}

// message is what one instance sends to all others.
type message struct {
	From   string    `json:"from"`
	People []string  `json:"people,omitempty"` // players whose presence it subscribes to
	Mine   []string  `json:"mine,omitempty"`   // players whose games it subscribes to
	Here   []Present `json:"here,omitempty"`
	Gone   []string  `json:"gone,omitempty"`
	Games  []string  `json:"games,omitempty"` // players whose games have changed
	Other  []string  `json:"other,omitempty"` // see [Presence.Invalidate]
}

const (
	noteGossip = "people" // the kind of the notes
	wantEvery  = 15 * time.Second
	wantFor    = 3 * wantEvery
	maxPlayers = 500 // in one message
)

func (g *gossip) begin(p *Presence) {
	g.presence, g.self = p, rand.Text()
	g.seen = map[string]map[string]sighting{}
	g.asked = [2]map[string]time.Time{{}, {}}
	g.clear()
	g.news = p.Workers.NewPace(every, g.tell)
	if p.Rooms.Alone() {
		return
	}
	p.Lobby.Listen(g)
	g.again() // subscribe from the start
	p.Workers.Every(wantEvery, func() {
		g.expire()
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
	if players = g.wanted(aboutPlayers, players); len(players) > 0 {
		g.note(func() {
			for _, id := range players {
				g.looks[id] = true
			}
		})
	}
}

func (g *gossip) gamesMoved(players []string) {
	if players = g.wanted(aboutGames, players); len(players) > 0 {
		g.note(func() {
			for _, id := range players {
				g.games[id] = struct{}{}
			}
		})
	}
}

// wanted returns the players to whom other instances subscribe.
func (g *gossip) wanted(what topic, players []string) (list []string) {
	if !g.heard[what].Load() {
		return nil // called for each move, so that rooms share no lock without need
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range players {
		if _, yes := g.asked[what][id]; yes {
			list = append(list, id)
		}
	}
	return list
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
	if g.copy != nil && !g.copy.Gone() {
		return nil
	}
	ctx, cancel := context.WithTimeout(g.presence.Workers.Context(), workers.Timeout)
	defer cancel()
	copy, err := g.presence.Lobby.Hold(ctx)
	if err != nil {
		return err
	}
	if g.copy != nil {
		g.copy.Release()
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
	if changed := g.take(&m); len(changed) > 0 {
		g.presence.noted(changed)
	}
	g.presence.lists.Noted(m.Games)
	g.presence.invalidate(m.Other)
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

// take stores a message, and returns the players who have connected, disconnected or
// changed their game.
func (g *gossip) take(m *message) (changed []string) {
	until := time.Now().Add(wantFor)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range m.People {
		g.asked[aboutPlayers][id] = until
	}
	for _, id := range m.Mine {
		g.asked[aboutGames][id] = until
	}
	g.listen()
	for _, who := range m.Here {
		if g.seen[who.ID] == nil {
			g.seen[who.ID] = map[string]sighting{}
		}
		if old, there := g.seen[who.ID][m.From]; !there || old.game != who.Game {
			changed = append(changed, who.ID)
		}
		g.seen[who.ID][m.From] = sighting{who.Game, until}
	}
	for _, id := range m.Gone {
		if _, there := g.seen[id][m.From]; there {
			g.forget(id, m.From)
			changed = append(changed, id)
		}
	}
	return changed
}

// listen notes whether other instances subscribe to any player. Called with mu held.
func (g *gossip) listen() {
	for what, players := range g.asked {
		g.heard[what].Store(len(players) > 0)
	}
}

// forget drops a sighting. Called with mu held.
func (g *gossip) forget(id, from string) {
	delete(g.seen[id], from)
	if len(g.seen[id]) == 0 {
		delete(g.seen, id)
	}
}

// expire drops what no instance has repeated in time.
func (g *gossip) expire() {
	now := time.Now()
	var changed []string
	g.mu.Lock()
	for _, asked := range g.asked {
		maps.DeleteFunc(asked, func(_ string, until time.Time) bool { return until.Before(now) })
	}
	g.listen()
	for id, by := range g.seen {
		for from, s := range by {
			if s.until.Before(now) {
				g.forget(id, from)
				changed = append(changed, id)
			}
		}
	}
	g.mu.Unlock()
	g.presence.noted(changed)
}

// sees reports whether a player is on another instance, and what they play there.
func (g *gossip) sees(id string) (game string, here bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.seen[id] {
		if here = true; s.game != "" {
			game = s.game
		}
	}
	return game, here
}
