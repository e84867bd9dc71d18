package pgjournal

import (
	"context"

	"mancala/match/journal"
)

// waitsForStandby is an SQL expression. It is true in a server whose commits wait for a synchronous
// standby. When such a wait is cut off, every reader finds the rows, but the standby may not have
// them. So [DB.Read] calls [DB.confirm] after it has read rows of a room that has an owner. The rows
// of a room without an owner need no confirmation: its release came after them, and has waited.
const waitsForStandby = "(SELECT current_setting('synchronous_standby_names') <> '')"

// confirm returns nil when the standby has every row that could be read before the call.
func (db *DB) confirm(ctx context.Context, room string) error {
	if err := db.confirms.Do(ctx, db.commitNothing); err != nil {
		return db.statementError(ctx, "read", room, err)
	}
	return nil
}

// Confirm implements [journal.Journal]. A commit that another caller waits for already tells
// enough. So a standby that is slow but answers within a lease keeps its instances alive.
func (db *DB) Confirm(ctx context.Context) error {
	if !db.waits.Load() {
		return nil
	}
	select {
	case res := <-db.lives.DoChan("", func() (any, error) { return nil, db.commitNothing() }):
		if res.Err != nil {
			return db.unavailable("confirm", res.Err)
		}
		return nil
	case <-ctx.Done():
		return contextError("confirm", "", journal.ErrUnavailable, ctx.Err())
	}
}

// commitNothing makes a commit that waits for the standby and changes no table. Then the
// standby has all that was committed before.
func (db *DB) commitNothing() error {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	_, err := db.rooms.ExecContext(ctx, "SELECT pg_logical_emit_message(true, 'mancala', '')")
	return err
}
