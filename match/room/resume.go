package room

import (
	"context"

	"mancala/match/machine"
)

const (
	// readBack is how many entries a resume reads from the journal at most. With
	// more a snapshot is shorter.
	readBack = 64
	// entryShown is about the smallest size of an entry's public form. Missed
	// entries that take more than a snapshot need not be read.
	entryShown = 64
)

// Resume brings one socket up to date in one round trip: it returns what the player missed
// after since (0: the socket knows nothing), as entries, or as a snapshot if that is shorter
// or the only way.
//
// attach is called once, before Resume returns nil, and atomically with regard
// to publication: every entry up to r.Seq has been handed to the follower, none
// after it has. It must return at once and, like the methods of [Follower], not
// call the room. It may be called by another goroutine.
//
// Watchers are served by the calling goroutine from the feed or the journal,
// players by the room's, since their private part needs the machine. The calling
// goroutine reads the journal in either case; the room's goroutine never does so
// for a follower.
//
// A client is never sent a state older than one it has already seen. So a since
// beyond the room's last entry makes Resume read the journal: another instance may
// have written that entry. If the journal does not have it either, the answer is a
// snapshot, and trust remembers the false claim: the socket's next one in this room
// gets a snapshot without a read. Without a trust every such claim does.
//
// For a minute after the journal has lost entries that followers here may know, the
// answer is a snapshot: the numbers of the lost entries may be those of others now.
func (f *Following) Resume(ctx context.Context, player string, since uint64, trust *Trust, attach func(r *Resume)) error {
	var older []*Published // read from the journal: the entries after since, up to where the tail may begin
	asked := false         // the journal, for entries that the room does not know
	if err := f.room.readWhenWoken(ctx); err != nil {
		return err
	}
	if f.room.registry.isRewound(f.room.id) {
		since = 0 // the socket may know other entries with these numbers
	}
	for {
		c := catchUp{following: f, player: player, since: since, older: older, attach: attach}
		r := f.room
		feed := r.feedOf(player)
		feed.mu.Lock()
		if feed.over != nil || f.closed.Load() {
			feed.mu.Unlock()
			return ErrMoved
		}
		if feed != r.feedOf(player) { // watchers have begun to lag behind
			feed.mu.Unlock()
			continue
		}
		if since > feed.seq && feed == &r.feed && !r.ephemeral() {
			if asked {
				trust.lose(r.id)
			} else if trust.in(r.id) {
				feed.mu.Unlock()
				if err := r.readAhead(ctx); err != nil {
					return err
				}
				asked = true
				continue
			}
		}
		if from, to := feed.missing(c.reached()); to > from && feed.worth(since) {
			feed.mu.Unlock()
			read, err := r.readBack(ctx, from, int(to-from))
			if err != nil || len(read) == 0 {
				since, older = 0, nil // then a snapshot
			} else {
				older = append(older, read...)
			}
			continue
		}
		if feed.roster.Audience(player) != machine.Watchers {
			feed.mu.Unlock()
			return r.callForSeat(ctx, c.asSeat)
		}
		if c.asWatcher(feed) {
			feed.mu.Unlock()
			return nil
		}
		if feed.blank {
			feed.mu.Unlock()
			return ErrQuarantined
		}
		made := feed.want()
		feed.mu.Unlock()
		r.nudge()
		select {
		case <-made:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// missing returns which entries after since are neither known nor in the tail: those
// after from, up to to.
func (f *feed) missing(since uint64) (from, to uint64) {
	if since+1 >= f.first() || since > f.seq {
		return 0, 0
	}
	return since, f.first() - 1
}

// worth reports whether what was missed after since may be shorter than a snapshot.
func (f *feed) worth(since uint64) bool {
	if since == 0 || since > f.seq {
		return false
	}
	missed := f.seq - since
	if f.snapSize == 0 {
		return missed <= tailEntries
	}
	return missed <= readBack && missed*entryShown <= uint64(f.snapSize)+2*entryShown
}

// catchUp is one attempt to bring a socket up to date. Its methods run with the
// feed locked.
type catchUp struct {
	following *Following
	player    string
	since     uint64
	older     []*Published
	attach    func(*Resume)
}

// reached is the last sequence that the socket will know from older.
func (c *catchUp) reached() uint64 { return c.since + uint64(len(c.older)) }

// entries returns everything that was missed, if it is complete and not longer than a
// snapshot.
func (c *catchUp) entries(f *feed, a machine.Audience) ([]*Published, bool) {
	tail, ok := f.after(c.reached())
	if c.since == 0 || !ok {
		return nil, false
	}
	missed := append(c.older[:len(c.older):len(c.older)], tail...)
	size := 0
	for _, p := range missed {
		size += len(p.Public(a))
		if f.snapSize > 0 && size > f.snapSize {
			return nil, false
		}
	}
	return missed, true
}

// asWatcher serves a watcher. It returns false if a new snapshot must be made first.
func (c *catchUp) asWatcher(f *feed) bool {
	r := &Resume{Seq: f.seq, Audience: machine.Watchers, Roster: f.roster, From: c.since, Notes: f.sticky}
	if l := c.following.room.delayed.Load(); l != nil {
		r.Delay = l.delay
	}
	var ok bool
	if r.Missed, ok = c.entries(f, machine.Watchers); !ok {
		if f.snap == nil {
			return false
		}
		// An older snapshot will do, with the entries after it.
		r.Snapshot, r.From = f.snap, f.snapSeq
		if r.Missed, ok = f.after(f.snapSeq); !ok {
			return false
		}
		r.Missed = append([]*Published(nil), r.Missed...)
	}
	c.serve(r)
	return true
}

// asSeat serves a player. It runs on the room's goroutine, with the feed unlocked.
func (c *catchUp) asSeat(r *Room) error {
	a := r.feed.roster.Audience(c.player) // only this goroutine writes it
	res := &Resume{Seq: r.seq, Audience: a, Roster: r.feed.roster, From: c.since}
	err := r.guard("snapshot", func() {
		r.feed.mu.Lock()
		missed, ok := c.entries(&r.feed, a)
		r.feed.mu.Unlock()
		if res.Missed = missed; !ok {
			res.Snapshot, res.From = r.machine.Snapshot(a), r.seq
		}
		if a.IsSeat() {
			res.Private = r.machine.AppendPrivate(nil, a)
			if m, ok := r.machine.(machine.Checksummed); ok {
				res.Sum = m.Sum()
			}
		}
	})
	if err != nil {
		return err
	}
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	res.Notes = r.feed.sticky
	if res.Snapshot != nil {
		r.feed.snapSize = len(res.Snapshot)
	}
	if c.following.closed.Load() {
		return ErrMoved
	}
	c.serve(res)
	return nil
}

// serve hands the result over, with the feed locked.
func (c *catchUp) serve(r *Resume) {
	r.Now = c.following.room.anchor.Load().now()
	c.following.room.registry.watch.resumed(r)
	c.attach(r)
}

// makeSnapshots makes the snapshots that watchers wait for.
func (r *Room) makeSnapshots() {
	r.makeSnapshot(&r.feed, r.machine)
	if l := r.delayed.Load(); l != nil {
		r.makeSnapshot(&l.feed, l.machine)
	}
}

// makeSnapshot makes a snapshot of the state that a feed has reached.
func (r *Room) makeSnapshot(f *feed, m machine.Machine) {
	f.mu.Lock()
	wanted := f.wanted
	f.mu.Unlock()
	if wanted == nil {
		return
	}
	r.quiet.busy = true
	var data []byte
	broken := r.guard("snapshot", func() { data = m.Snapshot(machine.Watchers) })
	f.mu.Lock()
	defer f.mu.Unlock()
	if broken != nil || data == nil {
		f.blank = true
	} else {
		f.snap, f.snapSeq, f.snapSize = data, f.seq, len(data)
	}
	close(wanted)
	f.wanted = nil
}
