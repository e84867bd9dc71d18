package room

import (
	"encoding/json"
	"slices"
	"sync/atomic"
	"time"

	"mancala/match/machine"
)

const (
	noteAfter = 3 * time.Second  // without a socket: followers are told
	goneAfter = 10 * time.Second // without a socket: the machine is told
)

// crowd coalesces "somebody came or went": however many do, the room's
// goroutine is woken once until it has looked.
type crowd struct {
	dirty atomic.Bool
}

func (c *crowd) changed(r *Room) {
	if !c.dirty.Swap(true) {
		r.nudge()
	}
}

// person is what the room knows of the presence of one of its players. It is
// not journaled; only what follows from it is.
type person struct {
	player string
	bot    bool // nobody looks for a socket of his
	here   bool
	near   bool      // has a socket on this instance
	came   bool      // has been here since this owner knows him
	noted  bool      // followers have been told of the absence
	told   told      // what the machine has been told last
	since  time.Time // of the absence
}

type told int8

const (
	toldBack    told = iota // present, as far as the machine knows
	toldGone                // gone
	toldUnknown             // what an owner before us said: to be said once more
)

// seatPeople fits the list of people to the roster. Those who are new are
// thought to be here; after a load nobody knows what the machine was told.
func (r *Room) seatPeople(start told) {
	roster := r.feed.roster
	if len(r.people) == len(roster.players) && slices.EqualFunc(r.people, roster.players, func(p person, id string) bool { return p.player == id }) {
		return
	}
	old := r.people
	r.people = make([]person, len(roster.players))
	now := time.Now()
	for i, id := range roster.players {
		r.people[i] = person{player: id, told: start, since: now}
		if m, ok := r.machine.(machine.HasBots); ok && m.IsBot(id) {
			r.people[i].bot = true
		}
	}
	for _, p := range old {
		if i := roster.find(p.player); i >= 0 {
			r.people[i] = p
		}
	}
	r.crowd.dirty.Store(true)
}

// lookAround compares the people who are here with those who were. It reports whether
// anybody came or went, and whether the number of watchers has changed. It takes no
// decision that must wait; those are presence's.
func (r *Room) lookAround(now time.Time) (looked, counted bool) {
	if !r.crowd.dirty.Swap(false) {
		return false, false
	}
	list := r.followings()
	r.followed = len(list)
	for i := range r.people {
		p := &r.people[i]
		p.near = slices.ContainsFunc(list, func(f *Following) bool { return !f.remote && f.here(p.player) })
		here := p.near || len(r.peers) > 0 && slices.ContainsFunc(list, func(f *Following) bool { return f.here(p.player) })
		switch {
		case here && !p.here && p.noted:
			r.notes.add(presenceNote(p.player, true), 0)
			p.noted = false
		case !here && p.here:
			p.since = now
		}
		p.here = here
		p.came = p.came || here
	}
	n := r.countWatchers(list)
	counted = n != r.watching
	r.watching = n
	return true, counted
}

// presence says what is due about people, and when it will be next.
func (r *Room) presence(now time.Time) (next time.Time) {
	for i := 0; i < len(r.people); i++ { // a command below may change the list
		p := &r.people[i]
		if p.bot {
			continue
		}
		if p.here {
			if id := p.player; p.told != toldBack && r.tell(machine.KindBack, id) {
				r.heard(id, toldBack)
			}
			continue
		}
		if !p.noted {
			if at := p.since.Add(noteAfter); at.After(now) {
				next = earlier(next, at)
			} else {
				r.notes.add(presenceNote(p.player, false), 0)
				p.noted = true
			}
		}
		if p.told != toldGone {
			if at := p.since.Add(r.patience(p)); at.After(now) {
				next = earlier(next, at)
			} else if id := p.player; r.tell(machine.KindGone, id) {
				r.heard(id, toldGone)
			}
		}
	}
	return next
}

// patience is how long somebody may be without a socket until he counts as gone.
// Whose page is still loading has the usual time.
func (r *Room) patience(p *person) time.Duration {
	if m, ok := r.machine.(machine.PresenceTimeout); ok && p.came {
		return m.PresenceTimeout()
	}
	return goneAfter
}

func (r *Room) heard(player string, what told) {
	for i := range r.people {
		if r.people[i].player == player {
			r.people[i].told = what
		}
	}
}

// tell sends a command about a player; false if the journal is away, which
// means: say it again later.
func (r *Room) tell(kind, player string) bool {
	if r.mode() != deciding {
		return false
	}
	r.execute(machine.Command{ID: kind, Kind: kind, By: player}, true)
	return r.outage == nil
}

// settled says whether nothing about people is pending.
func (r *Room) settled() bool {
	for i := range r.people {
		if p := &r.people[i]; !p.bot && (p.here || p.told != toldGone) {
			return false
		}
	}
	return true
}

// crowdHere returns who is connected here: the players by name, the others by number.
func (r *Room) crowdHere() (players []string, watchers int) {
	for i := range r.people {
		if r.people[i].near {
			players = append(players, r.people[i].player)
		}
	}
	return players, r.watching
}

// addFollowing runs on the room's goroutine, so that no room falls asleep with
// a follower who has just come.
func (r *Room) addFollowing(g *Following) {
	r.feed.mu.Lock()
	r.feed.following = append(slices.Clip(r.feed.following), g) // readers hold on to the old slice
	r.feed.mu.Unlock()
	r.crowd.dirty.Store(true)
}

// followings drops those who have closed and gives the rest. The slice is the
// goroutine's to read until the next call.
func (r *Room) followings() []*Following {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	if slices.ContainsFunc(r.feed.following, func(f *Following) bool { return f.closed.Load() }) {
		r.feed.following = slices.DeleteFunc(slices.Clone(r.feed.following), func(f *Following) bool { return f.closed.Load() })
	}
	return r.feed.following
}

func (r *Room) countWatchers(list []*Following) int {
	n := 0
	for _, f := range list {
		f.mu.Lock()
		if f.remote {
			n += f.watchers
			f.mu.Unlock()
			continue
		}
		n += f.people.names()
		for i := range r.people {
			if f.people.of(r.people[i].player) > 0 {
				n--
			}
		}
		f.mu.Unlock()
	}
	return n
}

func presenceNote(player string, here bool) Note {
	body := json.RawMessage(`{"here":false}`)
	if here {
		body = json.RawMessage(`{"here":true}`)
	}
	return Note{Kind: NotePresence, By: player, Body: body, Over: here}
}
