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

// Faulty is a journal whose appends go wrong now and then, for simulations. The
// same seed and the same order of calls give the same faults. The rates are
// fractions of all appends.
type Faulty struct {
	journal.Journal

	Refuse  float64 // fails with ErrUnavailable: nothing is written
	Written float64 // ErrUnknown, and the row is there
	Lost    float64 // ErrUnknown, and the row is not there
	Late    float64 // ErrUnknown, and the row arrives before the room's next append

	mu   sync.Mutex
	rng  *rand.Rand
	late map[string]func() // by room: an append that is still on its way
}

// NewFaulty wraps a journal; set its rates before use.
func NewFaulty(j journal.Journal, seed uint64) *Faulty {
	return &Faulty{Journal: j, rng: rand.New(rand.NewPCG(seed, 0)), late: map[string]func(){}}
}

// Append implements [journal.Journal], when it feels like it.
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
		row.Data = bytes.Clone(row.Data) // the caller's again when we return
		f.mu.Lock()
		f.late[room] = func() {
			// Whoever waited for this answer has been told ErrUnknown.
			_ = f.Journal.Append(context.WithoutCancel(ctx), room, row, wake)
		}
		f.mu.Unlock()
	default:
		return f.Journal.Append(ctx, room, row, wake)
	}
	return fmt.Errorf("journaltest: append %q: %w", room, journal.ErrUnknown)
}
