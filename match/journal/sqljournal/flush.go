package sqljournal

import (
	"os"
	"time"
)

// flushEvery is the shortest time between two flushes.
const flushEvery = 200 * time.Millisecond

// startFlushing starts flush, unless every commit waits for the disk anyway.
func (db *DB) startFlushing() error {
	if db.opt.Full {
		return nil
	}
	wal, err := os.OpenFile(db.path+"-wal", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	db.wg.Go(func() {
		defer func() { _ = wal.Close() }()
		db.flush(wal)
	})
	return nil
}

// flush brings SQLite's write-ahead log to the disk while it grows. Otherwise the operating system
// keeps up to 8 MB of it in memory until the next checkpoint, in which the writer waits for the
// disk (deploy/decisions/0045). This log is not the table log.
func (db *DB) flush(wal *os.File) {
	for {
		select {
		case <-db.grown:
		case <-db.quit:
			return
		}
		// The next checkpoint reports an error of the disk: the system tells each file
		// handle of it.
		_ = db.opt.sync(wal)
		select {
		case <-time.After(flushEvery):
		case <-db.quit:
			return
		}
	}
}

// walGrew tells flush that the writer has written something.
func (db *DB) walGrew() {
	select {
	case db.grown <- struct{}{}:
	default:
	}
}
