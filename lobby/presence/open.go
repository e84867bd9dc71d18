package presence

import (
	"slices"
	"time"
)

// openFor is how long an answer to [Presence.Ask] is believed.
const openFor = 10 * time.Second

// Ask asks the other instances which of these players have a page open there, also players who
// are never shown as online: the answer is for the service itself, and no player reads it.
// [Presence.Open] knows the answers about two seconds later. A message may be lost, and the
// release before does not answer.
func (p *Presence) Ask(players []string) {
	p.gossip.note(func() {
		for _, id := range players {
			p.gossip.asks[id] = struct{}{}
		}
	})
}

// Open reports whether a player has a page open on this instance, or had one on another
// instance that has just answered. A program's socket does not count: it shows the player nothing.
func (p *Presence) Open(player string) bool {
	return len(p.withPage([]string{player})) > 0 || p.gossip.received.opened(player)
}

// withPage returns the players who have a page open on this instance.
func (p *Presence) withPage(players []string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(players, func(id string) bool {
		return !slices.ContainsFunc(p.here[id], func(d Device) bool { return !d.IsProgram() })
	})
}

// hearAsked answers which of the players that another instance asks about have a page here, and
// stores the answers of others.
func (g *gossip) hearAsked(m *message) {
	if here := g.presence.withPage(slices.Clone(m.Ask)); len(here) > 0 {
		g.note(func() {
			for _, id := range here {
				g.opens[id] = struct{}{}
			}
		})
	}
	g.received.takeOpen(m.Open)
}

func (r *received) takeOpen(players []string) {
	if len(players) == 0 {
		return
	}
	until := time.Now().Add(openFor)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range players {
		r.open[id] = until
	}
}

func (r *received) opened(player string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Before(r.open[player])
}
