package account

import (
	"context"
	"maps"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/workers"
)

const (
	pollEvery   = 2 * time.Second
	pollOverlap = time.Minute // the largest difference between the clocks of two instances
)

// tellEnded records for the other instances that a session or token has ended, or that a
// player has changed.
func (a *Accounts) tellEnded(tx lobby.Tx, id string) error {
	_, err := tx.Exec("INSERT INTO ended (id, at) VALUES ($1, $2)", id, a.opt.Now().UnixMilli())
	return err
}

// WhenEnded makes a call f with the IDs of sessions and tokens that have ended, and of
// players who got an account or were deleted. For a session that another one replaces, f
// also gets the [Renewed]. Call WhenEnded before the first request is served.
func (a *Accounts) WhenEnded(f func(ids []string)) { a.open.tell = append(a.open.tell, f) }

// ended drops what is cached about these sessions and players, and calls the functions
// of [Accounts.WhenEnded].
func (a *Accounts) ended(ids []string) {
	if len(ids) == 0 {
		return
	}
	now := a.opt.Now()
	a.open.mu.Lock()
	for _, id := range ids {
		delete(a.open.known, id)
		a.open.heard[id] = now.UnixMilli()
	}
	old := min(a.open.polled, now.UnixMilli()) - 2*pollOverlap.Milliseconds() // no poll reads the rows of older entries
	maps.DeleteFunc(a.open.heard, func(_ string, at int64) bool { return at < old })
	a.open.mu.Unlock()
	for _, id := range ids {
		if lobby.ValidPlayerID(id) {
			a.people.Changed(id)
		}
	}
	for _, tell := range a.open.tell {
		tell(ids)
	}
}

// Poll reads what has ended on other instances since the last poll that succeeded. An
// instance that was paused, or could not reach the database, catches up on the last hour
// at most, because [Accounts.Sweep] deletes older rows.
func (a *Accounts) Poll(ctx context.Context) error {
	now := a.opt.Now().UnixMilli()
	a.open.mu.Lock()
	since := min(a.open.polled, now) - pollOverlap.Milliseconds() // the clock may have been set back
	a.open.mu.Unlock()
	rows, err := a.db.Reader().QueryContext(ctx, "SELECT id, MAX(at) FROM ended WHERE at > $1 GROUP BY id", since)
	if err != nil {
		return wrap(err, "ask what has ended")
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		var at int64
		if err := rows.Scan(&id, &at); err != nil {
			return wrap(err, "ask what has ended")
		}
		a.open.mu.Lock()
		if a.open.heard[id] < at {
			ids = append(ids, id)
		}
		a.open.mu.Unlock()
	}
	if err := rows.Err(); err != nil {
		return wrap(err, "ask what has ended")
	}
	a.open.mu.Lock()
	a.open.polled = now
	a.open.mu.Unlock()
	a.ended(ids)
	return nil
}

// Keep calls Poll every two seconds, and Sweep soon after the start and once an hour,
// until ctx ends. It passes errors to report, also from two goroutines at once; the next
// tick brings another attempt.
func (a *Accounts) Keep(ctx context.Context, report func(error)) {
	var sweeps sync.WaitGroup
	defer sweeps.Wait()
	sweeps.Go(func() { workers.Hourly(ctx, a.Sweep, report) })
	workers.Every(ctx, pollEvery, a.Poll, report)
}
