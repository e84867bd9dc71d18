package sqljournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// schema holds the journal's own migrations. A step that a release has carried is
// never changed; new steps are added.
var schema = []string{`
-- Every server that opens the file raises the generation, and every write
-- names the generation that its server knows: a replaced server writes nothing more.
CREATE TABLE lease (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL);
INSERT INTO lease VALUES (1, 0);

CREATE TABLE instances (id TEXT PRIMARY KEY, alive_at INTEGER NOT NULL) WITHOUT ROWID; -- ms

CREATE TABLE rooms (
	num     INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: the log names rooms by it
	id      TEXT NOT NULL UNIQUE,
	kind    TEXT NOT NULL,
	owner   TEXT NOT NULL DEFAULT '',
	epoch   INTEGER NOT NULL DEFAULT 0,
	seq     INTEGER NOT NULL DEFAULT 0, -- of the last entry in segments
	wake_at INTEGER NOT NULL DEFAULT 0  -- ms; 0 is never
);
CREATE INDEX rooms_due ON rooms (owner, wake_at) WHERE wake_at <> 0;

-- Entries in order of arrival, many rooms in one row; see codec.go.
CREATE TABLE log (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Entries by room. Every entry is in the log or in a segment, or in both.
CREATE TABLE segments (
	room  INTEGER NOT NULL,
	first INTEGER NOT NULL,
	last  INTEGER NOT NULL,
	data  BLOB NOT NULL,
	PRIMARY KEY (room, first)
) WITHOUT ROWID;
`, `
-- Entries 1 to last of rooms that sleep for good, packed. They are in no segment.
CREATE TABLE folded (
	room INTEGER PRIMARY KEY, -- rooms.num
	last INTEGER NOT NULL,
	data BLOB NOT NULL
);
`}

// checkpointSchema holds the migrations of the checkpoints. They have a name of their own, so
// that a release before them still opens the database: it needs no checkpoint. The
// trigger removes checkpoints also for such a release.
var checkpointSchema = []string{`
CREATE TABLE checkpoints (
	room INTEGER PRIMARY KEY, -- rooms.num
	seq  INTEGER NOT NULL,    -- of the last entry that is in it
	data BLOB NOT NULL
);
CREATE TRIGGER checkpoints_of_deleted_rooms AFTER DELETE ON rooms BEGIN
	DELETE FROM checkpoints WHERE room = OLD.num;
END;
`}

// Migrate brings a package's own tables up to date. It runs the steps that this
// database has not seen under that name, all or none. A released step must never be
// changed. If the database has seen more steps than there are, the error's code is
// [CodeNewer].
func (db *DB) Migrate(ctx context.Context, name string, steps []string) error {
	err := db.submit(ctx, &op{name: "migrate " + name, alone: true, run: func(*Tx) error {
		return migrate(db.conn, name, steps)
	}})
	return db.wrap("migrate "+name, err)
}

// migrate runs in the caller's transaction.
func migrate(conn *sql.Conn, name string, steps []string) error {
	ctx := context.Background()
	version, err := versionOf(conn, name)
	if err != nil {
		return err
	}
	if version > len(steps) {
		return newer(name, version, len(steps))
	}
	for i, step := range steps[version:] {
		if _, err := conn.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("%s, step %d: %w", name, version+i+1, err)
		}
	}
	_, err = conn.ExecContext(ctx, `INSERT INTO migrations (name, version) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET version = excluded.version`, name, len(steps))
	return err
}

// versionOf returns the number of steps that the database has seen under a name.
func versionOf(conn *sql.Conn, name string) (version int, err error) {
	err = conn.QueryRowContext(context.Background(), "SELECT version FROM migrations WHERE name = $1", name).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return version, err
}

func newer(name string, have, know int) error {
	return &Error{Code: CodeNewer, Op: "open", Err: fmt.Errorf("the tables of %s are at version %d, this program knows %d: use the newer program", name, have, know)}
}
