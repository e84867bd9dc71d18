package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"testing"

	"modernc.org/sqlite"
)

// counting counts the statements that the driver prepares.
type counting struct {
	driver.Connector
	prepared *int
}

type counted struct {
	connection
	prepared *int
}

func (c counting) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return counted{made.(connection), c.prepared}, nil
}

func (c counted) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	*c.prepared++
	return c.connection.PrepareContext(ctx, query)
}

func open(t *testing.T) (db *sql.DB, prepared *int) {
	t.Helper()
	c, err := sqlite.NewConnector(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	prepared = new(int)
	db = sql.OpenDB(connector{counting{c, prepared}})
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, script := range []string{
		"CREATE TABLE seeds (pit INTEGER PRIMARY KEY, n INTEGER NOT NULL); CREATE INDEX seeds_n ON seeds (n)",
		"INSERT INTO seeds VALUES (1, 4), (2, 4), (3, 5)",
	} {
		if _, err := db.Exec(script); err != nil {
			t.Fatal(err)
		}
	}
	return db, prepared
}

func TestStatementsAreReused(t *testing.T) {
	db, prepared := open(t)
	before := *prepared
	for i := range 5 {
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec("UPDATE seeds SET n = n + $1 WHERE pit = $2", 1, 3); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := tx.QueryRow("SELECT n FROM seeds WHERE pit = $1", 3).Scan(&n); err != nil || n != 6+i {
			t.Errorf("%d seeds, %v, want %d", n, err, 6+i)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if got := *prepared - before; got != 2 {
		t.Errorf("prepared %d times, want each of the two once", got)
	}
}

// The same text is queried again while the rows of the first query are read.
func TestOneTextCanBeInUseTwiceAtOnce(t *testing.T) {
	db, _ := open(t)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	const query = "SELECT pit FROM seeds WHERE n = $1 ORDER BY pit"
	var kept int // the first call leaves a statement that the second call takes
	if err := tx.QueryRow(query, 5).Scan(&kept); err != nil || kept != 3 {
		t.Fatalf("pit %d, %v", kept, err)
	}
	rows, err := tx.Query(query, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var pits []int
	for rows.Next() {
		var pit, other int
		if err := rows.Scan(&pit); err != nil {
			t.Fatal(err)
		}
		if err := tx.QueryRow(query, 5).Scan(&other); err != nil || other != 3 {
			t.Errorf("inside: pit %d, %v", other, err)
		}
		pits = append(pits, pit)
	}
	if err := rows.Err(); err != nil || fmt.Sprint(pits) != "[1 2]" {
		t.Errorf("read %v, %v", pits, err)
	}
}

func TestStatementWorksAgainAfterAFailureOrAChangeOfTheTable(t *testing.T) {
	db, _ := open(t)
	const insert = "INSERT INTO seeds (pit, n) VALUES ($1, $2)"
	if _, err := db.Exec(insert, 1, 0); err == nil {
		t.Fatal("a pit twice")
	}
	if _, err := db.Exec(insert, 4, 0); err != nil {
		t.Error(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.ExecContext(over, insert, 5, 0); err == nil {
		t.Error("written although the context had ended")
	}
	if _, err := db.Exec("ALTER TABLE seeds ADD COLUMN side INTEGER NOT NULL DEFAULT 7"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(insert, 5, 0); err != nil {
		t.Error(err)
	}
	var side int
	if err := db.QueryRow("SELECT side FROM seeds WHERE pit = 5").Scan(&side); err != nil || side != 7 {
		t.Errorf("side %d, %v", side, err)
	}
}

func TestNumberOfKeptStatementsIsBounded(t *testing.T) {
	db, _ := open(t)
	for i := range 2 * maxKept {
		var n int
		if err := db.QueryRow(fmt.Sprintf("SELECT %d", i)).Scan(&n); err != nil || n != i {
			t.Fatalf("%d, %v, want %d", n, err, i)
		}
	}
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Raw(func(raw any) error {
		if n := len(raw.(*conn).kept); n != maxKept {
			t.Errorf("%d statements are kept, want %d", n, maxKept)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// BenchmarkLimit runs a query with a bound limit, which SQLite would plan again each
// time; see steady.
func BenchmarkLimit(b *testing.B) {
	db, err := Open(":memory:")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE seeds (pit INTEGER PRIMARY KEY, n INTEGER NOT NULL); INSERT INTO seeds VALUES (1, 4), (2, 4)"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var pit int
		if err := db.QueryRow("SELECT pit FROM seeds WHERE n = $1 ORDER BY pit DESC LIMIT $2", 4, 1).Scan(&pit); err != nil || pit != 2 {
			b.Fatal(pit, err)
		}
	}
}
