package lobby

import (
	"context"
	"slices"
	"time"
)

// keptFor is how often [People.Keep] records a guest in the time of [Options.GuestIdle], at most.
const keptFor = 4

// Keep records that guests who do not come themselves are still needed, so that a sweep does not delete them.
// Calls for guests who were recorded not long ago cost no query.
func (p *People) Keep(ctx context.Context, guests []string) error {
	now := p.opt.now()
	before := now.Add(-p.opt.GuestIdle / keptFor)
	p.mu.Lock()
	guests = slices.DeleteFunc(slices.Clone(guests), func(id string) bool {
		last, ok := p.seen.get(id)
		return ok && !last.Before(before)
	})
	p.mu.Unlock()
	for some := range slices.Chunk(guests, turnRows) {
		if err := p.keep(ctx, some, before, now); err != nil {
			return wrap(err, "keep guests")
		}
	}
	return nil
}

// keep is Keep for the guests of one transaction.
func (p *People) keep(ctx context.Context, guests []string, before, now time.Time) error {
	last, err := p.lastSeen(ctx, guests)
	if err != nil {
		return err
	}
	var stale []string
	for id, seen := range last {
		if seen.Before(before) {
			stale, last[id] = append(stale, id), now
		}
	}
	if len(stale) > 0 {
		places, ids := Among(2, stale)
		err := p.db.Write(ctx, func(tx Tx) error {
			_, err := tx.Exec("UPDATE players SET seen = $1 WHERE seen < $1 AND id IN ("+places+")", append([]any{now.UnixMilli()}, ids...)...)
			return err
		})
		if err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, seen := range last {
		p.seen.put(id, seen)
	}
	return nil
}

// lastSeen returns when these guests were last active. It leaves out players who have an account.
func (p *People) lastSeen(ctx context.Context, guests []string) (map[string]time.Time, error) {
	places, ids := Among(1, guests)
	rows, err := p.db.Reader().QueryContext(ctx, "SELECT id, seen FROM players WHERE account = 0 AND id IN ("+places+")", ids...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	last := map[string]time.Time{}
	for rows.Next() {
		var id string
		var seen int64
		if err := rows.Scan(&id, &seen); err != nil {
			return nil, err
		}
		last[id] = time.UnixMilli(seen)
	}
	return last, rows.Err()
}
