package sqljournal

import (
	"context"
	"database/sql"
	"errors"

	"mancala/match/journal"
)

// PutCheckpoint implements [journal.Journal].
func (db *DB) PutCheckpoint(ctx context.Context, id string, epoch uint64, c journal.Checkpoint) error {
	if !journal.ValidID(id) {
		return fail("checkpoint", id, journal.ErrConflict)
	}
	err := db.onRoom(ctx, "checkpoint", id, &op{run: func(tx *Tx) error {
		r, err := db.find(tx, id)
		if err != nil {
			return err
		}
		if r.owner == "" || r.epoch != epoch || c.Seq == 0 || c.Seq > r.seq {
			return journal.ErrConflict
		}
		n, err := tx.Exec(`INSERT INTO checkpoints (room, seq, data) VALUES ($1, $2, $3)
			ON CONFLICT (room) DO UPDATE SET seq = excluded.seq, data = excluded.data WHERE checkpoints.seq <= excluded.seq`,
			r.num, c.Seq, append([]byte{}, c.Data...))
		if err == nil && n == 0 {
			err = journal.ErrConflict
		}
		return err
	}})
	if errors.Is(err, journal.ErrNoRoom) {
		return fail("checkpoint", id, journal.ErrConflict)
	}
	return err
}

// Checkpoint implements [journal.Journal].
func (db *DB) Checkpoint(ctx context.Context, id string) (c journal.Checkpoint, err error) {
	_, r, err := db.lookUp(ctx, "read checkpoint", id)
	switch {
	case errors.Is(err, journal.ErrNoRoom):
		return c, nil
	case err != nil:
		return c, err
	}
	err = db.reads.QueryRowContext(ctx, "SELECT seq, data FROM checkpoints WHERE room = $1", r.num).Scan(&c.Seq, &c.Data)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return journal.Checkpoint{}, db.readError(ctx, "read checkpoint", id, err)
	}
	return c, nil
}
