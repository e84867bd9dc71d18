package main

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // "pgx" for database/sql

	"mancala/cmd/internal/ledger"
)

// addFaults is the work in which something happens to instances.
func (p plan) addFaults(add func(kind, name string, do func(context.Context, target) (result, error))) {
	type trial func(context.Context, *cluster, *ledger.Ledger, *result) error
	checked := func(try trial) func(context.Context, target) (result, error) {
		return func(ctx context.Context, t target) (result, error) {
			var games ledger.Ledger
			var r result
			began := time.Now()
			if err := try(ctx, t.cluster, &games, &r); err != nil {
				return r, err
			}
			r.Took, r.RSS = time.Since(began), t.cluster.process().rss()
			return r, p.verify(ctx, t.cluster, &games, &r)
		}
	}
	add("kills", fmt.Sprintf("%d owners killed", p.faults), checked(p.runKills))
	add("rolling", fmt.Sprintf("%d games, all instances restarted", p.games), checked(p.runRolling))
	add("outage", fmt.Sprintf("%d games, Redis and PostgreSQL away for %v", p.rooms, p.away), checked(p.runOutage))
	add("chaos", fmt.Sprintf("%d faults, seed %d", p.faults, p.seed), checked(p.runChaos))
}

// verify checks every game against what the service says of it, and the journal
// itself.
func (p plan) verify(ctx context.Context, c *cluster, games *ledger.Ledger, r *result) error {
	b := c.balancer()
	var mu sync.Mutex
	say := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		if r.Wrong++; r.Wrong <= 20 {
			fmt.Fprintln(p.errOut, "mancala-bench: WRONG:", what)
		}
	}
	all := games.Games()
	err := inParallel(ctx, len(all), func(i int) error {
		g := all[i]
		for _, wrong := range g.Check(b.get) {
			say(wrong)
		}
		mu.Lock()
		defer mu.Unlock()
		r.Acknowledged += len(g.Plies)
		return nil
	})
	if err != nil {
		return err
	}
	found, err := c.holes(ctx)
	for _, what := range found {
		say(what)
	}
	return err
}

// holes looks in the journal for rooms whose entries have holes, and for commands
// that are in it twice.
func (c *cluster) holes(ctx context.Context) (found []string, err error) {
	db, err := sql.Open("pgx", c.database)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `
		SELECT r.id || ': ' || count(*) || ' entries up to ' || max(e.seq) || ', the line says ' || r.seq
		FROM rooms r JOIN entries e ON e.room = r.num GROUP BY r.id, r.seq HAVING count(*) <> r.seq OR max(e.seq) <> r.seq
		UNION ALL
		SELECT r.id || ': a command is there ' || count(*) || ' times'
		FROM rooms r JOIN entries e ON e.room = r.num
		WHERE position('\x0a'::bytea in e.key) BETWEEN 1 AND octet_length(e.key) - 1
		GROUP BY r.id, e.key HAVING count(*) > 1`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var what string
		if err := rows.Scan(&what); err != nil {
			return nil, err
		}
		found = append(found, what)
	}
	return found, rows.Err()
}

// owner says which instance owns a room, by the name that it has for this start.
func (c *cluster) owner(ctx context.Context, room string) (owner string, err error) {
	db, err := sql.Open("pgx", c.database)
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, "SELECT owner FROM rooms WHERE id = $1", room).Scan(&owner)
	return owner, err
}

func (c *cluster) process() (all process) {
	for _, i := range c.list {
		all.pids = append(all.pids, i.child.process().pids...)
	}
	return all
}
