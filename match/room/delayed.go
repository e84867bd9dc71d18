package room

import (
	"context"
	"fmt"
	"time"

	"mancala/match/machine"
)

// late is what watchers are shown of a room whose machine is a [machine.Delayed]
// with a delay: a second machine that lags behind, and its own feed. Whoever is
// no player is served from here and has no way to see the present: by socket, as
// a page or picture, or as entries read back. Players never wait for it, and a
// room without a delay has none.
type delayed struct {
	delay   time.Duration
	machine machine.Machine // of the room's goroutine
	feed    feed            // who follows is in the room's own feed
	waiting []*Published    // what has happened since, oldest first
}

// delayOf is by how much watchers of a machine lag behind from now on.
func delayOf(m machine.Machine) time.Duration {
	if l, ok := m.(machine.Delayed); ok {
		return l.Delay()
	}
	return 0
}

// public is the feed that watchers are served from. It is another one as soon as
// a delay begins: who has locked it looks again.
func (r *Room) public() *feed {
	if l := r.delayed.Load(); l != nil {
		return &l.feed
	}
	return &r.feed
}

// feedOf is the feed that somebody is served from.
func (r *Room) feedOf(player string) *feed {
	if r.roster.Load().Audience(player) != machine.Watchers {
		return &r.feed
	}
	return r.public()
}

// seenBy is the machine that answers somebody's questions, and up to where it is.
func (r *Room) seenBy(player string) (machine.Machine, uint64) {
	if l := r.delayed.Load(); l != nil && r.feed.roster.Audience(player) == machine.Watchers {
		return l.machine, l.feed.seq
	}
	return r.machine, r.seq
}

// behind gives a room as watchers see it at now: the entries that they may know
// folded into a machine, the others waiting; nil if watchers see everything.
func (reg *Registry) behind(ctx context.Context, id, kind string, enc encoder, now int64) (*delayed, error) {
	m, broken := reg.machine(id, kind)
	if broken != nil {
		return nil, fmt.Errorf("room: %s: %w (%w)", id, ErrQuarantined, broken)
	}
	entries, err := reg.entries(ctx, id, enc, 0, 0)
	if err != nil {
		return nil, err
	}
	l := &delayed{machine: m}
	for i, p := range entries {
		if l.delay = delayOf(m); l.delay > 0 && p.Entry.At+l.delay.Milliseconds() > now {
			l.waiting = entries[i:]
			for _, p := range l.waiting {
				p.held = true
			}
			return l, nil
		}
		if apply(m, p.Entry) != nil {
			break // the room itself is in quarantine: this is as far as it can be read
		}
		l.feed.remember(p)
	}
	if l.delay = delayOf(m); l.delay == 0 {
		return nil, nil
	}
	return l, nil
}

// begins says whether the watchers are to lag behind from now on.
func (r *Room) begins() bool { return delayOf(r.machine) > 0 && r.delayed.Load() == nil }

// fallBehind makes the late machine.
func (r *Room) fallBehind() error {
	ctx, cancel := context.WithTimeout(r.registry.ctx, loadTimeout)
	defer cancel()
	l, err := r.registry.behind(ctx, r.id, r.kind, r, r.now())
	if err != nil {
		return err
	}
	if l != nil {
		l.feed.roster, l.feed.standing = r.feed.roster, nil
		r.delayed.Store(l)
	}
	return nil
}

// hold keeps an entry back from the watchers, if they lag behind.
func (r *Room) hold(p *Published) {
	if l := r.delayed.Load(); l != nil {
		p.held = true
		l.waiting = append(l.waiting, p)
	}
}

// letSee shows the watchers what they may see by now, and says when there will
// be more.
func (r *Room) showDelayed() time.Time {
	l := r.delayed.Load()
	if l == nil {
		return time.Time{}
	}
	for len(l.waiting) > 0 {
		p := l.waiting[0]
		if at := p.Entry.At + l.delay.Milliseconds(); at > r.now() {
			return r.anchor.at(msTime(at))
		}
		var err error
		if broke := r.guard("apply late", func() { err = l.machine.Apply(p.Entry) }); broke != nil || err != nil {
			r.quarantine(fmt.Errorf("apply entry %d late: %w", p.Seq, err))
			l.waiting = nil
			break
		}
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
		r.show(l, &Published{Seq: p.Seq, Entry: p.Entry, Roster: r.feed.roster, encoder: r, late: true})
	}
	return time.Time{}
}

// show is [feed.put] for what comes late.
func (r *Room) show(l *delayed, p *Published) {
	r.quiet.busy = true
	list := r.followings() // nobody is added meanwhile: that needs this goroutine
	l.feed.mu.Lock()
	defer l.feed.mu.Unlock()
	l.feed.remember(p)
	told := false
	for _, g := range list {
		if !g.closed.Load() {
			g.follower.Entry(p)
			told = true
		}
	}
	if !told {
		r.unseen = true
	}
}

// lags says whether watchers have not seen all yet.
func (r *Room) delays() bool {
	l := r.delayed.Load()
	return l != nil && len(l.waiting) > 0
}
