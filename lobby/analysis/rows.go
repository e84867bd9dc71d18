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
	format  INTEGER NOT NULL,  -- of result; a result with an unknown format is made again
	asker   TEXT NOT NULL,     -- the player's ID
	owner   TEXT NOT NULL,     -- the instance that has claimed the game
	until   BIGINT NOT NULL,   -- when the claim expires
	tries   INTEGER NOT NULL,  -- instances that have tried
	done    INTEGER NOT NULL,  -- steps
	total   INTEGER NOT NULL,
	result  TEXT NOT NULL      -- JSON, a review for each round; empty until complete
);
CREATE INDEX analyses_until ON analyses (until);
`, `
CREATE INDEX analyses_of ON analyses (asker); -- for players who are deleted
`, `
ALTER TABLE analyses ADD COLUMN made BIGINT NOT NULL DEFAULT 0; -- ms since 1970; 0: made by an earlier release, or not made
CREATE INDEX analyses_made ON analyses (made);
`}

// format is the number of the format in which results are written.
const format = 1

// never is the value of the column until for an analysis that is complete or has failed.
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

// claim writes the row of a game, and reports whether this instance was the first to do so.
func (a *Analyses) claim(ctx context.Context, room, who string, all int) (bool, error) {
	return a.exec(ctx, `INSERT INTO analyses (room, format, asker, owner, until, tries, done, total, result)
		VALUES ($1, $2, $3, $4, $5, 1, 0, $6, '')
		ON CONFLICT (room) DO UPDATE SET format = excluded.format, asker = excluded.asker, owner = excluded.owner,
			until = excluded.until, tries = 1, done = 0, total = excluded.total, result = ''
		WHERE analyses.format <> excluded.format OR analyses.until = 0 AND analyses.result = ''`,
		room, format, who, a.opt.Self, a.later(), all)
}

// renew writes the progress, and reports whether this instance still holds the claim.
func (a *Analyses) renew(ctx context.Context, room string, done int) (bool, error) {
	return a.exec(ctx, "UPDATE analyses SET done = $1, until = $2 WHERE room = $3 AND owner = $4 AND result = ''",
		done, a.later(), room, a.opt.Self)
}

// finish writes the result, and reports whether this instance still held the claim.
func (a *Analyses) finish(ctx context.Context, room string, rounds []*review.Review) (bool, error) {
	result, err := json.Marshal(rounds)
	if err != nil {
		return false, err
	}
	return a.exec(ctx, "UPDATE analyses SET done = total, until = $1, result = $2, made = $5 WHERE room = $3 AND owner = $4 AND result = ''",
		never, string(result), room, a.opt.Self, a.opt.Now().UnixMilli())
}

// fail releases a game whose analysis failed. Another instance may try it, up to maxTries.
func (a *Analyses) fail(ctx context.Context, room string) error {
	_, err := a.exec(ctx, "UPDATE analyses SET until = CASE WHEN tries < $1 THEN 1 ELSE $2 END WHERE room = $3 AND owner = $4 AND result = ''",
		maxTries, never, room, a.opt.Self)
	return err
}

// release releases the unfinished games of this instance. That does not count as a try.
func (a *Analyses) release(ctx context.Context) error {
	_, err := a.exec(ctx, "UPDATE analyses SET until = 1, tries = tries - 1 WHERE owner = $1 AND result = '' AND until > 1", a.opt.Self)
	return err
}

// drop deletes the unfinished analysis of a game if this player has requested it, and reports whether it
// did.
func (a *Analyses) drop(ctx context.Context, room, player string) (bool, error) {
	return a.exec(ctx, "DELETE FROM analyses WHERE room = $1 AND asker = $2 AND result = ''", room, player)
}

// abandoned returns games whose claim has expired.
func (a *Analyses) abandoned(ctx context.Context) ([]string, error) {
	return lobby.Column(ctx, a.db, "SELECT room FROM analyses WHERE until > 0 AND until < $1 AND result = '' ORDER BY until LIMIT $2",
		a.opt.Now().UnixMilli(), a.opt.AtOnce)
}

// takeOver claims a game whose claim has expired, and reports whether this instance was
// the first. A game that has failed too often is not tried again.
func (a *Analyses) takeOver(ctx context.Context, room string) (bool, error) {
	now := a.opt.Now().UnixMilli()
	if _, err := a.exec(ctx, "UPDATE analyses SET until = $1 WHERE room = $2 AND until > 0 AND until < $3 AND tries >= $4", never, room, now, maxTries); err != nil {
		return false, err
	}
	return a.exec(ctx, "UPDATE analyses SET owner = $1, until = $2, tries = tries + 1, done = 0 WHERE room = $3 AND until > 0 AND until < $4 AND result = ''",
		a.opt.Self, a.later(), room, now)
}

// exec runs a statement and reports whether it changed a row.
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

// later returns the end of a claim that is made or renewed now.
func (a *Analyses) later() int64 { return a.opt.Now().Add(claimFor).UnixMilli() }

// Sweep deletes the analyses that are older than Kept. An analysis without a time counts as
// made now.
func (a *Analyses) Sweep(ctx context.Context) error {
	if a.opt.Kept < 0 {
		return nil
	}
	now := a.opt.Now()
	if _, err := lobby.Trim(ctx, a.db, `UPDATE analyses SET made = $1
		WHERE room IN (SELECT room FROM analyses WHERE made = 0 AND result <> '' LIMIT $2)`, now.UnixMilli()); err != nil {
		return fmt.Errorf("analysis: sweep: %w", err)
	}
	if _, err := lobby.Trim(ctx, a.db, `DELETE FROM analyses
		WHERE room IN (SELECT room FROM analyses WHERE made > 0 AND made < $1 ORDER BY made LIMIT $2)`, now.Add(-a.opt.Kept).UnixMilli()); err != nil {
		return fmt.Errorf("analysis: sweep: %w", err)
	}
	return nil
}
