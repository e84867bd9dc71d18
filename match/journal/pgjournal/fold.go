package pgjournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/fold"
)

// olderGone is the time after the last sign of life of an instance that cannot read a form of
// rooms, until rooms are written in this form. It may be frozen, and run again.
const olderGone = time.Hour

// everyInstance returns an SQL condition: every instance that may be running reads a form of
// rooms. An instance writes into instances.reads the newest form that it reads.
func everyInstance(form int) string {
	return fmt.Sprintf("NOT EXISTS (SELECT FROM instances WHERE reads < %d AND alive_at > now_ms() - %d)", form, olderGone.Milliseconds())
}

// allRead is the condition for folded rooms. A release that does not read them cannot be started
// any more, see [DB.Migrate].
var allRead = everyInstance(journal.FormFolded)

// AllRead implements [journal.Journal].
func (db *DB) AllRead(ctx context.Context, form int) (all bool, err error) {
	if form > journal.NewestForm {
		return false, db.nothingToDo(ctx, "all read", "")
	}
	err = db.one(ctx, "all read", "", "SELECT "+everyInstance(form), nil, &all)
	return all, err
}

// sleepsForGood is an SQL condition on a line of the rooms.
const sleepsForGood = "owner = '' AND wake_at = 0"

// Fold implements [journal.Journal]. The rows are read and packed before the statement that
// replaces them, which changes nothing if the room has changed meanwhile.
func (db *DB) Fold(ctx context.Context, id string) error {
	if !journal.ValidID(id) {
		return db.nothingToDo(ctx, "fold", id)
	}
	var epoch, seq, entries int64
	var may bool
	err := db.one(ctx, "fold", id, `
		SELECT epoch, seq, (SELECT count(*) FROM (SELECT FROM entries WHERE room = num LIMIT $2) AS counted), `+allRead+`
		FROM rooms WHERE id = $1 AND `+sleepsForGood, []any{id, fold.MaxRows + 1}, &epoch, &seq, &entries, &may)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return db.unlist(ctx, id, "NOT ("+sleepsForGood+")") // it is listed again when it sleeps
	case err != nil:
		return err
	case !may:
		return nil
	case entries == 0 || seq > fold.MaxRows:
		return db.unlist(ctx, id, "epoch = $2", epoch)
	}
	rows, err := db.Read(ctx, id, 0, 0)
	switch {
	case errors.Is(err, journal.ErrNoRoom):
		return nil
	case err != nil && !errors.Is(err, fold.ErrFormat):
		return err
	case err != nil || int64(len(rows)) != seq || !fold.Fits(rows):
		return errors.Join(err, db.unlist(ctx, id, "epoch = $2", epoch)) // it stays as it is
	}
	packed, err := fold.Pack(rows)
	if err != nil {
		return errors.Join(fmt.Errorf("pgjournal: fold %q: %w: %w", id, journal.ErrUnavailable, err), db.unlist(ctx, id, "epoch = $2", epoch))
	}
	return db.exec(ctx, "fold", id, `
		WITH line AS MATERIALIZED (
			SELECT num FROM rooms WHERE id = $1 AND epoch = $2 AND seq = $3 AND `+sleepsForGood+` FOR UPDATE
		), stored AS (
			INSERT INTO folded (room, seq, data) SELECT num, $3, $4 FROM line WHERE `+allRead+`
			ON CONFLICT (room) DO UPDATE SET seq = excluded.seq, data = excluded.data
			RETURNING room
		), gone AS (
			DELETE FROM entries e USING stored s WHERE e.room = s.room AND e.seq <= $3
		), checkpoint AS (
			DELETE FROM checkpoints c USING stored WHERE c.room = $1
		)
		DELETE FROM unfolded u USING stored WHERE u.room = $1`, id, epoch, seq, packed)
}

// unlist takes a room off the list of rooms to fold, if a condition on its line holds or the
// room was deleted. The line is locked, since its owner may be about to list it.
func (db *DB) unlist(ctx context.Context, id, condition string, args ...any) error {
	return db.exec(ctx, "fold", id, `
		WITH line AS MATERIALIZED (
			SELECT id FROM rooms WHERE id = $1 AND `+condition+` FOR UPDATE
		)
		DELETE FROM unfolded WHERE room = $1 AND (EXISTS (SELECT FROM line) OR NOT EXISTS (SELECT FROM rooms WHERE id = $1))`, append([]any{id}, args...)...)
}

// Unfolded implements [journal.Journal]. When its list is empty, it adds rooms that slept
// before there was a list, a few at a time.
func (db *DB) Unfolded(ctx context.Context, limit int) (ids []string, err error) {
	const looked = 500 // rooms in one statement
	for {
		if ids, err = db.list(ctx, limit); err != nil || len(ids) > 0 {
			return ids, err
		}
		var goesOn bool
		err := db.one(ctx, "unfolded", "", `
			WITH here AS MATERIALIZED (
				SELECT after FROM folding WHERE `+allRead+` FOR UPDATE
			), next AS MATERIALIZED (
				SELECT id, `+sleepsForGood+` AND EXISTS (SELECT FROM entries WHERE room = num) AS sleeps FROM rooms WHERE id > (SELECT after FROM here) ORDER BY id LIMIT $1
			), added AS (
				INSERT INTO unfolded (room) SELECT id FROM next WHERE sleeps ON CONFLICT DO NOTHING
			), moved AS (
				UPDATE folding SET after = (SELECT max(id) FROM next) WHERE EXISTS (SELECT FROM next)
			), ended AS (
				DELETE FROM folding WHERE EXISTS (SELECT FROM here) AND NOT EXISTS (SELECT FROM next)
			)
			SELECT EXISTS (SELECT FROM next)`, []any{looked}, &goesOn)
		if err != nil || !goesOn {
			return nil, err
		}
	}
}

// list returns rooms that have gone to sleep for good.
func (db *DB) list(ctx context.Context, limit int) (ids []string, err error) {
	res, err := db.rooms.QueryContext(ctx, "SELECT room FROM unfolded WHERE "+allRead+" LIMIT $1", limit)
	if err != nil {
		return nil, db.statementError(ctx, "unfolded", "", err)
	}
	defer res.Close()
	for res.Next() {
		var id string
		if err := res.Scan(&id); err != nil {
			return nil, db.statementError(ctx, "unfolded", "", err)
		}
		ids = append(ids, id)
	}
	if err := res.Err(); err != nil {
		return nil, db.statementError(ctx, "unfolded", "", err)
	}
	return ids, nil
}

// Delete implements [journal.Journal].
func (db *DB) Delete(ctx context.Context, id string) error {
	if !journal.ValidID(id) {
		return db.nothingToDo(ctx, "delete", id)
	}
	var there bool
	var num sql.NullInt64
	err := db.one(ctx, "delete", id, `
		WITH gone AS (
			DELETE FROM rooms WHERE id = $1 AND `+sleepsForGood+` RETURNING num
		), entries AS (
			DELETE FROM entries e USING gone WHERE e.room = gone.num
		), folded AS (
			DELETE FROM folded f USING gone WHERE f.room = gone.num
		), listed AS (
			DELETE FROM unfolded u USING gone WHERE u.room = $1
		)
		SELECT EXISTS (SELECT FROM rooms WHERE id = $1), (SELECT num FROM gone)`, []any{id}, &there, &num)
	switch {
	case err != nil:
		return err
	case num.Valid:
		// A fold that held the line has added a row that the statement above does not see.
		return db.exec(ctx, "delete", id, "DELETE FROM folded WHERE room = $1", num.Int64)
	case there:
		return fail("delete", id, journal.ErrConflict)
	}
	return nil
}
