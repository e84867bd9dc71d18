package room

import (
	"slices"
	"time"
)

// peerFor is how long another instance counts as a follower after it has said so.
const peerFor = 30 * time.Second

// Silent says that nothing has come from another instance since then. Perhaps it has
// died, which will be found out; perhaps messages are lost. What we follow there must
// be looked for, and who plays there is not to lose by it.
func (reg *Registry) Silent(from string, since time.Time) {
	reg.eachRoom(func(r *Room) {
		if r.replica != nil {
			r.replica.lose(r, from)
			return
		}
		r.markPeer(from, since)
	})
}

// Audible says that something comes from an instance again that was silent.
func (reg *Registry) Audible(from string) {
	reg.eachRoom(func(r *Room) {
		if r.replica == nil {
			r.markPeer(from, time.Time{})
		}
	})
}

func (r *Room) markPeer(from string, lost time.Time) {
	r.run(func(r *Room) {
		if p := r.peers[from]; p != nil {
			p.lost = lost
		}
	})
}

// cutOff says since when a player cannot be reached who was connected to an instance
// that has fallen silent; zero if all can. As far as we know he still is, and cannot
// move: so nothing is decided until we hear of him, until that instance turns out to
// be dead, or has not followed for so long that he counts as gone.
func (r *Room) cutOff() (since time.Time) {
	for _, p := range r.peers {
		if p.lost.IsZero() {
			continue
		}
		for i := range r.people {
			if id := r.people[i].player; p.tie.here(id) && !r.reaches(id) {
				since = earlier(since, p.lost)
			}
		}
	}
	return since
}

// reaches says whether somebody is connected where we are heard.
func (r *Room) reaches(player string) bool {
	return slices.ContainsFunc(r.followings(), func(f *Following) bool {
		p, remote := f.follower.(*peer)
		return f.here(player) && !(remote && !p.lost.IsZero())
	})
}

// dropSilent forgets followers who have not said for long that they still are, and
// says when to look again. While it is we who hear nothing, none is forgotten.
func (r *Room) dropSilent(now time.Time) (next time.Time) {
	deaf := !r.registry.link.Healthy()
	for name, p := range r.peers {
		if deaf {
			p.heard = now
		}
		if at := p.heard.Add(peerFor); now.Before(at) {
			next = earlier(next, at)
		} else {
			r.dismiss(name)
		}
	}
	return next
}
