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
	GamesChanged()    // the page then asks for the list
}

// Pages are the pages that are open on this instance.
type Pages struct {
	news *workers.Pace
	open atomic.Int64 // how many pages; without one a move costs nothing

	mu       sync.Mutex
	byPlayer map[string][]Page
	due      map[string]struct{} // players whose pages must be told
}

// NewPages returns an empty set of pages.
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

// Noted tells the open pages of these players on this instance, at most once a second.
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
