package room

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"mancala/match/journal"
	"mancala/match/lru"
	"mancala/match/machine"
)

// View is a room as one person may see it, for a page or an answer of the API.
type View struct {
	Kind     string
	Seq      uint64 // a socket of this page subscribes since here
	Audience machine.Audience
	Snapshot []byte
	Private  []byte // the seat's, or nil

	Now   int64         // the room's time when this was made, in ms; a running clock is computed from it
	Delay time.Duration // how far this reader lags behind; Now is not delayed
}

// View shows a room. A room that runs here is asked, through its feed if the person
// only watches. One that sleeps is replayed aside and goes on sleeping, so that a
// reader costs no ownership.
func (reg *Registry) View(ctx context.Context, id, player string) (View, error) {
	if there, ok := reg.rooms.Load(id); ok {
		r, err := reg.opened(ctx, there.(*slot))
		if errors.Is(err, errElsewhere) {
			return reg.View(ctx, id, player)
		}
		if err != nil {
			return View{}, err
		}
		var v View
		if err = r.readForPage(ctx); err != nil {
			// The room has ended, or the reader has gone.
		} else if r.roster.Load().Audience(player) == machine.Watchers {
			v, err = r.publicView(ctx)
		} else {
			v, err = result(ctx, r, func(r *Room) (v View, _ error) {
				err := r.guard("view", func() { v = show(r.kind, r.seq, r.machine, r.machine.Audience(player)) })
				v.Now = r.anchor.Load().now()
				return v, err
			})
		}
		if !errors.Is(err, ErrMoved) {
			return v, err
		}
	}
	return reg.lookAside(ctx, id, player)
}

// show makes the view of a room for an audience.
func show(kind string, seq uint64, m machine.Machine, a machine.Audience) View {
	v := View{Kind: kind, Seq: seq, Audience: a, Snapshot: m.Snapshot(a)}
	if a.IsSeat() {
		v.Private = m.AppendPrivate(nil, a)
	}
	return v
}

// Seqs returns how far rooms are, without asking them: the number of the last entry of
// each of these rooms that exists.
func (reg *Registry) Seqs(ctx context.Context, ids []string) (map[string]uint64, error) {
	seqs, err := reg.journal.Seqs(ctx, ids)
	if err != nil {
		return nil, outside("count", strconv.Itoa(len(ids))+" rooms", err)
	}
	return seqs, nil
}

// publicView returns what watchers see now, made once for all of them.
func (r *Room) publicView(ctx context.Context) (View, error) {
	for {
		f := r.public()
		f.mu.Lock()
		if f.over != nil {
			f.mu.Unlock()
			return View{}, ErrMoved
		}
		if f != r.public() {
			f.mu.Unlock()
			continue
		}
		if f.snap != nil && f.snapSeq == f.seq {
			defer f.mu.Unlock()
			v := View{Kind: r.kind, Seq: f.seq, Audience: machine.Watchers, Snapshot: f.snap, Now: r.anchor.Load().now()}
			if l := r.delayed.Load(); l != nil {
				v.Delay = l.delay
			}
			return v, nil
		}
		if f.blank {
			f.mu.Unlock()
			return View{}, ErrQuarantined
		}
		made := f.want()
		f.mu.Unlock()
		r.nudge()
		select {
		case <-made:
		case <-ctx.Done():
			return View{}, ctx.Err()
		}
	}
}

// Replay returns a machine of its own with all of a room's entries, for what only the
// machine's own package can tell. It belongs to the caller, who must not show more of
// it than [Registry.View] would.
func (reg *Registry) Replay(ctx context.Context, id string) (machine.Machine, uint64, error) {
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return nil, 0, outside("replay", id, err)
	}
	if err := reg.knows(id, line.Kind); err != nil {
		return nil, 0, err
	}
	if err := charge(ctx, line.Seq); err != nil {
		return nil, 0, err
	}
	m, seq, broken, err := reg.replay(ctx, id, line.Kind, span{entries: line.Seq})
	switch {
	case err != nil:
		return nil, 0, err
	case m == nil:
		return nil, 0, fmt.Errorf("room: replay %s: %w (%w)", id, ErrQuarantined, broken)
	}
	return m, seq, nil
}

// Entries reads a room's entries from the journal as far as a person may see them,
// without waking it.
func (reg *Registry) Entries(ctx context.Context, id, player string) ([]*Published, error) {
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return nil, outside("read", id, err)
	}
	if err := reg.knows(id, line.Kind); err != nil {
		return nil, err
	}
	m, err := reg.encoder(line.Kind)
	if err != nil {
		return nil, fmt.Errorf("room: read %s: %w (%w)", id, ErrQuarantined, err)
	}
	enc := &reader{m, reg.log}
	if err := charge(ctx, line.Seq); err != nil {
		return nil, err
	}
	v, err := reg.lookAside(ctx, id, player)
	if err != nil || v.Seq == 0 {
		return nil, err
	}
	return reg.entries(ctx, id, enc, 0, int(v.Seq))
}

// lookAside returns the state of a room that does not run here, as a person may see it.
func (reg *Registry) lookAside(ctx context.Context, id, player string) (v View, err error) {
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return v, outside("view", id, err)
	}
	if err := reg.knows(id, line.Kind); err != nil {
		return v, err
	}
	defer func() { v.Now = reg.anchor.Load().now() }()
	if v, ok := reg.asleep.find(line, player); ok {
		return v, nil
	}
	if err := charge(ctx, line.Seq); err != nil {
		return v, err
	}
	m, seq, broken, err := reg.replay(ctx, id, line.Kind, span{entries: line.Seq})
	if err != nil {
		return v, err
	}
	if m == nil {
		return v, fmt.Errorf("room: view %s: %w (%w)", id, ErrQuarantined, broken)
	}
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("room: view %s: %w (panic: %v)", id, ErrQuarantined, why)
		}
	}()
	roster := (*Roster)(nil).update(m)
	a := m.Audience(player)
	if delayOf(m) > 0 && a == machine.Watchers {
		l, err := reg.delayedAt(ctx, id, line.Kind, nil, line.Seq, reg.anchor.Load().now())
		if err != nil {
			return v, err
		}
		if l != nil { // a delay that has begun goes on
			v = show(line.Kind, l.feed.seq, l.machine, l.machine.Audience(player))
			if v.Delay = l.delay; len(l.waiting) == 0 && v.Seq == line.Seq && broken == nil {
				reg.asleep.keep(line, roster, v)
			}
			return v, nil
		}
	}
	v = show(line.Kind, seq, m, a)
	if seq == line.Seq && broken == nil {
		reg.asleep.keep(line, roster, v)
	}
	return v, nil
}

// asleep caches the views of rooms that do not run here, since each costs a replay. It has no
// view that time alone will change, as those of watchers who lag behind.
type asleep struct {
	rooms lru.Cache[string, *sleeper] // by ID; the size is in bytes
}

// sleeper is a room as it was at a time. It never changes: a new one replaces it.
type sleeper struct {
	epoch, seq uint64
	read       time.Time
	roster     *Roster
	views      map[machine.Audience]View
}

const (
	asleepBytes = 8 << 20
	// asleepFresh is how long a view is used. After a failover that lost entries, others
	// may have come under the same numbers.
	asleepFresh = time.Minute
)

func newAsleep() asleep { return asleep{lru.New[string, *sleeper](asleepBytes)} }

// find returns a room's view for a player, if it is known and nothing has happened since.
func (s asleep) find(line journal.Room, player string) (v View, ok bool) {
	if old := s.of(line); old != nil {
		v, ok = old.views[old.roster.Audience(player)]
	}
	return v, ok
}

// of returns what is known of a room in the state of its line, or nil.
func (s asleep) of(line journal.Room) *sleeper {
	old, ok := s.rooms.Get(line.ID)
	if !ok || old.epoch != line.Epoch || old.seq != line.Seq || time.Since(old.read) > asleepFresh {
		return nil
	}
	return old
}

// keep keeps a view of a room.
func (s asleep) keep(line journal.Room, roster *Roster, v View) {
	known := &sleeper{line.Epoch, line.Seq, time.Now(), roster, map[machine.Audience]View{v.Audience: v}}
	if old := s.of(line); old != nil {
		known.read = old.read
		for a, seen := range old.views {
			known.views[a] = seen
		}
	}
	size := 500 // about what an empty sleeper takes
	for _, v := range known.views {
		size += len(v.Snapshot) + len(v.Private) + 150
	}
	s.rooms.Put(line.ID, known, size)
}
