package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"mancala/lobby"
	"mancala/lobby/showcase"
	"mancala/match/journal"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/sqljournal"
	"mancala/match/testenv"
)

// yearLoad is a service that is simulated day by day: how many guests come each day, each of
// whom begins a game, and how long the service keeps what.
type yearLoad struct {
	days, daily int
	database    string        // "" and "sqlite": a file; "postgres": a server that is started; or postgres://…
	idle        time.Duration // see [lobby.Options]
	kept        time.Duration
	chat        time.Duration
}

// simulate prints what a database takes after each simulated month. No time passes: the
// people and games of each day are written in batches, and then the service's own sweeps and
// folds run once, with a clock that is set on by a day.
func (l yearLoad) simulate(ctx context.Context, out io.Writer) error {
	s, err := openStore(ctx, l.database)
	if err != nil {
		return err
	}
	defer s.close()
	y, err := newYear(ctx, l, s)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d guests and games a day for %d days, in %s; guests kept for %v, their games for %v (0: for ever), chat for %v\n",
		l.daily, l.days, s.name, l.idle, l.kept, l.chat)
	begun := time.Now()
	for day := 1; day <= l.days; day++ {
		if err := y.day(ctx, l.daily); err != nil {
			return fmt.Errorf("day %d: %w", day, err)
		}
		if day%30 == 0 || day == l.days {
			if err := y.report(ctx, out, day, time.Since(begun)); err != nil {
				return err
			}
		}
	}
	return nil
}

// store is a real database.
type store struct {
	name    string
	journal journal.Journal
	tables  lobby.DB
	sizes   string   // a query: each table with its bytes
	tidy    []string // what the database does by itself in the night of a real day
	close   func()
}

func openStore(ctx context.Context, database string) (*store, error) {
	if database == "" || database == "sqlite" {
		dir, err := os.MkdirTemp("", "mancala-year-")
		if err != nil {
			return nil, err
		}
		db, err := sqljournal.Open(ctx, sqljournal.Options{Path: filepath.Join(dir, "mancala.db")})
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
		return &store{
			name: "SQLite", journal: db, tables: lobby.On(db),
			sizes: "SELECT s.tbl_name, SUM(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY s.tbl_name",
			close: func() { _ = errors.Join(db.Close(), os.RemoveAll(dir)) },
		}, nil
	}
	end := func() {}
	if database == "postgres" {
		server, err := testenv.StartPostgres("fsync=off", "shared_buffers=256MB", "max_wal_size=4GB")
		if err != nil {
			return nil, err
		}
		end = server.Remove
		if err := server.Exec("CREATE DATABASE year"); err != nil {
			end()
			return nil, err
		}
		database = server.URL("year")
	}
	db, err := pgjournal.Open(ctx, pgjournal.Options{URL: database})
	if err != nil {
		end()
		return nil, err
	}
	return &store{
		name: "PostgreSQL", journal: db, tables: lobby.On(db),
		sizes: "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace",
		tidy:  []string{"VACUUM"}, // autovacuum
		close: func() {
			_ = db.Close()
			end()
		},
	}, nil
}

// year is a simulated service.
type year struct {
	yearLoad
	store    *store
	now      time.Time
	lobby    *lobby.Lobby
	showcase *showcase.Index
	moulds   []*mould
	going    map[string]*begun // games that have not ended, by room
	made     int               // games so far
	last     string            // the last guest who came
	tables   *timedDB
	measured bool                       // the service does its own work, which is timed; what people do is not
	times    map[string][]time.Duration // of a kind of such work, since the last report
	mu       sync.Mutex                 // guards times
}

// begun is a game that goes on.
type begun struct {
	mould   *mould
	part    int // the part that it has reached
	number  int
	players [2]string
}

func newYear(ctx context.Context, l yearLoad, s *store) (*year, error) {
	y := &year{
		yearLoad: l, store: s, now: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		going: map[string]*begun{}, times: map[string][]time.Duration{},
	}
	y.tables = &timedDB{DB: s.tables, took: y.took}
	clock := func() time.Time { return y.now }
	var err error
	y.lobby, err = lobby.Open(ctx, y.tables, lobby.Options{
		GuestIdle: l.idle, ChatKept: l.chat, GamesKept: l.kept, Rooms: timedRooms{s.journal, y.took}, Clock: clock,
	})
	if err != nil {
		return nil, err
	}
	if y.showcase, err = showcase.Open(ctx, y.tables, y.lobby); err != nil {
		return nil, err
	}
	y.showcase.Now = clock
	y.moulds, err = makeMoulds()
	return y, err
}

// took notes how long something took.
func (y *year) took(kind string, d time.Duration) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.measured {
		y.times[kind] = append(y.times[kind], d)
	}
}

// timedDB measures transactions: until their statements have run, and with their commit.
type timedDB struct {
	lobby.DB
	took func(kind string, d time.Duration)
}

func (t *timedDB) Write(ctx context.Context, fn func(lobby.Tx) error) error {
	begun := time.Now()
	err := t.DB.Write(ctx, func(tx lobby.Tx) error {
		begun := time.Now()
		err := fn(tx)
		t.took("transaction", time.Since(begun))
		return err
	})
	t.took("with its commit", time.Since(begun))
	return err
}

// timedRooms measures the deletion of rooms.
type timedRooms struct {
	lobby.Rooms
	took func(kind string, d time.Duration)
}

func (t timedRooms) Delete(ctx context.Context, room string) error {
	begun := time.Now()
	err := t.Rooms.Delete(ctx, room)
	t.took("delete", time.Since(begun))
	return err
}

// day lets a day pass: games whose time has come go on, guests come and begin games, and the
// service does its regular work.
func (y *year) day(ctx context.Context, daily int) error {
	y.now = y.now.Add(24 * time.Hour)
	if err := y.wake(ctx); err != nil {
		return fmt.Errorf("wake: %w", err)
	}
	for done := 0; done < daily; done += dayBatch {
		if err := y.come(ctx, min(dayBatch, daily-done)); err != nil {
			return fmt.Errorf("come: %w", err)
		}
	}
	y.measured = true
	defer func() { y.measured = false }()
	if err := errors.Join(y.lobby.Sweep(ctx), y.showcase.Sweep(ctx)); err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	if err := y.fold(ctx); err != nil {
		return fmt.Errorf("fold: %w", err)
	}
	for _, statement := range y.store.tidy {
		if _, err := y.store.tables.Reader().ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// fold folds the games that have ended.
func (y *year) fold(ctx context.Context) error {
	for {
		ids, err := y.store.journal.Unfolded(ctx, 64)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			begun := time.Now()
			if err := y.store.journal.Fold(ctx, id); err != nil {
				return err
			}
			y.took("fold", time.Since(begun))
		}
	}
}

// report prints how much each table takes.
func (y *year) report(ctx context.Context, out io.Writer, day int, elapsed time.Duration) error {
	sizes, err := y.size(ctx)
	if err != nil {
		return err
	}
	var names []string
	total := int64(0)
	for name, n := range sizes {
		names, total = append(names, name), total+n
	}
	slices.SortFunc(names, func(a, b string) int { return int(sizes[b] - sizes[a]) })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\nday %d\tgames that go on\tmemory MB\ttables MB\tsimulated in\t\n", day)
	fmt.Fprintf(w, "\t%d\t%d\t%.1f\t%v\t\n", len(y.going), process{pids: []int{os.Getpid()}}.rss()>>20, float64(total)/1e6, elapsed.Round(time.Second))
	if err := w.Flush(); err != nil {
		return err
	}
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "ms\ttimes\tmedian\tp99\tlongest\t\n")
	for _, kind := range []string{"transaction", "with its commit", "fold", "delete"} {
		if took := y.times[kind]; len(took) > 0 {
			slices.Sort(took)
			fmt.Fprintf(w, "%s\t%d\t%.2f\t%.1f\t%.1f\t\n", kind, len(took), inMS(took[len(took)/2]), inMS(took[len(took)*99/100]), inMS(took[len(took)-1]))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, name := range names[:min(8, len(names))] {
		n, err := y.count(ctx, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%d rows\t%.1f MB\t\n", name, n, float64(sizes[name])/1e6)
	}
	clear(y.times)
	return w.Flush()
}

func inMS(d time.Duration) float64 { return d.Seconds() * 1000 }

// size returns the bytes of each table with its indexes.
func (y *year) size(ctx context.Context) (map[string]int64, error) {
	rows, err := y.store.tables.Reader().QueryContext(ctx, y.store.sizes)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sizes := map[string]int64{}
	for rows.Next() {
		var name string
		var n int64
		if err := rows.Scan(&name, &n); err != nil {
			return nil, err
		}
		sizes[name] = n
	}
	return sizes, rows.Err()
}

func (y *year) count(ctx context.Context, table string) (n int, err error) {
	err = y.store.tables.Reader().QueryRowContext(ctx, `SELECT count(*) FROM "`+table+`"`).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return n, err
}
