package pgjournal

import (
	"context"
	"errors"
	"sync"

	"mancala/match/journal"
)

// doubts are the rooms with a write whose outcome is not known here. A commit that waits
// for a synchronous standby and is cancelled stays in this server, where others can read
// it, but the standby may not have it. So before such a room is read, [DB.settle] makes a
// commit of its own, which waits for the standby too: the standby then has all that was
// committed before it.
type doubts struct {
	mu    sync.Mutex
	count uint64            // of doubts so far
	rooms map[string]uint64 // the number of each room's last doubt
}

// add notes that the outcome of a write to these rooms is not known.
func (d *doubts) add(rooms ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.rooms == nil {
		d.rooms = map[string]uint64{}
	}
	d.count++
	for _, id := range rooms {
		d.rooms[id] = d.count
	}
}

// of reports whether a room is in doubt, and how many doubts there have been.
func (d *doubts) of(room string) (count uint64, in bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, in = d.rooms[room]
	return d.count, in
}

// end removes every room whose last doubt is at most the given one.
func (d *doubts) end(count uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, n := range d.rooms {
		if n <= count {
			delete(d.rooms, id)
		}
	}
}

// settle returns nil when every row of the room that can be read is as durable as a row
// whose Append returned nil.
func (db *DB) settle(ctx context.Context, room string) error {
	count, in := db.doubts.of(room)
	if !in {
		return nil
	}
	if _, err := db.rooms.ExecContext(ctx, "UPDATE rooms SET seq = seq WHERE id = $1", room); err != nil {
		return db.statementError(ctx, "read", room, err)
	}
	db.doubts.end(count)
	return nil
}

// inDoubt notes the room if the outcome of a write to it is unknown, and returns err.
func (db *DB) inDoubt(room string, err error) error {
	if errors.Is(err, journal.ErrUnknown) {
		db.doubts.add(room)
	}
	return err
}
