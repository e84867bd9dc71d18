package room

import (
	"context"
	"errors"
	"time"
)

// stoppedAfter is the time without a sign of running after which this process counts as
// stopped, and its rooms may be behind the journal. The goroutine that writes signs of
// life runs twice as often, also while the database does not answer.
const stoppedAfter = 2 * beatTimeout

// noteRunning notes that this process runs. It counts how often the process was stopped.
func (reg *Registry) noteRunning(now time.Time) {
	if !reg.ran(now) {
		reg.wakings.Add(1)
	}
	reg.lastRun.Store(&now)
}

// ran reports whether the process has been running until now. It goes by the wall clock
// too: the other one stands while a laptop sleeps.
func (reg *Registry) ran(now time.Time) bool {
	last := reg.lastRun.Load()
	return last == nil || now.Sub(*last) < stoppedAfter && now.UnixMilli()-last.UnixMilli() < stoppedAfter.Milliseconds()
}

// readWhenWoken reads the entries that a room may have missed while this process was
// stopped, before a reader is shown its state: another instance may have taken the room
// over and gone on. It returns ErrMoved if the room has ended. While the journal does not
// answer it returns nil: then the followers are told that the room cannot go on.
func (r *Room) readWhenWoken(ctx context.Context) error {
	reg := r.registry
	wakings := reg.wakings.Load()
	if r.wakings.Load() == wakings && reg.ran(time.Now()) || r.ephemeral() {
		return nil
	}
	err := r.readAhead(ctx)
	switch {
	case err == nil:
		r.wakings.Store(wakings)
	case errors.Is(err, ErrMoved), ctx.Err() != nil:
		return err
	}
	return nil
}
