package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // "pgx" for database/sql

	"mancala/match/journal"
	"mancala/match/journal/fold"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/sqljournal"
	"mancala/match/machine"
	"mancala/match/testenv"
)

// cluster is several instances of one service that were started here, or a single one.
type cluster struct {
	backends *backends // nil for a single instance
	database string    // its URL; of a single instance, its file
	dir      string    // of a single instance
	list     []*instance
}

// instance is one instance of a cluster. It keeps its addresses over restarts.
type instance struct {
	*child
	program     string // the path of the server's program
	addr, admin string
	args        []string
	errOut      io.Writer
}

// startCluster starts n instances on a fresh database. A single one is started as most services run: on
// SQLite, without Redis.
func (p plan) startCluster(ctx context.Context, n int) (*cluster, error) {
	program, err := p.program.find(ctx)
	if err != nil {
		return nil, err
	}
	c := &cluster{backends: p.shared}
	var flags []string
	if n == 1 {
		if c.dir, err = os.MkdirTemp("", "mancala-bench-"); err != nil {
			return nil, err
		}
		c.database = filepath.Join(c.dir, "mancala.db")
	} else {
		var relay string
		if c.database, relay, err = p.shared.addresses(); err != nil {
			return nil, err
		}
		flags = []string{"--redis", relay}
	}
	flags = append(append(flags, "--database", c.database, "--log", p.log), unlimited...)
	for range n {
		addr, err := testenv.FreeAddr()
		admin, err2 := testenv.FreeAddr()
		if err := errors.Join(err, err2); err != nil {
			c.stop()
			return nil, err
		}
		i := &instance{program: program, addr: addr, admin: admin, errOut: p.errOut, args: append([]string{
			"serve", "--addr", addr, "--admin", admin,
		}, flags...)}
		if err := i.start(ctx); err != nil {
			c.stop()
			return nil, err
		}
		c.list = append(c.list, i)
	}
	return c, nil
}

// start starts the instance, also after it has ended.
func (i *instance) start(ctx context.Context) error {
	c, err := startChild(ctx, i.errOut, i.program, i.args...)
	if err == nil {
		i.child = c
	}
	return err
}

func (c *cluster) stop() {
	for _, i := range c.list {
		i.Kill()
	}
	if c.dir != "" {
		_ = os.RemoveAll(c.dir)
	}
}

// reader is a journal that the caller must close.
type reader interface {
	journal.Journal
	io.Closer
}

// journal opens the journal to read it, while the instances run. Two processes cannot open one file of
// SQLite, so that of a single instance is copied.
func (c *cluster) journal(ctx context.Context) (reader, error) {
	if c.dir == "" {
		return pgjournal.Open(ctx, pgjournal.Options{URL: c.database})
	}
	dump := filepath.Join(c.dir, "copy.db")
	if err := sqljournal.Backup(ctx, c.database, dump); err != nil {
		return nil, err
	}
	return sqljournal.Open(ctx, sqljournal.Options{Path: dump})
}

func (c *cluster) bases() (list []string) {
	for _, i := range c.list {
		list = append(list, "http://"+i.addr)
	}
	return list
}

// target returns all instances as one target.
func (c *cluster) target() target {
	t := target{driver: newMancalaDriver(c.bases()...), cluster: c, with: c.backends, stop: c.stop}
	for _, i := range c.list {
		t.proc.pids = append(t.proc.pids, i.process().pids...)
		t.admins = append(t.admins, i.admin)
	}
	return t
}

func (c *cluster) process() (all process) {
	for _, i := range c.list {
		all.pids = append(all.pids, i.child.process().pids...)
	}
	return all
}

// owner returns the name of the instance that owns a room. An instance has a new name
// after each start.
func (c *cluster) owner(ctx context.Context, room string) (owner string, err error) {
	db, err := sql.Open("pgx", c.database)
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, "SELECT owner FROM rooms WHERE id = $1", room).Scan(&owner)
	return owner, err
}

// holes looks in the journal for rooms whose entries have gaps and for commands that
// are in it twice, and describes each of them. It looks into folded rooms too. The room's own
// commands have their kind as an ID, and may be in it many times: a player goes and comes back.
func (c *cluster) holes(ctx context.Context) (found []string, err error) {
	if c.dir != "" {
		return nil, nil // these are failures of several instances
	}
	db, err := sql.Open("pgx", c.database)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `
		SELECT id || ': ' || n || ' entries up to ' || last || ', the room''s row says ' || seq
		FROM (
			SELECT r.id, r.seq, count(e.seq) + coalesce(f.seq, 0) AS n, coalesce(max(e.seq), f.seq, 0) AS last
			FROM rooms r LEFT JOIN folded f ON f.room = r.num LEFT JOIN entries e ON e.room = r.num
			GROUP BY r.id, r.seq, f.seq
		) AS counted
		WHERE n <> seq OR last <> seq`)
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
	if err := rows.Err(); err != nil {
		return nil, err
	}
	doubles, err := doubles(ctx, db)
	if err != nil {
		return nil, err
	}
	folded, err := holesInFolded(ctx, db)
	return append(append(found, doubles...), folded...), err
}

// doubles describes the commands that are in the journal twice, outside folded rooms.
func doubles(ctx context.Context, db *sql.DB) (found []string, err error) {
	rows, err := db.QueryContext(ctx, `
		SELECT r.id, substring(e.key FROM position('\x0a'::bytea in e.key) + 1), count(*)
		FROM rooms r JOIN entries e ON e.room = r.num
		WHERE position('\x0a'::bytea in e.key) BETWEEN 1 AND octet_length(e.key) - 1
		GROUP BY r.id, e.key HAVING count(*) > 1`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var command []byte
		var n int
		if err := rows.Scan(&id, &command, &n); err != nil {
			return nil, err
		}
		if !machine.Internal(string(command)) {
			found = append(found, twice(id, n))
		}
	}
	return found, rows.Err()
}

func twice(room string, n int) string { return fmt.Sprintf("%s: a command is there %d times", room, n) }

// holesInFolded is holes for the entries of folded rooms.
func holesInFolded(ctx context.Context, db *sql.DB) (found []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT r.id, f.seq, f.data FROM folded f JOIN rooms r ON r.num = f.room")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var seq int
		var packed []byte
		if err := rows.Scan(&id, &seq, &packed); err != nil {
			return nil, err
		}
		entries, err := fold.Unpack(packed)
		if err != nil || len(entries) != seq {
			found = append(found, fmt.Sprintf("%s: %d entries are folded, %d can be read: %v", id, seq, len(entries), err))
		}
		times := map[string]int{}
		for _, e := range entries {
			if _, command, _ := strings.Cut(e.Key, "\n"); command != "" && !machine.Internal(command) {
				times[e.Key]++
			}
		}
		for _, n := range times {
			if n > 1 {
				found = append(found, twice(id, n))
			}
		}
	}
	return found, rows.Err()
}
