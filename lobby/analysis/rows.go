package analysis

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"mancala/engine/search/review"
	"mancala/lobby"
)

var schema = []string{`
CREATE TABLE analyses (
	room    TEXT PRIMARY KEY,
	format  INTEGER NOT NULL,  -- of result; what a release does not know is made anew
	asker   TEXT NOT NULL,     -- player
	owner   TEXT NOT NULL,     -- the instance that is at work
	until   BIGINT NOT NULL,   -- then another one may take it up
	tries   INTEGER NOT NULL,  -- instances that have begun
	done    INTEGER NOT NULL,  -- steps
	total   INTEGER NOT NULL,
	result  TEXT NOT NULL      -- JSON, a review for each round; empty until it is made
);
CREATE INDEX analyses_until ON analyses (until);
`}

// format is how results are written now.
const format = 1

// never is in the column until of what has been made or has failed.
const never = 0

func (a *Analyses) find(ctx context.Context, room string) (*Analysis, error) {
	x, result, until := &Analysis{}, "", int64(0)
	err := a.db.Reader().QueryRowContext(ctx, "SELECT asker, done, total, until, result FROM analyses WHERE room = $1 AND format = $2", room, format).
		Scan(&x.Asker, &x.Done, &x.All, &until, &result)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNone
	}
	if err == nil && result != "" {
		err = json.Unmarshal([]byte(result), &x.Rounds)
	}
	if err != nil {
		return nil, fmt.Errorf("analysis: find %s: %w", room, err)
	}
	x.Failed = result == "" && until == never
	return x, nil
}

// claim writes the row of a game, unless another has done so.
func (a *Analyses) claim(ctx context.Context, room, who string, all int) (bool, error) {
	return a.exec(ctx, `INSERT INTO analyses (room, format, asker, owner, until, tries, done, total, result)
		VALUES ($1, $2, $3, $4, $5, 1, 0, $6, '')
		ON CONFLICT (room) DO UPDATE SET format = excluded.format, asker = excluded.asker, owner = excluded.owner,
			until = excluded.until, tries = 1, done = 0, total = excluded.total, result = ''
		WHERE analyses.format <> excluded.format OR analyses.until = 0 AND analyses.result = ''`,
		room, format, who, a.opt.Self, a.later(), all)
}

// renew says how far the work has come; false if it is not ours any more.
func (a *Analyses) renew(ctx context.Context, room string, done int) (bool, error) {
	return a.exec(ctx, "UPDATE analyses SET done = $1, until = $2 WHERE room = $3 AND owner = $4 AND result = ''",
		done, a.later(), room, a.opt.Self)
}

// finish writes down what was found, unless another has.
func (a *Analyses) finish(ctx context.Context, room string, rounds []*review.Review) (bool, error) {
	result, err := json.Marshal(rounds)
	if err != nil {
		return false, err
	}
	return a.exec(ctx, "UPDATE analyses SET done = total, until = $1, result = $2 WHERE room = $3 AND owner = $4 AND result = ''",
		never, string(result), room, a.opt.Self)
}

// fail lets go of a game that could not be looked at: others may try, but not for ever.
func (a *Analyses) fail(ctx context.Context, room string) error {
	_, err := a.exec(ctx, "UPDATE analyses SET until = CASE WHEN tries < $1 THEN 1 ELSE $2 END WHERE room = $3 AND owner = $4 AND result = ''",
		tries, never, room, a.opt.Self)
	return err
}

// giveUp lets go of all that this instance has not ended; it has not failed at it.
func (a *Analyses) giveUp(ctx context.Context) error {
	_, err := a.exec(ctx, "UPDATE analyses SET until = 1, tries = tries - 1 WHERE owner = $1 AND result = '' AND until > 1", a.opt.Self)
	return err
}

// drop removes what somebody has asked for and nobody has made yet.
func (a *Analyses) drop(ctx context.Context, room, who string) (bool, error) {
	return a.exec(ctx, "DELETE FROM analyses WHERE room = $1 AND asker = $2 AND result = ''", room, who)
}

// abandoned are games that nobody is at work at any more.
func (a *Analyses) abandoned(ctx context.Context) (rooms []string, err error) {
	rows, err := a.db.Reader().QueryContext(ctx, "SELECT room FROM analyses WHERE until > 0 AND until < $1 AND result = '' ORDER BY until LIMIT $2",
		a.opt.Now().UnixMilli(), a.opt.AtOnce)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var room string
		if err := rows.Scan(&room); err != nil {
			return nil, err
		}
		rooms = append(rooms, room)
	}
	return rooms, rows.Err()
}

// takeOver claims a game that another has left; false if somebody was faster. Who has
// failed at it too often is not to be tried any more.
func (a *Analyses) takeOver(ctx context.Context, room string) (bool, error) {
	now := a.opt.Now().UnixMilli()
	if _, err := a.exec(ctx, "UPDATE analyses SET until = $1 WHERE room = $2 AND until > 0 AND until < $3 AND tries >= $4", never, room, now, tries); err != nil {
		return false, err
	}
	return a.exec(ctx, "UPDATE analyses SET owner = $1, until = $2, tries = tries + 1, done = 0 WHERE room = $3 AND until > 0 AND until < $4 AND result = ''",
		a.opt.Self, a.later(), room, now)
}

// exec runs a statement and says whether it changed a row.
func (a *Analyses) exec(ctx context.Context, query string, args ...any) (changed bool, err error) {
	err = a.db.Write(ctx, func(tx lobby.Tx) error {
		n, err := tx.Exec(query, args...)
		changed = n > 0
		return err
	})
	if err != nil {
		err = fmt.Errorf("analysis: %w", err)
	}
	return changed, err
}

func (a *Analyses) later() int64 { return a.opt.Now().Add(held).UnixMilli() }
