package presence

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/workers"
)

const (
	maxNamed  = 20  // watchers in the list of names
	maxRolled = 200 // watchers considered for the list
	maxAsked  = 20  // unknown watchers that are looked up in one run
)

// Roll is the list of the named watchers of one room: players with accounts, except hidden
// ones. A named watcher stays in the list while they watch. So the list
// of a crowded room does not change all the time. Instances tell each other their lists.
// Its methods are safe from any goroutine.
type Roll struct {
	presence *Presence
	room     Watched

	mu    sync.Mutex // no method of room is called while it is held
	state *rollState // see ensure; nil while it would be empty, as in most rooms
}

// Watched is a room that clients of this instance follow.
type Watched interface {
	Room() string
	Followed() bool                           // waits until the room is followed; false: it cannot be followed
	ShowWatchers()                            // shows all clients [Roll.Names]
	Spread(kind string, body json.RawMessage) // tells the rolls on other instances, by [Roll.Hear]; may be lost
}

// rollState is what a Roll holds while there is something to hold.
type rollState struct {
	calling *workers.Pace     // does call
	due     bool              // marked since the last call began
	here    map[string]int    // number of sockets of each watcher with an identity; nil if there are none
	known   map[string]string // some watchers' names; empty for a guest and for a hidden player
	named   []string          // the watchers of this instance in the list, by ID
	own     []string          // their names; of call, which changes it with mu held
	others  map[string]rollCall
	called  time.Time // when the list was last made
	names   []string  // the watchers of all instances, as last shown
}

// rollCall is the list of named watchers on another instance.
type rollCall struct {
	names []string
	at    time.Time
}

// rollSaid is the note in which an instance sends its list. It is sent whenever the
// number of watchers has changed.
type rollSaid struct {
	From  string   `json:"from"`
	Names []string `json:"names"`
}

const (
	NoteRoll = "roll"          // the kind of that note
	rollLag  = 2 * time.Second // instances may learn of a change this far apart
)

// NewRoll returns the list of a room without watchers.
func (p *Presence) NewRoll(room Watched) *Roll { return &Roll{presence: p, room: room} }

// ensure returns the state, and makes it if needed. Called with mu held.
func (r *Roll) ensure() *rollState {
	if r.state == nil {
		s := new(rollState)
		// Without an interval: the room tells the number of watchers at most once a second.
		s.calling = r.presence.Workers.NewPace(0, func() { r.call(s) })
		r.state = s
	}
	return r.state
}

// blank reports whether the state is empty: there are no watchers, and the last list
// that was shown is empty.
func (s *rollState) blank() bool {
	return len(s.here)+len(s.known)+len(s.others)+len(s.names) == 0 && !s.due
}

// mark makes the list due. Called with mu held.
func (s *rollState) mark() {
	s.due = true
	s.calling.Mark()
}

// Counted makes the list due: the number of watchers on all instances has changed.
func (r *Roll) Counted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ensure().mark()
}

// Add counts sockets of a watcher on this instance. The list changes with
// [Roll.Counted].
func (r *Roll) Add(player string, sockets int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.ensure()
	if s.here == nil {
		s.here = map[string]int{}
	}
	if s.here[player] += sockets; s.here[player] <= 0 {
		if delete(s.here, player); len(s.here) == 0 {
			s.here = nil
		}
	}
}

// NameAnew makes a watcher be named, or be named no longer, by their present settings.
func (r *Roll) NameAnew(player string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == nil || r.state.here[player] == 0 {
		return
	}
	delete(r.state.known, player)
	r.state.named = slices.DeleteFunc(r.state.named, func(id string) bool { return id == player })
	r.state.mark()
}

// Names returns the list as last shown.
func (r *Roll) Names() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == nil {
		return nil
	}
	return r.state.names
}

// call updates the list and sends it to the other instances. The room may report a new
// number of watchers before it is known to be followed.
func (r *Roll) call(s *rollState) {
	if !r.room.Followed() || !r.update(s) {
		return
	}
	if body, err := json.Marshal(rollSaid{r.presence.gossip.self, s.own}); err == nil {
		r.room.Spread(NoteRoll, body)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.blank() {
		r.state = nil
	}
}

// update lists the named watchers on this instance, and shows the list to all clients if
// it has changed. It reports whether the state is still in use.
func (r *Roll) update(s *rollState) bool {
	ctx, cancel := context.WithTimeout(r.presence.Workers.Context(), workers.Timeout)
	defer cancel()
	r.mu.Lock()
	if r.state != s {
		r.mu.Unlock()
		return false // it was marked again just before the call that found it blank
	}
	s.due = false
	here, strange := s.attendance()
	r.mu.Unlock()
	found := r.presence.namesOf(ctx, strange)
	r.mu.Lock()
	s.name(here, found)
	s.dropOld(time.Now())
	changed := s.merge()
	r.mu.Unlock()
	if changed {
		r.room.ShowWatchers()
	}
	return true
}

// namesOf returns the names of these players, empty for a guest and for a hidden player.
// Players who are deleted, or who cannot be read now, are left out.
func (p *Presence) namesOf(ctx context.Context, players []string) map[string]string {
	found := map[string]string{}
	for _, id := range players {
		who, err := p.People.Player(ctx, id)
		if err != nil {
			continue
		}
		if found[id] = ""; who.Guest() {
			continue
		}
		prefs, err := p.People.Prefs(ctx, id)
		switch {
		case err != nil:
			delete(found, id) // the next run finds out
		case !hidden(prefs):
			found[id] = who.Name
		}
	}
	return found
}

// name chooses the named watchers among those who are here.
func (s *rollState) name(here []string, found map[string]string) {
	known := map[string]string{}
	var named, names []string
	for _, id := range here {
		name, ok := s.known[id]
		if !ok {
			if name, ok = found[id]; !ok {
				continue
			}
		}
		known[id] = name
		if name != "" && len(named) < maxNamed {
			named, names = append(named, id), append(names, name)
		}
	}
	if len(known) >= maxRolled { // make place so that the next run considers others
		maps.DeleteFunc(known, func(_, name string) bool { return name == "" })
	}
	slices.Sort(names)
	s.known, s.named, s.own = known, named, names
}

// dropOld removes the lists of instances that were silent at the last update, when
// all others sent theirs.
func (s *rollState) dropOld(now time.Time) {
	maps.DeleteFunc(s.others, func(_ string, o rollCall) bool { return o.at.Before(s.called.Add(-rollLag)) })
	s.called = now
}

// merge makes the list of all instances, and reports whether it has changed.
func (s *rollState) merge() bool {
	names := slices.Clone(s.own)
	for _, o := range s.others {
		names = append(names, o.names...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if names = names[:min(len(names), maxNamed)]; slices.Equal(names, s.names) {
		return false
	}
	s.names = names
	return true
}

// Hear stores the list of another instance. It may be called with the room's feed
// locked.
func (r *Roll) Hear(body []byte) {
	var said rollSaid
	if err := json.Unmarshal(body, &said); err != nil {
		lobby.Warn(r.presence.Log, "presence: watcher list of another instance not decoded", err, "room", r.room.Room())
		return
	}
	r.mu.Lock()
	s := r.ensure()
	if s.others == nil {
		s.others = map[string]rollCall{}
	}
	s.others[said.From] = rollCall{said.Names[:min(len(said.Names), maxNamed)], time.Now()}
	changed := s.merge()
	r.mu.Unlock()
	if changed {
		r.room.ShowWatchers()
	}
}

// attendance returns the watchers to consider for the list: known ones first, then
// some unknown ones, which strange also lists. At most maxRolled watchers are
// considered.
func (s *rollState) attendance() (here, strange []string) {
	for _, id := range slices.Concat(s.named, slices.Sorted(maps.Keys(s.known))) {
		if s.here[id] > 0 && !slices.Contains(here, id) {
			here = append(here, id)
		}
	}
	for id := range s.here {
		if len(here) >= maxRolled || len(strange) == maxAsked {
			break
		}
		if _, ok := s.known[id]; !ok {
			here, strange = append(here, id), append(strange, id)
		}
	}
	return here, strange
}
