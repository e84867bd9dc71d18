// Package presence knows which players are connected, on this instance and on the others,
// and which public game they play.
//
// It tells the pages of their followers, and the other instances that subscribe to them
// (gossip.go), and keeps what they tell (received.go). It names the watchers of each room
// (roll.go). It knows players, not sockets: a page or a program is a [Device].
package presence

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/lobby/social"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/room"
)

// every is the shortest time between two messages to a page or an instance.
const every = time.Second

// Device is one page or program of a player that is connected to this instance.
type Device interface {
	Identity() string   // the player's ID; empty for a visitor without one
	SeatedIn() []string // the rooms in which the device has its player's seat
	IsProgram() bool    // a program opened it, with a token
	SetChild(bool)      // whether the player is in kids mode and reads only presets
	NameAnew()          // the device checks again whether the player is named among the watchers
}

// Page is a device that shows which of the followed players are here.
type Page interface {
	Device
	ShowPresent(here []Present, all bool) // all: replaces everything that was shown
}

// Lists are the pages with lists of games that are open on this instance.
type Lists interface {
	Shown() map[string]struct{} // the players whose games are shown
	Noted(players []string)     // the games of these players may have changed
}

// Present is a player who is here.
type Present struct {
	ID   string `json:"id"`
	Game string `json:"game,omitempty"` // the game that they play, if it is open to all watchers
}

// Rooms are the games.
type Rooms interface {
	View(ctx context.Context, id, player string) (room.View, error)
	Alone() bool // there are no other instances
}

// Config is what the service needs.
type Config struct {
	Rooms   Rooms
	People  *lobby.People
	Social  *social.Graph
	Lobby   *seeks.Client
	Workers *workers.Workers
	Log     *slog.Logger
}

// Presence is the service on one instance. Its methods are safe from any goroutine.
type Presence struct {
	Config
	news *workers.Pace // a followed player has connected, disconnected or changed their game

	mu      sync.Mutex
	here    map[string][]Device // of players with an identity
	looking map[Page]*looker
	wanted  map[string]int // how many pages show a player

	gossip gossip
	lists  Lists
	blocks []func(player string) // registered by WhenBlocksChange
}

// looker is what a page of followed players shows.
type looker struct {
	follows []string
	told    []Present // the last time
}

// New makes the service.
func New(c Config, lists Lists) *Presence {
	p := &Presence{
		Config: c, here: map[string][]Device{}, looking: map[Page]*looker{}, wanted: map[string]int{}, lists: lists,
	}
	p.news = c.Workers.NewPace(every, p.tell)
	p.gossip.begin(p)
	return p
}

// WhenBlocksChange registers f, which is called with each player who may meet others than
// before. Call it before serving.
func (p *Presence) WhenBlocksChange(f func(player string)) { p.blocks = append(p.blocks, f) }

// BlocksChanged calls what was registered by [Presence.WhenBlocksChange].
func (p *Presence) BlocksChanged(players ...string) {
	for _, id := range players {
		for _, tell := range p.blocks {
			tell(id)
		}
	}
}

// Came counts a device.
func (p *Presence) Came(d Device) {
	if id := d.Identity(); id != "" {
		p.mu.Lock()
		p.here[id] = append(p.here[id], d)
		p.mu.Unlock()
		p.Changed(id)
	}
}

// Left ends what [Presence.Came] and [Presence.Look] began.
func (p *Presence) Left(d Device) {
	id := d.Identity()
	p.mu.Lock()
	if page, ok := d.(Page); ok {
		p.forget(page)
	}
	p.here[id] = slices.DeleteFunc(p.here[id], func(other Device) bool { return other == d })
	if len(p.here[id]) == 0 {
		delete(p.here, id)
	}
	p.mu.Unlock()
	p.Changed(id)
}

// Changed notes that these players may have connected, disconnected or changed their game
// on this instance.
func (p *Presence) Changed(players ...string) {
	p.noted(players)
	p.gossip.changed(players)
}

// noted tells the pages here about players of any instance.
func (p *Presence) noted(players []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.ContainsFunc(players, func(id string) bool { return p.wanted[id] > 0 }) {
		p.news.Mark()
	}
}

// Connected returns the players who have a device on this instance.
func (p *Presence) Connected(players []string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(players, func(id string) bool { return len(p.here[id]) == 0 })
}

// Devices returns a player's devices on this instance.
func (p *Presence) Devices(player string) []Device {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.here[player])
}

// Stats returns how many players are connected to this instance, how many pages show
// followed players, and how many players these pages show.
func (p *Presence) Stats() (players, pages, followed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.here), len(p.looking), len(p.wanted)
}

// Busy reports whether pages are being told, or were within the last second.
func (p *Presence) Busy() bool { return p.news.Busy() }

// SetChild tells a player's devices whether the player is in kids mode.
func (p *Presence) SetChild(player string, child bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.here[player] {
		d.SetChild(child)
	}
}

// Look shows a page which of the followed players are connected. From now on the page is
// told of changes.
func (p *Presence) Look(ctx context.Context, page Page) error { return p.look(ctx, page, false) }

// LookOnceMore is [Presence.Look] for a page that may have missed changes. It does nothing for a page that
// does not show followed players.
func (p *Presence) LookOnceMore(ctx context.Context, page Page) error { return p.look(ctx, page, true) }

// look is [Presence.Look]. If again is true, it does nothing for a page that no longer shows followed players.
func (p *Presence) look(ctx context.Context, page Page, again bool) error {
	follows, err := p.Social.Followed(ctx, page.Identity())
	if err != nil {
		return err
	}
	p.mu.Lock()
	if again && p.looking[page] == nil {
		p.mu.Unlock()
		return nil
	}
	p.forget(page)
	l := &looker{follows: follows}
	p.looking[page] = l
	for _, id := range follows {
		p.wanted[id]++
	}
	p.mu.Unlock()
	p.gossip.want(aboutPlayers, follows...)
	present, err := p.Among(ctx, follows)
	if err != nil {
		return err
	}
	page.ShowPresent(present, true)
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.told != nil { // the page was told of a change that may be newer than this list, and comes again
		l.told = nil
		p.news.Mark()
	}
	return nil
}

// NameAnew makes the rooms that a player watches check again whether to name the player.
func (p *Presence) NameAnew(player string) {
	p.mu.Lock()
	open := slices.Clone(p.here[player])
	p.mu.Unlock()
	for _, d := range open {
		d.NameAnew()
	}
}

// hidden reports whether a player with these settings is never shown as online.
func hidden(prefs lobby.Prefs) bool { return prefs.Get(seenPref) == "nobody" }

// LookAgain refreshes the pages of players whose follows have changed.
func (p *Presence) LookAgain(ctx context.Context, players ...string) {
	p.mu.Lock()
	var pages []Page
	for page := range p.looking {
		if slices.Contains(players, page.Identity()) {
			pages = append(pages, page)
		}
	}
	p.mu.Unlock()
	for _, page := range pages {
		if err := p.look(ctx, page, true); err != nil {
			lobby.Warn(p.Log, "presence: followed players not read", err)
		}
	}
}

// LookAway ends [Presence.Look].
func (p *Presence) LookAway(page Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(page)
}

// forget ends [Presence.Look] of a page. Called with mu held.
func (p *Presence) forget(page Page) {
	l := p.looking[page]
	if l == nil {
		return
	}
	delete(p.looking, page)
	for _, id := range l.follows {
		if p.wanted[id]--; p.wanted[id] <= 0 {
			delete(p.wanted, id)
		}
	}
}

// tell sends every page what has changed for it.
func (p *Presence) tell() {
	ctx, cancel := context.WithTimeout(p.Workers.Context(), workers.Timeout)
	defer cancel()
	present, err := p.Among(ctx, slices.Collect(maps.Keys(p.followed())))
	if err != nil {
		lobby.Warn(p.Log, "presence: players here not read", err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for page, l := range p.looking {
		now := slices.DeleteFunc(slices.Clone(present), func(who Present) bool { return !slices.Contains(l.follows, who.ID) })
		if l.told == nil || !slices.Equal(now, l.told) {
			l.told = now
			page.ShowPresent(now, false)
		}
	}
}

// followed returns the players that any page shows.
func (p *Presence) followed() map[string]struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	players := make(map[string]struct{}, len(p.wanted))
	for id := range p.wanted {
		players[id] = struct{}{}
	}
	return players
}

// Among returns which of these players are connected to any instance and visible to others.
func (p *Presence) Among(ctx context.Context, players []string) ([]Present, error) {
	list, err := p.onThisInstance(ctx, players)
	if err != nil {
		return nil, err
	}
	for _, id := range players {
		game, here := p.gossip.received.sees(id)
		if i := slices.IndexFunc(list, func(who Present) bool { return who.ID == id }); i >= 0 {
			list[i].Game = cmp.Or(list[i].Game, game)
		} else if here {
			list = append(list, Present{id, game})
		}
	}
	slices.SortFunc(list, func(a, b Present) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

var seenPref = lobby.PrefNamed("seen")

func (p *Presence) onThisInstance(ctx context.Context, players []string) ([]Present, error) {
	list := []Present{}
	watchable := map[string]bool{} // by game, for the games that were read
	for _, id := range players {
		p.mu.Lock()
		open := slices.Clone(p.here[id])
		p.mu.Unlock()
		if len(open) == 0 {
			continue
		}
		prefs, err := p.People.Prefs(ctx, id)
		if err != nil {
			return nil, err
		}
		if hidden(prefs) {
			continue
		}
		who := Present{ID: id}
		for _, d := range open {
			for _, game := range d.SeatedIn() {
				if _, looked := watchable[game]; !looked {
					watchable[game] = p.watchable(ctx, game)
				}
				if watchable[game] {
					who.Game = game
				}
			}
		}
		list = append(list, who)
	}
	return list, nil
}

// watchable reports whether a game is in progress and open to all watchers.
func (p *Presence) watchable(ctx context.Context, id string) bool {
	view, err := p.Rooms.View(ctx, id, "")
	if err != nil {
		return false
	}
	f, err := match.ReadFacts(view.Snapshot)
	return err == nil && f.Listed && (f.GoesOn() || f.Between())
}
