package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// cluster is several instances of one service that the benchmark has started.
type cluster struct {
	backends *backends
	database string
	list     []*instance
}

// instance is one of them; it keeps its addresses when it is started again.
type instance struct {
	*child
	program     string // the server's
	addr, admin string
	args        []string
	errOut      io.Writer
}

// startCluster starts n instances on a fresh database.
func (p plan) startCluster(ctx context.Context, n int) (*cluster, error) {
	database, relay, err := p.shared.addresses()
	if err != nil {
		return nil, err
	}
	program, err := p.program.find(ctx)
	if err != nil {
		return nil, err
	}
	c := &cluster{backends: p.shared, database: database}
	for range n {
		addr, err := daemon.FreeAddr()
		admin, err2 := daemon.FreeAddr()
		if err := errors.Join(err, err2); err != nil {
			c.stop()
			return nil, err
		}
		i := &instance{program: program, addr: addr, admin: admin, errOut: p.errOut, args: append([]string{
			"serve", "--addr", addr, "--admin", admin, "--database", database, "--redis", relay, "--log", p.log,
		}, unlimited...)}
		if err := i.start(ctx); err != nil {
			c.stop()
			return nil, err
		}
		c.list = append(c.list, i)
	}
	return c, nil
}

// start starts it, also again, on the addresses that it had.
func (i *instance) start(ctx context.Context) error {
	c, err := startChild(ctx, i.errOut, i.program, i.args...)
	if err == nil {
		i.child = c
	}
	return err
}

func (c *cluster) stop() {
	for _, i := range c.list {
		i.child.stop()
	}
}

func (c *cluster) bases() (list []string) {
	for _, i := range c.list {
		list = append(list, "http://"+i.addr)
	}
	return list
}

// target is all instances as something to put load on.
func (c *cluster) target() target {
	t := target{driver: newMancalaDriver(c.bases()...), cluster: c, with: c.backends, stop: c.stop}
	for _, i := range c.list {
		t.proc.pids = append(t.proc.pids, i.process().pids...)
		t.admins = append(t.admins, i.admin)
	}
	return t
}
