package pgjournal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"mancala/match/gather"
	"mancala/match/journal"
)

// Room implements [journal.Journal].
func (db *DB) Room(ctx context.Context, id string) (journal.Room, error) {
	if !journal.ValidID(id) {
		return journal.Room{}, fail("room", id, cmp.Or(ctx.Err(), journal.ErrNoRoom))
	}
	if err := ctx.Err(); err != nil {
		return journal.Room{}, contextError("room", id, journal.ErrUnavailable, err)
	}
	line, err := db.lines.Do(ctx, id)
	switch {
	case errors.Is(err, gather.ErrClosed):
		return journal.Room{}, db.unavailable("room", errClosed)
	case err != nil:
		return journal.Room{}, db.statementError(ctx, "room", id, err)
	case !line.id.Valid:
		return journal.Room{}, fail("room", id, journal.ErrNoRoom)
	}
	return line.room(), nil
}

func fitsLines(together []string, _ string) bool { return len(together) < maxRooms }

// readLines reads the lines of rooms in one statement. A room that does not exist has an empty one.
func (db *DB) readLines(ids []string) ([]line, error) {
	found := make(map[string]line, len(ids))
	err := db.query("SELECT "+columns+" FROM "+withOwner+" WHERE r.id = ANY ($1)", func() {}, func(scan func(...any) error) error {
		var l line
		err := scan(l.fields()...)
		found[l.id.String] = l
		return err
	}, ids)
	lines := make([]line, len(ids))
	for i, id := range ids {
		lines[i] = found[id]
	}
	return lines, err
}

// Seqs implements [journal.Journal].
func (db *DB) Seqs(ctx context.Context, ids []string) (map[string]uint64, error) {
	valid := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !journal.ValidID(id) })
	res, err := db.rooms.QueryContext(ctx, "SELECT id, seq FROM rooms WHERE id = ANY ($1)", valid)
	if err != nil {
		return nil, db.statementError(ctx, "seqs", "", err)
	}
	defer res.Close()
	seqs := make(map[string]uint64, len(ids))
	for res.Next() {
		var id string
		var seq int64
		if err := res.Scan(&id, &seq); err != nil {
			return nil, db.statementError(ctx, "seqs", "", err)
		}
		seqs[id] = uint64(seq)
	}
	if err := res.Err(); err != nil {
		return nil, db.statementError(ctx, "seqs", "", err)
	}
	return seqs, nil
}

// Claim implements [journal.Journal]. It locks the line before it checks the owner,
// and returns the sign of life that the owner had then.
func (db *DB) Claim(ctx context.Context, id, self string, seen uint64) (journal.Room, error) {
	if !journal.ValidID(self) {
		return journal.Room{}, fail("claim", id, journal.ErrInvalid)
	}
	if !journal.ValidID(id) {
		return journal.Room{}, fail("claim", id, cmp.Or(ctx.Err(), journal.ErrNoRoom))
	}
	var there bool
	var got line
	err := db.one(ctx, "claim", id, `
		WITH was AS MATERIALIZED (
			SELECT r.id, r.owner, r.epoch FROM rooms r WHERE r.id = $1 FOR UPDATE
		), owner AS MATERIALIZED (
			SELECT i.alive_at AS seen, `+isDead+` AS dead FROM was LEFT JOIN instances i ON i.id = was.owner
		), claimed AS (
			UPDATE rooms r SET owner = $2, epoch = r.epoch + 1
			FROM was, owner
			WHERE r.id = was.id AND r.epoch = $3 AND (was.owner = '' OR was.owner = $2 OR owner.dead)
			RETURNING r.id, r.kind, r.owner, r.epoch, r.seq, r.wake_at, CASE WHEN was.owner = '' THEN NULL ELSE owner.seen END AS seen
		), signed AS (`+signClaim("claimed")+`
		)
		SELECT EXISTS (SELECT FROM was), c.id, c.kind, c.owner, c.epoch, c.seq, c.wake_at, c.seen, false
		FROM (SELECT) AS one LEFT JOIN claimed c ON true`,
		[]any{id, self, int64(min(seen, math.MaxInt64))}, append([]any{&there}, got.fields()...)...)
	switch {
	case err != nil:
		return journal.Room{}, err
	case !there:
		return journal.Room{}, fail("claim", id, journal.ErrNoRoom)
	case !got.id.Valid:
		return journal.Room{}, fail("claim", id, journal.ErrConflict)
	}
	return got.room(), nil
}

// Release implements [journal.Journal]. A room that then sleeps for good is listed to be
// folded.
func (db *DB) Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error {
	if !journal.ValidID(id) || !journal.ValidID(self) || epoch > math.MaxInt64 {
		return db.nothingToDo(ctx, "release", id)
	}
	return db.exec(ctx, "release", id, `
		WITH released AS (
			UPDATE rooms SET owner = '', wake_at = $4 WHERE id = $1 AND owner = $2 AND epoch = $3 RETURNING id, seq
		)
		INSERT INTO unfolded (room) SELECT id FROM released WHERE $4 = 0 AND seq > 0 ON CONFLICT DO NOTHING`,
		id, self, int64(epoch), journal.ToMS(wake))
}

// Alive implements [journal.Journal].
func (db *DB) Alive(ctx context.Context, self string) (time.Time, error) {
	if !journal.ValidID(self) {
		return time.Time{}, fail("alive", self, journal.ErrInvalid)
	}
	var at int64
	var waits bool
	err := db.oneOf(ctx, db.life, "alive", self, `
		INSERT INTO instances (id, alive_at, backend, reads) VALUES ($1, now_ms(), pg_backend_pid(), `+fmt.Sprint(journal.NewestForm)+`)
		ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at, backend = excluded.backend, reads = excluded.reads RETURNING alive_at, `+waitsForStandby, []any{self}, &at, &waits)
	if err != nil {
		return time.Time{}, err
	}
	db.waits.Store(waits)
	return journal.FromMS(at), nil
}

// one runs a statement that returns one row.
func (db *DB) one(ctx context.Context, op, id, query string, args []any, dest ...any) error {
	return db.oneOf(ctx, db.rooms, op, id, query, args, dest...)
}

func (db *DB) oneOf(ctx context.Context, pool *sql.DB, op, id, query string, args []any, dest ...any) error {
	err := pool.QueryRowContext(ctx, query, args...).Scan(dest...)
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return db.statementError(ctx, op, id, err)
}

func (db *DB) exec(ctx context.Context, op, id, query string, args ...any) error {
	if _, err := db.rooms.ExecContext(ctx, query, args...); err != nil {
		return db.statementError(ctx, op, id, err)
	}
	return nil
}

// nothingToDo is the result for an ID that cannot exist.
func (db *DB) nothingToDo(ctx context.Context, op, id string) error {
	if err := ctx.Err(); err != nil {
		return contextError(op, id, journal.ErrUnavailable, err)
	}
	return nil
}
