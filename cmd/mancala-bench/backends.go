package main

import (
	"fmt"
	"sync/atomic"

	"mancala/match/daemon"
)

// backends are what the instances of one service share: a PostgreSQL and a Redis,
// given or our own.
type backends struct {
	postgres        *daemon.Postgres // nil if one is given
	redis           *daemon.Redis
	database, relay string // their addresses, if they are given
	made            atomic.Int64
}

// openBackends starts what is not given. Unlike the one of tests this PostgreSQL
// waits for the disk.
func openBackends(database, relay string) (b *backends, err error) {
	b = &backends{database: database, relay: relay}
	if database == "" {
		if b.postgres, err = daemon.StartPostgres("shared_buffers=256MB", "max_wal_size=4GB"); err != nil {
			return nil, fmt.Errorf("PostgreSQL (or give one with --database): %w", err)
		}
	}
	if relay == "" {
		if b.redis, err = daemon.StartRedis(); err != nil {
			b.close()
			return nil, fmt.Errorf("Redis (or give one with --redis): %w", err)
		}
	}
	return b, nil
}

// addresses are those of a fresh database, if the server is ours, and of Redis.
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

// processes are what the system knows of the two, if they are ours.
func (b *backends) processes() (database, relay process) {
	if b != nil && b.postgres != nil {
		database = processTree(b.postgres.Pid)
	}
	if b != nil && b.redis != nil {
		relay = processTree(b.redis.Pid)
	}
	return database, relay
}
