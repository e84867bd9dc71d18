package live

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/workers"
	"mancala/match/room"
	"mancala/web/socket"
)

const (
	maxNamed  = 20  // watchers who are named
	maxRolled = 200 // watchers who are known for it
	maxAsked  = 20  // of them whom we do not know yet, in one turn
)

// roll is who watches, as far as it is told: people with accounts, by name. Who is
// named stays so while he watches: the list of a full house does not change all the
// time.
type roll struct {
	here    map[string]int    // sockets of those who watch and have an identity; nil: nobody
	known   map[string]string // of some of them: the name of an account, or nothing
	named   []string          // of these, by ID
	own     []string          // and theirs
	others  map[string]rollCall
	called  time.Time // the last time
	names   []string  // of those who are here and elsewhere, as they were told
	calling bool
}

// blank says whether nobody watches, as far as we know and have told.
func (r *roll) blank() bool {
	return len(r.here)+len(r.known)+len(r.others)+len(r.names) == 0 && !r.calling
}

// watch is the roll, made if need be: most rooms that are played in have none. mu is
// held.
func (h *hub) watch() *roll {
	if h.roll == nil {
		h.roll = new(roll)
	}
	return h.roll
}

// rollCall is who is named on another instance.
type rollCall struct {
	names []string
	at    time.Time
}

// rollSaid is how it says so, whenever the number of watchers has changed.
type rollSaid struct {
	From  string   `json:"from"`
	Names []string `json:"names"`
}

const (
	noteRoll = "roll"          // from the hub of one instance to those of others
	rollLag  = 2 * time.Second // by which they may hear of a change at different times
)

type watchingFrame struct {
	T     string   `json:"t"`
	Room  string   `json:"room"`
	Kind  string   `json:"kind"`
	Count int      `json:"count"`
	Who   []string `json:"who"`
}

// counted takes in how many watch, which a room says once a second at most, and
// has those named who have accounts.
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

// callRoll names those who watch now, here and to other instances. The room may say
// that their number has changed before the hub knows that it follows.
func (h *hub) callRoll() {
	if <-h.ready.Done(); h.err != nil {
		return
	}
	names := h.nameWatchers()
	if body, err := json.Marshal(rollSaid{h.server.Presence.Self(), names}); err == nil {
		h.following.Spread(noteRoll, body)
	}
}

// nameWatchers names those who watch on this instance, and tells everybody if they are
// others.
func (h *hub) nameWatchers() (names []string) {
	ctx, cancel := context.WithTimeout(h.server.Workers.Context(), workers.Timeout)
	defer cancel()
	here, strange := h.attendance()
	found := map[string]string{}
	for _, id := range strange {
		p, err := h.server.People.Player(ctx, id)
		if err != nil {
			continue // who is no more, or not known now
		}
		if found[id] = ""; !p.Guest() {
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
	if len(known) >= maxRolled { // next time others are looked at
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

// dropOld forgets what instances have said that were silent when all others called the
// roll the last time.
func (r *roll) dropOld(now time.Time) {
	maps.DeleteFunc(r.others, func(_ string, o rollCall) bool { return o.at.Before(r.called.Add(-rollLag)) })
	r.called = now
}

// showRoll tells everybody who watches, if it is others. mu is held.
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

// hearRoll takes in who is named on another instance. It is called with the feed
// locked.
func (h *hub) hearRoll(body []byte) {
	var said rollSaid
	if err := json.Unmarshal(body, &said); err != nil {
		lobby.Warn(h.server.Log, "web: who watches elsewhere cannot be read", err, "room", h.id)
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

// attendance lists who watches, those first whom we know, and of the others some who
// are to be known. However many watch, a few hundred are looked at.
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

// watches counts the sockets of who watches. mu is held.
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

// rollFrame says who watches. mu is held.
func (h *hub) rollFrame() socket.Frame {
	return message(watchingFrame{"note", h.id, room.NoteWatching, h.watching, append([]string{}, h.watch().names...)})
}

// tellRoll tells somebody who comes who is named.
func (h *hub) tellRoll(s *sub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.watch().names) > 0 {
		s.session.send(h.rollFrame())
	}
}
