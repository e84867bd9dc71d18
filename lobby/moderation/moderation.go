// Package moderation stores the reports of players and the actions of operators.
//
// Every action of an operator is a row in a log. Other instances read the log to learn of
// it.
package moderation

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// Codes of refusals. Their texts are stable.
const (
	CodeBadReport   refusal.Code = "bad-report"   // an unknown reason, or a report about oneself
	CodeReportsFull refusal.Code = "reports-full" // too many are open
	CodeNoReport    refusal.Code = "no-report"    // there is no such report, or it is closed
	CodeBadAction   refusal.Code = "bad-action"   // an unknown action, or a mute without a valid time
	CodeNoModerator refusal.Code = "no-moderator" // operators must give a name
)

// schema is the package's set of migrations. A step that a release has carried is
// never changed; a new one is added. Times are ms since 1970.
var schema = []string{`
CREATE TABLE reports (
	id     BIGINT PRIMARY KEY, -- 1, 2, 3, …
	at     BIGINT NOT NULL,
	reporter TEXT NOT NULL,    -- empty after the player was deleted
	player TEXT NOT NULL,      -- the reported player
	name   TEXT NOT NULL,      -- of the reported player, at that time
	reason TEXT NOT NULL,
	text   TEXT NOT NULL,
	room   TEXT NOT NULL,      -- the game that the report is about; empty if none
	stream TEXT NOT NULL,
	line   BIGINT NOT NULL,    -- number of the line of chat; 0: none
	said   TEXT NOT NULL,      -- the text of the line, at that time
	closed BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX reports_open ON reports (closed, id);
CREATE INDEX reports_of ON reports (player, closed);

CREATE TABLE actions (
	id     BIGINT PRIMARY KEY, -- 1, 2, 3, …
	at     BIGINT NOT NULL,
	who    TEXT NOT NULL,      -- the name that the operator entered
	what   TEXT NOT NULL,
	report BIGINT NOT NULL,
	player TEXT NOT NULL,
	name   TEXT NOT NULL,      -- the player's name before the action
	detail TEXT NOT NULL,      -- the new name, the erased text, or the end of the mute
	why    TEXT NOT NULL,
	room   TEXT NOT NULL,      -- of an erased line
	stream TEXT NOT NULL,
	line   BIGINT NOT NULL
);
CREATE INDEX actions_report ON actions (report);

CREATE TABLE sanctions (
	player TEXT PRIMARY KEY,
	muted  BIGINT NOT NULL,    -- the player may not chat until this time
	closed INTEGER NOT NULL    -- 0 or 1
);
`, `
CREATE INDEX reports_by ON reports (reporter); -- for players who are deleted
CREATE INDEX actions_of ON actions (player);
`, `
CREATE INDEX actions_at ON actions (at); -- for what is kept for a time
`, `
ALTER TABLE reports ADD COLUMN rules TEXT NOT NULL DEFAULT ''; -- the kept rule set that the report is about; earlier releases add rows without one
`}

// Options are the limits of the package. A zero means the default.
type Options struct {
	MaxOpen  int // open reports in all; default 5,000
	MaxAbout int // open reports about one player; default 20

	Kept time.Duration // after which closed reports, and the log, are deleted; default a year; less than 0: never

	Now func() time.Time // for tests only
}

// Moderation holds the reports and carries out the actions. Its methods are safe from any
// goroutine.
type Moderation struct {
	db  lobby.DB
	opt Options

	mu        sync.Mutex
	sanctions map[string]sanction // by player
	heard     int64               // ID of the last action that this instance has read
	tell      []func(Action)      // registered by WhenDone
	polling   sync.Mutex
}

// sanction is what a player may not do.
type sanction struct {
	muted  time.Time // the end of the mute
	closed bool
}

// Open migrates the tables, and registers them with people for the removal of deleted
// players. Call it before serving.
func Open(ctx context.Context, db lobby.DB, people *lobby.People, opt Options) (*Moderation, error) {
	if opt.MaxOpen <= 0 {
		opt.MaxOpen = 5000
	}
	if opt.MaxAbout <= 0 {
		opt.MaxAbout = 20
	}
	if opt.Kept == 0 {
		opt.Kept = 365 * 24 * time.Hour
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if err := db.Migrate(ctx, "moderation", schema); err != nil {
		return nil, fmt.Errorf("moderation: open: %w", err)
	}
	people.WhenForgotten(
		lobby.DeleteSome("reports", "id", "player = $1"), lobby.UpdateSome("reports", "id", "reporter = '', text = ''", "reporter = $1"),
		lobby.DeleteSome("sanctions", "player", "player = $1"),
		lobby.UpdateSome("actions", "id", "name = '', detail = '', why = ''", "player = $1 AND (name <> '' OR detail <> '' OR why <> '')"),
	)
	m := &Moderation{db: db, opt: opt, sanctions: map[string]sanction{}}
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// Closed reports whether a player's account is closed.
func (m *Moderation) Closed(player string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sanctions[player].closed
}

// Muted returns until when a player may not chat, or the zero time if they may.
func (m *Moderation) Muted(player string) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if until := m.sanctions[player].muted; until.After(m.opt.Now()) {
		return until
	}
	return time.Time{}
}

// read reads the sanctions, and the ID of the last action that they include.
func (m *Moderation) read(ctx context.Context) error {
	last, err := m.last(ctx) // before the sanctions, so that no later action is missed
	if err != nil {
		return err
	}
	rows, err := m.db.Reader().QueryContext(ctx, "SELECT player, muted, closed FROM sanctions")
	if err != nil {
		return wrap(err, "read sanctions")
	}
	defer rows.Close()
	all := map[string]sanction{}
	for rows.Next() {
		var player string
		var muted int64
		var closed int
		if err := rows.Scan(&player, &muted, &closed); err != nil {
			return wrap(err, "read sanctions")
		}
		all[player] = sanction{time.UnixMilli(muted), closed == 1}
	}
	if err := rows.Err(); err != nil {
		return wrap(err, "read sanctions")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heard = max(m.heard, last)
	m.sanctions = maps.Clone(all)
	return nil
}

func (m *Moderation) last(ctx context.Context) (id int64, err error) {
	err = m.db.Reader().QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) FROM actions").Scan(&id)
	return id, wrap(err, "read the log")
}

// wrap adds the failed operation to an error. A nil error stays nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("moderation: %s: %w", fmt.Sprintf(format, args...), err)
}
