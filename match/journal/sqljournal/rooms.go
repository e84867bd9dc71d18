package sqljournal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"mancala/match/journal"
)

// room is what memory knows of a room that has been owned since opening. Under
// DB.mu; but tail and what else follows from commits changes only on the
// writing goroutine.
type room struct {
	num      int64
	id, kind string
	owner    string
	epoch    uint64
	seq      uint64 // of the last entry that is written
	next     uint64 // of the last that is written or on its way
	pending  *batch // the one that next is in, if that is on its way
	wake     int64  // ms, 0 for never

	tail         [][]byte // bodies of the last entries up to seq, which the log has and segments have not
	since        int64    // log row of the first in tail
	prev_, next_ *room    // in DB.fifo while there is a tail
}

// split is the last entry that segments have.
func (r *room) split() uint64 { return r.seq - uint64(len(r.tail)) }

// list is a queue from which any room can leave.
type list struct{ head, last *room }

func (l *list) push(r *room) {
	r.prev_, r.next_ = l.last, nil
	if l.last == nil {
		l.head = r
	} else {
		l.last.next_ = r
	}
	l.last = r
}

func (l *list) remove(r *room) {
	if r.prev_ == nil && l.head != r {
		return // not in it
	}
	if r.prev_ == nil {
		l.head = r.next_
	} else {
		r.prev_.next_ = r.next_
	}
	if r.next_ == nil {
		l.last = r.prev_
	} else {
		r.next_.prev_ = r.prev_
	}
	r.prev_, r.next_ = nil, nil
}

func toMS(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return cmp.Or(t.UnixMilli(), 1) // 0 is never
}

func fromMS(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// seen is an instance's last sign of life, and whether it still counts.
// Under DB.mu.
func (db *DB) seen(id string) (at time.Time, alive bool) {
	in, ok := db.instances[id]
	if !ok {
		return time.Time{}, false
	}
	return fromMS(in.seen), !in.gone && db.nowMS()-in.seen < journal.DeadAfter.Milliseconds()
}

// line is a room as the contract has it. Under DB.mu.
func (db *DB) line(r *room) journal.Room {
	seen, _ := db.seen(r.owner)
	return journal.Room{ID: r.id, Kind: r.kind, Owner: r.owner, Epoch: r.epoch, Seq: r.seq, Wake: fromMS(r.wake), OwnerSeen: seen}
}

const columns = "num, id, kind, owner, epoch, seq, wake_at"

func (r *room) scan(from interface{ Scan(...any) error }) error {
	err := from.Scan(&r.num, &r.id, &r.kind, &r.owner, &r.epoch, &r.seq, &r.wake)
	r.next = r.seq
	return err
}

// load reads a room by its id or num.
func load(tx *Tx, column string, key any) (*room, error) {
	r := new(room)
	err := r.scan(tx.db.conn.QueryRowContext(context.Background(), "SELECT "+columns+" FROM rooms WHERE "+column+" = $1", key))
	if errors.Is(err, sql.ErrNoRows) {
		err = journal.ErrNoRoom
	}
	return r, err
}

// find is load for an op: from memory if it is there. The op has marked the
// room as busy, so it stays as it is.
func (db *DB) find(tx *Tx, id string) (*room, error) {
	db.mu.Lock()
	r := db.rooms[id]
	db.mu.Unlock()
	if r != nil {
		return r, nil
	}
	return load(tx, "id", id)
}

func fail(op, id string, err error) error { return fmt.Errorf("sqljournal: %s %q: %w", op, id, err) }

// onRoom runs an op that concerns one room.
func (db *DB) onRoom(ctx context.Context, op_, id string, o *op) error {
	o.name, o.room = op_, id
	err := db.do(ctx, o)
	if err != nil && verdict(err) {
		err = fail(op_, id, err)
	}
	return err
}

// Create implements [journal.Journal].
func (db *DB) Create(ctx context.Context, r journal.Room, rows ...journal.Row) error {
	if !journal.ValidID(r.ID) || !journal.ValidID(r.Kind) {
		return fail("create", r.ID, journal.ErrInvalid)
	}
	bodies := make([][]byte, len(rows))
	for i, row := range rows {
		if row.Seq != uint64(i)+1 {
			return fail("create", r.ID, journal.ErrInvalid)
		}
		bodies[i] = appendBody(nil, row)
	}
	return db.onRoom(ctx, "create", r.ID, &op{run: func(tx *Tx) error {
		n, err := tx.Exec("INSERT INTO rooms (id, kind, seq, wake_at) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING", r.ID, r.Kind, len(rows), toMS(r.Wake))
		if err != nil {
			return err
		}
		if n == 0 {
			return journal.ErrConflict
		}
		if len(rows) == 0 {
			return nil
		}
		made, err := load(tx, "id", r.ID)
		if err != nil {
			return err
		}
		return db.store(tx, made.num, 0, bodies)
	}})
}

// Claim implements [journal.Journal].
func (db *DB) Claim(ctx context.Context, id, self string, seen uint64) (journal.Room, error) {
	if !journal.ValidID(self) {
		return journal.Room{}, fail("claim", id, journal.ErrInvalid)
	}
	if !journal.ValidID(id) {
		return journal.Room{}, fail("claim", id, cmp.Or(ctx.Err(), journal.ErrNoRoom))
	}
	var r *room
	var now int64
	var claimed journal.Room
	err := db.onRoom(ctx, "claim", id, &op{
		run: func(tx *Tx) (err error) {
			if r, err = db.find(tx, id); err != nil {
				return err
			}
			db.mu.Lock()
			last, alive := db.seen(r.owner)
			db.mu.Unlock()
			if r.epoch != seen || r.owner != self && alive {
				return journal.ErrConflict
			}
			if _, err := tx.Exec("UPDATE rooms SET owner = $1, epoch = $2 WHERE num = $3", self, seen+1, r.num); err != nil {
				return err
			}
			now = db.nowMS()
			claimed.OwnerSeen = last
			return db.sign(tx, self, now)
		},
		apply: func() {
			r.owner, r.epoch = self, seen+1
			db.rooms[id] = r
			db.instances[self] = instance{seen: now}
			last := claimed.OwnerSeen
			claimed = db.line(r)
			claimed.OwnerSeen = last
		},
	})
	if err != nil {
		return journal.Room{}, err
	}
	return claimed, nil
}

// sign writes a sign of life, unless there is one of the last second.
func (db *DB) sign(tx *Tx, self string, now int64) error {
	db.mu.Lock()
	in, ok := db.instances[self]
	db.mu.Unlock()
	if ok && !in.gone && now-in.seen < 1000 && now >= in.seen {
		return nil
	}
	return setAlive(tx, self, now)
}

func setAlive(tx *Tx, self string, now int64) error {
	_, err := tx.Exec(`INSERT INTO instances (id, alive_at) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at`, self, now)
	return err
}

// Release implements [journal.Journal].
func (db *DB) Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error {
	if !journal.ValidID(id) {
		if err := ctx.Err(); err != nil {
			return fail("release", id, err)
		}
		return nil
	}
	var r *room
	ours := false
	err := db.onRoom(ctx, "release", id, &op{
		run: func(tx *Tx) (err error) {
			if r, err = db.find(tx, id); err != nil {
				return err
			}
			if ours = r.owner == self && r.epoch == epoch; !ours {
				return nil
			}
			if err := db.store(tx, r.num, r.split(), r.tail); err != nil {
				return err
			}
			_, err = tx.Exec("UPDATE rooms SET owner = '', seq = $1, wake_at = $2 WHERE num = $3", r.seq, toMS(wake), r.num)
			return err
		},
		apply: func() {
			if ours {
				db.forget(r)
			}
		},
	})
	if errors.Is(err, journal.ErrNoRoom) {
		return nil
	}
	return err
}

// forget drops what memory knows of a room. Under DB.mu.
func (db *DB) forget(r *room) {
	db.fifo.remove(r)
	delete(db.rooms, r.id)
}

// Delete implements [journal.Journal].
func (db *DB) Delete(ctx context.Context, id string) error {
	if !journal.ValidID(id) {
		if err := ctx.Err(); err != nil {
			return fail("delete", id, err)
		}
		return nil
	}
	var r *room
	err := db.onRoom(ctx, "delete", id, &op{
		run: func(tx *Tx) (err error) {
			if r, err = db.find(tx, id); err != nil {
				return err
			}
			if _, err := tx.Exec("DELETE FROM segments WHERE room = $1", r.num); err != nil {
				return err
			}
			_, err = tx.Exec("DELETE FROM rooms WHERE num = $1", r.num)
			return err
		},
		apply: func() { db.forget(r) },
	})
	if errors.Is(err, journal.ErrNoRoom) {
		return nil
	}
	return err
}

// Alive implements [journal.Journal].
func (db *DB) Alive(ctx context.Context, self string) (time.Time, error) {
	if !journal.ValidID(self) {
		return time.Time{}, fail("alive", self, journal.ErrInvalid)
	}
	now := db.nowMS()
	err := db.do(ctx, &op{
		name: "alive", life: true,
		run:   func(tx *Tx) error { return setAlive(tx, self, now) },
		apply: func() { db.instances[self] = instance{seen: now} },
	})
	if err != nil {
		return time.Time{}, err
	}
	return fromMS(now), nil
}

// Append implements [journal.Journal].
func (db *DB) Append(ctx context.Context, id string, row journal.Row, wake time.Time) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sqljournal: append %q: %w: %w", id, journal.ErrUnavailable, err)
	}
	b, err := db.enqueue(ctx, id, row, toMS(wake))
	if err != nil {
		return err
	}
	if ctx.Done() == nil {
		<-b.done
		return b.err
	}
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return fmt.Errorf("sqljournal: append %q: %w: %w", id, journal.ErrUnknown, ctx.Err())
	}
}

// enqueue adds an entry to what gathers, if the fence lets it.
func (db *DB) enqueue(ctx context.Context, id string, row journal.Row, wake int64) (*batch, error) {
	db.mu.Lock()
	for {
		if db.stopped != nil {
			err := db.stopped
			db.mu.Unlock()
			return nil, db.unavailable("append", err)
		}
		r, b := db.rooms[id], db.batch
		var wait <-chan struct{}
		switch busy := db.busy[id]; {
		case busy != nil:
			wait = busy // its owner may be changing
		case r == nil || r.owner == "" || r.epoch != row.Epoch || r.next+1 != row.Seq:
			if r == nil || r.next == r.seq {
				db.mu.Unlock()
				return nil, fail("append", id, journal.ErrConflict)
			}
			// Whoever is told of a conflict reads what is there; so first it
			// must be there.
			wait = r.pending.done
		case len(b.recs) > 0 && len(b.buf)+len(row.Key)+len(row.Data) > maxBatch:
			wait = b.done
		case db.stuck != nil && db.tailBytes > 2*db.opt.Tail:
			err := db.stuck
			db.kick() // if it is time to try again
			db.mu.Unlock()
			return nil, db.unavailable("append", err)
		default:
			if len(b.recs) == 0 {
				b.begun = db.opt.now()
			}
			b.buf = appendRecord(b.buf, r.num, row.Seq, wake)
			start := len(b.buf)
			b.buf = appendBody(b.buf, row)
			b.recs = append(b.recs, record{room: r, body: [2]int{start, len(b.buf)}, seq: row.Seq, wake: wake})
			r.next, r.pending = row.Seq, b
			db.kick()
			db.mu.Unlock()
			return b, nil
		}
		db.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, fmt.Errorf("sqljournal: append %q: %w: %w", id, journal.ErrUnavailable, ctx.Err())
		}
		db.mu.Lock()
	}
}

// Room implements [journal.Journal].
func (db *DB) Room(ctx context.Context, id string) (journal.Room, error) {
	r, _, err := db.look(ctx, "room", id)
	return r, err
}

// look finds a room in memory, with its tail, or in the database.
func (db *DB) look(ctx context.Context, op, id string) (line journal.Room, at room, err error) {
	if err := ctx.Err(); err != nil {
		return line, at, fmt.Errorf("sqljournal: %s %q: %w: %w", op, id, journal.ErrUnavailable, err)
	}
	if !journal.ValidID(id) {
		return line, at, fail(op, id, journal.ErrNoRoom)
	}
	db.mu.Lock()
	if err := db.stopped; err != nil {
		db.mu.Unlock()
		return line, at, db.unavailable(op, err)
	}
	if r := db.rooms[id]; r != nil {
		line, at = db.line(r), *r
		db.mu.Unlock()
		return line, at, nil
	}
	db.mu.Unlock()
	err = at.scan(db.reads.QueryRowContext(ctx, "SELECT "+columns+" FROM rooms WHERE id = $1", id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return line, at, fail(op, id, journal.ErrNoRoom)
	case err != nil:
		return line, at, db.unread(ctx, op, id, err)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.line(&at), at, nil
}

// unread is a failed read: ctx's doing or the database's.
func (db *DB) unread(ctx context.Context, op, id string, err error) error {
	if ended := ctx.Err(); ended != nil {
		return fmt.Errorf("sqljournal: %s %q: %w: %w", op, id, journal.ErrUnavailable, ended)
	}
	return db.unavailable(op, err)
}

// Read implements [journal.Journal].
func (db *DB) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	if limit <= 0 {
		limit = math.MaxInt
	}
	for try := 0; ; try++ {
		_, r, err := db.look(ctx, "read", id)
		if err != nil {
			return nil, err
		}
		rows, err := db.segments(ctx, &r, after, limit)
		if err != nil {
			return nil, db.unread(ctx, "read", id, err)
		}
		at := r.split() + 1
		for _, body := range r.tail {
			if at > after && len(rows) < limit {
				in := reader{buf: body}
				rows = append(rows, in.body(at))
			}
			at++
		}
		whole := after >= r.seq || len(rows) > 0
		for i := range rows {
			whole = whole && rows[i].Seq == after+uint64(i)+1
		}
		if whole && (len(rows) == limit || after >= r.seq || rows[len(rows)-1].Seq >= r.seq) {
			return rows, nil
		}
		if try == 3 {
			return nil, db.unavailable("read", corrupt("room %q: entries after %d are missing", id, after))
		}
		// It has been deleted, and perhaps made again, between two looks.
	}
}

// segments reads what a room has in segments.
func (db *DB) segments(ctx context.Context, r *room, after uint64, limit int) (rows []journal.Row, err error) {
	if after >= r.split() {
		return nil, nil
	}
	res, err := db.reads.QueryContext(ctx, "SELECT first, data FROM segments WHERE room = $1 AND last > $2 AND first <= $3 ORDER BY first", r.num, after, r.split())
	if err != nil {
		return nil, err
	}
	defer res.Close()
	for res.Next() && len(rows) < limit {
		var seq uint64
		var blob []byte
		if err := res.Scan(&seq, &blob); err != nil {
			return nil, err
		}
		in := open(blob)
		for ; in.more() && len(rows) < limit; seq++ {
			if seq <= after {
				in.skip()
			} else if row := in.body(seq); !in.bad && seq <= r.split() {
				rows = append(rows, row)
			}
		}
		if in.bad {
			return nil, corrupt("room %q, segment before entry %d: %v", r.id, seq, errFormat)
		}
	}
	return rows, res.Err()
}

// Due implements [journal.Journal].
func (db *DB) Due(ctx context.Context, now time.Time, limit int) ([]journal.Room, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("sqljournal: due: %w: %w", journal.ErrUnavailable, err)
	}
	if limit <= 0 {
		limit = math.MaxInt32
	}
	at := toMS(now)
	due := []room{}
	owners := []any{""}
	known := map[int64]bool{} // due in memory, whatever the database says
	db.mu.Lock()
	if err := db.stopped; err != nil {
		db.mu.Unlock()
		return nil, db.unavailable("due", err)
	}
	for id := range db.instances {
		if _, alive := db.seen(id); !alive {
			owners = append(owners, id)
		}
	}
	for _, r := range db.rooms {
		if r.wake == 0 || r.wake > at {
			continue
		}
		if _, alive := db.seen(r.owner); !alive {
			due = append(due, *r)
			known[r.num] = true
		}
	}
	db.mu.Unlock()

	args := append(owners, at, limit)
	query := "SELECT " + columns + " FROM rooms WHERE wake_at <> 0 AND owner IN (" + placeholders(len(owners)) +
		fmt.Sprintf(") AND wake_at <= $%d ORDER BY wake_at LIMIT $%d", len(owners)+1, len(owners)+2)
	res, err := db.reads.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, db.unread(ctx, "due", "", err)
	}
	defer res.Close()
	for res.Next() {
		var r room
		if err := r.scan(res); err != nil {
			return nil, db.unread(ctx, "due", "", err)
		}
		if !known[r.num] {
			due = append(due, r)
		}
	}
	if err := res.Err(); err != nil {
		return nil, db.unread(ctx, "due", "", err)
	}
	slices.SortStableFunc(due, func(a, b room) int {
		return cmp.Or(cmp.Compare(a.wake, b.wake), cmp.Compare(a.id, b.id))
	})
	db.mu.Lock()
	defer db.mu.Unlock()
	lines := make([]journal.Room, 0, min(limit, len(due)))
	for i := range due {
		// What somebody has claimed meanwhile is no longer due.
		if r := db.rooms[due[i].id]; r != nil && !known[due[i].num] {
			continue
		}
		if len(lines) < limit {
			lines = append(lines, db.line(&due[i]))
		}
	}
	return lines, nil
}

func placeholders(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", i+1)
	}
	return b.String()
}
