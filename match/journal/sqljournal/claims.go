package sqljournal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"mancala/match/journal"
)

// Create implements [journal.Journal].
func (db *DB) Create(ctx context.Context, r journal.Room, rows ...journal.Row) error {
	if !journal.ValidNew(r) {
		return fail("create", r.ID, journal.ErrInvalid)
	}
	bodies := make([][]byte, len(rows))
	for i, row := range rows {
		if row.Seq != uint64(i)+1 {
			return fail("create", r.ID, journal.ErrInvalid)
		}
		bodies[i] = appendBody(nil, row)
	}
	seq := uint64(len(rows))
	made := &room{id: r.ID, kind: r.Kind, owner: r.Owner, epoch: journal.FirstEpoch(r), seq: seq, queued: seq, wake: journal.ToMS(r.Wake)}
	return db.onRoom(ctx, "create", r.ID, &op{
		run: func(tx *Tx) error {
			err := tx.Scan(`INSERT INTO rooms (id, kind, owner, epoch, seq, wake_at) VALUES ($1, $2, $3, $4, $5, $6)
				ON CONFLICT (id) DO NOTHING RETURNING num`,
				[]any{made.id, made.kind, made.owner, made.epoch, made.seq, made.wake}, &made.num)
			switch {
			case errors.Is(err, sql.ErrNoRows):
				return journal.ErrConflict
			case err != nil:
				return err
			}
			return db.store(tx, made.num, 0, bodies)
		},
		apply: func() {
			if made.owner != "" {
				db.rooms[made.id] = made
			}
		},
	})
}

// Claim implements [journal.Journal].
func (db *DB) Claim(ctx context.Context, id, self string, seen uint64) (journal.Room, error) {
	if !journal.ValidID(self) {
		return journal.Room{}, fail("claim", id, journal.ErrInvalid)
	}
	if !journal.ValidID(id) {
		return journal.Room{}, fail("claim", id, cmp.Or(ctx.Err(), journal.ErrNoRoom))
	}
	var r *room
	var now int64
	var claimed journal.Room
	err := db.onRoom(ctx, "claim", id, &op{
		run: func(tx *Tx) (err error) {
			if r, err = db.find(tx, id); err != nil {
				return err
			}
			db.mu.Lock()
			last, alive := db.lastSeen(r.owner)
			db.mu.Unlock()
			if r.epoch != seen || r.owner != self && alive {
				return journal.ErrConflict
			}
			if _, err := tx.Exec("UPDATE rooms SET owner = $1, epoch = $2 WHERE num = $3", self, seen+1, r.num); err != nil {
				return err
			}
			now = db.nowMS()
			claimed.OwnerSeen = last
			return db.writeSignOfLife(tx, self, now)
		},
		apply: func() {
			r.owner, r.epoch = self, seen+1
			db.rooms[id] = r
			db.instances[self] = instance{seen: now}
			last := claimed.OwnerSeen
			claimed = db.line(r)
			claimed.OwnerSeen = last
		},
	})
	if err != nil {
		return journal.Room{}, err
	}
	return claimed, nil
}

// writeSignOfLife writes a sign of life, unless the last one is less than a second
// old.
func (db *DB) writeSignOfLife(tx *Tx, self string, now int64) error {
	db.mu.Lock()
	in, ok := db.instances[self]
	db.mu.Unlock()
	if ok && !in.dead && now-in.seen < 1000 && now >= in.seen {
		return nil
	}
	return upsertAlive(tx, self, now)
}

func upsertAlive(tx *Tx, self string, now int64) error {
	_, err := tx.Exec(`INSERT INTO instances (id, alive_at) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at`, self, now)
	return err
}

// Release implements [journal.Journal].
func (db *DB) Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error {
	if !journal.ValidID(id) {
		if err := ctx.Err(); err != nil {
			return fail("release", id, err)
		}
		return nil
	}
	var r *room
	owned := false
	err := db.onRoom(ctx, "release", id, &op{
		run: func(tx *Tx) (err error) {
			if r, err = db.find(tx, id); err != nil {
				return err
			}
			if owned = r.owner == self && r.epoch == epoch; !owned {
				return nil
			}
			if err := db.store(tx, r.num, r.split(), r.tail); err != nil {
				return err
			}
			_, err = tx.Exec("UPDATE rooms SET owner = '', seq = $1, wake_at = $2 WHERE num = $3", r.seq, journal.ToMS(wake), r.num)
			return err
		},
		apply: func() {
			if owned {
				db.forget(r)
			}
		},
	})
	if errors.Is(err, journal.ErrNoRoom) {
		return nil
	}
	return err
}

// forget removes a room from memory. The caller holds mu.
func (db *DB) forget(r *room) {
	db.tails.remove(r)
	delete(db.rooms, r.id)
}

// Confirm implements [journal.Journal]: no commit waits for another server.
func (db *DB) Confirm(context.Context) error { return nil }

// Alive implements [journal.Journal].
func (db *DB) Alive(ctx context.Context, self string) (time.Time, error) {
	if !journal.ValidID(self) {
		return time.Time{}, fail("alive", self, journal.ErrInvalid)
	}
	now := db.nowMS()
	err := db.submit(ctx, &op{
		name: "alive", signOfLife: true,
		run:   func(tx *Tx) error { return upsertAlive(tx, self, now) },
		apply: func() { db.instances[self] = instance{seen: now} },
	})
	if err != nil {
		return time.Time{}, err
	}
	return journal.FromMS(now), nil
}

// Dead implements [journal.Journal]. Only one process uses the database, and every
// earlier one ended before this one began.
func (db *DB) Dead(context.Context) ([]string, error) { return nil, nil }
