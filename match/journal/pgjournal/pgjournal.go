// Package pgjournal keeps rooms in PostgreSQL, for any number of instances.
//
// A room's line names its owner. A row is inserted only together with a change of
// that line, which names the row's epoch and the number before it: that is the fence.
// Appends gather while the statement before them runs, and one statement writes those
// of many rooms. Its result names the rows that it wrote, so a fenced room never
// makes another room fail. Rooms that are created or opened gather in the same way: when
// the games of a round begin, they keep few connections from the moves of other games.
//
// Every change is one autocommit statement, so a process that is stopped at any
// moment holds no lock. Times are the database's. Signs of life have a connection of
// their own, which does not wait for the disk or behind other statements.
//
// [DB] is the journal, and also the handle through which other packages keep tables
// of their own in the same database. It has little in common with the journal in
// SQLite, where one process knows everything that the database knows; see
// deploy/decisions/0008.
package pgjournal

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"golang.org/x/sync/singleflight"

	"mancala/match/freshcall"
	"mancala/match/gather"
	"mancala/match/internal/breaker"
	"mancala/match/journal"
)

var _ journal.Journal = (*DB)(nil)

// Options selects the database and its settings.
type Options struct {
	URL string // postgres://user:password@host/database?…

	// Connections is the number of connections in each of the pools for rooms and for
	// tables; 0 means 16.
	Connections int

	// Observe is called for every batch of appends, on the goroutines that write. It
	// must not block. It may be nil.
	Observe func(journal.Batch)
}

const (
	defaultConnections = 16
	// lanes is the number of batches that can be on their way at the same time: while
	// one waits for the disk, the database works on the next.
	lanes = 2
	// A statement that takes longer than statementTimeout will not end soon. Its
	// caller is told that the outcome is unknown.
	statementTimeout = 5 * time.Second
	// Statements of other packages may read a whole table.
	tablesTimeout = 30 * time.Second
	// The server ends a transaction after this time if its process has been stopped.
	idleInTransaction = 5 * time.Second
	// An instance without a sign of life for so long is removed.
	forgetAfter = 24 * time.Hour
)

// probes make the server end a connection whose other side has been silent for about 20 s and
// does not answer probes. The usual setting is two hours: an instance that its network cuts off
// without a word opens new connections meanwhile, and the server soon refuses all of them.
var probes = map[string]string{
	"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "2", // seconds, seconds, probes
	"tcp_user_timeout": "20000", // ms, for an answer that never arrives
}

// DB is an open database. Its methods are safe from any goroutine.
type DB struct {
	opt   Options
	where string // the address without secrets, for errors

	life   *sql.DB // only signs of life: one connection
	append *sql.DB // only batches: one connection for each lane
	rooms  *sql.DB // all other statements about rooms
	tables *sql.DB // statements of other packages
	tools  *sql.DB // without a timeout: migrations, imports

	wg   sync.WaitGroup
	wake chan struct{} // a lane has work; capacity of one for each lane
	quit chan struct{} // closed by Close

	writing chan struct{} // a slot for each running transaction of other packages; see maxWriters

	creates gather.Gather[newRoom, bool] // reports whether each room was created
	takes   gather.Gather[taking, taken]
	lines   gather.Gather[string, line] // of rooms by ID

	waits     atomic.Bool        // see waitsForStandby; as of the last sign of life
	confirms  freshcall.Group    // of rows that were read
	confirmed atomic.Int64       // by which server, see startedAt; as of the last of these
	lives     singleflight.Group // of signs of life

	mu      sync.Mutex // guards the fields below; held for a short time only
	batch   *batch     // the batch that collects rows
	stopped bool
}

// Open connects to a database and brings its tables up to date. Several instances may
// do so at the same time. The error is an [*Error]. The caller closes the database.
func Open(ctx context.Context, opt Options) (*DB, error) {
	config, err := pgx.ParseConfig(opt.URL)
	if err != nil {
		return nil, &Error{Code: CodeAddress, Op: "open", Err: err} // pgx leaves the password out of its error
	}
	if opt.Connections == 0 {
		opt.Connections = defaultConnections
	}
	db := &DB{
		opt: opt, where: config.Host + "/" + config.Database,
		wake: make(chan struct{}, lanes), quit: make(chan struct{}), batch: newBatch(),
		writing: make(chan struct{}, maxWriters),
	}
	// A room's line is always found by its key. A plan that was made while there were
	// few rooms must not read all of them when there are many.
	byKey := map[string]string{"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off"}
	shared := new(breaker.Breaker)
	guarded, unguarded := guardedConnector{breaker: shared}, guardedConnector{breaker: shared, unguarded: true}
	db.life = pool(config, unguarded, 1, statementTimeout, map[string]string{"synchronous_commit": "off"})
	db.append = pool(config, guarded, lanes, statementTimeout, byKey)
	db.rooms = pool(config, guarded, opt.Connections, statementTimeout, byKey)
	db.tables = pool(config, guarded, opt.Connections, tablesTimeout, map[string]string{"idle_in_transaction_session_timeout": ms(idleInTransaction)})
	db.tools = pool(config, guarded, 1, 0, nil)
	db.creates = gather.New(gather.Config[newRoom, bool]{Ask: db.createAll, Calls: lanes, Fits: fitsNew})
	db.takes = gather.New(gather.Config[taking, taken]{Ask: db.takeAll, Calls: lanes, Fits: fitsTaking})
	db.lines = gather.New(gather.Config[string, line]{Ask: db.readLines, Calls: lanes, Fits: fitsLines})
	err = db.migrate(ctx, "journal", schema)
	if err == nil {
		err = db.migrate(ctx, "checkpoints", checkpointSchema)
	}
	if err != nil {
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

// pool makes a pool of connections. A statement may take at most the given time; 0
// means no limit.
func pool(config *pgx.ConnConfig, d guardedConnector, size int, most time.Duration, settings map[string]string) *sql.DB {
	own := config.Copy()
	if own.ConnectTimeout == 0 {
		own.ConnectTimeout = statementTimeout
	}
	if own.RuntimeParams["application_name"] == "" {
		own.RuntimeParams["application_name"] = "mancala"
	}
	own.RuntimeParams["jit"] = "off" // compiling one of our statements takes longer than running it
	for name, value := range probes {
		if own.RuntimeParams[name] == "" { // the address may say otherwise
			own.RuntimeParams[name] = value
		}
	}
	if most > 0 {
		own.RuntimeParams["statement_timeout"] = ms(most)
		limitReads(own, most+timeoutSlack)
	}
	maps.Copy(own.RuntimeParams, settings)
	alive := &livenessCheck{size: size}
	d.Connector = stdlib.GetConnector(*own, alive.options()...)
	alive.pool = sql.OpenDB(d)
	alive.pool.SetMaxOpenConns(size)
	alive.pool.SetMaxIdleConns(size)
	alive.pool.SetConnMaxIdleTime(time.Minute)
	return alive.pool
}

// Inspect calls fn with a pool of connections that can only read a database. Instances may
// use it at the same time. Nothing in it is changed: it may be of an older release. The error
// is an [*Error], or that of fn.
func Inspect(ctx context.Context, url string, fn func(*sql.DB) error) (err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return &Error{Code: CodeAddress, Op: "inspect", Err: err}
	}
	db := &DB{where: config.Host + "/" + config.Database}
	pool := pool(config, guardedConnector{breaker: new(breaker.Breaker), unguarded: true}, 1, 0, map[string]string{"default_transaction_read_only": "on"})
	defer func() { err = errors.Join(err, pool.Close()) }()
	if err := pool.PingContext(ctx); err != nil {
		return db.wrap("inspect", err)
	}
	return fn(pool)
}

// Close writes the accepted rows and closes the database.
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
	db.creates.Close()
	db.takes.Close()
	db.lines.Close()
	return db.closePools()
}

func (db *DB) closePools() error {
	return errors.Join(db.append.Close(), db.rooms.Close(), db.tables.Close(), db.tools.Close(), db.life.Close())
}
