// Package moderation keeps what people report, and what operators do about it.
//
// Everything an operator does is an action in a log, which is also how other
// instances learn of it.
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
	CodeBadReport   refusal.Code = "bad-report"   // no such reason, or about oneself
	CodeReportsFull refusal.Code = "reports-full" // too many are open
	CodeNoReport    refusal.Code = "no-report"    // there is none, or it is closed
	CodeBadAction   refusal.Code = "bad-action"   // nothing that can be done
	CodeNoModerator refusal.Code = "no-moderator" // who acts gives a name
)

// schema is the package's set of migrations. A step that a release has carried is
// never changed; a new one is added. Times are ms since 1970.
var schema = []string{`
CREATE TABLE reports (
	id     BIGINT PRIMARY KEY, -- 1, 2, 3, …
	at     BIGINT NOT NULL,
	reporter TEXT NOT NULL,    -- empty if he is no more
	player TEXT NOT NULL,      -- who is reported
	name   TEXT NOT NULL,      -- his, then
	reason TEXT NOT NULL,
	text   TEXT NOT NULL,
	room   TEXT NOT NULL,      -- where it happened, if anywhere
	stream TEXT NOT NULL,
	line   BIGINT NOT NULL,    -- of the chat; 0: none
	said   TEXT NOT NULL,      -- what it said, then
	closed BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX reports_open ON reports (closed, id);
CREATE INDEX reports_of ON reports (player, closed);

CREATE TABLE actions (
	id     BIGINT PRIMARY KEY, -- 1, 2, 3, …
	at     BIGINT NOT NULL,
	who    TEXT NOT NULL,      -- as the operator called himself
	what   TEXT NOT NULL,
	report BIGINT NOT NULL,
	player TEXT NOT NULL,
	name   TEXT NOT NULL,      -- his, before
	detail TEXT NOT NULL,      -- his new name; what was erased; until when
	why    TEXT NOT NULL,
	room   TEXT NOT NULL,      -- of an erased line
	stream TEXT NOT NULL,
	line   BIGINT NOT NULL
);
CREATE INDEX actions_report ON actions (report);

CREATE TABLE sanctions (
	player TEXT PRIMARY KEY,
	muted  BIGINT NOT NULL,    -- until then he may not chat
	closed INTEGER NOT NULL    -- 0 or 1
);
`}

// Options are the package's figures; a zero means the default.
type Options struct {
	MaxOpen  int // reports that are open, of all people; 5,000
	MaxAbout int // and about one person: more say nothing new; 20

	Now func() time.Time // tests only
}

// Desk is where reports lie and operators act. Its methods are safe from any
// goroutine.
type Desk struct {
	db  lobby.DB
	opt Options

	mu        sync.Mutex
	sanctions map[string]sanction // of those who have one
	heard     int64               // the last action that is known here
	tell      []func(Action)
	polling   sync.Mutex
}

// sanction is what somebody may not do.
type sanction struct {
	muted  time.Time
	closed bool
}

// Open brings the tables up to date, and has them emptied of people who are no
// more. Call it before people come.
func Open(ctx context.Context, db lobby.DB, people *lobby.People, opt Options) (*Desk, error) {
	if opt.MaxOpen <= 0 {
		opt.MaxOpen = 5000
	}
	if opt.MaxAbout <= 0 {
		opt.MaxAbout = 20
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if err := db.Migrate(ctx, "moderation", schema); err != nil {
		return nil, fmt.Errorf("moderation: open: %w", err)
	}
	people.WhenForgotten(
		"DELETE FROM reports WHERE player = $1", "UPDATE reports SET reporter = '' WHERE reporter = $1",
		"DELETE FROM sanctions WHERE player = $1", "UPDATE actions SET name = '', detail = '' WHERE player = $1",
	)
	d := &Desk{db: db, opt: opt, sanctions: map[string]sanction{}}
	if err := d.read(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// Closed says that somebody's account has been closed: nobody may be him.
func (d *Desk) Closed(player string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sanctions[player].closed
}

// Muted is until when somebody may not chat; the zero time if he may.
func (d *Desk) Muted(player string) time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	if until := d.sanctions[player].muted; until.After(d.opt.Now()) {
		return until
	}
	return time.Time{}
}

// read learns who may not do what, and up to which action that holds.
func (d *Desk) read(ctx context.Context) error {
	last, err := d.last(ctx) // before: what comes after it is read again
	if err != nil {
		return err
	}
	rows, err := d.db.Reader().QueryContext(ctx, "SELECT player, muted, closed FROM sanctions")
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
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heard = max(d.heard, last)
	d.sanctions = maps.Clone(all)
	return nil
}

func (d *Desk) last(ctx context.Context) (id int64, err error) {
	err = d.db.Reader().QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) FROM actions").Scan(&id)
	return id, wrap(err, "read the log")
}

// wrap says what was being done; a nil stays nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("moderation: %s: %w", fmt.Sprintf(format, args...), err)
}
