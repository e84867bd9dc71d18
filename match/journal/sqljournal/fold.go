package sqljournal

import (
	"context"
	"database/sql"
	"errors"

	"mancala/match/journal"
	"mancala/match/journal/fold"
)

// Fold implements [journal.Journal]. The rows are read and packed before the transaction,
// which changes nothing if the room has changed meanwhile.
func (db *DB) Fold(ctx context.Context, id string) error {
	line, was, err := db.lookUp(ctx, "fold", id)
	switch {
	case errors.Is(err, journal.ErrNoRoom):
		return nil
	case err != nil:
		return err
	case line.Owner != "" || !line.Wake.IsZero() || line.Seq > fold.MaxRows:
		return nil
	}
	var segments int
	if err := db.reads.QueryRowContext(ctx, "SELECT count(*) FROM segments WHERE room = $1", was.num).Scan(&segments); err != nil {
		return db.readError(ctx, "fold", id, err)
	}
	if segments == 0 {
		return nil
	}
	rows, err := db.Read(ctx, id, 0, 0)
	switch {
	case errors.Is(err, journal.ErrNoRoom):
		return nil
	case err != nil:
		return err
	case !fold.Fits(rows):
		return nil
	}
	packed, err := fold.Pack(rows)
	if err != nil {
		return db.unavailable("fold", err)
	}
	err = db.onRoom(ctx, "fold", id, &op{run: func(tx *Tx) error {
		r, err := db.find(tx, id)
		if err != nil {
			return err
		}
		if r.num != was.num || r.owner != "" || r.wake != 0 || r.epoch != was.epoch || r.seq != uint64(len(rows)) {
			return nil
		}
		if _, err := tx.Exec("INSERT INTO folded (room, last, data) VALUES ($1, $2, $3) ON CONFLICT (room) DO UPDATE SET last = excluded.last, data = excluded.data", r.num, r.seq, packed); err != nil {
			return err
		}
		if _, err = tx.Exec("DELETE FROM segments WHERE room = $1", r.num); err != nil {
			return err
		}
		_, err = tx.Exec("DELETE FROM checkpoints WHERE room = $1", r.num)
		return err
	}})
	if errors.Is(err, journal.ErrNoRoom) {
		return nil
	}
	return err
}

// unpack returns the rows of a folded room after a number, at most limit. It leaves out rows
// that the room did not have yet when it was looked up.
func unpack(r *room, packed []byte, after uint64, limit int) ([]journal.Row, error) {
	rows, err := fold.Unpack(packed)
	if err != nil {
		return nil, corrupt("room %q: %v", r.id, err)
	}
	rows = rows[:min(r.split(), uint64(len(rows)))]
	rows = rows[min(after, uint64(len(rows))):]
	return rows[:min(limit, len(rows))], nil
}

// AllRead implements [journal.Journal]. One process at a time has the file.
func (db *DB) AllRead(_ context.Context, form int) (bool, error) {
	db.mu.Lock()
	stopped := db.stopped
	db.mu.Unlock()
	if stopped != nil {
		return false, db.unavailable("all read", stopped)
	}
	return form <= journal.NewestForm, nil
}

// Unfolded implements [journal.Journal]. Only rooms that go on, and those that are to be
// folded, have segments: it looks at these in the order of their numbers.
func (db *DB) Unfolded(ctx context.Context, limit int) (ids []string, err error) {
	const looked = 200 // rooms in one query
	for len(ids) == 0 {
		db.mu.Lock()
		after, stopped := db.foldedTo, db.stopped
		db.mu.Unlock()
		if stopped != nil {
			return nil, db.unavailable("unfolded", stopped)
		}
		last, err := db.unfolded(ctx, after, looked, func(id string) bool {
			ids = append(ids, id)
			return len(ids) < limit
		})
		if err != nil {
			return nil, db.readError(ctx, "unfolded", "", err)
		}
		db.mu.Lock()
		db.foldedTo = last
		db.mu.Unlock()
		if last == 0 {
			return ids, nil
		}
	}
	return ids, nil
}

// unfolded calls found with rooms that may be folded, until it returns false, among the next
// rooms that have segments. It returns the number of the last one that it looked at, or 0 at
// the end.
func (db *DB) unfolded(ctx context.Context, after int64, most int, found func(id string) bool) (last int64, err error) {
	res, err := db.reads.QueryContext(ctx, `
		WITH RECURSIVE some (num) AS (
			SELECT min(room) FROM segments WHERE room > $1
			UNION ALL
			SELECT (SELECT min(room) FROM segments WHERE room > some.num) FROM some WHERE num IS NOT NULL LIMIT $2
		)
		SELECT some.num, r.id, r.owner = '' AND r.wake_at = 0 AND r.seq <= $3
		FROM some LEFT JOIN rooms r ON r.num = some.num WHERE some.num IS NOT NULL ORDER BY 1`, after, most, fold.MaxRows)
	if err != nil {
		return 0, err
	}
	defer res.Close()
	for res.Next() {
		var id sql.NullString
		var sleeps sql.NullBool
		if err := res.Scan(&last, &id, &sleeps); err != nil {
			return 0, err
		}
		if sleeps.Bool && !found(id.String) {
			return last, nil
		}
	}
	return last, res.Err()
}

// Delete implements [journal.Journal].
func (db *DB) Delete(ctx context.Context, id string) error {
	if !journal.ValidID(id) {
		return ctx.Err()
	}
	err := db.onRoom(ctx, "delete", id, &op{run: func(tx *Tx) error {
		r, err := db.find(tx, id)
		if err != nil {
			return err
		}
		if r.owner != "" || r.wake != 0 {
			return journal.ErrConflict
		}
		for _, statement := range []string{
			"DELETE FROM rooms WHERE num = $1", "DELETE FROM folded WHERE room = $1", "DELETE FROM segments WHERE room = $1",
		} {
			if _, err := tx.Exec(statement, r.num); err != nil {
				return err
			}
		}
		return nil
	}})
	if errors.Is(err, journal.ErrNoRoom) {
		return nil
	}
	return err
}
