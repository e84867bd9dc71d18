package pgjournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
)

// schema is the journal's own set of migrations. A step that a release has
// carried is never changed; a new one is added. Names are compared by their
// bytes, whatever language the database speaks.
var schema = []string{`
-- The database's time in ms: of signs of life, and of whom they tell.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
	AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

CREATE TABLE instances (
	id       text COLLATE "C" PRIMARY KEY,
	alive_at bigint NOT NULL
) WITH (fillfactor = 50);

-- Room is left in each page for the next version of a line, which needs no new
-- place in the indexes as long as owner and wake_at stay.
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
-- The server process that an instance's signs of life come through: it ends when
-- the instance does, and at once. 0 if it is not known.
ALTER TABLE instances ADD COLUMN backend integer NOT NULL DEFAULT 0;
`}

// Migrate brings a package's own tables up to date: it runs the steps that this
// database has not seen under that name, all or none, also if several instances
// do so at once. If the database has seen more steps than there are, the error's
// code is [CodeNewer].
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
	// One instance after the other; the lock ends with the transaction.
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

// lockKey is the advisory lock of whoever changes tables.
var lockKey = func() int64 {
	h := fnv.New64a()
	h.Write([]byte("mancala migrations"))
	return int64(h.Sum64())
}()
