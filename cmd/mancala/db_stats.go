package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/match"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/sqljournal"
)

// printStats prints the size of each table of a database, and counts what it holds.
func printStats(ctx context.Context, database string, out io.Writer) error {
	switch {
	case database == inMemory:
		return fmt.Errorf("%w: a database in memory cannot be seen from outside", cli.ErrUsage)
	case isPostgres(database):
		return explain(pgjournal.Inspect(ctx, database, func(db *sql.DB) error {
			return stats{ctx, db, postgresTables, 0}.print(out)
		}), "database "+withoutSecrets(database))
	case strings.Contains(database, "://"):
		return fmt.Errorf("%w: --database is a file or postgres://…", cli.ErrUsage)
	}
	return explain(sqljournal.Inspect(ctx, database, func(db *sql.DB) error {
		var free int64
		err := db.QueryRowContext(ctx, "SELECT f.freelist_count * p.page_size FROM pragma_freelist_count f, pragma_page_size p").Scan(&free)
		if err != nil {
			return err
		}
		return stats{ctx, db, sqliteTables, free}.print(out)
	}), "database "+database)
}

// Both queries return each table with its bytes, and its bytes with those of its indexes.
const (
	// It reads every page of the file.
	sqliteTables = `SELECT s.tbl_name, SUM(CASE WHEN s.name = s.tbl_name OR s.sql IS NULL THEN d.pgsize ELSE 0 END), SUM(d.pgsize)
		FROM dbstat d JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE AND s.tbl_name NOT LIKE 'sqlite_%' GROUP BY s.tbl_name`
	postgresTables = `SELECT relname, pg_table_size(oid), pg_total_relation_size(oid) FROM pg_class
		WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`
)

// stats is a database that is looked at.
type stats struct {
	ctx    context.Context
	db     *sql.DB
	tables string // the query
	free   int64  // bytes of pages that hold nothing
}

// tableSize is the size of a table.
type tableSize struct {
	name               string
	rows, bytes, whole int64
}

func (s stats) print(out io.Writer) error {
	tables, err := s.sizes()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	sum := tableSize{}
	fmt.Fprintf(w, "%s\t%12s\t%14s\t%14s\n", "table", "rows", "bytes", "with indexes")
	for _, t := range tables {
		fmt.Fprintf(w, "%s\t%12d\t%14d\t%14d\n", t.name, t.rows, t.bytes, t.whole)
		sum.rows, sum.bytes, sum.whole = sum.rows+t.rows, sum.bytes+t.bytes, sum.whole+t.whole
	}
	fmt.Fprintf(w, "total\t%12d\t%14d\t%14d\n", sum.rows, sum.bytes, sum.whole)
	if s.free > 0 {
		fmt.Fprintf(w, "free\t%12s\t%14s\t%14d\n", "", "", s.free)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return s.counts(out, func(table string) bool {
		return slices.ContainsFunc(tables, func(t tableSize) bool { return t.name == table })
	})
}

// sizes returns the tables, the largest first.
func (s stats) sizes() (tables []tableSize, err error) {
	rows, err := s.db.QueryContext(s.ctx, s.tables)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t tableSize
		if err := rows.Scan(&t.name, &t.bytes, &t.whole); err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if err := rows.Close(); err != nil {
		return nil, err
	}
	for i := range tables {
		query := `SELECT count(*) FROM "` + strings.ReplaceAll(tables[i].name, `"`, `""`) + `"`
		if err := s.db.QueryRowContext(s.ctx, query).Scan(&tables[i].rows); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(tables, func(a, b tableSize) int { return cmp.Or(cmp.Compare(b.whole, a.whole), cmp.Compare(a.name, b.name)) })
	return tables, nil
}

// counts prints what the database holds. Tables that it does not have, because it is of an
// older release, hold nothing.
func (s stats) counts(out io.Writer, has func(table string) bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	const forGood = " AND owner = '' AND wake_at = 0"
	games := "FROM rooms WHERE kind = '" + match.Kind + "'"
	notFolded := games + forGood
	if has("folded") {
		notFolded += " AND NOT EXISTS (SELECT 1 FROM folded WHERE folded.room = rooms.num)"
	}
	for _, line := range []struct{ what, table, query string }{
		{"games", "rooms", "SELECT count(*) " + games},
		{"  awake, or with a time to wake", "rooms", "SELECT count(*) " + games + " AND NOT (owner = '' AND wake_at = 0)"},
		{"  asleep for good, not folded", "rooms", "SELECT count(*) " + notFolded},
		{"  folded", "folded", "SELECT count(*) FROM folded"},
		{"guests", "players", "SELECT count(*) FROM players WHERE account = 0"},
		{"accounts", "players", "SELECT count(*) FROM players WHERE account <> 0"},
	} {
		if !has(line.table) {
			continue
		}
		var n int64
		if err := s.db.QueryRowContext(s.ctx, line.query).Scan(&n); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%d\n", line.what, n)
	}
	for _, line := range []struct{ what, table, query string }{
		{"longest without a move", "games", "SELECT MIN(updated) FROM games WHERE ended = 0"},
		{"finished first", "games", "SELECT MIN(finished) FROM games WHERE ended = 1"},
		{"oldest guest", "players", "SELECT MIN(created) FROM players WHERE account = 0"},
		{"longest away", "players", "SELECT MIN(seen) FROM players WHERE account = 0"},
	} {
		if !has(line.table) {
			continue
		}
		var at sql.NullInt64
		if err := s.db.QueryRowContext(s.ctx, line.query).Scan(&at); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if at.Valid {
			fmt.Fprintf(w, "%s\t%s\n", line.what, time.UnixMilli(at.Int64).UTC().Format(time.DateOnly))
		}
	}
	return w.Flush()
}
