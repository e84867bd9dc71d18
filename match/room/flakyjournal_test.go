package room

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
)

// flaky is a journal with faults whose rates may change while it is used.
type flaky struct {
	journal.Journal // without faults
	mu              sync.Mutex
	faulty          *journaltest.Faulty
}

func newFlaky(run uint64) *flaky {
	j := memjournal.New()
	return &flaky{Journal: j, faulty: journaltest.NewFaulty(j, run)}
}

// set shares a rate of failure among the kinds of faults.
func (f *flaky) set(rate float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faulty.Refuse, f.faulty.Written, f.faulty.Lost, f.faulty.Late = rate/4, rate/4, rate/4, rate/4
}

func (f *flaky) Append(ctx context.Context, id string, row journal.Row, wake time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock() // memory is quick, and the rates are read inside
	return f.faulty.Append(ctx, id, row, wake)
}

// Take takes a room in one round trip, as PostgreSQL does.
func (f *flaky) Take(ctx context.Context, id, self string, kinds []string, most uint64) (journal.Taken, error) {
	return takeWithRows(ctx, f.Journal, id, self, kinds, most)
}

func upTo(rng *rand.Rand, d time.Duration) time.Duration { return time.Duration(rng.Int64N(int64(d))) }
