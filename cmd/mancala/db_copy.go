package main

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/lobby/downtime"
	"mancala/lobby/moderation"
	"mancala/lobby/push"
	"mancala/lobby/puzzles"
	"mancala/match/journal"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/sqljournal"
)

// journalTables are the tables of the SQLite journal. PostgreSQL has other tables for the
// same rooms, and [eachRoom] copies their contents, except the checkpoints: a long room
// writes a new one.
var journalTables = []string{"checkpoints", "folded", "instances", "lease", "log", "migrations", "rooms", "segments"}

// copyDatabase copies the contents of a file into PostgreSQL. Afterwards it compares the
// number of rows and a hash of all rows of each table.
func copyDatabase(ctx context.Context, file, address string, out io.Writer) error {
	from, err := sqljournal.Open(ctx, sqljournal.Options{Path: file}) // refuses while a server uses it
	if err != nil {
		return explain(err, "database "+file)
	}
	defer from.Close()
	to, err := pgjournal.Open(ctx, pgjournal.Options{URL: address})
	if err != nil {
		return explain(err, "database "+withoutSecrets(address))
	}
	defer to.Close()
	for _, tables := range []lobby.DB{lobby.On(from), lobby.On(to)} { // both get the tables of this release
		if err := updateTables(ctx, tables); err != nil {
			return explain(err, "tables")
		}
	}
	tables, err := tablesOf(ctx, from.Reader())
	if err != nil {
		return err
	}
	var rooms int
	err = to.Import(ctx, func(im *pgjournal.Importer) error {
		rooms, err = eachRoom(ctx, from, im.Room)
		for _, t := range tables {
			if err == nil {
				err = t.copy(ctx, from.Reader(), im)
			}
		}
		return err
	})
	if err != nil {
		return explain(err, "copy of "+file+" to "+withoutSecrets(address))
	}
	return compare(ctx, from, to, rooms, tables, out)
}

// updateTables brings the tables of every package up to date.
func updateTables(ctx context.Context, tables lobby.DB) error {
	people, err := openPeople(ctx, tables, lobby.Options{}, moderation.Options{}, push.Options{})
	if err != nil {
		return err
	}
	if _, err := downtime.Open(ctx, tables); err != nil {
		return err
	}
	puzzleStore, err := puzzles.Open(ctx, tables, people.lobby, puzzles.Options{})
	if err != nil {
		return err
	}
	puzzleStore.Close()
	analyses, err := analysis.Open(ctx, tables, people.lobby, analysis.Options{})
	if err != nil {
		return err
	}
	return analyses.Close()
}

// table is a table of the lobby's packages.
type table struct {
	name    string
	columns []string
}

// tablesOf returns the tables of a file without those of the journal.
func tablesOf(ctx context.Context, db *sql.DB) (list []table, err error) {
	rows, err := db.QueryContext(ctx, "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name, column string
		if err := rows.Scan(&name, &column); err != nil {
			return nil, err
		}
		if slices.Contains(journalTables, name) {
			continue
		}
		if len(list) == 0 || list[len(list)-1].name != name {
			list = append(list, table{name: name})
		}
		last := &list[len(list)-1]
		last.columns = append(last.columns, column)
	}
	return list, rows.Err()
}

func (t table) query() string {
	return `SELECT "` + strings.Join(t.columns, `", "`) + `" FROM "` + t.name + `"`
}

func (t table) copy(ctx context.Context, from *sql.DB, im *pgjournal.Importer) error {
	rows, err := from.QueryContext(ctx, t.query())
	if err != nil {
		return err
	}
	defer rows.Close()
	return im.Table(t.name, t.columns, rows)
}

// eachRoom calls f with each room of a file and its entries, and returns the number of
// rooms.
func eachRoom(ctx context.Context, db *sqljournal.DB, f func(journal.Room, []journal.Row) error) (n int, err error) {
	for after := ""; ; {
		ids, err := roomsAfter(ctx, db.Reader(), after)
		if err != nil || len(ids) == 0 {
			return n, err
		}
		for _, id := range ids {
			line, err := db.Room(ctx, id)
			if err != nil {
				return n, err
			}
			rows, err := db.Read(ctx, id, 0, 0)
			if err != nil {
				return n, err
			}
			if err := f(line, rows); err != nil {
				return n, err
			}
			n++
		}
		after = ids[len(ids)-1]
	}
}

// roomsAfter returns the next rooms in the order of their IDs.
func roomsAfter(ctx context.Context, db *sql.DB, after string) (ids []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT id FROM rooms WHERE id > $1 ORDER BY id LIMIT 1000", after)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// compare reads both databases and prints what they contain. It returns an error if they
// differ.
func compare(ctx context.Context, from *sqljournal.DB, to *pgjournal.DB, rooms int, tables []table, out io.Writer) error {
	var here, there sum
	_, err := eachRoom(ctx, from, func(r journal.Room, rows []journal.Row) error {
		copied, err := to.Room(ctx, r.ID)
		if err != nil {
			return err
		}
		others, err := to.Read(ctx, r.ID, 0, 0)
		here.room(r, rows)
		there.room(copied, others)
		return err
	})
	if err != nil {
		return err
	}
	var have int
	if err := to.Reader().QueryRowContext(ctx, "SELECT count(*) FROM rooms").Scan(&have); err != nil {
		return err
	}
	if here != there || have != rooms {
		return fmt.Errorf("the copy differs: the file has %d rooms with %v, PostgreSQL has %d with %v", rooms, here, have, there)
	}
	fmt.Fprintf(out, "%-22s %8d, with entries %v\n", "rooms", rooms, here)
	for _, t := range tables {
		here, err := t.sum(ctx, from.Reader())
		there, err2 := t.sum(ctx, to.Reader())
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if here != there {
			return fmt.Errorf("the copy of table %s differs: the file has %v, PostgreSQL has %v", t.name, here, there)
		}
		fmt.Fprintf(out, "%-22s %v\n", t.name, here)
	}
	return nil
}

// sum is the number of rows and a hash of all rows. Their order does not matter.
type sum struct {
	n    int
	hash uint64
}

func (s sum) String() string { return fmt.Sprintf("%8d, hash %016x", s.n, s.hash) }

// add adds a row.
func (s *sum) add(values ...any) {
	h := fnv.New64a()
	for _, v := range values {
		var text []byte
		switch v := v.(type) {
		case []byte:
			text = v
		default:
			text = fmt.Append(nil, v)
		}
		_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(text)))) // a hash never returns an error
		_, _ = h.Write(text)
	}
	s.n++
	s.hash += h.Sum64()
}

// room adds a room and its entries. Only the entries count.
func (s *sum) room(r journal.Room, rows []journal.Row) {
	for _, row := range rows {
		s.add(r.ID, row.Seq, row.Epoch, row.Key, row.Data)
	}
	s.n--
	s.add(r.ID, r.Kind, r.Epoch, r.Seq, r.Wake.UnixMilli())
}

// sum returns the sum of all rows of t.
func (t table) sum(ctx context.Context, db *sql.DB) (s sum, err error) {
	rows, err := db.QueryContext(ctx, t.query())
	if err != nil {
		return s, err
	}
	defer rows.Close()
	values, into := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return s, err
		}
		s.add(values...)
	}
	return s, rows.Err()
}
