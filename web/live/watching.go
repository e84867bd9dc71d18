package live

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/presence"
	"mancala/lobby/workers"
	"mancala/match/room"
	"mancala/web/socket"
)

const (
	maxNamed  = 20  // watchers in the list of names
	maxRolled = 200 // watchers considered for the list
	maxAsked  = 20  // unknown watchers that are looked up in one run
)

// roll is the list of named watchers: players with accounts, except hidden ones. A named
// watcher stays in the list while they watch. So the list of a crowded room does not change
// all the time.
type roll struct {
	here    map[string]int    // number of sockets of each watcher with an identity; nil if there are none
	known   map[string]string // some watchers' names; empty for a guest and for a hidden player
	named   []string          // the watchers of this instance in the list, by ID
	own     []string          // their names
	others  map[string]rollCall
	called  time.Time // when the list was last made
	names   []string  // the watchers of all instances, as last sent
	calling bool
}

// blank reports whether the roll is empty: there are no watchers, and the last list
// that was sent is empty.
func (r *roll) blank() bool {
	return len(r.here)+len(r.known)+len(r.others)+len(r.names) == 0 && !r.calling
}

// watch returns the roll, and makes it if needed. Most rooms have none. Called with
// mu held.
func (h *hub) watch() *roll {
	if h.roll == nil {
		h.roll = new(roll)
	}
	return h.roll
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
	noteRoll = "roll"          // from one instance's hub to the others
	rollLag  = 2 * time.Second // instances may learn of a change this far apart
)

type watchingFrame struct {
	T     string   `json:"t"`
	Room  string   `json:"room"`
	Kind  string   `json:"kind"`
	Count int      `json:"count"`
	Who   []string `json:"who"`
}

// counted stores the number of watchers, which a room sends at most once a second.
// It also updates the list of names.
func (h *hub) counted(n room.Note) {
	var body struct {
		Count int `json:"count"`
	}
	if json.Unmarshal(n.Body, &body) != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watching = body.Count
	if !h.watch().calling {
		h.watch().calling = h.server.Workers.Start(h.callRoll)
	}
}

// callRoll updates the list of names and sends it to the other instances. The room
// may report a new number of watchers before the hub knows that it follows.
func (h *hub) callRoll() {
	if <-h.ready.Done(); h.err != nil {
		return
	}
	names := h.nameWatchers()
	if body, err := json.Marshal(rollSaid{h.server.Presence.Self(), names}); err == nil {
		h.following.Spread(noteRoll, body)
	}
}

// nameWatchers lists the named watchers on this instance. It sends the list to all
// sockets if it has changed.
func (h *hub) nameWatchers() (names []string) {
	ctx, cancel := context.WithTimeout(h.server.Workers.Context(), workers.Timeout)
	defer cancel()
	here, strange := h.attendance()
	found := map[string]string{}
	for _, id := range strange {
		p, err := h.server.People.Player(ctx, id)
		if err != nil {
			continue // the player is deleted, or cannot be read now
		}
		if found[id] = ""; p.Guest() {
			continue
		}
		prefs, err := h.server.People.Prefs(ctx, id)
		switch {
		case err != nil:
			delete(found, id) // the next run finds out
		case !presence.Hidden(prefs):
			found[id] = p.Name
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watch().calling = false
	known := map[string]string{}
	var named []string
	for _, id := range here {
		name, ok := h.watch().known[id]
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
	h.watch().known, h.watch().named, h.watch().own = known, named, names
	h.watch().dropOld(time.Now())
	h.showRoll()
	if h.roll.blank() {
		h.roll = nil
	}
	return names
}

// nameAnew names a watcher, or stops naming them, by their present settings.
func (h *hub) nameAnew(player string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.roll == nil || h.roll.here[player] == 0 {
		return
	}
	delete(h.roll.known, player)
	h.roll.named = slices.DeleteFunc(h.roll.named, func(id string) bool { return id == player })
	if !h.roll.calling {
		h.roll.calling = h.server.Workers.Start(h.callRoll)
	}
}

// dropOld removes the lists of instances that were silent at the last update, when
// all others sent theirs.
func (r *roll) dropOld(now time.Time) {
	maps.DeleteFunc(r.others, func(_ string, o rollCall) bool { return o.at.Before(r.called.Add(-rollLag)) })
	r.called = now
}

// showRoll sends the list of watchers to all sockets if it has changed. Called with
// mu held.
func (h *hub) showRoll() {
	names := slices.Clone(h.watch().own)
	for _, o := range h.watch().others {
		names = append(names, o.names...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if names = names[:min(len(names), maxNamed)]; slices.Equal(names, h.watch().names) {
		return
	}
	h.watch().names = names
	f := h.rollFrame()
	h.toPlayers(f)
	h.toWatchers(f)
}

// hearRoll stores the list of named watchers on another instance. It is called with
// the feed locked.
func (h *hub) hearRoll(body []byte) {
	var said rollSaid
	if err := json.Unmarshal(body, &said); err != nil {
		lobby.Warn(h.server.Log, "web: watcher list of another instance not decoded", err, "room", h.id)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watch().others == nil {
		h.watch().others = map[string]rollCall{}
	}
	h.watch().others[said.From] = rollCall{said.Names[:min(len(said.Names), maxNamed)], time.Now()}
	h.showRoll()
}

// attendance returns the watchers to consider for the list: known ones first, then
// some unknown ones, which strange also lists. At most maxRolled watchers are
// considered.
func (h *hub) attendance() (here, strange []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range slices.Concat(h.watch().named, slices.Sorted(maps.Keys(h.watch().known))) {
		if h.watch().here[id] > 0 && !slices.Contains(here, id) {
			here = append(here, id)
		}
	}
	for id := range h.watch().here {
		if len(here) >= maxRolled || len(strange) == maxAsked {
			break
		}
		if _, ok := h.watch().known[id]; !ok {
			here, strange = append(here, id), append(strange, id)
		}
	}
	return here, strange
}

// watches counts the sockets of a watcher. Called with mu held.
func (r *roll) watches(s *sub, n int) {
	if s.player == "" || strings.HasPrefix(s.player, "?") {
		return
	}
	if r.here == nil {
		r.here = map[string]int{}
	}
	if r.here[s.player] += n; r.here[s.player] <= 0 {
		if delete(r.here, s.player); len(r.here) == 0 {
			r.here = nil
		}
	}
}

// rollFrame returns the frame with the list of watchers. Called with mu held.
func (h *hub) rollFrame() socket.Frame {
	return message(watchingFrame{"note", h.id, room.NoteWatching, h.watching, append([]string{}, h.watch().names...)})
}

// tellRoll sends the list of watchers to a new reader.
func (h *hub) tellRoll(s *sub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.watch().names) > 0 {
		s.session.send(h.rollFrame())
	}
}
