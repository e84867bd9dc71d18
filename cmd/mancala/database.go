package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"mancala/cmd/internal/cli"
	"mancala/lobby"
	"mancala/lobby/memdb"
	"mancala/match/journal"
	"mancala/match/journal/folding"
	"mancala/match/journal/memjournal"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/sqljournal"
)

// Values of --database.
const (
	defaultDatabase = "mancala.db"
	inMemory        = "memory:" // nothing is stored
)

// database is what --database names: the journal of the rooms and the tables of the lobby.
type database struct {
	rooms  *folding.Journal
	tables lobby.DB
	lost   <-chan struct{}                              // closed when another server has taken the file over
	leave  func(ctx context.Context, self string) error // nil if there can be no other instances
	close  func() error
}

// announceStop tells the other instances that this one has left. It must own no room any more.
func (s *database) announceStop(self string, log *slog.Logger) {
	if s.leave == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.leave(ctx, self); err != nil {
		log.Warn("other instances not told of the stop; they will treat this instance as dead", "err", err)
	}
}

// openDatabase opens the database that --database names. With full every commit waits for
// the disk.
func openDatabase(ctx context.Context, name string, full bool, registry prometheus.Registerer) (*database, error) {
	if name == inMemory {
		db, err := memdb.Open()
		if err != nil {
			return nil, err
		}
		return &database{rooms: folding.New(memjournal.New()), tables: lobby.On(db), close: db.Close}, nil
	}
	observe := observeBatches(registry)
	if isPostgres(name) {
		db, err := pgjournal.Open(ctx, pgjournal.Options{URL: name, Observe: observe})
		if err != nil {
			return nil, explain(err, "database "+withoutSecrets(name))
		}
		return &database{rooms: folding.New(db), tables: lobby.On(db), leave: db.Leave, close: db.Close}, nil
	}
	if strings.Contains(name, "://") {
		return nil, fmt.Errorf("%w: --database is memory:, a file, or postgres://…", cli.ErrUsage)
	}
	db, err := sqljournal.Open(ctx, sqljournal.Options{Path: name, Full: full, Observe: observe})
	if err != nil {
		return nil, explain(err, "database "+name)
	}
	return &database{rooms: folding.New(db), tables: lobby.On(db), lost: db.Lost(), close: db.Close}, nil
}

// isPostgres reports whether database is an address of PostgreSQL.
func isPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// withoutSecrets returns the address of a database without its password, for logs.
func withoutSecrets(address string) string {
	if !strings.Contains(address, "://") {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return "(an address that cannot be read)"
	}
	u.RawQuery = "" // it may contain a password too
	return u.Redacted()
}

// observeBatches returns a function that measures each batch of entries.
func observeBatches(registry prometheus.Registerer) func(journal.Batch) {
	took := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "mancala_append_seconds", Help: "Time to write one batch of entries.",
		Buckets: prometheus.ExponentialBuckets(0.000_02, 2, 18),
	})
	rows := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "mancala_append_rows", Help: "Entries in one batch.", Buckets: prometheus.ExponentialBuckets(1, 2, 12),
	})
	failed := prometheus.NewCounter(prometheus.CounterOpts{Name: "mancala_append_failures_total", Help: "Batches that could not be written."})
	registry.MustRegister(took, rows, failed)
	return func(b journal.Batch) {
		took.Observe(b.Took.Seconds())
		rows.Observe(float64(b.Rows))
		if b.Err != nil {
			failed.Inc()
		}
	}
}
