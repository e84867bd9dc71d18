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

// Config is what a registry needs.
type Config struct {
	// Self is this instance's name, unique for each start, so that a restarted
	// server sees when the one before it died.
	Self    string
	Journal journal.Journal
	// Kinds make an empty machine for a room, by kind of room. The ID is empty
	// for a machine that will only encode.
	Kinds map[string]func(id string) machine.Machine
	// Tasks are the handlers, by kind of task.
	Tasks map[string]Handler
	// Unseen is given a room's state, as watchers see it, before the room goes to
	// sleep, if something may have happened that no follower saw (a flag fell with
	// no player connected). It is called on the room's goroutine and must not call
	// the registry. After an error the room stays awake and calls it again, as does
	// the next owner; so it must be idempotent. May be nil.
	Unseen   func(ctx context.Context, id string, v View) error
	Downtime Downtime // nil if the journal does not outlive the process
	Link     Link     // to the registries of other instances; nil if there are none
	Observe  Observer
	Log      *slog.Logger // nil: slog.Default
}

// Downtime stores the times in which no instance of the service was alive. All times are
// the database's.
type Downtime interface {
	// Alive stores a sign of life of the service. Between then covers all time up to it.
	Alive(ctx context.Context, at time.Time) error
	// Between returns how long no instance was alive between two times.
	Between(from, to time.Time) time.Duration
}

// Registry holds the rooms of one instance: it opens them when they are wanted or due,
// and keeps telling the database that the instance is alive. Its methods are safe from
// any goroutine.
//
// Where several instances share the rooms, [Registry.load] alone learns that another
// instance owns a room. That room is opened all the same, as a replica, and callers
// need not know.
type Registry struct {
	self    string
	journal journal.Journal
	kinds   map[string]func(id string) machine.Machine
	tasks   map[string]Handler
	unseen  func(ctx context.Context, id string, v View) error
	watch   Observer
	log     *slog.Logger
	link    Link
	down    Downtime

	ctx   context.Context // of everything that runs here
	group sync.WaitGroup
	rooms sync.Map // ID → *slot
	stats stats

	encoders sync.Map        // kind → machine.Machine that only encodes
	writing  deadline.Shared // for what is written now

	requests sync.Pool // of *request; a registry's own, since their channels belong to its test's bubble

	gate   sync.RWMutex // guards closed, which Drain sets
	closed bool

	anchor    atomic.Pointer[anchor]    // of the last sign of life
	lastSeen  atomic.Int64              // the time of the last sign of life, in ms of the database's time
	lastWall  atomic.Int64              // the same, by the wall clock of this instance
	frozen    atomic.Pointer[freeze]    // the last freeze, or nil
	lastRun   atomic.Pointer[time.Time] // when this process was last known to run
	failing   atomic.Bool               // the last sign of life could not be written
	isolated  bool                      // the rooms have been given up; used only by the goroutine of live
	wakings   atomic.Int64              // counts how often this process was stopped, see [Room.readWhenWoken]
	doubts    atomic.Int64              // counts how often other instances may have declared this one dead
	trustFrom atomic.Int64              // when trusts may return true again; ms, wall clock
	retry     sync.Map                  // IDs of rooms that this instance claimed and could not load
	died      chan struct{}             // receives a value when another instance has died; capacity 1
}

// slot is a room that is loaded or being opened.
type slot struct {
	ready event.Event
	room  *Room
	err   error
}

// Start opens a registry and keeps it until ctx ends; call Wait afterwards. Call Drain
// before, to leave in good order. The error is the database's.
func Start(ctx context.Context, c Config) (*Registry, error) {
	reg := &Registry{
		self: c.Self, journal: c.Journal, kinds: c.Kinds, tasks: c.Tasks,
		unseen: c.Unseen, watch: c.Observe, log: c.Log, link: c.Link, down: c.Downtime, ctx: ctx,
		died: make(chan struct{}, 1),
	}
	if reg.log == nil {
		reg.log = slog.Default()
	}
	err := reg.beat()
	for tries := 1; errors.Is(err, context.DeadlineExceeded) && tries < firstBeats; tries++ {
		err = reg.beat()
	}
	if err != nil {
		return nil, fmt.Errorf("room: first sign of life: %w", err)
	}
	if reg.down != nil {
		if err := reg.down.Alive(ctx, msTime(reg.anchor.Load().now())); err != nil {
			return nil, err
		}
		reg.group.Go(reg.noteLife)
	}
	reg.group.Go(reg.live)
	reg.group.Go(reg.scan)
	if reg.link != nil {
		reg.group.Go(reg.detectDead)
	}
	return reg, nil
}

// Wait returns when everything that the registry has started has ended.
func (reg *Registry) Wait() { reg.group.Wait() }

// Do carries out a command in a room, which is opened if it sleeps. The error wraps a
// [*refusal.Error], or ctx's; a command whose answer was lost may be sent again with
// the same ID. Its body must not change afterwards, even if ctx has ended first. An
// answer without Seq means that there was nothing to do.
func (reg *Registry) Do(ctx context.Context, id string, c machine.Command) (Answer, error) {
	if err := reg.check(c); err != nil {
		return Answer{}, err
	}
	var a Answer
	err := reg.with(ctx, id, func(r *Room) (err error) {
		a, err = r.ask(ctx, c)
		return err
	})
	return a, err
}

// Rouse opens a room that sleeps without a wake time, so that a deadline that only newer
// releases know takes effect. It does nothing for a room that runs or has a wake time.
func (reg *Registry) Rouse(ctx context.Context, id string) error {
	line, err := reg.journal.Room(ctx, id)
	if err != nil {
		return outside("rouse", id, err)
	}
	if line.Owner != "" || !line.Wake.IsZero() {
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
		var err error
		if v, err = reg.fill(id, replicas); err != nil {
			return nil, err
		}
	}
	return reg.opened(ctx, v.(*slot))
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
		reg.group.Add(1) // until the room ends
		go func() {
			r, err := reg.load(id, replicas)
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
	return v, nil
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

// Stats is safe from any goroutine.
func (reg *Registry) Stats() Stats {
	return Stats{
		Live: reg.stats.live.Load(), Away: reg.stats.away.Load(),
		Quarantined: reg.stats.quarantined.Load(), Healthy: reg.healthy(time.Now()), Failing: reg.failing.Load(),
	}
}
