package moderation

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// reasons are the reasons for a report, in the order in which pages list them.
var reasons = []string{"rude", "name", "spam", "cheats", "leaves", "other"}

// Reasons returns the reasons for a report.
func Reasons() []string { return slices.Clone(reasons) }

// Report is a player's report about another one, with the name, the line of chat and the name of the rule set as
// they were at that time.
type Report struct {
	ID     int64
	At     time.Time // at least that of the line, which is by the database's clock
	By     string    // the player who reports
	Player string    // the player who is reported
	Name   string    // of Player
	Reason string
	Text   string // in the reporter's words; may be empty
	Room   string // where it happened; may be empty
	Stream string // of the line: [lobby.StreamPlayers] or [lobby.StreamWatchers]
	Line   int64  // of the chat, by its number in the stream; 0: none
	Said   string // the text of the line, or the name of the rule set
	Rules  string // the kept rule set that it is about, by its ID; may be empty
}

// File stores a report. Its time is the present, or r.At if that is later. File silently
// drops a report that the same player has made already, and reports about a player who has
// the maximum of open ones. It refuses with [CodeBadReport], [lobby.CodeText] and
// [CodeReportsFull].
func (m *Moderation) File(ctx context.Context, r Report) error {
	if !slices.Contains(reasons, r.Reason) || r.By == r.Player {
		return refusal.New(CodeBadReport)
	}
	if r.Text != "" {
		text, err := lobby.CleanText(r.Text)
		if err != nil {
			return err
		}
		r.Text = text
	}
	if now := m.opt.Now(); r.At.Before(now) {
		r.At = now
	}
	for {
		err := m.db.Write(ctx, func(tx lobby.Tx) error { return m.file(tx, r) })
		if !errors.Is(err, errTaken) {
			return wrap(err, "report %s", r.Player)
		}
	}
}

// errTaken means that another instance has used the number first.
var errTaken = errors.New("moderation: number taken")

func (m *Moderation) file(tx lobby.Tx, r Report) error {
	var open, about, same int
	err := tx.Scan(`SELECT COUNT(*), COALESCE(SUM(CASE WHEN player = $1 THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN player = $1 AND reporter = $2 AND room = $3 AND line = $4 AND stream = $5 AND rules = $6 THEN 1 ELSE 0 END), 0)
		FROM reports WHERE closed = 0`, []any{r.Player, r.By, r.Room, r.Line, r.Stream, r.Rules}, &open, &about, &same)
	switch {
	case err != nil:
		return err
	case same > 0 || about >= m.opt.MaxAbout:
		return nil
	case open >= m.opt.MaxOpen:
		return refusal.New(CodeReportsFull)
	}
	if err := tx.Scan("SELECT COALESCE(MAX(id), 0) + 1 FROM reports", nil, &r.ID); err != nil {
		return err
	}
	added, err := tx.Exec(`INSERT INTO reports (id, at, reporter, player, name, reason, text, room, stream, line, said, rules)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`,
		r.ID, r.At.UnixMilli(), r.By, r.Player, r.Name, r.Reason, r.Text, r.Room, r.Stream, r.Line, r.Said, r.Rules)
	if err == nil && added == 0 {
		err = errTaken
	}
	return err
}

// Queue returns the open reports, at most limit, the oldest first.
func (m *Moderation) Queue(ctx context.Context, limit int) (list []Report, err error) {
	rows, err := m.db.Reader().QueryContext(ctx, `SELECT id, at, reporter, player, name, reason, text, room, stream, line, said, rules
		FROM reports WHERE closed = 0 ORDER BY id LIMIT $1`, limit)
	if err != nil {
		return nil, wrap(err, "read reports")
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scan(rows.Scan)
		if err != nil {
			return nil, wrap(err, "read reports")
		}
		list = append(list, r)
	}
	return list, wrap(rows.Err(), "read reports")
}

// Waiting returns the number of open reports.
func (m *Moderation) Waiting(ctx context.Context) (n int, err error) {
	err = m.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM reports WHERE closed = 0").Scan(&n)
	return n, wrap(err, "count reports")
}

// Report returns an open report. It refuses with [CodeNoReport].
func (m *Moderation) Report(ctx context.Context, id int64) (Report, error) {
	r, err := scan(m.db.Reader().QueryRowContext(ctx, `SELECT id, at, reporter, player, name, reason, text, room, stream, line, said, rules
		FROM reports WHERE closed = 0 AND id = $1`, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return Report{}, refusal.New(CodeNoReport)
	}
	return r, wrap(err, "read report %d", id)
}

func scan(into func(...any) error) (r Report, err error) {
	var at int64
	err = into(&r.ID, &at, &r.By, &r.Player, &r.Name, &r.Reason, &r.Text, &r.Room, &r.Stream, &r.Line, &r.Said, &r.Rules)
	r.At = time.UnixMilli(at)
	return r, err
}
