package pgjournal

import (
	"context"
	"errors"

	"mancala/match/journal"
)

// waitsForStandby is an SQL expression. It is true in a server whose commits wait for a synchronous
// standby. When such a wait is cut off, every reader finds the rows, but the standby may not have
// them. So [DB.Read] calls [DB.confirm] after it has read rows of a room that has an owner. The rows
// of a room without an owner need no confirmation: its release came after them, and has waited.
const waitsForStandby = "(SELECT current_setting('synchronous_standby_names') <> '')"

// startedAt is an SQL expression for the time at which the server was started, in µs. It tells a
// server from the standby that takes its place.
const startedAt = "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint"

// unsureAt is an SQL expression: [startedAt] in a server whose commits wait for a standby, or else 0.
const unsureAt = "(SELECT CASE WHEN current_setting('synchronous_standby_names') <> '' THEN " + startedAt + " ELSE 0 END)"

var errReplaced = errors.New("the server that had the rows has been replaced")

// confirm returns nil when the standby has every row that could be read before the call from the
// server that was started at that time. Its successor may not have them, and confirms nothing.
func (db *DB) confirm(ctx context.Context, room string, server int64) error {
	err := db.confirms.Do(ctx, func() error {
		by, err := db.commitNothing()
		if err == nil {
			db.confirmed.Store(by)
		}
		return err
	})
	if err != nil {
		return db.statementError(ctx, "read", room, err)
	}
	if db.confirmed.Load() != server { // it may be a later call's, which shows the same
		return db.unavailable("read", errReplaced)
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
	case res := <-db.lives.DoChan("", func() (any, error) { return db.commitNothing() }):
		if res.Err != nil {
			return db.unavailable("confirm", res.Err)
		}
		return nil
	case <-ctx.Done():
		return contextError("confirm", "", journal.ErrUnavailable, ctx.Err())
	}
}

// commitNothing makes a commit that waits for the standby and changes no table. Then the
// standby has all that this server has committed before. It returns when the server was started.
func (db *DB) commitNothing() (server int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	err = db.rooms.QueryRowContext(ctx, "SELECT "+startedAt+" FROM pg_logical_emit_message(true, 'mancala', '')").Scan(&server)
	return server, err
}
