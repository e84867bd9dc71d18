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
	"mancala/match/journal/memjournal"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/sqljournal"
)

// What --database can be beside the name of a file.
const (
	defaultDatabase = "mancala.db"
	inMemory        = "memory:"
)

// store is what --database names: the rooms' journal and the lobby's tables.
type store struct {
	rooms  journal.Journal
	tables lobby.DB
	lost   <-chan struct{}                              // closed when another server has taken it over
	leave  func(ctx context.Context, self string) error // nil where there are no others
	close  func() error
}

// bye tells the others that an instance that owns nothing any more has left, if
// the database is there.
func (s *store) bye(self string, log *slog.Logger) {
	if s.leave == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.leave(ctx, self); err != nil {
		log.Warn("the others will believe that this instance has died", "err", err)
	}
}

func openStore(ctx context.Context, database string, full bool, registry prometheus.Registerer) (*store, error) {
	if database == inMemory {
		db, err := memdb.Open()
		if err != nil {
			return nil, err
		}
		return &store{rooms: memjournal.New(), tables: lobby.On(db), close: db.Close}, nil
	}
	observe := observeBatches(registry)
	if isPostgres(database) {
		db, err := pgjournal.Open(ctx, pgjournal.Options{URL: database, Observe: observe})
		if err != nil {
			return nil, explain(err, "database "+withoutSecrets(database))
		}
		return &store{rooms: db, tables: lobby.On(db), leave: db.Leave, close: db.Close}, nil
	}
	if strings.Contains(database, "://") {
		return nil, fmt.Errorf("%w: --database is memory:, a file, or postgres://…", cli.ErrUsage)
	}
	db, err := sqljournal.Open(ctx, sqljournal.Options{Path: database, Full: full, Observe: observe})
	if err != nil {
		return nil, explain(err, "database "+database)
	}
	return &store{rooms: db, tables: lobby.On(db), lost: db.Lost(), close: db.Close}, nil
}

func isPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// withoutSecrets is the name of a database as it may be shown and logged.
func withoutSecrets(address string) string {
	if !strings.Contains(address, "://") {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return "(an address that cannot be read)"
	}
	u.RawQuery = "" // may hold a password, too
	return u.Redacted()
}

// observeBatches measures what is written.
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
