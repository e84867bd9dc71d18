package lobby

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// DB is an SQL database in which packages keep tables of their own. Statements must be
// plain enough for both SQLite and PostgreSQL. Placeholders are $1, $2, … [On] returns a
// DB.
type DB interface {
	// Migrate runs the steps that this database has not yet run under this name. It runs
	// all of them or none.
	Migrate(ctx context.Context, name string, steps []string) error

	// Write runs fn in a write transaction, isolated from other writers. fn runs its
	// statements and returns. It must not use the DB or its Reader, and must not wait
	// for anything. Write may run fn again after a conflict with another writer. So fn
	// must assign its results afresh, wrap the errors of its statements, and add to
	// nothing outside. An error from fn rolls the transaction back and is returned
	// unchanged.
	Write(ctx context.Context, fn func(Tx) error) error

	// Reader returns a pool for reading. A read sees every write that has returned.
	Reader() *sql.DB
}

// Tx is a write transaction.
type Tx interface {
	// Exec runs a statement and returns the number of rows that it changed.
	Exec(query string, args ...any) (int64, error)
	// Scan runs a query for one row. It returns [sql.ErrNoRows] if there is none.
	Scan(query string, args []any, dest ...any) error
}

// Handle is what a database package offers: a [DB] with a transaction type of its own.
type Handle[T Tx] interface {
	Migrate(ctx context.Context, name string, steps []string) error
	Write(ctx context.Context, fn func(T) error) error
	Reader() *sql.DB
}

// On returns a database package's handle as a [DB]. So neither package has to import the
// other. Its argument is a *sqljournal.DB or a *memdb.DB, for example.
func On[T Tx](h Handle[T]) DB { return handle[T]{h} }

type handle[T Tx] struct{ Handle[T] }

func (h handle[T]) Write(ctx context.Context, fn func(Tx) error) error {
	return h.Handle.Write(ctx, func(tx T) error { return fn(tx) })
}

// Among returns texts as arguments of a query, and their places in it: "$from, $(from+1), …".
func Among(from int, texts []string) (places string, args []any) {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i], args = fmt.Sprintf("$%d", from+i), append(args, text)
	}
	return strings.Join(list, ", "), args
}

// Column returns the results of a query that has one column of texts.
func Column(ctx context.Context, db DB, query string, args ...any) (texts []string, err error) {
	rows, err := db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}

// schema holds the lobby's migrations. A released step is never changed; new steps are
// appended. Times are in ms since 1970.
var schema = []string{`
CREATE TABLE players (
	id      TEXT PRIMARY KEY,
	name    TEXT NOT NULL,
	created BIGINT NOT NULL,
	seen    BIGINT NOT NULL -- a lower bound, up to an hour old
);
CREATE INDEX players_seen ON players (seen);

CREATE TABLE token_keys (
	id     BIGINT PRIMARY KEY, -- 1, 2, 3, …
	secret TEXT NOT NULL,      -- hex
	starts BIGINT NOT NULL     -- the key signs from this time until the next key starts
);

CREATE TABLE games (
	player  TEXT NOT NULL,
	room    TEXT NOT NULL,
	seat    INTEGER NOT NULL,  -- -1: none
	title   TEXT NOT NULL,
	state   TEXT NOT NULL,
	ended   INTEGER NOT NULL,  -- 0 or 1
	updated BIGINT NOT NULL,
	PRIMARY KEY (player, room)
);
CREATE INDEX games_of ON games (player, ended, updated);
CREATE INDEX games_room ON games (room);

CREATE TABLE chat (
	room   TEXT NOT NULL,
	stream TEXT NOT NULL,
	n      BIGINT NOT NULL,
	player TEXT NOT NULL,
	seat   INTEGER NOT NULL,   -- -1: none
	at     BIGINT NOT NULL,
	preset TEXT NOT NULL,      -- empty if text is set
	text   TEXT NOT NULL,
	erased INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (room, stream, n)
);
`, `
ALTER TABLE players ADD COLUMN prefs TEXT NOT NULL DEFAULT ''; -- [Prefs]
`, `
CREATE INDEX chat_of ON chat (player); -- for the deletion of a player
`, `
CREATE TABLE invitations (
	code  TEXT PRIMARY KEY,
	room  TEXT NOT NULL UNIQUE,
	until BIGINT NOT NULL
);
CREATE INDEX invitations_until ON invitations (until);
`, `
ALTER TABLE players ADD COLUMN account BIGINT NOT NULL DEFAULT 0; -- when the account was made; 0 for a guest
`, `
CREATE TABLE handles ( -- the names of accounts
	handle TEXT PRIMARY KEY,
	player TEXT NOT NULL UNIQUE
);
`, `
ALTER TABLE games ADD COLUMN system TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;   -- 0 or 1
ALTER TABLE games ADD COLUMN halves INTEGER NOT NULL DEFAULT -1; -- half points, or -1: undecided
ALTER TABLE games ADD COLUMN finished BIGINT NOT NULL DEFAULT 0; -- when the game was first seen to be over
UPDATE games SET finished = updated WHERE ended = 1;
CREATE INDEX games_past ON games (player, finished);
`, `
-- 0 or 1. Releases before this step write rows without it, and such games count as unlisted.
ALTER TABLE games ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
`, `
CREATE TABLE former_handles ( -- names that accounts gave up, closed to other players until a time
	handle TEXT PRIMARY KEY,
	player TEXT NOT NULL, -- the account that gave it up; empty if the account was deleted
	until  BIGINT NOT NULL
);
CREATE INDEX former_handles_of ON former_handles (player);
CREATE INDEX former_handles_until ON former_handles (until);
`, `
CREATE INDEX players_idle ON players (seen, id) WHERE account = 0; -- for the sweep of guests
CREATE INDEX chat_at ON chat (at);                                 -- for the sweep of old lines
`, `
CREATE INDEX games_going ON games (room, updated) WHERE ended = 0; -- for games without recent moves

CREATE TABLE forgotten ( -- deleted players of whom rows are left
	player TEXT PRIMARY KEY,
	chat   INTEGER NOT NULL -- 0 or 1: the lines of chat are deleted too
);
`, `
CREATE INDEX games_finished ON games (finished, room) WHERE ended = 1; -- for the sweep of finished games

-- Games that are in no player's list any more, because their players were deleted.
CREATE TABLE orphaned_games (
	room  TEXT PRIMARY KEY,
	since BIGINT NOT NULL -- when the game last changed
);
CREATE INDEX orphaned_games_since ON orphaned_games (since, room);
`, `
-- Seatmates by what their IDs begin with, which tells their keepers.
CREATE INDEX players_seatmates ON players (substr(id, 1, 14)) WHERE substr(id, 1, 1) = 'q';
`}

// Number returns yes as databases keep it: 1 or 0.
func Number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
