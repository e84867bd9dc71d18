// Package sqljournal keeps rooms in an SQLite database.
//
// One process at a time serves from a database file. It holds the operating system's
// lock on a file beside it, which ends with the process in whatever way that ends. It
// also raises a generation in the database, and every write statement names the
// generation. So two servers never interleave even where the lock does not work (a
// network file system): the older one can write nothing more.
//
// One row for each entry would cost 20 to 40 µs of CPU in pure-Go SQLite, so entries
// are logged. While one commit runs, the entries of all rooms gather in a buffer, and
// the next statement inserts the buffer as one row of the table log. The entries of
// the log are also in memory, within a limit, until they are split into segments of
// one room each: when a room is released, when the log gets long, and when the
// database is opened. Since this process is the only writer, it knows each room's
// owner, epoch and last number, and the fence is a comparison in memory. The
// generation in the statement makes it safe.
//
// [DB] is the journal, and also the handle through which other packages keep tables
// of their own in the same file.
package sqljournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/sqlite"
)

var _ journal.Journal = (*DB)(nil)

// Options selects the file and its settings.
type Options struct {
	Path string // the database file; made if it does not exist

	// Full makes an acknowledged entry survive a crash of the machine, and not only
	// of the process: every commit waits for the disk. Otherwise the disk has each
	// entry a fraction of a second later.
	Full bool

	// Tail is the number of bytes of log, on disk and in memory, that may wait to be
	// split by room; 0 means 8 MiB.
	Tail int

	// Busy is the time to wait for another program that has locked the file; 0 means
	// 5 s.
	Busy time.Duration

	// Observe is called for every batch of appends, on the goroutine that writes. It
	// must not block. It may be nil.
	Observe func(journal.Batch)

	now    func() time.Time     // tests only
	sync   func(*os.File) error // tests only: in place of [os.File.Sync]
	noLock bool                 // tests only: as on a file system without locks
}

// DB is an open database. Its methods are safe from any goroutine.
type DB struct {
	opt        Options
	path       string
	lock       *os.File
	contents   *os.File // the database itself, locked against a server that has another path to it
	generation int64

	writer *sql.DB // a pool of one connection, which is conn
	reads  *sql.DB // a pool of a few connections that only read

	// Only the writing goroutine uses these.
	conn       *sql.Conn
	logID      int64     // number of the last row of the log
	logRows    []logRow  // oldest first
	logBytes   int       // bytes of all logRows
	splitAfter time.Time // the next attempt to split, after a failed one

	wake  chan struct{} // the writer has work; capacity 1
	grown chan struct{} // the write-ahead log has grown; capacity 1
	lost  chan struct{} // closed when another server has taken over
	quit  chan struct{} // closed by Close: the writer finishes its work and ends
	wg    sync.WaitGroup

	mu        sync.Mutex // guards the fields below; held for a short time only
	idle      bool       // the writer waits for wake
	batch     *batch     // the batch that collects rows
	ops       []*op
	busyRooms map[string]chan struct{} // rooms that an operation is changing
	rooms     map[string]*room         // rooms that were owned since the database was opened
	tails     tailList                 // rooms with a tail, the oldest tail first
	instances map[string]instance
	stopped   error // set once; then every call fails with it
	tailBytes int   // copy of logBytes
	splitErr  error // why the last attempt to split the log failed
	lastErr   error // the error of the last statement, nil after a success
	foldedTo  int64 // the number of the last room that Unfolded looked at; 0 at the end
}

type logRow struct {
	id    int64
	bytes int
}

type instance struct {
	seen int64 // ms
	dead bool  // certainly dead: it was alive before this process opened the database
}

const (
	applicationID = 0x4d4e434c // "MNCL" in the file's header identifies our databases
	pageSize      = 8192       // fewer, larger writes for batches; measured 20 % cheaper than 4096
)

// Open opens or makes a database, brings it up to date, and recovers what the last
// process left in the log. The error is an [*Error]. The caller closes the database.
func Open(ctx context.Context, opt Options) (*DB, error) {
	if opt.Tail == 0 {
		opt.Tail = 8 << 20
	}
	if opt.Busy == 0 {
		opt.Busy = 5 * time.Second
	}
	if opt.now == nil {
		opt.now = time.Now
	}
	if opt.sync == nil {
		opt.sync = (*os.File).Sync
	}
	db := &DB{
		opt: opt, path: opt.Path,
		wake:      make(chan struct{}, 1),
		grown:     make(chan struct{}, 1),
		lost:      make(chan struct{}),
		quit:      make(chan struct{}),
		busyRooms: map[string]chan struct{}{},
		rooms:     map[string]*room{},
		instances: map[string]instance{},
		batch:     newBatch(0),
		idle:      true,
	}
	if err := db.open(ctx); err != nil {
		db.closeFiles()
		err = db.wrap("open", err)
		var own *Error
		if errors.As(err, &own) && own.Path == "" {
			own.Path = db.path
		}
		return nil, err
	}
	db.wg.Go(db.write)
	return db, nil
}

func (db *DB) open(ctx context.Context) error {
	path, err := resolve(db.opt.Path)
	if err != nil {
		return err
	}
	db.path = path
	if !db.opt.noLock {
		if err := db.takeLock(); err != nil {
			return err
		}
	}
	// Readable by this user only: the file holds the keys that sign cookies. SQLite
	// gives the files that it adds the same mode. If the file cannot be made, SQLite
	// reports why.
	if made, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		if err := made.Close(); err != nil {
			return err
		}
	}
	if !db.opt.noLock {
		if err := db.lockContents(); err != nil {
			return err
		}
	}
	sync := "normal"
	if db.opt.Full {
		sync = "full"
	}
	// SQLite makes its checkpoints on the writing connection, about every 8 MB. They are short,
	// because flush has brought most of the write-ahead log to the disk before. On another connection
	// they cost up to a third more CPU and made the longest append longer, since that log grows
	// meanwhile.
	db.writer, err = connect(path, "_pragma=page_size("+fmt.Sprint(pageSize)+")",
		"_pragma=synchronous("+sync+")", "_pragma=wal_autocheckpoint(1000)", "_pragma=cache_size(-4000)",
		"_pragma=journal_size_limit(16777216)", busyTimeout(db.opt.Busy))
	if err != nil {
		return err
	}
	db.writer.SetMaxOpenConns(1)
	if db.conn, err = db.writer.Conn(ctx); err != nil {
		return err
	}
	if err := identify(db.conn); err != nil {
		return err
	}
	var mode string
	if err := db.conn.QueryRowContext(ctx, "PRAGMA journal_mode = wal").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return &Error{Code: CodeCannotOpen, Op: "open", Path: path, Err: fmt.Errorf("the file system does not allow a write-ahead log (journal mode %s)", mode)}
	}
	// One transaction, so that a process that dies here leaves a file that can be
	// opened.
	err = db.transact(func() error {
		_, err := db.conn.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d;
			CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID`, applicationID))
		if err == nil {
			err = migrate(db.conn, "journal", schema)
		}
		if err == nil {
			err = migrate(db.conn, "checkpoints", checkpointSchema)
		}
		if err == nil {
			err = db.takeOver(ctx)
		}
		if err == nil {
			err = db.recover(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	db.reads, err = connect(path, "_pragma=query_only(1)", "_pragma=cache_size(-1000)", busyTimeout(db.opt.Busy))
	if err != nil {
		return err
	}
	db.reads.SetMaxOpenConns(max(4, runtime.GOMAXPROCS(0)))
	db.reads.SetMaxIdleConns(4)
	if err := db.reads.PingContext(ctx); err != nil {
		return err
	}
	return db.startFlushing()
}

// resolve follows links to the file, so that two paths to one file share one lock.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return path, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	} else {
		return path, &Error{Code: CodeCannotOpen, Op: "open", Path: path, Err: err}
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return path, &Error{Code: CodeCannotOpen, Op: "open", Path: path, Err: errors.New("not a file")}
	}
	return path, nil
}

// takeLock takes the lock file's lock for as long as the database is open. The lock
// is on a separate file, because closing any other handle on the database itself
// would drop the locks that SQLite holds on it. The file stays behind, unlocked:
// removing it would race with the next server.
func (db *DB) takeLock() error {
	f, err := os.OpenFile(db.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	held, err := tryLock(f)
	if err == nil && !held {
		var who [32]byte
		n, _ := f.ReadAt(who[:], 0)
		err = db.inUse(fmt.Errorf("another server (process %s) serves from this database", strings.TrimSpace(string(who[:n]))))
	}
	if err != nil {
		_ = f.Close()
		return err
	}
	db.lock = f
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

// lockContents refuses a database that a server has open under another path. If the file
// cannot be opened for writing, SQLite reports why.
func (db *DB) lockContents() error {
	f, err := os.OpenFile(db.path, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	held, err := tryLockContents(f)
	if err == nil && !held {
		err = db.inUse(errors.New("another server serves from this database under another path"))
	}
	if err != nil {
		_ = f.Close()
		return err
	}
	db.contents = f
	return nil
}

func (db *DB) inUse(why error) error {
	return &Error{Code: CodeInUse, Op: "open", Path: db.path, Err: why}
}

// connect opens a pool on a file; it makes no connection yet. The path must be
// absolute, because a URL cannot express a relative one.
func connect(path string, params ...string) (*sql.DB, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("the path %q is not absolute", path)
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: strings.Join(append(params, "_txlock=immediate", "_error_rc=1"), "&")}
	return sqlite.Open(u.String())
}

func busyTimeout(d time.Duration) string { return fmt.Sprintf("_busy_timeout=%d", d.Milliseconds()) }

// identify refuses a database of another program or of a newer version, before
// anything is changed in it.
func identify(conn *sql.Conn) error {
	ctx := context.Background()
	var id, tables int
	err := conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	if err != nil || tables == 0 {
		return err
	}
	if err := conn.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID {
		return &Error{Code: CodeForeign, Op: "open", Err: errors.New("this is a database of another program")}
	}
	version, err := versionOf(conn, "journal")
	if err == nil && version > len(schema) {
		err = newer("journal", version, len(schema))
	}
	return err
}

// takeOver makes this process the one that writes. Every instance that was alive
// before is dead: its process has lost the lock, or has just been fenced.
func (db *DB) takeOver(ctx context.Context) error {
	if _, err := db.conn.ExecContext(ctx, `UPDATE lease SET generation = generation + 1;
		DELETE FROM instances WHERE NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.owner = instances.id)`); err != nil {
		return err
	}
	if err := db.conn.QueryRowContext(ctx, "SELECT generation FROM lease").Scan(&db.generation); err != nil {
		return err
	}
	rows, err := db.conn.QueryContext(ctx, "SELECT id, alive_at FROM instances")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		in := instance{dead: true}
		if err := rows.Scan(&id, &in.seen); err != nil {
			return err
		}
		db.instances[id] = in
	}
	return rows.Err()
}

// Close writes the accepted entries, splits the log and releases the database. Later
// calls fail with [CodeClosed].
func (db *DB) Close() error {
	db.mu.Lock()
	select {
	case <-db.quit:
		db.mu.Unlock()
		return nil
	default:
	}
	close(db.quit)
	db.mu.Unlock()
	db.wg.Wait()
	return db.wrap("close", db.closeFiles())
}

func (db *DB) closeFiles() error {
	var errs []error
	if db.reads != nil {
		errs = append(errs, db.reads.Close())
	}
	if db.conn != nil {
		errs = append(errs, db.conn.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.writer.Close()) // closing the last connection makes the last checkpoint
	}
	for _, f := range []*os.File{db.contents, db.lock} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// Lost returns a channel that is closed when another server has taken this database
// over. Every call then fails, and the process should end.
func (db *DB) Lost() <-chan struct{} { return db.lost }

// Reader returns a small pool of connections that can only read, for the tables of
// other packages. Its reads see every write that has returned.
func (db *DB) Reader() *sql.DB { return db.reads }

// Stats holds figures about the memory in use.
type Stats struct {
	Rooms     int // rooms owned since the database was opened
	TailBytes int // bytes in the log that are not yet split by room
}

// Stats returns the current figures.
func (db *DB) Stats() Stats {
	db.mu.Lock()
	defer db.mu.Unlock()
	return Stats{Rooms: len(db.rooms), TailBytes: db.tailBytes}
}

func (db *DB) nowMS() int64 { return db.opt.now().UnixMilli() }
