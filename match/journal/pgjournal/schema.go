package pgjournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
)

// schema holds the journal's own migrations. A step that a release has carried is
// never changed; new steps are added. Names are compared by their bytes, whatever the
// locale of the database.
var schema = []string{`
-- The database's time in ms.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
	AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

CREATE TABLE instances (
	id       text COLLATE "C" PRIMARY KEY,
	alive_at bigint NOT NULL
) WITH (fillfactor = 50);

-- Each page keeps space for the next version of a line. The next version needs no
-- new entry in the indexes as long as owner and wake_at stay the same.
CREATE TABLE rooms (
	id      text COLLATE "C" PRIMARY KEY,
	num     bigint GENERATED ALWAYS AS IDENTITY, -- never used again
	kind    text COLLATE "C" NOT NULL,
	owner   text COLLATE "C" NOT NULL DEFAULT '',
	epoch   bigint NOT NULL DEFAULT 0,
	seq     bigint NOT NULL DEFAULT 0,
	wake_at bigint NOT NULL DEFAULT 0            -- ms; 0 is never
) WITH (fillfactor = 70);
CREATE INDEX rooms_due ON rooms (owner, wake_at);

CREATE TABLE entries (
	room  bigint NOT NULL, -- rooms.num
	seq   bigint NOT NULL,
	epoch bigint NOT NULL,
	key   bytea NOT NULL,
	data  bytea NOT NULL,
	PRIMARY KEY (room, seq) -- the fence
);
`, `
-- The server process that an instance's signs of life come through. It ends at once
-- when the instance ends. 0 if it is not known.
ALTER TABLE instances ADD COLUMN backend integer NOT NULL DEFAULT 0;
`, `
-- Entries 1 to seq of rooms that sleep for good, packed. They are not in entries.
CREATE TABLE folded (
	room bigint PRIMARY KEY, -- rooms.num
	seq  bigint NOT NULL,
	data bytea NOT NULL
) WITH (toast_tuple_target = 4080);
ALTER TABLE folded ALTER COLUMN data SET STORAGE EXTERNAL; -- it is compressed already

-- Rooms that have gone to sleep for good since they were last folded.
CREATE TABLE unfolded (room text COLLATE "C" PRIMARY KEY); -- rooms.id

-- How far the rooms that slept before this step have been added to unfolded: those up to
-- this id. Without a row all have been added.
CREATE TABLE folding (one integer PRIMARY KEY CHECK (one = 1), after text COLLATE "C" NOT NULL);
INSERT INTO folding VALUES (1, '');

-- The newest form of rooms that an instance can read: 1 is folded rooms. A release before
-- this step writes nothing here.
ALTER TABLE instances ADD COLUMN reads integer NOT NULL DEFAULT 0;
`}

// checkpointSchema holds the migrations of the checkpoints. They have a name of their own, so
// that a release before them still opens the database: it needs no checkpoint. The
// foreign key removes checkpoints also for such a release.
var checkpointSchema = []string{`
CREATE TABLE checkpoints (
	room text COLLATE "C" PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
	seq  bigint NOT NULL, -- of the last entry that is in it
	data bytea NOT NULL
);
`}

// Migrate brings a package's own tables up to date. It runs the steps that this
// database has not seen under that name, all or none. Several instances may do so at
// the same time. A released step must never be changed. If the database has seen more
// steps than there are, the error's code is [CodeNewer].
func (db *DB) Migrate(ctx context.Context, name string, steps []string) error {
	return db.wrap("migrate "+name, db.migrate(ctx, name, steps))
}

func (db *DB) migrate(ctx context.Context, name string, steps []string) (err error) {
	tx, err := db.tools.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if back := tx.Rollback(); err != nil && back != nil && !errors.Is(back, sql.ErrTxDone) {
			err = errors.Join(err, back)
		}
	}()
	// Only one instance migrates at a time. The lock ends with the transaction.
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lockKey); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, version bigint NOT NULL)"); err != nil {
		return err
	}
	var version int
	err = tx.QueryRowContext(ctx, "SELECT version FROM migrations WHERE name = $1", name).Scan(&version)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if version > len(steps) {
		return &Error{Code: CodeNewer, Op: "open", Where: db.where, Err: fmt.Errorf("the tables of %s are at version %d, this program knows %d: use the newer program", name, version, len(steps))}
	}
	if version == len(steps) {
		return nil
	}
	for i, step := range steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("%s, step %d: %w", name, version+i+1, err)
		}
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO migrations VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = excluded.version", name, len(steps))
	if err != nil {
		return err
	}
	return tx.Commit()
}

// lockKey is the advisory lock of the instance that migrates.
var lockKey = func() int64 {
	h := fnv.New64a()
	h.Write([]byte("mancala migrations"))
	return int64(h.Sum64())
}()
