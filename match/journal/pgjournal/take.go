package pgjournal

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"

	"mancala/match/journal"
)

var _ journal.Taker = (*DB)(nil)

// taking is a room to take, see [journal.Take].
type taking struct {
	id, self string
	kinds    []string
	most     int64
}

// taken is the result. The room does not exist if its line is empty.
type taken struct {
	journal.Taken
	unsure int64 // not 0: the standby of this server may not have the rows, see unsureAt
}

// fitsTaking reports whether a room may be taken together with others. All callers of an instance
// give the same name and the same kinds.
func fitsTaking(together []taking, t taking) bool {
	first := together[0]
	return len(together) < maxRooms && t.self == first.self && t.most == first.most && slices.Equal(t.kinds, first.kinds) &&
		!slices.ContainsFunc(together, func(other taking) bool { return other.id == t.id })
}

// Take implements [journal.Taker].
func (db *DB) Take(ctx context.Context, id, self string, kinds []string, most uint64) (journal.Taken, error) {
	if !journal.ValidID(self) {
		return journal.Taken{}, fail("take", id, journal.ErrInvalid)
	}
	if !journal.ValidID(id) {
		return journal.Taken{}, fail("take", id, cmp.Or(ctx.Err(), journal.ErrNoRoom))
	}
	if err := ctx.Err(); err != nil {
		return journal.Taken{}, contextError("take", id, journal.ErrUnavailable, err)
	}
	t, err := gathered(ctx, db, db.takes, "take", id, taking{id, self, kinds, int64(min(most, math.MaxInt64))})
	switch {
	case err != nil:
		return journal.Taken{}, err
	case t.Room.ID == "":
		return journal.Taken{}, fail("take", id, journal.ErrNoRoom)
	case t.unsure != 0:
		if err := db.confirm(ctx, id, t.unsure); err != nil {
			return journal.Taken{}, err
		}
	}
	if uint64(len(t.Rows)) != t.Room.Seq { // some are folded, or the line has changed since the statement began
		t.Rows = nil
	}
	return t.Taken, nil
}

// The statement waits for no lock: it could hold one that a batch of appends waits for, while it waits for
// that batch, and the database would end one of the two only after a second. A line that another statement
// holds is returned as it was before. The rows are those that the statement saw when it began. If a
// room's line was changed in between, the claim is made on the changed line, and there are fewer rows
// than the line counts.
var takeRooms = `
WITH given AS MATERIALIZED (
	SELECT id FROM unnest($1::text[]) AS g (id)
), asleep AS MATERIALIZED (
	SELECT one.id FROM given g, LATERAL (
		SELECT r.id FROM rooms r WHERE r.id = g.id AND r.owner = '' AND r.kind = ANY ($3) AND r.seq <= $4 FOR UPDATE SKIP LOCKED
	) AS one
), mine AS MATERIALIZED (
	UPDATE rooms r SET owner = $2, epoch = r.epoch + 1 FROM asleep a WHERE r.id = a.id
	RETURNING r.num, r.id, r.kind, r.owner, r.epoch, r.seq, r.wake_at
), signed AS (` + signClaim("(SELECT FROM mine LIMIT 1) AS claimed") + `
), lines AS MATERIALIZED (
	SELECT m.num, m.id, m.kind, m.owner, m.epoch, m.seq, m.wake_at, NULL::bigint AS seen, false AS dead, true AS mine FROM mine m
	UNION ALL
	SELECT r.num, ` + columns + `, false FROM given g JOIN ` + withOwner + ` ON r.id = g.id WHERE NOT EXISTS (SELECT FROM mine m WHERE m.id = g.id)
)
SELECT l.id, l.kind, l.owner, l.epoch, l.seq, l.wake_at, l.seen, l.dead, l.mine,
	e.seq, e.epoch, e.key, e.data, CASE WHEN l.mine THEN 0 ELSE ` + unsureAt + ` END
FROM lines l LEFT JOIN entries e ON e.room = l.num AND l.seq <= $4 AND l.owner <> '' AND NOT l.dead
ORDER BY l.id, e.seq`

// signClaim is an SQL statement that makes a claim a sign of life of $2. claims has a row if there was one.
func signClaim(claims string) string {
	return `
	INSERT INTO instances (id, alive_at, reads) SELECT $2, now_ms(), ` + fmt.Sprint(journal.NewestForm) + ` FROM ` + claims + `
	WHERE NOT EXISTS (SELECT FROM instances WHERE id = $2 AND alive_at > now_ms() - 1000)
	ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at`
}

// takeAll takes rooms in one statement.
func (db *DB) takeAll(rooms []taking) (all []taken, err error) {
	places := make(map[string]int, len(rooms))
	ids := make([]string, len(rooms))
	for i, t := range rooms {
		places[t.id], ids[i] = i, t.id
	}
	slices.Sort(ids)
	err = db.query(takeRooms, func() {
		all = make([]taken, len(rooms))
	}, func(scan func(...any) error) error {
		var line line
		var mine bool
		var unsure int64
		var seq, epoch sql.NullInt64
		var key, data []byte
		if err := scan(append(line.fields(), &mine, &seq, &epoch, &key, &data, &unsure)...); err != nil {
			return err
		}
		t := &all[places[line.id.String]]
		if t.Room.ID == "" {
			t.Room, t.Mine, t.Rows = line.room(), mine, []journal.Row{}
		}
		if seq.Valid {
			t.Rows = append(t.Rows, journal.Row{Seq: uint64(seq.Int64), Epoch: uint64(epoch.Int64), Key: string(key), Data: data})
			t.unsure = unsure
		}
		return nil
	}, ids, rooms[0].self, rooms[0].kinds, rooms[0].most)
	return all, err
}
