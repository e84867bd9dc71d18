package room

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

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
	Unseen func(ctx context.Context, id string, v View) error
	// Awaits is called by the room's owner when the machine begins to wait for a player
	// (see [machine.Awaiting]), after the entry is in the journal. It is called again when the
	// turn will end at another time, and when another copy of the room opens. It runs on the
	// room's goroutine, so it must not wait. May be nil.
	Awaits   func(id string, seq uint64, a machine.Awaited)
	Downtime Downtime // nil: the journal does not outlive the process
	Hearing  Hearing  // nil: there are no other instances
	Link     Link     // to the registries of other instances; nil if there are none
	Observe  Observer
	Log      *slog.Logger // nil: slog.Default
	// Grace is added to the time that the registry decides without a sign of life, and to the time that its
	// process may not run. It is for tests whose process gets little processor time. No other instance
	// may be there: it would take the rooms over.
	Grace time.Duration

	checkpointEvery uint64 // tests only; 0: checkpointEvery
}

// Downtime stores the times in which no instance of the service was alive. All times are
// the database's.
type Downtime interface {
	// Alive stores a sign of life of the service. Between then covers all time up to it.
	Alive(ctx context.Context, at time.Time) error
	// Between returns how long no instance was alive between two times.
	Between(from, to time.Time) time.Duration
}

// Start opens a registry and keeps it until ctx ends; call Wait afterwards. Call Drain
// before, to leave in good order. The error is the database's.
func Start(ctx context.Context, c Config) (*Registry, error) {
	reg := &Registry{
		self: c.Self, journal: c.Journal, kinds: c.Kinds, tasks: c.Tasks,
		unseen: c.Unseen, awaits: c.Awaits, watch: c.Observe, log: c.Log, link: c.Link, down: c.Downtime, hearing: c.Hearing, ctx: ctx,
		rooms: &sync.Map{}, encoders: &sync.Map{},
		retry: &sync.Map{}, left: &sync.Map{}, rewound: &sync.Map{}, orphans: &sync.Map{},
		asleep: newAsleep(), checkpointEvery: cmp.Or(c.checkpointEvery, checkpointEvery),
		lease: lease + c.Grace, stoppedAfter: stoppedAfter + c.Grace,
	}
	if reg.log == nil {
		reg.log = slog.Default()
	}
	reg.kindNames = slices.Sorted(maps.Keys(c.Kinds))
	err := reg.beat()
	for tries := 1; (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errStopped)) && tries < firstBeats; tries++ {
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
		if reg.hearing != nil {
			reg.group.Go(reg.compareHearing)
		}
	}
	return reg, nil
}

// Wait returns when everything that the registry has started has ended.
func (reg *Registry) Wait() { reg.group.Wait() }

// Drain lets every room go: it is released with its wake time, and its followers are
// told [ErrDrained]. No room is opened any more. Drain returns when all are gone or ctx
// ends.
//
// With a pace the rooms go one after the other for as long as there is time, since
// other instances take them over: opening and catching up with each costs them a few
// milliseconds. Without one, all go at once.
func (reg *Registry) Drain(ctx context.Context, pace *rate.Limiter) error {
	reg.gate.Lock()
	reg.closed = true
	reg.gate.Unlock()
	if pace != nil {
		reg.handOver(ctx, pace)
	}
	rooms := func(do func(*Room)) {
		reg.rooms.Range(func(_, v any) bool {
			if r, err := reg.opened(ctx, v.(*slot)); err == nil {
				do(r)
			}
			return true
		})
	}
	rooms((*Room).drain)
	rooms(func(r *Room) {
		select {
		case <-r.done.Done():
		case <-ctx.Done():
		}
	})
	return ctx.Err()
}

// handOver lets rooms go at a pace, in three quarters of the time. The rest is for rooms
// that are being opened, and rooms that are slow to go. Replicas go first, since no
// instance takes them over. So do rooms whose state is not in the journal, since all
// clients wait for the lobby.
func (reg *Registry) handOver(ctx context.Context, pace *rate.Limiter) {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)*3/4)
		defer cancel()
	}
	var ours []*Room
	reg.rooms.Range(func(_, v any) bool {
		s := v.(*slot)
		if !s.ready.HasFired() {
			return true
		}
		switch r := s.room; {
		case s.err != nil:
		case r.isReplica() || r.ephemeral():
			r.drain()
		default:
			ours = append(ours, r)
		}
		return true
	})
	for _, r := range ours {
		if pace.Wait(ctx) != nil {
			return
		}
		r.drain()
	}
}
