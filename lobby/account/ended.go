package account

import (
	"context"
	"maps"
	"time"

	"mancala/lobby"
)

const (
	pollEvery   = 2 * time.Second
	pollOverlap = time.Minute // by which clocks of instances may differ
)

// tellEnded leaves word for the other instances of what has ended or changed: a
// session, or all that is known of a player.
func (a *Accounts) tellEnded(tx lobby.Tx, id string) error {
	_, err := tx.Exec("INSERT INTO ended (id, at) VALUES ($1, $2)", id, a.opt.Now().UnixMilli())
	return err
}

// WhenEnded has f called with what has ended: sessions, and players who have
// changed from guests to accounts or are no more. Call it before people come.
func (a *Accounts) WhenEnded(f func(ids []string)) { a.open.tell = append(a.open.tell, f) }

// ended forgets what was remembered of sessions and players, and tells whom it
// may concern.
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
	old := now.Add(-2 * pollOverlap).UnixMilli()
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

// Poll learns what has ended on other instances.
func (a *Accounts) Poll(ctx context.Context) error {
	rows, err := a.db.Reader().QueryContext(ctx, "SELECT id, MAX(at) FROM ended WHERE at > $1 GROUP BY id", a.opt.Now().Add(-pollOverlap).UnixMilli())
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
	a.ended(ids)
	return nil
}

// Keep polls every two seconds and sweeps once an hour until ctx ends, and tells
// report what failed; the next time brings another attempt.
func (a *Accounts) Keep(ctx context.Context, report func(error)) {
	poll, sweep := time.NewTicker(pollEvery), time.NewTicker(time.Hour)
	defer poll.Stop()
	defer sweep.Stop()
	for {
		var err error
		select {
		case <-poll.C:
			err = a.Poll(ctx)
		case <-sweep.C:
			err = a.Sweep(ctx)
		case <-ctx.Done():
			return
		}
		if err != nil && ctx.Err() == nil {
			report(err)
		}
	}
}
