package main

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/lobby/lobbytest"
	"mancala/lobby/moderation"
	"mancala/lobby/push"
	"mancala/lobby/puzzles"
)

// openTables opens every package that has tables of people.
func openTables(t *testing.T, tables lobby.DB) (*people, *analysis.Analyses) {
	t.Helper()
	all, err := openPeople(t.Context(), tables, lobby.Options{}, moderation.Options{}, push.Options{})
	if err != nil {
		t.Fatal(err)
	}
	analyses, err := analysis.Open(t.Context(), tables, all.lobby, analysis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	puzzleStore, err := puzzles.Open(t.Context(), tables, all.lobby, puzzles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(puzzleStore.Close)
	t.Cleanup(func() {
		if err := analyses.Close(); err != nil {
			t.Error(err)
		}
	})
	return all, analyses
}

// TestDeletedPlayerLeavesOnlyAnID fills every table with rows of a player: whatever
// column holds a player holds this one, and all words are the player's. After the
// player's data has been deleted, no words are left, and the ID only where it is needed.
func TestDeletedPlayerLeavesOnlyAnID(t *testing.T) {
	const id, words = "pforgotten", "wordsofada"
	ids := []string{"player", "other", "reporter", "asker"} // columns that hold a player
	stay := map[string]string{                              // "table.column" and the reason why the ID or the words stay
		"actions.player":        "other instances read the log of moderation",
		"ended.id":              "other instances end the player's sessions; for an hour",
		"former_handles.handle": "other players cannot take the name; for 30 days",
	}
	for name, open := range map[string]func(testing.TB) lobby.DB{"sqlite": lobbytest.SQLite, "postgresql": lobbytest.Postgres} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			all, _ := openTables(t, db)
			columns := textColumns(t, db.Reader(), name == "postgresql")
			for table, list := range columns {
				if table == "forgotten" {
					continue // it has a row only while the deletion goes on
				}
				for _, who := range ids { // one row for each column that holds a player
					if table != "players" && !slices.Contains(list, who) {
						continue
					}
					fill(t, db, table, list, func(column string) string {
						switch {
						case column == who, table == "players" && column == "id", table == "stage" && column == "seats":
							return id
						case slices.Contains(ids, column):
							return "p2"
						case column == "room":
							return "r1"
						case slices.Contains([]string{"stream", "kind", "reason", "what", "system", "speed", "who", "owner", "result"}, column):
							return "x" // these are never words of the player
						}
						return words + table + who // may have to be unique
					})
					if table == "players" {
						break
					}
				}
			}
			if err := all.lobby.People.Forget(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			for table, list := range columns {
				for _, column := range list {
					query := fmt.Sprintf(`SELECT COUNT(*) FROM "%s" WHERE ("%s" LIKE '%%%s%%' OR "%[2]s" LIKE '%%%[4]s%%')`, table, column, id, words)
					if slices.Contains(list, "player") { // the words of the others stay
						query += " AND player <> 'p2'"
					}
					n := 0
					if err := db.Reader().QueryRow(query).Scan(&n); err != nil {
						t.Fatal(query, err)
					}
					if n > 0 && stay[table+"."+column] == "" {
						t.Errorf("%d rows of %s still hold the player or the player's words in %s", n, table, column)
					}
				}
			}
			var text string
			if err := db.Reader().QueryRow("SELECT text FROM reports WHERE player = 'p2'").Scan(&text); err != nil || text != "" {
				t.Errorf("a report that the player made says %q, %v", text, err)
			}
		})
	}
}

// textColumns returns the columns of each table of people that hold text.
func textColumns(t *testing.T, db *sql.DB, postgres bool) map[string][]string {
	t.Helper()
	query := `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.type = 'TEXT' ORDER BY 1, 2`
	if postgres {
		query = `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text' ORDER BY 1, 2`
	}
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns := map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(append(journalTables, "entries", "token_keys", "push_keys"), table) {
			columns[table] = append(columns[table], column)
		}
	}
	if err := rows.Err(); err != nil || len(columns) < 15 {
		t.Fatal(columns, err)
	}
	return columns
}

// fill adds a row to a table. Columns that are not text are numbers.
func fill(t *testing.T, db lobby.DB, table string, text []string, value func(column string) string) {
	t.Helper()
	rows, err := db.Reader().Query(fmt.Sprintf(`SELECT * FROM "%s" LIMIT 0`, table))
	if err != nil {
		t.Fatal(err)
	}
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	rows.Close()
	var places []string
	var values []any
	for i, column := range names {
		places = append(places, fmt.Sprint("$", i+1))
		if slices.Contains(text, column) {
			values = append(values, value(column))
		} else if n++; column == "id" || column == "n" {
			values = append(values, n)
		} else {
			values = append(values, 0)
		}
	}
	err = db.Write(t.Context(), func(tx lobby.Tx) error {
		_, err := tx.Exec(fmt.Sprintf(`INSERT INTO "%s" (%s) VALUES (%s)`, table, strings.Join(names, ", "), strings.Join(places, ", ")), values...)
		return err
	})
	if err != nil {
		t.Fatal(table, values, err)
	}
}

var n int // the last number that fill has used

// TestDeletionsReadByIndex keeps the deletion of a player, and every sweep, quick in a large
// database. A sweep deletes thousands of rows, and rooms wait for each transaction.
func TestDeletionsReadByIndex(t *testing.T) {
	recorded := &recorder{DB: lobbytest.SQLite(t)}
	all, analyses := openTables(t, recorded)
	ada, err := all.lobby.People.Guest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	recorded.queries = nil
	for _, do := range []func(context.Context) error{
		func(ctx context.Context) error { return all.lobby.People.Forget(ctx, ada.ID) }, all.lobby.Sweep, all.accounts.Sweep,
		all.moderation.Sweep, all.showcase.Sweep, all.push.Sweep, all.rulebook.Sweep, analyses.Sweep,
	} {
		if err := do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(recorded.queries) < 30 {
		t.Errorf("only %d statements were recorded", len(recorded.queries))
	}
	for _, q := range recorded.queries {
		if strings.Contains(q.text, "token_keys") {
			continue // a few rows
		}
		rows, err := recorded.Reader().Query("EXPLAIN QUERY PLAN "+q.text, q.args...)
		if err != nil {
			t.Fatal(q.text, err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			all := strings.Contains(step, "(id<?)") // the range of all rows before the last
			if all || strings.HasPrefix(step, "SCAN ") && step != "SCAN CONSTANT ROW" {
				t.Errorf("%s\nreads a whole table: %s", q.text, step)
			}
		}
		rows.Close()
	}
}

// recorder records the statements of transactions.
type recorder struct {
	lobby.DB
	queries []query
}

type query struct {
	text string
	args []any
}

func (r *recorder) Write(ctx context.Context, fn func(lobby.Tx) error) error {
	return r.DB.Write(ctx, func(tx lobby.Tx) error { return fn(recordedTx{tx, r}) })
}

type recordedTx struct {
	lobby.Tx
	r *recorder
}

func (tx recordedTx) Exec(text string, args ...any) (int64, error) {
	tx.r.queries = append(tx.r.queries, query{text, args})
	return tx.Tx.Exec(text, args...)
}

func (tx recordedTx) Scan(text string, args []any, dest ...any) error {
	tx.r.queries = append(tx.r.queries, query{text, args})
	return tx.Tx.Scan(text, args, dest...)
}
