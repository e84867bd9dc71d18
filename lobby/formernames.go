package lobby

import (
	"context"
	"time"

	"mancala/match/refusal"
)

// NameKept is how long a name that an account has given up stays closed to other
// players. An account gives a name up by taking another one, or by being deleted.
// Otherwise a stranger could take the name at once and be mistaken for its owner.
// The owner may take the name back at any time; the name of a deleted account has
// no owner.
const NameKept = 30 * 24 * time.Hour

// maxFormer is how many names one account may have given up within [NameKept].
// Without this bound one account could close any number of names to others.
const maxFormer = 10

// keepHandles turns the handles of an account into former ones, which belong to
// owner: the account, or "" for an account that is being deleted.
func (p *People) keepHandles(tx Tx, id, owner string) error {
	_, err := tx.Exec(`INSERT INTO former_handles (handle, player, until) SELECT handle, $2, $3 FROM handles WHERE player = $1
		ON CONFLICT (handle) DO UPDATE SET player = excluded.player, until = excluded.until`,
		id, owner, p.opt.now().Add(NameKept).UnixMilli())
	if err != nil {
		return err
	}
	_, err = tx.Exec("DELETE FROM handles WHERE player = $1", id)
	return err
}

// disownHandles keeps the handles of an account that is being deleted, and those that it
// gave up before. It removes the record of their owner.
func (p *People) disownHandles(tx Tx, id string) error {
	if err := p.keepHandles(tx, id, ""); err != nil {
		return err
	}
	_, err := tx.Exec("UPDATE former_handles SET player = '' WHERE player = $1", id)
	return err
}

// freeHandle refuses a player the name of another account, and a name that
// another account gave up within [NameKept].
func (p *People) freeHandle(tx Tx, id, name string) error {
	n := 0
	err := tx.Scan(takenHandle, []any{NameKey(name), id, p.opt.now().UnixMilli()}, &n)
	if err == nil && n > 0 {
		err = refusal.New(CodeNameTaken)
	}
	return err
}

// NameFree refuses with [CodeNameTaken] a name that a new account cannot have now.
func (p *People) NameFree(ctx context.Context, name string) error {
	n := 0
	err := p.db.Reader().QueryRowContext(ctx, takenHandle, NameKey(name), "", p.opt.now().UnixMilli()).Scan(&n)
	if err == nil && n > 0 {
		err = refusal.New(CodeNameTaken)
	}
	return wrap(err, "ask for a free name")
}

// takenHandle counts the rows that keep handle $1 from player $2 at time $3.
const takenHandle = `SELECT (SELECT COUNT(*) FROM handles WHERE handle = $1 AND player <> $2) +
	(SELECT COUNT(*) FROM former_handles WHERE handle = $1 AND (player <> $2 OR player = '') AND until > $3)`

// mayGiveUp refuses with [CodeNamesMany] an account that gave up [maxFormer] names
// within [NameKept]. A former name that the account takes back does not count.
func (p *People) mayGiveUp(tx Tx, id, name string) error {
	n := 0
	err := tx.Scan("SELECT COUNT(*) FROM former_handles WHERE player = $1 AND handle <> $2 AND until > $3",
		[]any{id, NameKey(name), p.opt.now().UnixMilli()}, &n)
	if err == nil && n >= maxFormer {
		err = refusal.New(CodeNamesMany)
	}
	return err
}

// sweepFormer deletes former handles that have expired.
func (p *People) sweepFormer(ctx context.Context) error {
	_, err := Trim(ctx, p.db, `DELETE FROM former_handles WHERE handle IN
		(SELECT handle FROM former_handles WHERE until <= $1 ORDER BY until LIMIT $2)`, p.opt.now().UnixMilli())
	return wrap(err, "sweep former names")
}
