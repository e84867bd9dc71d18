package presence

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// wantFor is how long an instance keeps what another has told it.
const wantFor = 3 * wantEvery

// received is what the other instances have told this one. It expires unless they repeat it.
type received struct {
	heard [2]atomic.Bool // by topic: whether other instances subscribe to any player

	mu    sync.Mutex
	asked [2]map[string]time.Time        // by topic: the players that other instances subscribe to, and until when
	seen  map[string]map[string]sighting // by player and instance
	open  map[string]time.Time           // players who have a page open on another instance, and until when that is believed
}

// sighting is a player who is connected to another instance.
type sighting struct {
	game  string
	until time.Time
}

func (r *received) begin() {
	r.asked = [2]map[string]time.Time{{}, {}}
	r.seen = map[string]map[string]sighting{}
	r.open = map[string]time.Time{}
}

// wanted returns the players to whom other instances subscribe.
func (r *received) wanted(what topic, players []string) (list []string) {
	if !r.heard[what].Load() {
		return nil // called for each move, so that rooms share no lock without need
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range players {
		if _, yes := r.asked[what][id]; yes {
			list = append(list, id)
		}
	}
	return list
}

// take stores a message, and returns the players who have connected, disconnected or
// changed their game.
func (r *received) take(m *message) (changed []string) {
	until := time.Now().Add(wantFor)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range m.People {
		r.asked[aboutPlayers][id] = until
	}
	for _, id := range m.Mine {
		r.asked[aboutGames][id] = until
	}
	r.listen()
	for _, who := range m.Here {
		if r.seen[who.ID] == nil {
			r.seen[who.ID] = map[string]sighting{}
		}
		if old, there := r.seen[who.ID][m.From]; !there || old.game != who.Game {
			changed = append(changed, who.ID)
		}
		r.seen[who.ID][m.From] = sighting{who.Game, until}
	}
	for _, id := range m.Gone {
		if _, there := r.seen[id][m.From]; there {
			r.forget(id, m.From)
			changed = append(changed, id)
		}
	}
	return changed
}

// listen notes whether other instances subscribe to any player. Called with mu held.
func (r *received) listen() {
	for what, players := range r.asked {
		r.heard[what].Store(len(players) > 0)
	}
}

// forget drops a sighting. Called with mu held.
func (r *received) forget(id, from string) {
	delete(r.seen[id], from)
	if len(r.seen[id]) == 0 {
		delete(r.seen, id)
	}
}

// expire drops what no instance has repeated in time. It returns the players who count as
// disconnected from then on.
func (r *received) expire() (changed []string) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.open, func(_ string, until time.Time) bool { return until.Before(now) })
	for _, asked := range r.asked {
		maps.DeleteFunc(asked, func(_ string, until time.Time) bool { return until.Before(now) })
	}
	r.listen()
	for id, by := range r.seen {
		for from, s := range by {
			if s.until.Before(now) {
				r.forget(id, from)
				changed = append(changed, id)
			}
		}
	}
	return changed
}

// sees reports whether a player is on another instance, and what they play there.
func (r *received) sees(id string) (game string, here bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.seen[id] {
		if here = true; s.game != "" {
			game = s.game
		}
	}
	return game, here
}
