package pgjournal

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"mancala/match/journal"
)

// PutCheckpoint implements [journal.Journal]. It locks the room's line, so that no other
// instance claims the room meanwhile.
func (db *DB) PutCheckpoint(ctx context.Context, id string, epoch uint64, c journal.Checkpoint) error {
	if !journal.ValidID(id) || epoch > math.MaxInt64 || c.Seq-1 >= math.MaxInt64 {
		return fail("checkpoint", id, journal.ErrConflict)
	}
	var stored bool
	err := db.one(ctx, "checkpoint", id, `
		WITH line AS MATERIALIZED (
			SELECT id FROM rooms WHERE id = $1 AND owner <> '' AND epoch = $2 AND seq >= $3 FOR UPDATE
		), stored AS (
			INSERT INTO checkpoints (room, seq, data) SELECT id, $3, $4 FROM line
			ON CONFLICT (room) DO UPDATE SET seq = excluded.seq, data = excluded.data WHERE checkpoints.seq <= excluded.seq
			RETURNING room
		)
		SELECT EXISTS (SELECT FROM stored)`, []any{id, int64(epoch), int64(c.Seq), append([]byte{}, c.Data...)}, &stored)
	if err == nil && !stored {
		return fail("checkpoint", id, journal.ErrConflict)
	}
	return err
}

// Checkpoint implements [journal.Journal].
func (db *DB) Checkpoint(ctx context.Context, id string) (journal.Checkpoint, error) {
	if !journal.ValidID(id) {
		return journal.Checkpoint{}, db.nothingToDo(ctx, "read checkpoint", id)
	}
	var c journal.Checkpoint
	var seq int64
	err := db.one(ctx, "read checkpoint", id, "SELECT seq, data FROM checkpoints WHERE room = $1", []any{id}, &seq, &c.Data)
	if errors.Is(err, sql.ErrNoRows) {
		return journal.Checkpoint{}, nil
	}
	c.Seq = uint64(seq)
	return c, err
}
