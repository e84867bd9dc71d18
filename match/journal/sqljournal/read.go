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
	"mancala/match/journal/varint"
)

// Room implements [journal.Journal].
func (db *DB) Room(ctx context.Context, id string) (journal.Room, error) {
	r, _, err := db.lookUp(ctx, "room", id)
	return r, err
}

// lookUp finds a room in memory, with its tail, or in the database.
func (db *DB) lookUp(ctx context.Context, op, id string) (line journal.Room, at room, err error) {
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
		return line, at, db.readError(ctx, op, id, err)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.line(&at), at, nil
}

// Seqs implements [journal.Journal].
func (db *DB) Seqs(ctx context.Context, ids []string) (map[string]uint64, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("sqljournal: seqs: %w: %w", journal.ErrUnavailable, err)
	}
	seqs := make(map[string]uint64, len(ids))
	var rest []any
	db.mu.Lock()
	if err := db.stopped; err != nil {
		db.mu.Unlock()
		return nil, db.unavailable("seqs", err)
	}
	for _, id := range ids {
		if r := db.rooms[id]; r != nil {
			seqs[id] = r.seq
		} else if journal.ValidID(id) {
			rest = append(rest, id)
		}
	}
	db.mu.Unlock()
	for some := range slices.Chunk(rest, 500) { // some builds of SQLite allow no more placeholders
		if err := db.seqs(ctx, some, seqs); err != nil {
			return nil, db.readError(ctx, "seqs", "", err)
		}
	}
	return seqs, nil
}

// seqs reads the last numbers of rooms that are not in memory.
func (db *DB) seqs(ctx context.Context, ids []any, seqs map[string]uint64) error {
	res, err := db.reads.QueryContext(ctx, "SELECT id, seq FROM rooms WHERE id IN ("+placeholders(len(ids))+")", ids...)
	if err != nil {
		return err
	}
	defer res.Close()
	for res.Next() {
		var id string
		var seq uint64
		if err := res.Scan(&id, &seq); err != nil {
			return err
		}
		seqs[id] = seq
	}
	return res.Err()
}

// readError returns the error of a failed read, caused by ctx or by the database.
func (db *DB) readError(ctx context.Context, op, id string, err error) error {
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
	_, r, err := db.lookUp(ctx, "read", id)
	if err != nil {
		return nil, err
	}
	rows, err := db.segments(ctx, &r, after, limit)
	if err != nil {
		return nil, db.readError(ctx, "read", id, err)
	}
	at := r.split() + 1
	for _, body := range r.tail {
		if at > after && len(rows) < limit {
			in := reader{varint.Reader{Buf: body}}
			rows = append(rows, in.body(at))
		}
		at++
	}
	whole := uint64(len(rows)) == min(uint64(limit), r.seq-min(after, r.seq))
	for i := range rows {
		whole = whole && rows[i].Seq == after+uint64(i)+1
	}
	if !whole {
		if _, _, err := db.lookUp(ctx, "read", id); errors.Is(err, journal.ErrNoRoom) {
			return nil, err // deleted meanwhile
		}
		return nil, db.unavailable("read", corrupt("room %q: entries after %d are missing", id, after))
	}
	return rows, nil
}

// segments reads the rows of a room that are packed or in segments. One statement reads
// both, since a fold may move rows from one to the other.
func (db *DB) segments(ctx context.Context, r *room, after uint64, limit int) (rows []journal.Row, err error) {
	if after >= r.split() {
		return nil, nil
	}
	res, err := db.reads.QueryContext(ctx, `
		SELECT 0, data FROM folded WHERE room = $1 AND last > $2
		UNION ALL
		SELECT first, data FROM segments WHERE room = $1 AND last > $2 AND first <= $3 ORDER BY 1`, r.num, after, r.split())
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
		if seq == 0 {
			if rows, err = unpack(r, blob, after, limit); err != nil {
				return nil, err
			}
			continue
		}
		in := open(blob)
		for ; in.More() && len(rows) < limit; seq++ {
			if seq <= after {
				in.skip()
			} else if row := in.body(seq); !in.Bad && seq <= r.split() {
				rows = append(rows, row)
			}
		}
		if in.Bad {
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
	at := journal.ToMS(now)
	due := []room{}
	owners := []any{""}
	known := map[int64]bool{} // rooms that are due by the state in memory
	db.mu.Lock()
	if err := db.stopped; err != nil {
		db.mu.Unlock()
		return nil, db.unavailable("due", err)
	}
	for id := range db.instances {
		if _, alive := db.lastSeen(id); !alive {
			owners = append(owners, id)
		}
	}
	for _, r := range db.rooms {
		if r.wake == 0 || r.wake > at {
			continue
		}
		if _, alive := db.lastSeen(r.owner); !alive {
			due = append(due, *r)
			known[r.num] = true
		}
	}
	db.mu.Unlock()

	args := append(owners, at, limit)
	query := "SELECT " + columns + " FROM rooms WHERE wake_at <> 0 AND owner IN (" + placeholders(len(owners)) +
		fmt.Sprintf(") AND wake_at <= $%d ORDER BY owner <> '', wake_at LIMIT $%d", len(owners)+1, len(owners)+2)
	res, err := db.reads.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, db.readError(ctx, "due", "", err)
	}
	defer res.Close()
	for res.Next() {
		var r room
		if err := r.scan(res); err != nil {
			return nil, db.readError(ctx, "due", "", err)
		}
		if !known[r.num] {
			due = append(due, r)
		}
	}
	if err := res.Err(); err != nil {
		return nil, db.readError(ctx, "due", "", err)
	}
	slices.SortStableFunc(due, func(a, b room) int {
		unownedFirst := cmp.Compare(min(len(a.owner), 1), min(len(b.owner), 1))
		return cmp.Or(unownedFirst, cmp.Compare(a.wake, b.wake), cmp.Compare(a.id, b.id))
	})
	db.mu.Lock()
	defer db.mu.Unlock()
	lines := make([]journal.Room, 0, min(limit, len(due)))
	for i := range due {
		// A room that was claimed in the meantime is no longer due.
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
