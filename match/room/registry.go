package room

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"mancala/match/deadline"
	"mancala/match/event"
	"mancala/match/journal"
	"mancala/match/machine"
)

// Registry holds the rooms of one instance: it opens them when they are wanted or due,
// and keeps telling the database that the instance is alive. Its methods are safe from
// any goroutine.
//
// Where several instances share the rooms, [Registry.load] alone learns that another
// instance owns a room. That room is opened too, as a replica, and callers
// need not know.
type Registry struct {
	self    string
	journal journal.Journal
	kinds   map[string]func(id string) machine.Machine
	// kindNames are the keys of kinds.
	kindNames []string
	tasks     map[string]Handler
	unseen    func(ctx context.Context, id string, v View) error
	awaits    func(id string, seq uint64, a machine.Awaited)
	watch     Observer
	log       *slog.Logger
	link      Link
	down      Downtime
	hearing   Hearing

	checkpointEvery uint64        // entries
	lease           time.Duration // how long the last sign of life counts, see [lease]
	stoppedAfter    time.Duration // how long the process may not run, see [stoppedAfter]

	ctx   context.Context // of everything that runs here
	group sync.WaitGroup
	rooms table // ID → *slot
	stats stats

	asleep   asleep          // views of rooms that do not run here
	encoders table           // kind → machine.Machine that only encodes
	writing  deadline.Shared // for what is written now

	requests sync.Pool // of *request; a registry's own, since their channels belong to its test's bubble

	gate   sync.RWMutex // guards closed, which Drain sets
	closed bool

	anchor      atomic.Pointer[anchor]    // of the last sign of life
	lastSeen    atomic.Int64              // the time of the last sign of life, in ms of the database's time
	lastWall    atomic.Int64              // the same, by the wall clock of this instance
	frozen      atomic.Pointer[freeze]    // the last freeze, or nil
	lastRun     atomic.Pointer[time.Time] // when this process was last known to run
	failing     atomic.Bool               // the last sign of life could not be written
	isolated    bool                      // the rooms have been given up; used only by the goroutine of live
	abandoned   atomic.Bool               // the rooms have been left to other instances, until the next sign of life
	deaf        atomic.Bool               // the rooms have been left to other instances, until messages arrive
	woke        time.Time                 // when this process was last found to have been stopped; used only by that goroutine
	wakings     atomic.Int64              // counts how often this process was stopped, see [Room.readWhenWoken]
	noted       atomic.Int64              // how many of them are in frozen
	versionRead atomic.Int32              // every instance reads entries up to this version, see [Registry.allReadEntries]
	doubts      atomic.Int64              // counts how often other instances may have declared this one dead
	returns     atomic.Int64              // counts how often the database answered again after signs of life had failed
	trustFrom   atomic.Pointer[time.Time] // when trusts may return true again; nil: at once
	retry       table                     // IDs of rooms that do not run here and may be ours: they are opened at the next scan
	left        table                     // what the last copy of each room leaves, if its followers were sent on; see remains
	rewound     table                     // when a room was loaded whose last copy showed entries that the journal has lost
	orphans     table                     // IDs of rooms that others take for ours
	calls       atomic.Uint64             // the number of the last command that was sent to an owner, see [call]
}

// table is a [sync.Map]. It is an interface because every package in whose types a [Registry]
// occurs would compile the generic methods behind sync.Map again.
type table interface {
	Load(key any) (value any, ok bool)
	LoadOrStore(key, value any) (actual any, loaded bool)
	LoadAndDelete(key any) (value any, loaded bool)
	Store(key, value any)
	Delete(key any)
	CompareAndDelete(key, old any) (deleted bool)
	Range(do func(key, value any) bool)
}

// slot is a room that is loaded or being opened.
type slot struct {
	ready event.Event
	room  *Room
	err   error
}

// freeze is a finished gap in this instance's signs of life: the process was stopped, or
// the database did not answer. Times are in ms of the database's time.
type freeze struct {
	stopped bool                   // the process was stopped; otherwise the database did not answer
	from    int64                  // the last sign of life before the gap
	until   int64                  // the first one after it
	before  atomic.Pointer[freeze] // the freeze before this one, if a room may still have to credit it
}

// Rouse opens a room that sleeps without a wake time, so that a deadline that only newer
// releases know takes effect. It does nothing for a room that runs or has a wake time.
func (reg *Registry) Rouse(ctx context.Context, id string) error {
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return outside("rouse", id, err)
	}
	if line.Owner != "" || !line.Wake.IsZero() || reg.kinds[line.Kind] == nil {
		return nil
	}
	if _, err = reg.open(ctx, id, false); errors.Is(err, errElsewhere) {
		return nil
	}
	return err
}

// with calls f with an open room. A room that ends meanwhile is opened again.
func (reg *Registry) with(ctx context.Context, id string, f func(*Room) error) error {
	for range 3 {
		r, err := reg.open(ctx, id, true)
		if errors.Is(err, errElsewhere) {
			continue // another caller opened it at the same time and wanted no replica
		}
		if err != nil {
			return err
		}
		if err = f(r); !errors.Is(err, ErrMoved) {
			return err
		}
		select {
		case <-r.done.Done(): // its place is free again
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ErrMoved
}

// open returns a room that is loaded here, and loads it if it is not: as a replica,
// too, if replicas are wanted. However many callers want it, it is loaded once.
func (reg *Registry) open(ctx context.Context, id string, replicas bool) (*Room, error) {
	v, ok := reg.rooms.Load(id)
	if !ok {
		err := reg.MayOpen(ctx, id)
		if err != nil {
			return nil, err
		}
		if v, err = reg.fill(id, replicas); err != nil {
			return nil, err
		}
	}
	return reg.opened(ctx, v.(*slot))
}

// Wake opens a room that sleeps. A caller that will send it a command, and looks at it first,
// saves the replay of [Registry.View].
func (reg *Registry) Wake(ctx context.Context, id string) error {
	return reg.with(ctx, id, func(*Room) error { return nil })
}

// MayOpen charges for what opening a room costs if it does not run here, see [Charged].
func (reg *Registry) MayOpen(ctx context.Context, id string) error {
	if _, ok := reg.rooms.Load(id); ok || payer(ctx) == nil {
		return nil
	}
	if reg.leaves() { // otherwise the answer would only take long
		return fmt.Errorf("room: open %s: %w", id, ErrUnavailable)
	}
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return outside("open", id, err)
	}
	return charge(ctx, line.Seq)
}

// fill starts to load a room, unless another caller just did. Loading belongs to the
// registry, not to the caller: other callers may wait for it.
func (reg *Registry) fill(id string, replicas bool) (any, error) {
	reg.gate.RLock()
	defer reg.gate.RUnlock()
	if reg.closed || reg.ctx.Err() != nil {
		return nil, ErrMoved
	}
	s := new(slot)
	v, loaded := reg.rooms.LoadOrStore(id, s)
	if !loaded {
		reg.start(id, s, func(ctx context.Context) (*Room, error) { return reg.load(ctx, id, replicas) })
	}
	return v, nil
}

// start loads a room into its slot, and runs it.
func (reg *Registry) start(id string, s *slot, load func(context.Context) (*Room, error)) {
	reg.group.Add(1) // until the room ends
	go func() {
		r, err := reg.loadSoon(load)
		if err != nil {
			s.err = err
			reg.rooms.CompareAndDelete(id, s)
			s.ready.Fire()
			reg.group.Done()
			return
		}
		r.slot, s.room = s, r
		reg.stats.live.Add(1)
		s.ready.Fire()
		r.loop()
	}()
}

// loadSoon calls load with a context that ends in time.
func (reg *Registry) loadSoon(load func(context.Context) (*Room, error)) (*Room, error) {
	ctx, cancel := context.WithTimeout(reg.ctx, loadTimeout)
	defer cancel()
	return load(ctx)
}

// forget frees the place of a room that has ended.
func (reg *Registry) forget(r *Room) {
	reg.rooms.CompareAndDelete(r.id, r.slot)
	reg.stats.live.Add(-1)
	if r.inQuarantine() {
		reg.stats.quarantined.Add(-1)
	}
}

// opened waits for a room that is being opened. It returns a room that is open even if
// ctx has ended.
func (reg *Registry) opened(ctx context.Context, s *slot) (*Room, error) {
	if s.ready.HasFired() {
		return s.room, s.err
	}
	select {
	case <-s.ready.Done():
		return s.room, s.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// leaves reports whether this instance has left its rooms to other instances.
func (reg *Registry) leaves() bool { return reg.abandoned.Load() || reg.deaf.Load() }

// Alone reports whether there are no other instances.
func (reg *Registry) Alone() bool { return reg.link == nil }

// tellLeft tells an instance once more that we follow a room no longer.
func (reg *Registry) tellLeft(to, room string) {
	reg.link.Tell(to, Message{Kind: tellLeave, Room: room})
}

// Missed is called when messages of another instance have been lost: what we follow
// there may have gone on. An empty name stands for all instances.
func (reg *Registry) Missed(from string) {
	reg.eachRoom(func(r *Room) { r.role.missed(from) })
}

// Lost is called when another instance is dead: it has no clients any more, and its rooms
// that we follow need another owner.
func (reg *Registry) Lost(from string) {
	reg.eachRoom(func(r *Room) { r.role.lost(from) })
}

// Silent is called when no message has come from another instance for a while. since is the time
// of the last message. Perhaps the instance has died, which the failure detector will find out;
// perhaps messages are lost. A room that we follow there may have another owner, and the players
// who are connected there must not lose time.
func (reg *Registry) Silent(from string, since time.Time) {
	reg.eachRoom(func(r *Room) { r.role.silent(from, since) })
}

// Audible is called when a message comes again from an instance that was silent.
func (reg *Registry) Audible(from string) {
	reg.eachRoom(func(r *Room) { r.role.audible(from) })
}

// running returns a room that runs here, or nil.
func (reg *Registry) running(id string) *Room {
	if v, ok := reg.rooms.Load(id); ok {
		if s := v.(*slot); s.ready.HasFired() {
			return s.room
		}
	}
	return nil
}

// opening reports whether a room is being opened here. The instance that asks about it
// will ask again.
func (reg *Registry) opening(id string) bool {
	v, ok := reg.rooms.Load(id)
	return ok && !v.(*slot).ready.HasFired()
}

// eachRoom calls f with every room that runs here.
func (reg *Registry) eachRoom(f func(*Room)) {
	reg.rooms.Range(func(_, v any) bool {
		if s := v.(*slot); s.ready.HasFired() && s.err == nil {
			f(s.room)
		}
		return true
	})
}

// nudgeAll makes every room that runs look at what is due. A room that is being opened
// does so anyway when it begins.
func (reg *Registry) nudgeAll() {
	reg.rooms.Range(func(_, v any) bool {
		if s := v.(*slot); s.ready.HasFired() && s.err == nil {
			s.room.nudge()
		}
		return true
	})
}

// outside turns the journal's errors into those of this package's callers.
func outside(what, id string, err error) error {
	switch {
	case errors.Is(err, journal.ErrNoRoom):
		return fmt.Errorf("room: %s %s: %w", what, id, ErrNoRoom)
	case errors.Is(err, journal.ErrInvalid):
		return fmt.Errorf("room: %s %s: %w", what, id, ErrBadCommand)
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("room: %s %s: %w", what, id, err)
	}
	return fmt.Errorf("room: %s %s: %w (%w)", what, id, ErrUnavailable, err)
}

// msTime returns a database time.
func msTime(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// Now returns the database's time in ms, by this instance's last sign of life.
func (reg *Registry) Now() int64 { return reg.anchor.Load().now() }
