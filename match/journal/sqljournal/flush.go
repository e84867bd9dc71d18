package sqljournal

import (
	"os"
	"time"
)

// flushEvery is the shortest time between two flushes.
const flushEvery = 200 * time.Millisecond

// startFlushing starts the goroutine that flushes. A commit that itself waits for the
// disk leaves nothing to flush.
func (db *DB) startFlushing() error {
	if db.opt.Full {
		return nil
	}
	log, err := os.OpenFile(db.path+"-wal", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	db.wg.Go(func() {
		defer func() { _ = log.Close() }()
		db.flush(log)
	})
	return nil
}

// flush makes the disk keep SQLite's write-ahead log while it grows. Otherwise the operating
// system keeps up to 8 MB of it in memory until the next checkpoint, and the writer waits for
// the disk there (deploy/decisions/0045).
func (db *DB) flush(log *os.File) {
	for {
		select {
		case <-db.grown:
		case <-db.quit:
			return
		}
		// The next checkpoint reports an error of the disk: the system tells each file
		// handle of it.
		_ = db.opt.sync(log)
		select {
		case <-time.After(flushEvery):
		case <-db.quit:
			return
		}
	}
}

// logGrew tells flush that the writer has written something.
func (db *DB) logGrew() {
	select {
	case db.grown <- struct{}{}:
	default:
	}
}
