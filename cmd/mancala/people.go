package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/hosting"
	"mancala/lobby/lessons"
	"mancala/lobby/moderation"
	"mancala/lobby/push"
	"mancala/lobby/rating"
	"mancala/lobby/rulebook"
	"mancala/lobby/showcase"
	"mancala/lobby/social"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/room"
)

// people has the packages of the lobby that store data about people. Their tables are in
// the same database as the rooms.
type people struct {
	lobby      *lobby.Lobby
	accounts   *account.Accounts
	social     *social.Graph
	ratings    *rating.Ratings
	showcase   *showcase.Index
	rulebook   *rulebook.Book
	events     *hosting.Index
	lessons    *lessons.Lessons
	moderation *moderation.Moderation
	push       *push.Push
}

// openPeople opens each of these packages, which bring their tables up to date.
func openPeople(ctx context.Context, tables lobby.DB, opt lobby.Options, reports moderation.Options, messages push.Options) (*people, error) {
	p := new(people)
	var err error
	if p.lobby, err = lobby.Open(ctx, tables, opt); err != nil {
		return nil, err
	}
	if p.accounts, err = account.Open(ctx, tables, p.lobby.People, account.Options{}); err != nil {
		return nil, err
	}
	if p.social, err = social.Open(ctx, tables, p.lobby.People); err != nil {
		return nil, err
	}
	if p.ratings, err = rating.Open(ctx, tables, p.lobby.People); err != nil {
		return nil, err
	}
	if p.showcase, err = showcase.Open(ctx, tables, p.lobby); err != nil {
		return nil, err
	}
	if p.rulebook, err = rulebook.Open(ctx, tables, p.lobby); err != nil {
		return nil, err
	}
	if p.events, err = hosting.OpenIndex(ctx, tables, p.lobby.People); err != nil {
		return nil, err
	}
	if p.lessons, err = lessons.Open(ctx, tables, p.lobby.People); err != nil {
		return nil, err
	}
	if p.push, err = push.Open(ctx, tables, p.lobby.People, messages); err != nil {
		return nil, err
	}
	p.moderation, err = moderation.Open(ctx, tables, p.lobby.People, reports)
	return p, err
}

// keep starts the regular work of these packages until ctx ends.
func (p *people) keep(ctx context.Context, group *sync.WaitGroup, log *slog.Logger) {
	warn := func(what string) func(error) { return func(err error) { log.Warn(what, "err", err) } }
	group.Go(func() { p.moderation.Keep(ctx, warn("moderation: the log could not be read")) })
	group.Go(func() { workers.Hourly(ctx, p.moderation.Sweep, warn("moderation: the sweep failed")) })
	group.Go(func() { workers.Hourly(ctx, p.rulebook.Sweep, warn("rulebook: the sweep failed")) })
	group.Go(func() { workers.Hourly(ctx, p.push.Sweep, warn("push: the sweep failed")) })
	group.Go(func() { p.showcase.Keep(ctx, warn("showcase: the sweep failed")) })
	group.Go(func() { workers.Hourly(ctx, p.events.Sweep, warn("hosting: the sweep failed")) })
	group.Go(func() { p.lobby.Keep(ctx, warn("lobby: the sweep failed")) })
	group.Go(func() { p.accounts.Keep(ctx, warn("account: the sweep failed")) })
}

// storeTurns stores which players must be told that they are on turn, for the next start or for
// another instance.
func (p *people) storeTurns(log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), workers.Timeout)
	defer cancel()
	if err := p.push.Close(ctx); err != nil {
		log.Warn("push: turns not stored", "err", err)
	}
}

// endDevices makes package push delete the devices of a session when the session ends.
func (p *people) endDevices(log *slog.Logger) {
	p.accounts.WhenEnded(func(ids []string) {
		ctx, cancel := context.WithTimeout(context.Background(), workers.Timeout)
		defer cancel()
		if err := p.push.Ended(ctx, ids); err != nil {
			log.Warn("push: devices of ended sessions not deleted", "err", err)
		}
	})
}

// rouseIdle opens, once an hour, the rooms of unfinished games that have not changed for
// [match.IdleNotice] and have no wake time. They were put to sleep by an older release, which had no
// deadline for games without a clock.
func (p *people) rouseIdle(ctx context.Context, group *sync.WaitGroup, rooms *room.Registry, log *slog.Logger) {
	rouse := func(ctx context.Context) error {
		return p.lobby.Games.EachIdle(ctx, time.Now().Add(-match.IdleNotice), rooms.Rouse)
	}
	group.Go(func() {
		workers.Hourly(ctx, rouse, func(err error) { log.Warn("room: idle games not woken", "err", err) })
	})
}
