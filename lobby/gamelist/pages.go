package gamelist

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mancala/lobby/workers"
)

// Page is an open page with its player's list of games.
type Page interface {
	Identity() string // the player's ID; empty for a visitor without one
	GamesChanged()    // the page asks for the list then
}

// Pages are those that are open on this instance.
type Pages struct {
	news *workers.Pace
	open atomic.Int64 // pages; without any a move costs nothing

	mu       sync.Mutex
	byPlayer map[string][]Page
	due      map[string]struct{} // players whose pages are to be told
}

// NewPages returns no pages yet.
func NewPages(w *workers.Workers) *Pages {
	p := &Pages{byPlayer: map[string][]Page{}, due: map[string]struct{}{}}
	p.news = w.NewPace(time.Second, p.tell)
	return p
}

func (p *Pages) add(page Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id := page.Identity(); !slices.Contains(p.byPlayer[id], page) {
		p.byPlayer[id] = append(p.byPlayer[id], page)
		p.open.Add(1)
	}
}

// Left ends [List.Watch].
func (p *Pages) Left(page Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := page.Identity()
	if i := slices.Index(p.byPlayer[id], page); i >= 0 {
		p.byPlayer[id] = slices.Delete(p.byPlayer[id], i, i+1)
		p.open.Add(-1)
	}
	if len(p.byPlayer[id]) == 0 {
		delete(p.byPlayer, id)
	}
}

// Shown returns the players whose games are shown here.
func (p *Pages) Shown() map[string]struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	players := make(map[string]struct{}, len(p.byPlayer))
	for id := range p.byPlayer {
		players[id] = struct{}{}
	}
	return players
}

// Noted tells the pages of these players that are open here, once a second at most.
func (p *Pages) Noted(players []string) {
	if p.open.Load() == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range players {
		if len(p.byPlayer[id]) > 0 {
			p.due[id] = struct{}{}
		}
	}
	if len(p.due) > 0 {
		p.news.Mark()
	}
}

func (p *Pages) tell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.due {
		for _, page := range p.byPlayer[id] {
			page.GamesChanged()
		}
	}
	clear(p.due)
}
