package moderation

import (
	"context"
	"errors"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// What operators can do.
const (
	Dismiss = "dismiss" // nothing more is to be done about this report
	Mute    = "mute"    // the player may not chat
	Unmute  = "unmute"
	Rename  = "rename" // he is called something else
	Close   = "close"  // nobody may be this player any more
	Reopen  = "reopen"
	Erase   = "erase" // a line of chat is taken away
)

var kinds = []string{Dismiss, Mute, Unmute, Rename, Close, Reopen, Erase}

// Forever is how long somebody is muted for good.
const Forever = 100 * 365 * 24 * time.Hour

// Action is a line of the log.
type Action struct {
	ID     int64
	At     time.Time
	Who    string // as the operator calls himself
	What   string
	Report int64 // that it is about
	Player string
	Name   string // his, before
	Detail string // the new name; what was erased
	Why    string
	Room   string // of an erased line
	Stream string
	Line   int64

	For time.Duration // of a mute: how long
}

// Act writes an action down, with what it changes here: sanctions, and whether
// its report is closed. Names and lines of chat the caller has changed before. It
// refuses with [CodeNoModerator] and [CodeBadAction].
func (d *Desk) Act(ctx context.Context, a Action) error {
	who, err := lobby.CleanText(a.Who)
	if err != nil || len(who) > lobby.MaxText {
		return refusal.New(CodeNoModerator)
	}
	if a.Who = who; a.Why != "" {
		if a.Why, err = lobby.CleanText(a.Why); err != nil {
			return err
		}
	}
	if !slices.Contains(kinds, a.What) || a.What == Mute && (a.For <= 0 || a.For > Forever) {
		return refusal.New(CodeBadAction)
	}
	a.At = d.opt.Now()
	for {
		err := d.db.Write(ctx, func(tx lobby.Tx) error { return act(tx, a) })
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return wrap(err, "%s %s", a.What, a.Player)
		}
		return d.Poll(ctx)
	}
}

func act(tx lobby.Tx, a Action) error {
	if err := tx.Scan("SELECT COALESCE(MAX(id), 0) + 1 FROM actions", nil, &a.ID); err != nil {
		return err
	}
	added, err := tx.Exec(`INSERT INTO actions (id, at, who, what, report, player, name, detail, why, room, stream, line)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`,
		a.ID, a.At.UnixMilli(), a.Who, a.What, a.Report, a.Player, a.Name, a.Detail, a.Why, a.Room, a.Stream, a.Line)
	switch {
	case err != nil:
		return err
	case added == 0:
		return errTaken
	case a.What == Dismiss:
		_, err = tx.Exec("UPDATE reports SET closed = $2 WHERE id = $1 AND closed = 0", a.Report, a.At.UnixMilli())
		return err
	}
	const sanctions = "INSERT INTO sanctions (player, muted, closed) VALUES ($1, 0, 0) ON CONFLICT (player) DO NOTHING"
	change, value := "UPDATE sanctions SET muted = $2 WHERE player = $1", int64(0)
	switch a.What {
	case Mute:
		value = a.At.Add(a.For).UnixMilli()
	case Unmute:
	case Close, Reopen:
		change = "UPDATE sanctions SET closed = $2 WHERE player = $1"
		if a.What == Close {
			value = 1
		}
	default:
		return nil
	}
	if _, err := tx.Exec(sanctions, a.Player); err != nil {
		return err
	}
	_, err = tx.Exec(change, a.Player, value)
	return err
}

// Log is the last actions, at most limit, the latest first.
func (d *Desk) Log(ctx context.Context, limit int) ([]Action, error) {
	return d.actions(ctx, "ORDER BY id DESC LIMIT $1", limit)
}

// About are the actions that were taken on a report, in their order.
func (d *Desk) About(ctx context.Context, report int64) ([]Action, error) {
	return d.actions(ctx, "WHERE report = $1 ORDER BY id", report)
}

func (d *Desk) actions(ctx context.Context, which string, args ...any) (list []Action, err error) {
	rows, err := d.db.Reader().QueryContext(ctx, `SELECT id, at, who, what, report, player, name, detail, why, room, stream, line
		FROM actions `+which, args...)
	if err != nil {
		return nil, wrap(err, "read the log")
	}
	defer rows.Close()
	for rows.Next() {
		var a Action
		var at int64
		if err := rows.Scan(&a.ID, &at, &a.Who, &a.What, &a.Report, &a.Player, &a.Name, &a.Detail, &a.Why, &a.Room, &a.Stream, &a.Line); err != nil {
			return nil, wrap(err, "read the log")
		}
		a.At = time.UnixMilli(at)
		list = append(list, a)
	}
	return list, wrap(rows.Err(), "read the log")
}

// WhenDone has f called with each action, on every instance. Call it before people
// come.
func (d *Desk) WhenDone(f func(Action)) { d.tell = append(d.tell, f) }

const pollEvery = 2 * time.Second

// Poll learns what has been done, here or on other instances.
func (d *Desk) Poll(ctx context.Context) error {
	d.polling.Lock() // each action is told once
	defer d.polling.Unlock()
	d.mu.Lock()
	heard := d.heard
	d.mu.Unlock()
	if last, err := d.last(ctx); err != nil || last <= heard {
		return err
	}
	news, err := d.actions(ctx, "WHERE id > $1 ORDER BY id", heard)
	if err == nil {
		err = d.read(ctx)
	}
	if err != nil {
		return err
	}
	if n := len(news); n > 0 {
		d.mu.Lock()
		d.heard = news[n-1].ID // what came since then is heard next time
		d.mu.Unlock()
	}
	for _, a := range news {
		for _, f := range d.tell {
			f(a)
		}
	}
	return nil
}

// Keep polls until ctx ends, and tells report what failed; the next time brings
// another attempt.
func (d *Desk) Keep(ctx context.Context, report func(error)) {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		select {
		case <-poll.C:
			if err := d.Poll(ctx); err != nil && ctx.Err() == nil {
				report(err)
			}
		case <-ctx.Done():
			return
		}
	}
}
