// Package folding folds the rooms that sleep for good: soon after they were released, and
// those of an existing database little by little.
package folding

import (
	"context"
	"math/rand/v2"
	"time"

	"mancala/match/journal"
)

// Journal is a [journal.Journal] around another. It takes note of the rooms that are
// released for good, and [Journal.Keep] folds them.
type Journal struct {
	journal.Journal
	released chan string
}

var (
	_ journal.Journal = (*Journal)(nil)
	_ journal.Taker   = (*Journal)(nil)
)

const (
	maxReleased = 1024             // rooms that wait; what does not fit is found by the next round
	listed      = 50               // rooms that are listed at a time
	firstRound  = 20 * time.Second // after the start, at most; at random, since instances may start together
	roundEvery  = time.Hour
)

// New returns a journal that stores all rooms in j.
func New(j journal.Journal) *Journal { return &Journal{j, make(chan string, maxReleased)} }

// Take implements [journal.Taker].
func (j *Journal) Take(ctx context.Context, id, self string, kinds []string, most uint64) (journal.Taken, error) {
	return journal.Take(ctx, j.Journal, id, self, kinds, most)
}

// Release implements [journal.Journal].
func (j *Journal) Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error {
	err := j.Journal.Release(ctx, id, self, epoch, wake)
	if err == nil && wake.IsZero() {
		select {
		case j.released <- id:
		default:
		}
	}
	return err
}

// Keep folds rooms until ctx ends: those that are released, and soon after the start and
// once an hour all others. After each room it waits as long as that room took. It passes
// errors to report; the next round brings another attempt.
func (j *Journal) Keep(ctx context.Context, report func(error)) {
	round := time.NewTimer(firstRound/2 + rand.N(firstRound/2))
	defer round.Stop()
	for {
		var err error
		select {
		case id := <-j.released:
			err = j.fold(ctx, id)
		case <-round.C:
			_, err = j.Round(ctx)
			round.Reset(roundEvery)
		case <-ctx.Done():
			return
		}
		if err != nil && ctx.Err() == nil {
			report(err)
		}
	}
}

// Round folds all rooms that sleep for good and returns how many it tried. It can be broken
// off by ctx at any time; the next round does the rest.
func (j *Journal) Round(ctx context.Context) (tried int, err error) {
	for {
		begun := time.Now()
		ids, err := j.Unfolded(ctx, listed)
		if err != nil || len(ids) == 0 {
			return tried, err
		}
		if err := journal.Rest(ctx, time.Since(begun)); err != nil {
			return tried, err
		}
		for _, id := range ids {
			if err := j.fold(ctx, id); err != nil {
				return tried, err
			}
			tried++
		}
	}
}

func (j *Journal) fold(ctx context.Context, id string) error {
	begun := time.Now()
	if err := j.Fold(ctx, id); err != nil {
		return err
	}
	return journal.Rest(ctx, time.Since(begun))
}
