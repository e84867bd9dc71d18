// Package pgjournal keeps rooms in PostgreSQL, for any number of instances.
//
// Whoever owns a room is in the room's line, and a row goes in only together
// with a change of that line which names its epoch and follows its last number:
// that is the fence. Appends gather while the statement before them runs, and
// one statement writes those of many rooms; it says which of them went in, so
// that a fenced room fails no other.
//
// Every change is one autocommit statement: a process that is stopped in the
// middle of anything holds no lock. Times are the database's. Signs of life have
// a connection of their own, which waits for no disk and behind nobody.
//
// [DB] is the journal and also the handle through which other packages keep
// tables of their own in the same database. It has little in common with the
// journal in SQLite, whose one process knows all that the database knows; see
// deploy/decisions/0008.
package pgjournal

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"mancala/match/internal/breaker"
	"mancala/match/journal"
)

var _ journal.Journal = (*DB)(nil)

// Options say which database and how.
type Options struct {
	URL string // postgres://user:password@host/database?…

	// Connections is how many this instance may have open; 0 means 16.
	Connections int

	// Observe is told of every batch of appends, from the goroutines that write;
	// it must not block. May be nil.
	Observe func(journal.Batch)
}

const (
	connections = 16
	// lanes are the batches that may be on their way at the same time: while one
	// waits for the disk the next is worked on.
	lanes = 2
	// A statement that takes longer has met something that will not end soon.
	// Whoever waits for it is told that its outcome is unknown.
	statementTimeout = 5 * time.Second
	// Those of other packages may look through a whole table.
	tablesTimeout = 30 * time.Second
	// A transaction of the tables whose process has been stopped is given up by
	// the server after this time.
	idleInTransaction = 5 * time.Second
	// An instance that gave its last sign of life so long ago is of no interest.
	forgotten = 24 * time.Hour
)

// DB is an open database. Its methods are safe from any goroutine.
type DB struct {
	opt   Options
	where string // for errors: the address without what is secret

	life   *sql.DB // signs of life only: one connection
	append *sql.DB // batches only: one connection for each lane
	rooms  *sql.DB // all else about rooms
	tables *sql.DB // of other packages
	tools  *sql.DB // what takes as long as it takes: migrations, imports

	wg   sync.WaitGroup
	wake chan struct{} // a lane has something to do; capacity of one for each
	quit chan struct{} // closed by Close

	writing chan struct{} // transactions of the tables that run; see writers

	mu      sync.Mutex // guards what follows; held for moments
	batch   *batch     // what gathers
	stopped bool
}

// Open connects to a database and brings its tables up to date. Several instances
// may do that at once. The error is an [*Error]. Whoever has opened it closes it.
func Open(ctx context.Context, opt Options) (*DB, error) {
	config, err := pgx.ParseConfig(opt.URL)
	if err != nil {
		return nil, &Error{Code: CodeAddress, Op: "open", Err: err} // pgx leaves the password out
	}
	if opt.Connections == 0 {
		opt.Connections = connections
	}
	db := &DB{
		opt: opt, where: config.Host + "/" + config.Database,
		wake: make(chan struct{}, lanes), quit: make(chan struct{}), batch: newBatch(),
		writing: make(chan struct{}, writers),
	}
	// A room's line is always looked for by its key, and a plan made while there
	// were few rooms must not look through all of them once there are many.
	byKey := map[string]string{"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off"}
	all := new(breaker.Breaker)
	held, free := dialler{breaker: all}, dialler{breaker: all, free: true}
	db.life = pool(config, free, 1, statementTimeout, map[string]string{"synchronous_commit": "off"})
	db.append = pool(config, held, lanes, statementTimeout, byKey)
	db.rooms = pool(config, held, opt.Connections, statementTimeout, byKey)
	db.tables = pool(config, held, opt.Connections, tablesTimeout, map[string]string{"idle_in_transaction_session_timeout": ms(idleInTransaction)})
	db.tools = pool(config, held, 1, 0, nil)
	if err := db.migrate(ctx, "journal", schema); err != nil {
		return nil, errors.Join(db.wrap("open", err), db.closePools())
	}
	if err := db.forgetDead(ctx); err != nil {
		return nil, errors.Join(db.wrap("open", err), db.closePools())
	}
	for range lanes {
		db.wg.Go(db.write)
	}
	return db, nil
}

// pool makes a pool of connections on which a statement takes so long at most; 0
// is for as long as it likes.
func pool(config *pgx.ConnConfig, d dialler, size int, most time.Duration, settings map[string]string) *sql.DB {
	own := config.Copy()
	if own.ConnectTimeout == 0 {
		own.ConnectTimeout = statementTimeout
	}
	if own.RuntimeParams["application_name"] == "" {
		own.RuntimeParams["application_name"] = "mancala"
	}
	own.RuntimeParams["jit"] = "off" // to compile one of our statements takes longer than to run it
	if most > 0 {
		own.RuntimeParams["statement_timeout"] = ms(most)
		bound(own, most+slack)
	}
	maps.Copy(own.RuntimeParams, settings)
	alive := &proof{size: size}
	d.Connector = stdlib.GetConnector(*own, alive.options()...)
	alive.pool = sql.OpenDB(d)
	alive.pool.SetMaxOpenConns(size)
	alive.pool.SetMaxIdleConns(size)
	alive.pool.SetConnMaxIdleTime(time.Minute)
	return alive.pool
}

// Close writes what has been accepted and closes the database.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.stopped {
		db.mu.Unlock()
		return nil
	}
	db.stopped = true
	db.mu.Unlock()
	close(db.quit)
	db.wg.Wait()
	return db.closePools()
}

func (db *DB) closePools() error {
	return errors.Join(db.append.Close(), db.rooms.Close(), db.tables.Close(), db.tools.Close(), db.life.Close())
}
