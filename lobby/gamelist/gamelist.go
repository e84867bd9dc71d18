// Package gamelist keeps every player's list of games up to date: the state of each game
// and whether the player is on turn. It tells open pages when their list has changed.
//
// A list shows games as watchers see them, since other players may read it. It is a
// convenience, and rooms do not wait for it.
package gamelist

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/rulebook"
	"mancala/lobby/showcase"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/lru"
	"mancala/match/machine"
	"mancala/match/room"
)

// List keeps the lists on behalf of one instance. Its methods are safe from any goroutine.
type List struct {
	Config
	turns   lru.Cache[string, turn] // by game
	writing *workers.Pace

	order sync.Mutex // held while lists are written; taken before mu

	mu  sync.Mutex
	due map[string]*known // games by ID; nil: their rooms are asked
}

// known is the state of a game that no room need be asked for.
type known struct {
	snapshot []byte
	at       time.Time
}

// Rooms are the games.
type Rooms interface {
	View(ctx context.Context, id, player string) (room.View, error)
	Seqs(ctx context.Context, ids []string) (map[string]uint64, error)
	Do(ctx context.Context, id string, c machine.Command) (room.Answer, error)
}

// Showcase is the index of the games that anybody may watch.
type Showcase interface {
	Put(ctx context.Context, games []showcase.Game)
}

// Presence connects the pages of all instances.
type Presence interface {
	GamesMoved(players []string) // lists of games of these players have changed
	WantGames(players ...string) // a page here wants to hear when such a list changes
}

// RuleSets are those that players keep.
type RuleSets interface {
	// Compare removes the link from a game to its rule set if the game's rules have changed.
	Compare(ctx context.Context, games map[string]rulebook.Rules) error
}

// Config is what a list needs.
type Config struct {
	Rooms    Rooms
	Games    *lobby.Games
	Showcase Showcase
	RuleSets RuleSets
	Presence Presence
	Pages    *Pages
	Workers  *workers.Workers
	Log      *slog.Logger
}

const (
	maxListed = 256                    // games in one transaction
	listEvery = 500 * time.Millisecond // so that the beginning of a game is one change, not three
)

// New makes a list.
func New(c Config) *List {
	l := &List{Config: c, turns: lru.New[string, turn](maxTurns), due: map[string]*known{}}
	l.writing = c.Workers.NewLatePace(listEvery, l.write)
	return l
}

// Changed notes that the state of a game has changed. Games that change within half a
// second are written together, each once.
func (l *List) Changed(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due[id] = nil
	l.writing.Mark()
}

// Opened is Changed for a new game. The view is as watchers see it, or empty. The game was made at
// earliest or later.
func (l *List) Opened(id string, v room.View, earliest time.Time) {
	if v.Snapshot == nil {
		l.Changed(id)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, due := l.due[id]; !due { // otherwise it has changed since
		l.due[id] = &known{v.Snapshot, earliest}
	}
	l.writing.Mark()
}

// Moved tells the pages of these players, on every instance, that one of their games has
// changed.
func (l *List) Moved(players []string) {
	l.Pages.Noted(players)
	l.Presence.GamesMoved(players)
}

// Watch tells a page when its player's games change. It also tells the page once now, since
// a game may have changed while the page was made.
func (l *List) Watch(p Page) {
	if id := p.Identity(); id != "" {
		l.Pages.add(p)
		l.Pages.Noted([]string{id})
		l.Presence.WantGames(id)
	}
}

// write writes some of the lists that are due. The next call writes the rest.
func (l *List) write() {
	l.some()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.due) > 0 {
		l.writing.Mark()
	}
}

// Flush returns when every list is up to date, or cannot be written now.
func (l *List) Flush() {
	for l.some() {
	}
}

// some writes some of the games that are due, and reports whether it wrote any. The rest
// stay due.
func (l *List) some() bool {
	l.order.Lock()
	defer l.order.Unlock()
	due := l.take()
	again := l.put(due)
	for _, id := range again {
		l.Changed(id)
	}
	return len(again) < len(due)
}

func (l *List) take() map[string]*known {
	l.mu.Lock()
	defer l.mu.Unlock()
	due := make(map[string]*known, min(maxListed, len(l.due)))
	for id, k := range l.due {
		if len(due) == maxListed {
			break
		}
		due[id] = k
		delete(l.due, id)
	}
	return due
}

// state returns what watchers see of a game, and a time at which the game had this state.
func (l *List) state(ctx context.Context, id string, k *known) (p *match.Public, at time.Time, err error) {
	if k == nil {
		k = &known{at: time.Now()} // before the read: a later time never belongs to an older state
		view, err := l.Rooms.View(ctx, id, "")
		if err != nil {
			return nil, k.at, err
		}
		k.snapshot = view.Snapshot
	}
	p, err = match.ReadPublic(id, k.snapshot)
	return p, k.at, err
}

// put writes the state of games, and returns the games that must be tried again.
func (l *List) put(due map[string]*known) (again []string) {
	if len(due) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(l.Workers.Context(), workers.Timeout)
	defer cancel()
	games := make([]lobby.Game, 0, len(due))
	var shown []showcase.Game
	rules := map[string]rulebook.Rules{}
	// Two instances that write the same games in another order could wait for each other, which PostgreSQL
	// ends only after a second.
	for _, id := range slices.Sorted(maps.Keys(due)) {
		p, now, err := l.state(ctx, id, due[id])
		if err != nil {
			l.Log.Debug("gamelist: game not listed", "room", id, "err", err)
			if lobby.CodeOf(err) == room.CodeUnavailable {
				again = append(again, id)
			}
			continue
		}
		if g, ok := showcase.Line(id, p, now); ok {
			shown = append(shown, g)
		}
		games = append(games, line(id, p, now))
		if !p.Over() {
			rules[id] = rulebook.Rules{System: p.Rules, Options: p.Options}
		}
	}
	l.compare(ctx, rules)
	switch err := l.Games.Put(ctx, games...); {
	case err == nil:
		l.Moved(lobby.PlayersIn(games))
	case lobby.CodeOf(err) == room.CodeUnavailable:
		l.Log.Debug("gamelist: games not listed yet", "games", len(games), "err", err)
		return slices.Collect(maps.Keys(due))
	default:
		lobby.Warn(l.Log, "gamelist: games not listed", err, "rooms", slices.Collect(maps.Keys(due)))
	}
	l.Showcase.Put(ctx, shown)
	return again
}

// compare lets games keep the name of a rule set only while they have its rules.
func (l *List) compare(ctx context.Context, rules map[string]rulebook.Rules) {
	if len(rules) == 0 {
		return
	}
	if err := l.RuleSets.Compare(ctx, rules); err != nil { // the page of the game compares too
		l.Log.Debug("gamelist: rule sets not compared", "games", len(rules), "err", err)
	}
}

// Unseen returns the function that the registry calls before a room sleeps, if the room has
// entries that no follower saw. Rooms may wake up before the list is ready.
func Unseen(ready func() *List) func(ctx context.Context, id string, v room.View) error {
	return func(ctx context.Context, id string, v room.View) error {
		if v.Kind != match.Kind {
			return nil
		}
		l := ready()
		if l == nil {
			return errors.New("gamelist: not ready yet")
		}
		return l.unseen(ctx, id, v)
	}
}

func (l *List) unseen(ctx context.Context, id string, v room.View) error {
	p, err := match.ReadPublic(id, v.Snapshot)
	if err != nil {
		return err
	}
	now := time.Now()
	if g, ok := showcase.Line(id, p, now); ok { // a room sleeps only after watchers have been shown everything
		l.Showcase.Put(ctx, []showcase.Game{g})
	}
	l.compare(ctx, map[string]rulebook.Rules{id: {System: p.Rules, Options: p.Options}})
	g := line(id, p, now)
	if err := l.Games.Put(ctx, g); err != nil {
		return err
	}
	l.Moved(lobby.PlayersIn([]lobby.Game{g}))
	return nil
}

// Remember writes a game when its player opens it. The game may be new, or its last change
// may not have reached the list. The page is shown even if the list cannot be written soon.
func (l *List) Remember(ctx context.Context, id string, p *match.Public, at time.Time) {
	if p.Delay > 0 { // other players read the list, and this player sees more than they may
		l.Changed(id)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := l.Games.Put(ctx, line(id, p, at)); err != nil {
		lobby.Warn(l.Log, "gamelist: game not listed", err, "room", id)
		l.Changed(id)
	}
	l.Moved(p.Players())
	if p.Listed {
		l.Changed(id) // also updates the showcase, as watchers see the game
	}
}

// line returns a game's line. at is a time at which the game surely had this state.
func line(id string, p *match.Public, at time.Time) lobby.Game {
	game := lobby.Game{Room: id, Title: p.Title, State: p.State, Ended: p.Over(), Updated: at}
	game.System, game.Rated = p.Rules, p.Rated && p.Options == ""
	game.Listed = p.Listed
	game.Won, game.Shared = p.Won()
	for seat, player := range p.Seats {
		game.In = append(game.In, lobby.Part{Player: player, Seat: seat})
	}
	if len(p.Seats) == 0 {
		for _, player := range p.Sitters {
			game.In = append(game.In, lobby.Part{Player: player, Seat: lobby.NoSeat})
		}
	}
	return game
}
