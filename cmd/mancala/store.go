package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"mancala/lobby"
	"mancala/lobby/memdb"
	"mancala/match/journal"
	"mancala/match/journal/memjournal"
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
	lost   <-chan struct{} // closed when another server has taken it over
	close  func() error
}

func openStore(ctx context.Context, database string, full bool, registry prometheus.Registerer) (*store, error) {
	switch {
	case database == inMemory:
		db, err := memdb.Open()
		if err != nil {
			return nil, err
		}
		return &store{rooms: memjournal.New(), tables: lobby.On(db), close: db.Close}, nil
	case strings.Contains(database, "://"):
		return nil, fmt.Errorf("%w: --database is memory: or a file", errUsage)
	}
	took := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "mancala_append_seconds", Help: "Time to write one batch of entries.",
		Buckets: prometheus.ExponentialBuckets(0.000_02, 2, 18),
	})
	rows := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "mancala_append_rows", Help: "Entries in one batch.", Buckets: prometheus.ExponentialBuckets(1, 2, 12),
	})
	failed := prometheus.NewCounter(prometheus.CounterOpts{Name: "mancala_append_failures_total", Help: "Batches that could not be written."})
	registry.MustRegister(took, rows, failed)
	db, err := sqljournal.Open(ctx, sqljournal.Options{Path: database, Full: full, Observe: func(b sqljournal.Batch) {
		took.Observe(b.Took.Seconds())
		rows.Observe(float64(b.Rows))
		if b.Err != nil {
			failed.Inc()
		}
	}})
	if err != nil {
		return nil, explain(err, "database "+database)
	}
	return &store{rooms: db, tables: lobby.On(db), lost: db.Lost(), close: db.Close}, nil
}
