package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mancala/lobby/seeks"
	"mancala/lobby/workers"
	"mancala/match/room"
)

// elsewhere is what the instances of one service tell each other of people, as
// notes beside the lobby, which it follows for that. An instance says of whom
// somebody there wants to hear; the others tell it who of them is with them, and whose
// games go on. All that was said holds for a while and is said again, so that what
// gets lost is only late, and what an instance has said that is no more is forgotten.
type elsewhere struct {
	server *Server
	self   string
	news   *workers.Pace // there may be something to say

	copy  *seeks.Copy    // of say: of the lobby, beside which it is said
	heard [2]atomic.Bool // by interest: whether others want to hear of anybody
	late  []string       // of say: whose games may have changed before others knew that he wants to hear of it

	mu    sync.Mutex
	asked [2]map[string]time.Time        // by interest: of whom others want to hear, and until when
	seen  map[string]map[string]sighting // by person and instance
	wants [2]map[string]struct{}         // what is to be said next
	looks map[string]bool                // whether these people are here; true: also if they are not
	games map[string]struct{}            // whose games go on
	other map[string]struct{}            // about whom something was changed here
	all   bool                           // all wants are to be said again
}

// interest is what somebody wants to hear of people.
type interest int

const (
	inPeople interest = iota // who is here, and what he plays
	inGames                  // that his games stand otherwise
)

// sighting is somebody who is here by what another instance says.
type sighting struct {
	game  string
	until time.Time
}

// hearsay is what one instance says to all others.
type hearsay struct {
	From   string        `json:"from"`
	People []string      `json:"people,omitempty"` // of whom it wants to hear
	Mine   []string      `json:"mine,omitempty"`   // of whose games
	Here   []presentJSON `json:"here,omitempty"`
	Gone   []string      `json:"gone,omitempty"`
	Games  []string      `json:"games,omitempty"` // whose games stand otherwise
	Other  []string      `json:"other,omitempty"` // about whom something was changed, see [Server.altered]
}

const (
	notePeople = "people" // from one instance to the others
	wantEvery  = 15 * time.Second
	wantFor    = 3 * wantEvery
	maxHearsay = 500 // people in one message
)

func newElsewhere(srv *Server) *elsewhere {
	e := &elsewhere{server: srv, self: rand.Text(), seen: map[string]map[string]sighting{}}
	e.asked = [2]map[string]time.Time{{}, {}}
	e.clear()
	e.news = srv.workers.NewPace(newsEvery, e.say)
	return e
}

// clear makes nothing left to be said.
func (e *elsewhere) clear() {
	e.wants, e.looks, e.all = [2]map[string]struct{}{{}, {}}, map[string]bool{}, false
	e.games, e.other = map[string]struct{}{}, map[string]struct{}{}
}

// note changes what is to be said, where there is anybody to hear it.
func (e *elsewhere) note(f func()) {
	if e.server.rooms.Alone() {
		return
	}
	e.mu.Lock()
	f()
	e.mu.Unlock()
	e.news.Mark()
}

// want says that somebody here wants to hear of these people.
func (e *elsewhere) want(what interest, people ...string) {
	if len(people) > 0 {
		e.note(func() {
			for _, id := range people {
				e.wants[what][id] = struct{}{}
			}
		})
	}
}

// again says all wants once more.
func (e *elsewhere) again() { e.note(func() { e.all = true }) }

// stir says that these people may have come, gone, or play something else here.
func (e *elsewhere) stir(people []string) {
	if people = e.wanted(inPeople, people); len(people) > 0 {
		e.note(func() {
			for _, id := range people {
				e.looks[id] = true
			}
		})
	}
}

// moved says that the games of these people stand otherwise.
func (e *elsewhere) moved(people []string) {
	if people = e.wanted(inGames, people); len(people) > 0 {
		e.note(func() {
			for _, id := range people {
				e.games[id] = struct{}{}
			}
		})
	}
}

// alter says that something about these people was changed here.
func (e *elsewhere) alter(people []string) {
	e.note(func() {
		for _, id := range people {
			e.other[id] = struct{}{}
		}
	})
}

// wanted are those of some people of whom others want to hear.
func (e *elsewhere) wanted(what interest, people []string) (list []string) {
	if !e.heard[what].Load() {
		return nil // each move comes by here, and rooms share no lock for nothing
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range people {
		if _, yes := e.asked[what][id]; yes {
			list = append(list, id)
		}
	}
	return list
}

// keep says everything once more every few seconds, where there are others to hear it.
func (e *elsewhere) keep() {
	if e.server.rooms.Alone() {
		return
	}
	e.again() // from the start, to hear what others say
	e.server.workers.Every(wantEvery, func() {
		e.expire()
		e.again()
	})
}

// say says what is to be said, in messages that are not too long.
func (e *elsewhere) say() {
	e.server.mine.noted(e.late)
	e.late = nil
	if err := e.follow(); err != nil {
		e.server.log.Debug("web: other instances are not told of people", "err", err)
		e.again()
		return
	}
	e.mu.Lock()
	wants, looks, games, other, all := e.wants, e.looks, e.games, e.other, e.all
	e.clear()
	e.mu.Unlock()
	if e.late = slices.Collect(maps.Keys(wants[inGames])); len(e.late) > 0 {
		e.news.Mark()
	}
	if all {
		wants = [2]map[string]struct{}{e.server.presence.follows(), e.server.mine.people()}
	}
	here, gone, err := e.look(looks)
	if err != nil {
		e.server.warn("web: people here not read", err)
	}
	for people := range slices.Chunk(slices.Collect(maps.Keys(wants[inPeople])), maxHearsay) {
		e.tell(hearsay{People: people})
	}
	for people := range slices.Chunk(slices.Collect(maps.Keys(wants[inGames])), maxHearsay) {
		e.tell(hearsay{Mine: people})
	}
	for people := range slices.Chunk(here, maxHearsay) {
		e.tell(hearsay{Here: people})
	}
	for people := range slices.Chunk(gone, maxHearsay) {
		e.tell(hearsay{Gone: people})
	}
	for people := range slices.Chunk(slices.Collect(maps.Keys(games)), maxHearsay) {
		e.tell(hearsay{Games: people})
	}
	for people := range slices.Chunk(slices.Collect(maps.Keys(other)), maxHearsay) {
		e.tell(hearsay{Other: people})
	}
}

// look says who of some people is here, and who is not.
func (e *elsewhere) look(people map[string]bool) (here []presentJSON, gone []string, err error) {
	if len(people) == 0 {
		return nil, nil, nil
	}
	ctx, cancel := context.WithTimeout(e.server.workers.Context(), workers.Timeout)
	defer cancel()
	if here, err = e.server.presence.ours(ctx, slices.Collect(maps.Keys(people))); err != nil {
		return nil, nil, err
	}
	for id, also := range people {
		if also && !slices.ContainsFunc(here, func(p presentJSON) bool { return p.ID == id }) {
			gone = append(gone, id)
		}
	}
	return here, gone, nil
}

func (e *elsewhere) tell(h hearsay) {
	h.From = e.self
	body, err := json.Marshal(h)
	if err == nil {
		e.copy.Spread(notePeople, body)
	}
}

// follow holds the copy of the lobby that there is now.
func (e *elsewhere) follow() error {
	if e.copy != nil && !e.copy.Gone() {
		return nil
	}
	ctx, cancel := context.WithTimeout(e.server.workers.Context(), workers.Timeout)
	defer cancel()
	copy, err := e.server.lobby.Hold(ctx)
	if err != nil {
		return err
	}
	if e.copy != nil {
		e.copy.Release()
	}
	e.copy = copy
	e.again()
	return nil
}

// Entry implements [seeks.Listener].
func (e *elsewhere) Entry(*seeks.Copy, *room.Published) {}

// Gone implements [seeks.Listener]: the next copy of the room is told all.
func (e *elsewhere) Gone(*seeks.Copy, error) { e.again() }

// Note implements [seeks.Listener].
func (e *elsewhere) Note(n room.Note) {
	if n.Hubs && n.Kind == notePeople {
		e.hear(n.Body)
	}
}

// hear takes in what another instance has said. It is called with the lobby's feed
// locked.
func (e *elsewhere) hear(body []byte) {
	var h hearsay
	if err := json.Unmarshal(body, &h); err != nil {
		e.server.warn("web: what another instance says of people cannot be read", err)
		return
	}
	if changed := e.take(&h); len(changed) > 0 {
		e.server.presence.noted(changed)
	}
	e.server.mine.noted(h.Games)
	e.server.alteredElsewhere(h.Other)
	if len(h.People) > 0 {
		e.note(func() {
			for _, id := range h.People {
				if _, due := e.looks[id]; !due {
					e.looks[id] = false
				}
			}
		})
	}
}

// take remembers what was said, and gives the people who have come, gone, or play
// something else.
func (e *elsewhere) take(h *hearsay) (changed []string) {
	until := time.Now().Add(wantFor)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range h.People {
		e.asked[inPeople][id] = until
	}
	for _, id := range h.Mine {
		e.asked[inGames][id] = until
	}
	e.listen()
	for _, who := range h.Here {
		if e.seen[who.ID] == nil {
			e.seen[who.ID] = map[string]sighting{}
		}
		if old, there := e.seen[who.ID][h.From]; !there || old.game != who.Game {
			changed = append(changed, who.ID)
		}
		e.seen[who.ID][h.From] = sighting{who.Game, until}
	}
	for _, id := range h.Gone {
		if _, there := e.seen[id][h.From]; there {
			e.forget(id, h.From)
			changed = append(changed, id)
		}
	}
	return changed
}

// listen notes whether others want to hear of anybody. Called with mu held.
func (e *elsewhere) listen() {
	for what, people := range e.asked {
		e.heard[what].Store(len(people) > 0)
	}
}

// forget drops a sighting. Called with mu held.
func (e *elsewhere) forget(id, from string) {
	delete(e.seen[id], from)
	if len(e.seen[id]) == 0 {
		delete(e.seen, id)
	}
}

// expire forgets what nobody has said again.
func (e *elsewhere) expire() {
	now := time.Now()
	var changed []string
	e.mu.Lock()
	for _, asked := range e.asked {
		maps.DeleteFunc(asked, func(_ string, until time.Time) bool { return until.Before(now) })
	}
	e.listen()
	for id, by := range e.seen {
		for from, s := range by {
			if s.until.Before(now) {
				e.forget(id, from)
				changed = append(changed, id)
			}
		}
	}
	e.mu.Unlock()
	e.server.presence.noted(changed)
}

// sees says whether somebody is on another instance, and what he plays there.
func (e *elsewhere) sees(id string) (game string, here bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.seen[id] {
		if here = true; s.game != "" {
			game = s.game
		}
	}
	return game, here
}
