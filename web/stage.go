package web

import (
	"context"
	"slices"
	"sync"
	"time"

	"mancala/lobby/showcase"
	"mancala/lobby/workers"
	"mancala/match"
)

// playbill is the games that anybody may watch, as this instance knows them: read
// together, seldom, and kept for all who ask. It also writes down how those games
// go on that have people here.
type playbill struct {
	server *Server

	reading sync.Mutex // held while the list is read; taken before mu
	drawing sync.Mutex // held while boards are drawn; taken before mu
	mu      sync.Mutex
	live    []showcase.Game
	best    []showcase.Game
	read    time.Time
	bills   map[string]bill     // by system, as pages show them; made of what was read
	seen    map[string]uint64   // by room: up to where its plies have been noted
	left    map[string]struct{} // rooms whose last socket here has gone
}

const (
	billEvery = 3 * time.Second
	maxNoted  = 64               // games looked at in one turn
	maxBest   = 20               // replays that are known
	stillOn   = 30 * time.Minute // a game in which nothing has happened for longer is not shown
)

func newPlaybill(srv *Server) *playbill {
	return &playbill{server: srv, seen: map[string]uint64{}, left: map[string]struct{}{}}
}

// games gives the live games, best first, and the best of those that are over.
func (b *playbill) games(ctx context.Context) (live, best []showcase.Game, err error) {
	b.reading.Lock() // of many who come at once one reads
	defer b.reading.Unlock()
	b.mu.Lock()
	live, best = b.live, b.best
	fresh := time.Since(b.read) < billEvery
	b.mu.Unlock()
	if fresh {
		return live, best, nil
	}
	now := time.Now()
	if live, err = b.server.Showcase.Live(ctx); err == nil {
		best, err = b.server.Showcase.Best(ctx, maxBest)
	}
	if err != nil {
		return nil, nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.live, b.best, b.read, b.bills = live, best, now, map[string]bill{}
	return live, best, nil
}

// put takes games to the stage, or off it. They are as watchers see them.
func (b *playbill) put(ctx context.Context, games []showcase.Game) {
	if len(games) == 0 {
		return
	}
	for i := range games {
		games[i].Rating = b.strength(ctx, &games[i])
	}
	if err := b.server.Showcase.Put(ctx, games...); err != nil {
		b.server.warn("web: games not on the stage", err)
	}
	b.stale()
}

// strength is the mean of the players' ratings in this game at this speed; 0 if
// one of them is not known well enough.
func (b *playbill) strength(ctx context.Context, g *showcase.Game) int {
	speed := match.SpeedOf(g.Clock)
	if speed == "" || len(g.Seats) == 0 {
		return 0
	}
	found, err := b.server.Ratings.Of(ctx, g.Seats, g.System, speed)
	if err != nil {
		b.server.warn("web: ratings not read", err)
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

// stale takes in that something has been written: whoever asks now sees it.
func (b *playbill) stale() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read = time.Time{}
}

// staged is a game's line, if anybody may watch it and it has begun.
func staged(id string, s *match.Public, at time.Time) (showcase.Game, bool) {
	g := showcase.Game{
		Room: id, System: s.Rules, Title: s.Title, Options: s.Options, Clock: s.ClockText, Rated: s.Rated, Delay: s.Delay,
		Seats: s.Seats, Over: s.State == "over", Ply: s.Ply, At: at,
	}
	return g, s.Listed && len(s.Seats) > 0
}

// leaves takes in that nobody here follows a game any more.
func (b *playbill) leaves(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.left) < maxNoted {
		b.left[id] = struct{}{}
	}
}

// note looks at the games on the stage that somebody follows here.
func (b *playbill) note() {
	hubs := b.server.followed()
	b.mu.Lock()
	left := b.left
	b.left = map[string]struct{}{}
	b.mu.Unlock()
	if len(hubs)+len(left) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(b.server.workers.Context(), workers.Timeout)
	defer cancel()
	live, _, err := b.games(ctx)
	if err != nil {
		b.server.warn("web: stage not read", err)
		return
	}
	var news []showcase.Standing
	seen := map[string]uint64{}
	for _, g := range live {
		h, here := hubs[g.Room]
		_, gone := left[g.Room]
		if !here && !gone || len(news) == maxNoted {
			continue
		}
		n := showcase.Standing{Room: g.Room, Ply: g.Ply}
		if here {
			var seq uint64
			seq, n.Watchers = h.standing()
			if seen[g.Room] = b.seen[g.Room]; seq != seen[g.Room] && b.look(ctx, &n) {
				seen[g.Room] = seq
			}
		}
		if n.Ply != g.Ply || n.Watchers != g.Watchers {
			news = append(news, n)
		}
	}
	b.seen = seen // only this goroutine uses it
	if len(news) > 0 {
		if err := b.server.Showcase.Note(ctx, news...); err != nil {
			b.server.warn("web: stage not written", err)
		}
		b.stale()
	}
}

// look sees how far a game is; false if it could not be seen.
func (b *playbill) look(ctx context.Context, n *showcase.Standing) bool {
	now := time.Now()
	view, err := b.server.rooms.View(ctx, n.Room, "")
	if err != nil {
		return false
	}
	s, err := match.ReadPublic(n.Room, view.Snapshot)
	if err == nil && s.Ply != n.Ply {
		n.Ply, n.Moved = s.Ply, now
	}
	return err == nil
}

// followed are the hubs by room.
func (srv *Server) followed() map[string]*hub {
	srv.hubsMu.Lock()
	defer srv.hubsMu.Unlock()
	hubs := make(map[string]*hub, len(srv.hubs))
	for id, h := range srv.hubs {
		hubs[id] = h
	}
	return hubs
}

// standing is how far watchers have been told of a game, and how many they are.
func (h *hub) standing() (seq uint64, watching int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seq, h.watching
}

// showing are the live games of a system (empty: of all) that are worth showing,
// at most limit.
func (b *playbill) showing(ctx context.Context, system string, limit int) ([]showcase.Game, error) {
	live, _, err := b.games(ctx)
	return some(live, limit, func(g showcase.Game) bool {
		return (system == "" || g.System == system) && time.Since(g.At) < stillOn
	}), err
}

// replays are the best of the games that are over.
func (b *playbill) replays(ctx context.Context, system string, limit int) ([]showcase.Game, error) {
	_, best, err := b.games(ctx)
	return some(best, limit, func(g showcase.Game) bool { return system == "" || g.System == system }), err
}

func some(games []showcase.Game, limit int, want func(showcase.Game) bool) []showcase.Game {
	games = slices.DeleteFunc(slices.Clone(games), func(g showcase.Game) bool { return !want(g) })
	return games[:min(len(games), limit)]
}
