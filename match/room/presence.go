package room

import (
	"encoding/json"
	"slices"
	"time"

	"mancala/match/machine"
)

const (
	noteAfter = 3 * time.Second  // without a socket: the followers are told
	goneAfter = 10 * time.Second // without a socket before the machine is told
)

func (c *crowd) changed(r *Room) {
	if !c.dirty.Swap(true) {
		r.nudge()
	}
}

// seatPeople fits the list of people to the roster. New players are taken to be here.
// After a load it is unknown what the machine was told.
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

// lookAround compares the people who are here with those who were. It reports whether a
// player came or went, and whether the number of watchers has changed. Decisions that wait for a
// time are made in [owner.presence].
func (r *Room) lookAround(now time.Time) (looked, counted bool) {
	if !r.crowd.dirty.Swap(false) {
		return false, false
	}
	list := r.followings()
	r.followed = len(list)
	for i := range r.people {
		p := &r.people[i]
		p.near = slices.ContainsFunc(list, func(f *Following) bool { return !f.remote && f.here(p.player) })
		here := p.near || slices.ContainsFunc(list, func(f *Following) bool { return f.remote && f.here(p.player) })
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

// presence tells followers and machine what is due about people. It returns when it
// will be next.
func (o *owner) presence(now time.Time) (next time.Time) {
	r := o.room
	for i := 0; i < len(r.people); i++ { // a command below may change the list
		p := &r.people[i]
		if p.bot {
			continue
		}
		if p.here && p.told != toldBack {
			if until, waits := o.backBy(p); waits && (until.IsZero() || until.After(now)) {
				p.owed = true
				next = earlier(next, until)
				continue
			}
		}
		// A player who leaves before the machine knows of them was here. So the machine is told first that they
		// came, and later that they are gone. It is told nothing of a player whose instance was lost: they come
		// back through another one.
		if p.here || p.owed {
			left := !p.here
			p.owed = false
			if id := p.player; p.told != toldBack && !(left && o.stranded) && o.tell(machine.KindBack, id) {
				o.noteTold(id, toldBack)
			}
			if left {
				next = earlier(next, now)
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
			if at := p.since.Add(o.patience(p)); at.After(now) {
				next = earlier(next, at)
			} else if id := p.player; o.tell(machine.KindGone, id) {
				o.noteTold(id, toldGone)
			}
		}
	}
	return next
}

// backBy returns until when the machine need not know that a player is here, and false if it must know now.
func (o *owner) backBy(p *person) (until time.Time, waits bool) {
	m, ok := o.room.machine.(machine.DefersArrivals)
	if !ok || o.stranded {
		return until, false
	}
	if until, waits = m.ArrivalDue(p.player); !until.IsZero() {
		until = o.room.anchor.Load().at(until)
	}
	return until, waits
}

// patience returns for how long a player may be without a socket until they count as
// gone. A player whose page is still loading has the usual time.
func (o *owner) patience(p *person) time.Duration {
	if m, ok := o.room.machine.(machine.PresenceTimeout); ok && p.came {
		return m.PresenceTimeout()
	}
	return goneAfter
}

func (o *owner) noteTold(player string, what told) {
	r := o.room
	for i := range r.people {
		if r.people[i].player == player {
			r.people[i].told = what
		}
	}
}

// tell sends a command about a player. It returns false if the room is cut off, which
// means: tell it again later.
func (o *owner) tell(kind, player string) bool {
	if o.room.mode() != deciding {
		return false
	}
	o.execute(machine.Command{ID: kind, Kind: kind, By: player}, true)
	return !o.isCutOff()
}

// settled reports whether nothing about people is pending.
func (o *owner) settled() bool {
	r := o.room
	for i := range r.people {
		if p := &r.people[i]; !p.bot && (p.here || p.told != toldGone) {
			return false
		}
	}
	return true
}

// crowdHere returns the people who are connected here: the players by ID, and the number of
// watchers.
func (r *Room) crowdHere() (players []string, watchers int) {
	for i := range r.people {
		if r.people[i].near {
			players = append(players, r.people[i].player)
		}
	}
	return players, r.watching
}

// addFollowing runs on the room's goroutine, so that no room falls asleep with a
// follower that has just come.
func (r *Room) addFollowing(g *Following) {
	r.feed.mu.Lock()
	r.feed.following = append(slices.Clip(r.feed.following), g) // readers hold on to the old slice
	r.feed.mu.Unlock()
	r.crowd.dirty.Store(true)
}

// followings drops the followers that have closed and returns the others. The slice is
// the goroutine's to read until the next call.
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
