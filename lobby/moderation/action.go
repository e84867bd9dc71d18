package moderation

import (
	"context"
	"errors"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/workers"
	"mancala/match/refusal"
)

// Actions of operators.
const (
	Dismiss = "dismiss" // close a report
	Mute    = "mute"    // keep a player from chatting
	Unmute  = "unmute"
	Rename  = "rename" // give a player another name
	Close   = "close"  // close a player's account
	Reopen  = "reopen"
	Erase   = "erase"  // remove a line of chat
	Unkeep  = "unkeep" // delete a rule set that a player keeps
)

var kinds = []string{Dismiss, Mute, Unmute, Rename, Close, Reopen, Erase, Unkeep}

// Forever is the duration of a mute without an end.
const Forever = 100 * 365 * 24 * time.Hour

// Action is a line of the log.
type Action struct {
	ID     int64
	At     time.Time
	Who    string // the operator's own name for themselves
	What   string // one of the actions above
	Report int64  // the report that it answers
	Player string
	Name   string // of the player, before; empty if they were deleted
	Detail string // the new name, the text that was erased, or the name of the rule set
	Why    string
	Room   string // of an erased line
	Stream string
	Line   int64

	For time.Duration // of a mute
}

// Act stores an action and changes sanctions and reports accordingly. The caller must
// have changed names and lines of chat before, as [Operators.CarryOut] does. Act refuses
// with [CodeNoModerator] and [CodeBadAction].
func (m *Moderation) Act(ctx context.Context, a Action) error {
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
	a.At = m.opt.Now()
	for {
		err := m.db.Write(ctx, func(tx lobby.Tx) error { return act(tx, a) })
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return wrap(err, "%s %s", a.What, a.Player)
		}
		return m.Poll(ctx)
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

// Log returns the last actions, at most limit, the latest first.
func (m *Moderation) Log(ctx context.Context, limit int) ([]Action, error) {
	return m.actions(ctx, "ORDER BY id DESC LIMIT $1", limit)
}

// About returns the actions on a report, the oldest first.
func (m *Moderation) About(ctx context.Context, report int64) ([]Action, error) {
	return m.actions(ctx, "WHERE report = $1 ORDER BY id", report)
}

func (m *Moderation) actions(ctx context.Context, which string, args ...any) (list []Action, err error) {
	rows, err := m.db.Reader().QueryContext(ctx, `SELECT id, at, who, what, report, player, name, detail, why, room, stream, line
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

// WhenDone registers f, which every instance calls with each action. Call it before
// serving.
func (m *Moderation) WhenDone(f func(Action)) { m.tell = append(m.tell, f) }

const pollEvery = 2 * time.Second

// Poll reads the new actions of all instances, and calls the functions of WhenDone.
func (m *Moderation) Poll(ctx context.Context) error {
	m.polling.Lock() // so that each action is passed on once
	defer m.polling.Unlock()
	m.mu.Lock()
	heard := m.heard
	m.mu.Unlock()
	if last, err := m.last(ctx); err != nil || last <= heard {
		return err
	}
	news, err := m.actions(ctx, "WHERE id > $1 ORDER BY id", heard)
	if err == nil {
		err = m.read(ctx)
	}
	if err != nil {
		return err
	}
	if n := len(news); n > 0 {
		m.mu.Lock()
		m.heard = news[n-1].ID // later actions are read the next time
		m.mu.Unlock()
	}
	for _, a := range news {
		for _, f := range m.tell {
			f(a)
		}
	}
	return nil
}

// Keep polls until ctx ends. It passes errors to report and polls again.
func (m *Moderation) Keep(ctx context.Context, report func(error)) {
	workers.Every(ctx, pollEvery, m.Poll, report)
}

// Sweep deletes reports that were closed, and actions that were carried out, before Kept.
// The last action stays: instances compare its number.
func (m *Moderation) Sweep(ctx context.Context) error {
	if m.opt.Kept < 0 {
		return nil
	}
	before := m.opt.Now().Add(-m.opt.Kept).UnixMilli()
	for _, statement := range []string{
		"DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE closed > 0 AND closed < $1 LIMIT $2)",
		"DELETE FROM actions WHERE id IN (SELECT id FROM actions WHERE at < $1 AND id < (SELECT MAX(id) FROM actions) ORDER BY at LIMIT $2)",
	} {
		if _, err := lobby.Trim(ctx, m.db, statement, before); err != nil {
			return wrap(err, "sweep")
		}
	}
	return nil
}
