package pgjournal

import (
	"context"
	"errors"
	"fmt"

	"mancala/match/gather"
	"mancala/match/journal"
)

// newRoom is a room to create, with its first rows.
type newRoom struct {
	journal.Room
	rows  []journal.Row
	bytes int // of keys and data
}

// maxRooms is the largest number of rooms in one statement that creates or opens them. They
// usually have one short row each.
const maxRooms = 64

// fitsNew reports whether one more room may be created together with others. Each ID is there
// once, since the statement returns the IDs that it has created.
func fitsNew(together []newRoom, r newRoom) bool {
	bytes := r.bytes
	for _, other := range together {
		if bytes += other.bytes; other.ID == r.ID {
			return false
		}
	}
	return len(together) < maxRooms && bytes <= maxBatch
}

// Create implements [journal.Journal].
func (db *DB) Create(ctx context.Context, r journal.Room, rows ...journal.Row) error {
	if err := ctx.Err(); err != nil {
		return contextError("create", r.ID, journal.ErrUnavailable, err)
	}
	if !journal.ValidNew(r) {
		return fail("create", r.ID, journal.ErrInvalid)
	}
	n := newRoom{Room: r, rows: rows}
	for i, row := range rows {
		if row.Seq != uint64(i)+1 {
			return fail("create", r.ID, journal.ErrInvalid)
		}
		n.bytes += len(row.Key) + len(row.Data)
	}
	made, err := gathered(ctx, db, db.creates, "create", r.ID, n)
	if err == nil && !made {
		return fail("create", r.ID, journal.ErrConflict)
	}
	return err
}

// gathered asks a question about a room. Its error is one of the journal.
func gathered[Q, A any](ctx context.Context, db *DB, g gather.Gather[Q, A], op, id string, q Q) (A, error) {
	answer, err := g.Do(ctx, q)
	switch {
	case errors.Is(err, gather.ErrClosed):
		return answer, db.unavailable(op, errClosed)
	case errors.Is(err, gather.ErrFull):
		return answer, db.unavailable(op, err)
	case err != nil && ctx.Err() != nil:
		return answer, contextError(op, id, journal.ErrUnknown, ctx.Err())
	case err != nil:
		return answer, db.outcome(op, err)
	}
	return answer, nil
}

// The rooms are inserted in the order of their IDs. So two instances that create the same rooms
// wait for each other at most once.
const insertRooms = `
WITH given AS MATERIALIZED (
	SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[])
		WITH ORDINALITY AS g (id, kind, seq, wake, owner, epoch, place)
), made AS MATERIALIZED (
	INSERT INTO rooms (id, kind, seq, wake_at, owner, epoch)
	SELECT id, kind, seq, wake, owner, epoch FROM given ORDER BY id COLLATE "C"
	ON CONFLICT (id) DO NOTHING RETURNING id, num
), placed AS MATERIALIZED (
	SELECT g.place, g.id, g.seq, g.wake, g.owner, m.num FROM given g JOIN made m ON m.id = g.id
), first AS (
	INSERT INTO entries (room, seq, epoch, key, data)
	SELECT p.num, e.seq, e.epoch, e.key, e.data
	FROM unnest($7::bigint[], $8::bigint[], $9::bigint[], $10::bytea[], $11::bytea[]) AS e (place, seq, epoch, key, data)
	JOIN placed p ON p.place = e.place
), asleep AS (
	INSERT INTO unfolded (room) SELECT id FROM placed WHERE wake = 0 AND seq > 0 AND owner = '' ON CONFLICT DO NOTHING
)
SELECT place FROM placed`

// createAll creates rooms in one statement, and reports which of them.
func (db *DB) createAll(rooms []newRoom) (made []bool, err error) {
	var ids, kinds, owners []string
	var counts, wakes, firsts []int64
	places, seqs, epochs, keys, data := []int64{}, []int64{}, []int64{}, [][]byte{}, [][]byte{}
	for i, r := range rooms {
		ids, kinds, owners = append(ids, r.ID), append(kinds, r.Kind), append(owners, r.Owner)
		counts, wakes, firsts = append(counts, int64(len(r.rows))), append(wakes, journal.ToMS(r.Wake)), append(firsts, int64(journal.FirstEpoch(r.Room)))
		for _, row := range r.rows {
			places, seqs, epochs = append(places, int64(i)+1), append(seqs, int64(row.Seq)), append(epochs, int64(row.Epoch))
			keys, data = append(keys, []byte(row.Key)), append(data, append([]byte{}, row.Data...)) // nil would be NULL
		}
	}
	err = db.query(insertRooms, func() {
		made = make([]bool, len(rooms))
	}, func(scan func(...any) error) error {
		var place int
		if err := scan(&place); err != nil {
			return err
		}
		made[place-1] = true
		return nil
	}, ids, kinds, counts, wakes, owners, firsts, places, seqs, epochs, keys, data)
	return made, err
}

// query runs a statement that writes, and calls row with each row of its result. Two instances that
// write the same rooms can deadlock. The database then ends one of the two statements and writes
// nothing of it, and it is run again. begin is called before each attempt.
func (db *DB) query(statement string, begin func(), row func(scan func(...any) error) error, args ...any) (err error) {
	for range 5 {
		begin()
		if err = db.queryOnce(statement, row, args); !isCode(err, deadlock) {
			break
		}
	}
	return err
}

func (db *DB) queryOnce(statement string, row func(scan func(...any) error) error, args []any) error {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	res, err := db.rooms.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer res.Close()
	for res.Next() {
		if err := row(res.Scan); err != nil {
			return fmt.Errorf("read a row: %w", err)
		}
	}
	return res.Err()
}
