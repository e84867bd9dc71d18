package journaltest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"mancala/match/journal"
)

// Faulty is a journal whose appends fail now and then, for simulations. The same
// number and the same order of calls give the same faults. The rates are fractions of
// all appends.
type Faulty struct {
	journal.Journal

	Refuse  float64 // fails with ErrUnavailable: nothing is written
	Written float64 // ErrUnknown, and the row is there
	Lost    float64 // ErrUnknown, and the row is not there
	Late    float64 // ErrUnknown, and the row arrives before the room's next append

	mu   sync.Mutex
	rng  *rand.Rand
	late map[string]func() // by room: an append that has not arrived yet
}

// NewFaulty wraps a journal. The caller sets the rates before use. number selects the
// faults.
func NewFaulty(j journal.Journal, number uint64) *Faulty {
	return &Faulty{Journal: j, rng: rand.New(rand.NewPCG(number, 0)), late: map[string]func(){}}
}

// Append implements [journal.Journal] with the chosen faults.
func (f *Faulty) Append(ctx context.Context, room string, row journal.Row, wake time.Time) error {
	f.mu.Lock()
	arrive := f.late[room]
	delete(f.late, room)
	p := f.rng.Float64()
	f.mu.Unlock()
	if arrive != nil {
		arrive()
	}
	below := func(rate float64) bool {
		p -= rate
		return p < 0
	}
	switch {
	case below(f.Refuse):
		return fmt.Errorf("journaltest: append %q: %w", room, journal.ErrUnavailable)
	case below(f.Written):
		if err := f.Journal.Append(ctx, room, row, wake); err != nil {
			return err
		}
	case below(f.Lost):
	case below(f.Late):
		row.Data = bytes.Clone(row.Data) // the caller may change the data after the return
		f.mu.Lock()
		f.late[room] = func() {
			// The caller of this append has already received ErrUnknown.
			_ = f.Journal.Append(context.WithoutCancel(ctx), room, row, wake)
		}
		f.mu.Unlock()
	default:
		return f.Journal.Append(ctx, room, row, wake)
	}
	return fmt.Errorf("journaltest: append %q: %w", room, journal.ErrUnknown)
}
