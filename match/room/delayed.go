package room

import (
	"context"
	"fmt"
	"time"

	"mancala/match/machine"
)

// delayed is what watchers are shown of a room whose machine is a [machine.Delayed]: a
// second machine that lags behind, with its own feed. Watchers are served from it
// alone, by socket, as a page or picture, or as entries read back, and have no way to
// see the present. Players never wait for it, and a room without a delay has none.
type delayed struct {
	delay   time.Duration
	machine machine.Machine // of the room's goroutine
	feed    feed            // without followers: they are in the room's own feed
	waiting []*Published    // what has happened since, oldest first
}

// delayOf returns by how much watchers of a machine lag behind from now on.
func delayOf(m machine.Machine) time.Duration {
	if l, ok := m.(machine.Delayed); ok {
		return l.Delay()
	}
	return 0
}

// public returns the feed that watchers are served from. That is another one as soon as
// a delay begins: a reader that has locked it looks again.
func (r *Room) public() *feed {
	if l := r.delayed.Load(); l != nil {
		return &l.feed
	}
	return &r.feed
}

// feedOf returns the feed that a person is served from.
func (r *Room) feedOf(player string) *feed {
	if r.roster.Load().Audience(player) != machine.Watchers {
		return &r.feed
	}
	return r.public()
}

// seenBy returns the machine that answers a person's questions, and the sequence that
// it has reached.
func (r *Room) seenBy(player string) (machine.Machine, uint64) {
	if l := r.delayed.Load(); l != nil && r.feed.roster.Audience(player) == machine.Watchers {
		return l.machine, l.feed.seq
	}
	return r.machine, r.seq
}

// delayedAt returns a room as watchers see it at now: the entries that they may know,
// folded into a machine, and the other entries, waiting. It returns nil if watchers see
// everything. entries is how many the room has at least.
func (reg *Registry) delayedAt(ctx context.Context, id, kind string, enc encoder, entries uint64, now int64) (*delayed, error) {
	if c := reg.checkpoint(ctx, id, kind, entries); c != nil && c.At+delayOf(c.machine).Milliseconds() <= now {
		l := &delayed{machine: c.machine}
		l.feed.seq = c.Seq
		if applied, err := reg.fillDelayed(ctx, id, enc, l, now); err != nil || applied {
			return l.ifDelayed(), err
		}
	}
	m, broken := reg.machine(id, kind)
	if broken != nil {
		return nil, fmt.Errorf("room: %s: %w (%w)", id, ErrQuarantined, broken)
	}
	l := &delayed{machine: m}
	if _, err := reg.fillDelayed(ctx, id, enc, l, now); err != nil {
		return nil, err
	}
	return l.ifDelayed(), nil
}

// ifDelayed returns l, or nil if watchers do not lag behind.
func (l *delayed) ifDelayed() *delayed {
	if l.delay == 0 {
		return nil
	}
	return l
}

// fillDelayed reads the entries after those that l has. It returns false if one of them
// cannot be applied: the room itself is in quarantine, and this is as far as it can be read.
func (reg *Registry) fillDelayed(ctx context.Context, id string, enc encoder, l *delayed, now int64) (applied bool, err error) {
	entries, err := reg.entries(ctx, id, enc, l.feed.seq, 0)
	if err != nil {
		return false, err
	}
	for i, p := range entries {
		if l.delay = delayOf(l.machine); l.delay > 0 && p.Entry.At+l.delay.Milliseconds() > now {
			l.waiting = entries[i:]
			for _, p := range l.waiting {
				p.held = true
			}
			return true, nil
		}
		if apply(l.machine, p.Entry) != nil {
			l.delay = delayOf(l.machine)
			return false, nil
		}
		l.feed.remember(p)
	}
	l.delay = delayOf(l.machine)
	return true, nil
}

// startsDelay reports whether the watchers lag behind from now on.
func (r *Room) startsDelay() bool { return delayOf(r.machine) > 0 && r.delayed.Load() == nil }

// startDelay makes the delayed machine.
func (r *Room) startDelay() error {
	ctx, cancel := context.WithTimeout(r.registry.ctx, loadTimeout)
	defer cancel()
	l, err := r.registry.delayedAt(ctx, r.id, r.kind, r, r.seq, r.now())
	if err != nil {
		return err
	}
	if l != nil {
		l.feed.roster = r.feed.roster
		for _, n := range r.feed.sticky { // only this goroutine writes it
			if n.By == "" { // see [Room.passNote]
				l.feed.keepSticky(n)
			}
		}
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

// showDelayed shows the watchers the entries that they may see by now. It returns when
// there will be more.
func (r *Room) showDelayed() time.Time {
	l := r.delayed.Load()
	if l == nil {
		return time.Time{}
	}
	for len(l.waiting) > 0 {
		p := l.waiting[0]
		if at := p.Entry.At + l.delay.Milliseconds(); at > r.now() {
			return r.anchor.Load().at(msTime(at))
		}
		var newState bool
		var err error
		if broke := r.guard("apply late", func() { newState, err = applyStaged(l.machine, p.Entry) }); broke != nil || err != nil {
			r.quarantine(fmt.Errorf("apply entry %d late: %w", p.Seq, err))
			l.waiting = nil
			break
		}
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
		r.show(l, &Published{Seq: p.Seq, Entry: p.Entry, Roster: r.feed.roster, NewState: newState, encoder: r, late: true})
	}
	return time.Time{}
}

// show is [feed.put] for a delayed entry.
func (r *Room) show(l *delayed, p *Published) {
	r.quiet.busy = true
	list := r.followings() // no follower is added meanwhile: that needs this goroutine
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

// delays reports whether there are entries that watchers have not seen yet.
func (r *Room) delays() bool {
	l := r.delayed.Load()
	return l != nil && len(l.waiting) > 0
}
