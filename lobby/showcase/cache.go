package showcase

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/room"
)

// Cache is one instance's copy of the index, which all readers share and which is read
// every few seconds. It also stores the progress of the games that are followed on this
// instance. Its methods are safe from any goroutine.
type Cache struct {
	CacheConfig

	reading sync.Mutex // held while the index is read; taken before mu

	mu      sync.Mutex
	live    []Game
	best    []Game
	read    time.Time
	version uint64              // counts the reads
	left    map[string]struct{} // rooms that lost their last follower on this instance

	followers Followers // nil before SetFollowers

	seen map[string]uint64 // by room: the entry up to which its plies are stored; belongs to note
}

// Rooms are the games.
type Rooms interface {
	View(ctx context.Context, id, player string) (room.View, error)
}

// CacheConfig is what a cache needs.
type CacheConfig struct {
	Index   *Index
	Rooms   Rooms
	Ratings *rating.Ratings
	Workers *workers.Workers
	Log     *slog.Logger
}

// Followers are the hubs of this instance.
type Followers interface {
	// Any reports whether any room is followed.
	Any() bool
	// Progress returns the last entry that a room's watchers were sent, the number of
	// watchers, and whether the room is followed.
	Progress(room string) (seq uint64, watchers int, followed bool)
}

const (
	cacheFor = 3 * time.Second
	maxNoted = 64               // games in one transaction
	maxBest  = 20               // replays
	stillOn  = 30 * time.Minute // a game without an entry for longer is not shown
)

// NewCache returns a cache that stores the progress of games every few seconds.
func NewCache(c CacheConfig) *Cache {
	b := &Cache{CacheConfig: c, seen: map[string]uint64{}, left: map[string]struct{}{}}
	c.Workers.Every(cacheFor, b.note)
	return b
}

// SetFollowers makes the cache note how far the rooms of these followers are.
func (b *Cache) SetFollowers(f Followers) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.followers = f
}

// Version returns a number that changes with each read of the index.
func (b *Cache) Version(ctx context.Context) (uint64, error) {
	if _, _, err := b.games(ctx); err != nil {
		return 0, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.version, nil
}

// games returns the live games, best first, and the best of those that are over.
func (b *Cache) games(ctx context.Context) (live, best []Game, err error) {
	b.reading.Lock() // one of several concurrent callers reads
	defer b.reading.Unlock()
	b.mu.Lock()
	live, best = b.live, b.best
	fresh := time.Since(b.read) < cacheFor
	b.mu.Unlock()
	if fresh {
		return live, best, nil
	}
	now := time.Now()
	if live, err = b.Index.Live(ctx); err == nil {
		best, err = b.Index.Best(ctx, maxBest)
	}
	if err != nil {
		return nil, nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.live, b.best, b.read = live, best, now
	b.version++
	return live, best, nil
}

// Live returns at most limit live games of a system (empty: of all systems) that had an
// entry lately.
func (b *Cache) Live(ctx context.Context, system string, limit int) ([]Game, error) {
	live, _, err := b.games(ctx)
	return some(live, limit, func(g Game) bool {
		return (system == "" || g.System == system) && time.Since(g.At) < stillOn
	}), err
}

// Best returns at most limit of the best finished games.
func (b *Cache) Best(ctx context.Context, system string, limit int) ([]Game, error) {
	_, best, err := b.games(ctx)
	return some(best, limit, func(g Game) bool { return system == "" || g.System == system }), err
}

func some(games []Game, limit int, want func(Game) bool) []Game {
	games = slices.DeleteFunc(slices.Clone(games), func(g Game) bool { return !want(g) })
	return games[:min(len(games), limit)]
}

// Put adds games to the index, or removes them from it. The games are as watchers see them.
func (b *Cache) Put(ctx context.Context, games []Game) {
	if len(games) == 0 {
		return
	}
	for i := range games {
		games[i].Rating = b.Strength(ctx, &games[i])
	}
	if err := b.Index.Put(ctx, games...); err != nil {
		lobby.Warn(b.Log, "showcase: games not written", err)
	}
	b.stale()
}

// Strength returns the mean of the players' ratings in this game at this speed. It returns
// 0 if a player has no rating or a provisional one.
func (b *Cache) Strength(ctx context.Context, g *Game) int {
	speed := match.SpeedOf(g.Clock)
	if speed == "" || len(g.Seats) == 0 {
		return 0
	}
	found, err := b.Ratings.Of(ctx, g.Seats, g.System, speed)
	if err != nil {
		lobby.Warn(b.Log, "showcase: ratings not read", err)
	}
	sum := 0
	for _, player := range g.Seats {
		r, ok := found[player]
		if !ok || r.Provisional() {
			return 0
		}
		sum += r.Rounded()
	}
	return sum / len(g.Seats)
}

// stale makes the next reader read the index again. It is called after a write.
func (b *Cache) stale() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read = time.Time{}
}

// Line returns the line of a game, and reports whether the game is listed and has begun.
func Line(id string, p *match.Public, at time.Time) (Game, bool) {
	g := Game{
		Room: id, System: p.Rules, Title: p.Title, Options: p.Options, Clock: p.ClockText, Rated: p.Rated, Delay: p.Delay,
		Seats: p.Seats, Over: p.Over(), Ply: p.Ply, At: at,
	}
	return g, p.Listed && len(p.Seats) > 0
}

// Left notes that a room has lost its last follower on this instance.
func (b *Cache) Left(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left[id] = struct{}{} // note empties it every few seconds
}

// note stores the progress of the games in the index that are followed here.
func (b *Cache) note() {
	b.mu.Lock()
	left, followers := b.left, b.followers
	b.left = map[string]struct{}{}
	b.mu.Unlock()
	if followers == nil || len(left) == 0 && !followers.Any() {
		return
	}
	ctx, cancel := context.WithTimeout(b.Workers.Context(), workers.Timeout)
	defer cancel()
	live, _, err := b.games(ctx)
	if err != nil {
		lobby.Warn(b.Log, "showcase: games not read", err)
		return
	}
	var news []Progress
	seen := map[string]uint64{}
	for _, g := range live {
		seq, watchers, here := followers.Progress(g.Room)
		_, gone := left[g.Room]
		if !here && !gone {
			continue
		}
		n := Progress{Room: g.Room, Ply: g.Ply, Watchers: watchers}
		if here {
			if seen[g.Room] = b.seen[g.Room]; seq != seen[g.Room] && b.look(ctx, &n) {
				seen[g.Room] = seq
			}
		}
		if n.Ply != g.Ply || n.Watchers != g.Watchers {
			news = append(news, n)
		}
	}
	b.seen = seen
	for some := range slices.Chunk(news, maxNoted) {
		if err := b.Index.Note(ctx, some...); err != nil {
			lobby.Warn(b.Log, "showcase: progress of games not written", err)
			break
		}
	}
	if len(news) > 0 {
		b.stale()
	}
}

// look reads the progress of a game, and reports whether it succeeded.
func (b *Cache) look(ctx context.Context, n *Progress) bool {
	now := time.Now()
	view, err := b.Rooms.View(ctx, n.Room, "")
	if err != nil {
		return false
	}
	p, err := match.ReadPublic(n.Room, view.Snapshot)
	if err == nil && p.Ply != n.Ply {
		n.Ply, n.Moved = p.Ply, now
	}
	return err == nil
}
