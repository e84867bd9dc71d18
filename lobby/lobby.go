package lobby

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mancala/lobby/workers"
)

// Options configures the lobby. A zero value means the default.
type Options struct {
	GuestIdle time.Duration // a guest who has been away for this long is deleted; 180 days
	KeyEvery  time.Duration // how long one key signs tokens; 90 days
	TokenLife time.Duration // how long a token is valid after its key stops signing; 400 days
	Keep      int           // lines of chat kept in each stream; 1,000
	ChatKept  time.Duration // after which the chat of a finished game is deleted; 90 days; less than 0: never

	GamesKept time.Duration // after which finished games of guests are deleted; 0: never
	Rooms     Rooms         // where games are stored; needed with GamesKept

	Clock func() time.Time // for simulations; default [time.Now]

	now   func() time.Time // tests only
	timer func() time.Time // tests only: measures how long a transaction takes
}

func (o Options) withDefaults() Options {
	const day = 24 * time.Hour
	set := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	set(&o.GuestIdle, 180*day)
	set(&o.KeyEvery, 90*day)
	set(&o.TokenLife, 400*day)
	if o.ChatKept == 0 {
		o.ChatKept = 90 * day
	}
	if o.Keep <= 0 {
		o.Keep = 1000
	}
	if o.now == nil {
		o.now = o.Clock
	}
	if o.now == nil {
		o.now = time.Now
	}
	if o.timer == nil {
		o.timer = time.Now
	}
	return o
}

// Lobby holds all parts of the package on one database.
type Lobby struct {
	People *People
	Tokens *Tokens
	Games  *Games
	Lines  *Chat

	Invitations *Invitations

	db DB
}

// Open migrates the lobby's tables and makes the first key for tokens. The caller still
// owns the database, and closes it after the lobby.
func Open(ctx context.Context, db DB, opt Options) (*Lobby, error) {
	opt = opt.withDefaults()
	if err := db.Migrate(ctx, "lobby", schema); err != nil {
		return nil, fmt.Errorf("lobby: open: %w", err)
	}
	tokens, err := openTokens(ctx, db, opt)
	if err != nil {
		return nil, err
	}
	return &Lobby{
		People: newPeople(db, opt), Tokens: tokens,
		Games: &Games{db: db, opt: opt}, Lines: newChat(db, opt), Invitations: &Invitations{db, opt.now}, db: db,
	}, nil
}

// Close waits for queries whose callers have left. Later questions for names and for chat are refused. No data
// is lost.
func (l *Lobby) Close() {
	l.People.reads.Close()
	l.Lines.reads.Close()
}

// Sweep does the periodic work. It deletes guests who have been away for too long, goes on
// with deletions that were broken off, makes keys, reads those of other instances, and
// deletes expired keys, invitations, former names, chat, and finished games of guests. Call
// it at least once an hour.
func (l *Lobby) Sweep(ctx context.Context) error {
	_, err := l.People.Sweep(ctx)
	return errors.Join(err, l.People.sweepForgotten(ctx), l.Tokens.Refresh(ctx), l.Invitations.sweep(ctx), l.People.sweepFormer(ctx), l.Lines.sweep(ctx), l.Games.sweep(ctx))
}

// Keep calls Sweep soon after the start and once an hour until ctx ends. It passes errors
// to report; the next hour brings another attempt.
func (l *Lobby) Keep(ctx context.Context, report func(error)) { workers.Hourly(ctx, l.Sweep, report) }

// wrap adds to an error what was being done. A nil error stays nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("lobby: %s: %w", fmt.Sprintf(format, args...), err)
}
