package main

import (
	"fmt"
	"sync/atomic"

	"mancala/match/testenv"
)

// backends are the PostgreSQL and the Redis that the instances of one service share.
// Each of the two is given by a flag, or started here.
type backends struct {
	postgres        *testenv.Postgres // nil if it is given
	redis           *testenv.Redis    // nil if it is given
	database, relay string            // the given addresses
	made            atomic.Int64      // databases created in postgres
}

// openBackends starts the servers that are not given. This PostgreSQL waits for the
// disk at every commit; that of the tests does not.
func openBackends(database, relay string) (b *backends, err error) {
	b = &backends{database: database, relay: relay}
	if database == "" {
		if b.postgres, err = testenv.StartPostgres("shared_buffers=256MB", "max_wal_size=4GB"); err != nil {
			return nil, fmt.Errorf("start PostgreSQL (or give one with --database): %w", err)
		}
	}
	if relay == "" {
		if b.redis, err = testenv.StartRedis(); err != nil {
			b.close()
			return nil, fmt.Errorf("start Redis (or give one with --redis): %w", err)
		}
	}
	return b, nil
}

// addresses returns the addresses of the database and of Redis. The database is a new
// one if PostgreSQL was started here.
func (b *backends) addresses() (database, relay string, err error) {
	database, relay = b.database, b.relay
	if b.postgres != nil {
		name := fmt.Sprintf("bench%d", b.made.Add(1))
		if err := b.postgres.Exec("CREATE DATABASE " + name); err != nil {
			return "", "", err
		}
		database = b.postgres.URL(name)
	}
	if b.redis != nil {
		relay = b.redis.URL()
	}
	return database, relay, nil
}

func (b *backends) close() {
	if b == nil {
		return
	}
	if b.postgres != nil {
		b.postgres.Remove()
	}
	if b.redis != nil {
		b.redis.Remove()
	}
}

// processes returns the processes of the servers that were started here.
func (b *backends) processes() (database, relay process) {
	if b != nil && b.postgres != nil {
		database = processTree(b.postgres.Pid)
	}
	if b != nil && b.redis != nil {
		relay = processTree(b.redis.Pid)
	}
	return database, relay
}
