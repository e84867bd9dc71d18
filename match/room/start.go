package room

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

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
	Downtime Downtime // nil: the journal does not outlive the process
	Link     Link     // to the registries of other instances; nil if there are none
	Observe  Observer
	Log      *slog.Logger // nil: slog.Default
}

// Downtime stores the times in which no instance of the service was alive. All times are
// the database's.
type Downtime interface {
	// Alive notes a sign of life of the service. Then Between knows all times up to it.
	Alive(ctx context.Context, at time.Time) error
	// Between returns for how long no instance was alive between two times.
	Between(from, to time.Time) time.Duration
}

// Start opens a registry and keeps it until ctx ends; call Wait afterwards. Call Drain
// before, to leave in good order. The error is the database's.
func Start(ctx context.Context, c Config) (*Registry, error) {
	reg := &Registry{
		self: c.Self, journal: c.Journal, kinds: c.Kinds, tasks: c.Tasks,
		unseen: c.Unseen, watch: c.Observe, log: c.Log, link: c.Link, down: c.Downtime, ctx: ctx,
		died: make(chan struct{}, 1), asleep: newAsleep(),
	}
	if reg.log == nil {
		reg.log = slog.Default()
	}
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
	}
	return reg, nil
}

// Wait returns when everything that the registry has started has ended.
func (reg *Registry) Wait() { reg.group.Wait() }
