package room

import (
	"slices"
	"time"
)

// peerFor is for how long an instance counts as a follower after it has followed.
const peerFor = 30 * time.Second

// markPeer notes since when an instance is silent; zero if it is not.
func (r *Room) markPeer(from string, lost time.Time) {
	r.callLater(func(r *Room) {
		if p := r.peers[from]; p != nil {
			p.lost = lost
		}
	})
}

// unreachable returns since when a player cannot be reached who is connected to an
// instance that has fallen silent; zero if all players can be reached. As far as we know
// that player is still connected and cannot move. So nothing is decided until we hear of
// the player again, until that instance turns out to be dead, or until it has not
// followed for so long that the player counts as gone.
func (r *Room) unreachable() (since time.Time) {
	if len(r.peers) == 0 {
		return since // as after nearly every command
	}
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

// reaches reports whether a player is connected to an instance that is not silent.
func (r *Room) reaches(player string) bool {
	return slices.ContainsFunc(r.followings(), func(f *Following) bool {
		p, remote := f.follower.(*peer)
		return f.here(player) && !(remote && !p.lost.IsZero())
	})
}

// dropSilent dismisses the instances that have not followed for a while, and returns when
// to look again. It dismisses none while this instance hears nothing.
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
