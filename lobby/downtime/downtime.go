// Package downtime stores the times in which no instance of the service was alive. Rooms
// that slept meanwhile credit their players with these times.
//
// A database has one sign of life for all instances together. The instance that writes it
// after a gap stores the gap. Package journal has the signs of life of single instances,
// which decide when rooms get new owners; a clean stop deletes them.
//
// In the same way it stores when messages last arrived at any instance. An instance that
// receives none learns from that whether it is the only one.
package downtime

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"mancala/lobby"
)

const (
	// every is the time between two calls of [Log.Alive] by an instance.
	every = 2 * time.Second

	// shortest is the shortest gap between two signs of life that is stored. A slow
	// database does not make the gaps of a running service that long.
	shortest = 3 * every

	// keep is how long a gap is stored: longer than any game waits for a move.
	keep = 400 * 24 * time.Hour
)

// schema holds the package's migrations. A released step is never changed. Times are in
// ms since 1970, of the database.
var schema = []string{`
CREATE TABLE service ( -- the last sign of life of any instance
	one  INTEGER PRIMARY KEY,
	seen BIGINT NOT NULL
);
CREATE TABLE downtime (
	since BIGINT PRIMARY KEY, -- the last sign of life before the gap
	until BIGINT NOT NULL     -- the first sign of life after the gap
);
`}

// hearing holds the migrations for messages. They have a name of their own, so that the
// release before opens the database all the same.
var hearing = []string{`
CREATE TABLE hearing (
	one   INTEGER PRIMARY KEY,
	heard BIGINT NOT NULL -- when messages last arrived at any instance
);
INSERT INTO hearing (one, heard) VALUES (1, 0);
`}

// span is a time in which no instance was alive, in ms.
type span struct{ since, until int64 }

// Log holds the stored gaps. Its methods are safe from any goroutine.
type Log struct {
	db    lobby.DB
	seen  atomic.Int64 // the last sign of life that this instance wrote or read; 0: none
	spans atomic.Pointer[[]span]
}

// Open migrates the tables.
func Open(ctx context.Context, db lobby.DB) (*Log, error) {
	if err := db.Migrate(ctx, "downtime", schema); err != nil {
		return nil, fmt.Errorf("downtime: open: %w", err)
	}
	if err := db.Migrate(ctx, "hearing", hearing); err != nil {
		return nil, fmt.Errorf("downtime: open: %w", err)
	}
	l := &Log{db: db}
	l.spans.Store(new([]span))
	return l, nil
}

// Alive writes a sign of life at a time of the database. If the previous one is too old,
// Alive also stores the gap. After Alive has returned nil, [Log.Between] covers all time up
// to this sign of life.
func (l *Log) Alive(ctx context.Context, at time.Time) error {
	now := at.UnixMilli()
	err := l.db.Write(ctx, func(tx lobby.Tx) error {
		var seen int64
		err := tx.Scan("SELECT seen FROM service WHERE one = 1", nil, &seen)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			_, err = tx.Exec("INSERT INTO service (one, seen) VALUES (1, $1) ON CONFLICT (one) DO NOTHING", now)
			return err
		case err != nil:
			return err
		case now-seen >= shortest.Milliseconds():
			if _, err := tx.Exec("INSERT INTO downtime (since, until) VALUES ($1, $2) ON CONFLICT (since) DO NOTHING", seen, now); err != nil {
				return err
			}
			if _, err := tx.Exec("DELETE FROM downtime WHERE until < $1", now-keep.Milliseconds()); err != nil {
				return err
			}
		}
		_, err = tx.Exec("UPDATE service SET seen = $1 WHERE one = 1 AND seen < $1", now)
		return err
	})
	if err != nil {
		return fmt.Errorf("downtime: sign of life: %w", err)
	}
	// Another instance may have stored a gap if this one has not written without a break.
	if last := l.seen.Load(); last == 0 || now-last >= shortest.Milliseconds() {
		if err := l.read(ctx); err != nil {
			return err
		}
	}
	l.seen.Store(now)
	return nil
}

func (l *Log) read(ctx context.Context) error {
	rows, err := l.db.Reader().QueryContext(ctx, "SELECT since, until FROM downtime ORDER BY since")
	if err != nil {
		return fmt.Errorf("downtime: read: %w", err)
	}
	defer rows.Close()
	var spans []span
	for rows.Next() {
		var s span
		if err := rows.Scan(&s.since, &s.until); err != nil {
			return fmt.Errorf("downtime: read: %w", err)
		}
		spans = append(spans, s)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("downtime: read: %w", err)
	}
	l.spans.Store(&spans)
	return nil
}

// Between returns for how long no instance was alive between two times of the database.
func (l *Log) Between(from, to time.Time) time.Duration {
	var ms, counted int64 // counted: the spans of two instances that stored the same gap may overlap
	for _, s := range *l.spans.Load() {
		since := max(s.since, from.UnixMilli(), counted)
		until := min(s.until, to.UnixMilli())
		if until > since {
			ms += until - since
			counted = until
		}
	}
	return time.Duration(ms) * time.Millisecond
}

// Hears stores that messages arrive at an instance at a time of the database.
func (l *Log) Hears(ctx context.Context, at time.Time) error {
	err := l.db.Write(ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec("UPDATE hearing SET heard = $1 WHERE one = 1 AND heard < $1", at.UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("downtime: store that messages arrive: %w", err)
	}
	return nil
}

// Heard returns when messages last arrived at any instance.
func (l *Log) Heard(ctx context.Context) (time.Time, error) {
	var at int64
	if err := l.db.Reader().QueryRowContext(ctx, "SELECT heard FROM hearing WHERE one = 1").Scan(&at); err != nil {
		return time.Time{}, fmt.Errorf("downtime: read when messages arrived: %w", err)
	}
	return time.UnixMilli(at), nil
}
