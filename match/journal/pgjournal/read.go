package pgjournal

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/fold"
)

// line is a room's line as the database returns it, or no line.
type line struct {
	id, kind, owner            sql.NullString
	epoch, seq, wake, lastSeen sql.NullInt64
	dead                       sql.NullBool
}

var (
	columns   = "r.id, r.kind, r.owner, r.epoch, r.seq, r.wake_at, i.alive_at, r.owner <> '' AND " + isDead
	withOwner = "rooms r LEFT JOIN instances i ON i.id = r.owner"
)

func (l *line) fields() []any {
	return []any{&l.id, &l.kind, &l.owner, &l.epoch, &l.seq, &l.wake, &l.lastSeen, &l.dead}
}

func (l *line) room() journal.Room {
	return journal.Room{
		ID: l.id.String, Kind: l.kind.String, Owner: l.owner.String, Epoch: uint64(l.epoch.Int64), Seq: uint64(l.seq.Int64),
		Wake: journal.FromMS(l.wake.Int64), OwnerSeen: journal.FromMS(l.lastSeen.Int64), OwnerDead: l.dead.Bool,
	}
}

// Read implements [journal.Journal].
func (db *DB) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	if !journal.ValidID(id) {
		return nil, fail("read", id, cmp.Or(ctx.Err(), journal.ErrNoRoom))
	}
	most := int64(math.MaxInt64)
	if limit > 0 {
		most = int64(limit)
	}
	after = min(after, math.MaxInt64)
	// One statement reads both tables, since a fold moves rows from one to the other.
	res, err := db.rooms.QueryContext(ctx, `
		SELECT f.seq, true, 0, NULL, f.data, 0::bigint
		FROM rooms r JOIN folded f ON f.room = r.num AND f.seq > $2
		WHERE r.id = $1
		UNION ALL (
			SELECT e.seq, false, e.epoch, e.key, e.data, CASE WHEN r.owner <> '' THEN `+unsureAt+` ELSE 0 END
			FROM rooms r LEFT JOIN entries e ON e.room = r.num AND e.seq > $2
			WHERE r.id = $1 ORDER BY e.seq LIMIT $3
		)`, id, int64(after), most)
	if err != nil {
		return nil, db.statementError(ctx, "read", id, err)
	}
	defer res.Close()
	there, unsure, packed, rows := false, int64(0), []byte(nil), []journal.Row(nil)
	for res.Next() {
		there = true
		var seq, epoch sql.NullInt64
		var isFolded bool
		var server int64
		var key, data []byte
		if err := res.Scan(&seq, &isFolded, &epoch, &key, &data, &server); err != nil {
			return nil, db.statementError(ctx, "read", id, err)
		}
		switch {
		case isFolded:
			packed = data
		case seq.Valid:
			unsure = server
			rows = append(rows, journal.Row{Seq: uint64(seq.Int64), Epoch: uint64(epoch.Int64), Key: string(key), Data: data})
		}
	}
	if err := res.Err(); err != nil {
		return nil, db.statementError(ctx, "read", id, err)
	}
	if !there {
		return nil, fail("read", id, journal.ErrNoRoom)
	}
	if unsure != 0 {
		if err := db.confirm(ctx, id, unsure); err != nil {
			return nil, err
		}
	}
	if packed != nil {
		first, err := fold.Unpack(packed)
		if err != nil {
			return nil, fmt.Errorf("pgjournal: read %q: %w: %w", id, journal.ErrUnavailable, err)
		}
		rows = append(first[min(after, uint64(len(first))):], rows...)
	}
	if limit > 0 {
		rows = rows[:min(limit, len(rows))]
	}
	return rows, nil
}

// Due implements [journal.Journal]. Most rooms that are due belong to living
// instances. So the dead instances are found first, and the index has the due rooms
// of each owner side by side.
func (db *DB) Due(ctx context.Context, now time.Time, limit int) ([]journal.Room, error) {
	if limit <= 0 {
		limit = math.MaxInt32
	}
	res, err := db.rooms.QueryContext(ctx, `
		WITH dead AS MATERIALIZED (
			SELECT '' AS id UNION ALL SELECT id FROM instances i WHERE `+isDead+`
		)
		SELECT `+columns+` FROM dead JOIN rooms r ON r.owner = dead.id LEFT JOIN instances i ON i.id = r.owner
		WHERE r.wake_at <> 0 AND r.wake_at <= $1
		ORDER BY r.owner <> '', r.wake_at, r.id LIMIT $2`, journal.ToMS(now), limit)
	if err != nil {
		return nil, db.statementError(ctx, "due", "", err)
	}
	defer res.Close()
	due := []journal.Room{}
	for res.Next() {
		var l line
		if err := res.Scan(l.fields()...); err != nil {
			return nil, db.statementError(ctx, "due", "", err)
		}
		due = append(due, l.room())
	}
	if err := res.Err(); err != nil {
		return nil, db.statementError(ctx, "due", "", err)
	}
	return due, nil
}
