package sqljournal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mancala/match/journal"
)

const (
	splitRooms = 64        // in one transaction, so that appends wait only for a short time
	splitBytes = 256 << 10 // in one transaction
)

// shortenLog splits a part of the log. If the log is twice as long as it should be,
// it splits everything above the limit. An attempt that fails (a full disk) is
// repeated after a second. Until then the log may grow to twice its length.
func (db *DB) shortenLog() {
	err := db.split(db.opt.Tail * 3 / 4)
	for err == nil && db.logBytes > 2*db.opt.Tail {
		err = db.split(db.opt.Tail * 3 / 4)
	}
	if err != nil {
		db.splitAfter = db.opt.now().Add(time.Second)
	}
	db.mu.Lock()
	db.splitErr = err
	db.mu.Unlock()
}

// split moves the oldest tails into segments of their rooms and drops the part of the
// log that is no longer needed. It stops when the log has at most want bytes, or when
// the transaction is large enough.
func (db *DB) split(want int) error {
	var rooms []*room
	db.mu.Lock()
	r, bytes := db.tails.head, 0
	keep := db.keepFrom(r)
	for r != nil && db.logBytes-db.bytesBefore(keep) > want && len(rooms) < splitRooms && bytes < splitBytes {
		rooms = append(rooms, r)
		for _, body := range r.tail {
			bytes += len(body)
		}
		r = r.nextTail
		keep = db.keepFrom(r)
	}
	db.mu.Unlock()

	// Only this goroutine changes tails, so it may read them without the lock.
	err := db.fenced(func(tx *Tx) error {
		for _, r := range rooms {
			if err := db.store(tx, r.num, r.split(), r.tail); err != nil {
				return err
			}
			if _, err := tx.Exec("UPDATE rooms SET seq = $1, wake_at = $2 WHERE num = $3", r.seq, r.wake, r.num); err != nil {
				return err
			}
		}
		_, err := tx.Exec("DELETE FROM log WHERE id < $1", keep)
		return err
	})
	if err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, r := range rooms {
		r.tail = nil // a new slice, because a reader may hold the old one
		db.tails.remove(r)
	}
	n := 0
	for n < len(db.logRows) && db.logRows[n].id < keep {
		db.logBytes -= db.logRows[n].bytes
		n++
	}
	db.logRows = append(db.logRows[:0], db.logRows[n:]...)
	db.tailBytes = db.logBytes
	return nil
}

// keepFrom returns the first log row that is needed if r has the oldest tail.
func (db *DB) keepFrom(r *room) int64 {
	if r == nil {
		return db.logID + 1
	}
	return r.firstLogRow
}

// bytesBefore returns the number of bytes of log before a row.
func (db *DB) bytesBefore(keep int64) (bytes int) {
	for _, row := range db.logRows {
		if row.id >= keep {
			break
		}
		bytes += row.bytes
	}
	return bytes
}

// store adds segments with entries after those that a room has in segments.
func (db *DB) store(tx *Tx, num int64, after uint64, tail [][]byte) error {
	for len(tail) > 0 {
		blob, n := cutSegment(tail)
		if _, err := tx.Exec("INSERT INTO segments (room, first, last, data) VALUES ($1, $2, $3, $4)", num, after+1, after+uint64(n), blob); err != nil {
			return err
		}
		after += uint64(n)
		tail = tail[n:]
	}
	return nil
}

// recover splits the log that the last process left behind. It runs in the
// transaction that takes the database over.
func (db *DB) recover(context.Context) error {
	tx := &Tx{db: db}
	rooms := map[int64]*room{}
	if err := db.replay(tx, rooms); err != nil {
		return err
	}
	for num, r := range rooms {
		if r == nil || len(r.tail) == 0 {
			continue
		}
		if err := db.store(tx, num, r.split(), r.tail); err != nil {
			return err
		}
		if _, err := tx.Exec("UPDATE rooms SET seq = $1, wake_at = $2 WHERE num = $3", r.seq, r.wake, num); err != nil {
			return err
		}
	}
	if db.logID == 0 {
		return nil
	}
	_, err := tx.Exec("DELETE FROM log")
	return err
}

// replay reads the log into the rooms that it names.
func (db *DB) replay(tx *Tx, rooms map[int64]*room) error {
	rows, err := tx.Query("SELECT id, data FROM log ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var blob []byte
		if err := rows.Scan(&db.logID, &blob); err != nil {
			return err
		}
		in := open(blob)
		for in.More() {
			num, seq, wake := int64(in.Uvarint()), in.Uvarint(), in.Varint()
			body := in.skip()
			if in.Bad {
				break
			}
			r, known := rooms[num]
			if !known {
				if r, err = load(tx, "num", num); err != nil && !errors.Is(err, journal.ErrNoRoom) {
					return err
				} else if err != nil {
					r = nil // the room was deleted since
				}
				rooms[num] = r
			}
			if r == nil || seq <= r.seq {
				continue // the entry is in a segment already
			}
			if seq != r.seq+1 {
				return corrupt("log row %d: entry %d of room %q follows %d", db.logID, seq, r.id, r.seq)
			}
			r.seq = seq
			r.tail = append(r.tail, body)
			if wake != 0 && (r.wake == 0 || wake < r.wake) {
				r.wake = wake
			}
		}
		if in.Bad {
			return corrupt("log row %d: %v", db.logID, errFormat)
		}
	}
	return rows.Err()
}

func corrupt(format string, args ...any) error {
	return &Error{Code: CodeCorrupt, Op: "read", Err: fmt.Errorf(format, args...)}
}
