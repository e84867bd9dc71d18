package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/entrants"
	"mancala/lobby/tournament"
)

// tournamentLoad is a tournament that bots play to its end over real sockets. Its games are short.
type tournamentLoad struct {
	format  string
	players int
	minutes int // of an arena; 0: the host ends it after three games of each player
	think   time.Duration
}

// quickGame are the house rules of the games: they end after about twelve plies.
const quickGame = "pits=3 seeds=2"

func (l tournamentLoad) String() string { return fmt.Sprintf("%s of %d players", l.format, l.players) }

// tournament returns the settings of the tournament of a plan.
func (p plan) tournament() tournament.Settings {
	s := tournament.Settings{
		Name: "Bench", Format: tournament.Format(p.event.format), Options: quickGame, Rules: "kalah", Clock: "5+3", Games: max(1, p.games),
	}
	switch s.Format {
	case tournament.Swiss:
		s.Rounds = p.rounds
	case tournament.Arena:
		s.Minutes = max(5, p.event.minutes)
	case tournament.Knockout:
		s.ThirdPlace = true
	}
	return s
}

// evening is the tournaments of one run: more players than one tournament may have play in several,
// whose rounds start at the same time.
type evening struct {
	plan
	target
	events []*entrants.Event
	round  int // from 1
	result result
}

// runTournament plays tournaments. While rounds start, other games go on, and their moves are
// measured. With faults, the instance that owns the tournament is killed while the games of the second
// round are opened, and another one is restarted in the middle round.
func (p plan) runTournament(ctx context.Context, t target) (result, error) {
	began := time.Now()
	e := &evening{plan: p, target: t}
	defer e.leave()
	if err := e.open(ctx); err != nil {
		return e.result, err
	}
	fmt.Fprintf(p.errOut, "mancala-bench: %d players follow %d tournaments after %v\n", p.event.players, len(e.events), time.Since(began).Round(time.Millisecond))
	for more := true; more; {
		var err error
		e.round++
		if more, err = e.play(ctx); err != nil {
			return e.result, fmt.Errorf("round %d: %w", e.round, err)
		}
	}
	if err := e.all((*entrants.Event).Finish); err != nil {
		return e.result, err
	}
	r := &e.result
	r.Took, r.Players, r.RSS = time.Since(began), p.event.players, t.cluster.process().rss()
	var counted []time.Duration
	for _, event := range e.events {
		counted = append(counted, event.Counted()...)
		r.Acknowledged += event.Plies()
	}
	slices.Sort(counted)
	r.Counted, r.CountedP99 = percentile(counted, 50), percentile(counted, 99)
	return e.result, e.check(ctx)
}

// open makes the tournaments, and lets their players in.
func (e *evening) open(ctx context.Context) error {
	var addrs []string
	for _, i := range e.cluster.list {
		addrs = append(addrs, i.addr)
	}
	left := e.event.players
	for n := (left + tournament.MaxPlayers - 1) / tournament.MaxPlayers; n > 0; n-- {
		event, err := entrants.Open(ctx, entrants.NewService(addrs...), entrants.Options{
			Settings: e.tournament(), Players: left / n, Think: e.event.think, Run: e.runNumber + uint64(n), CheckIn: left <= 500,
		})
		if err != nil {
			return err
		}
		e.events = append(e.events, event)
		left -= left / n
	}
	return nil
}

func (e *evening) leave() {
	for _, event := range e.events {
		event.Close()
	}
}

// all does something with all tournaments at the same time.
func (e *evening) all(do func(*entrants.Event) error) error {
	errs := make([]error, len(e.events))
	var group sync.WaitGroup
	for i, event := range e.events {
		group.Go(func() { errs[i] = do(event) })
	}
	group.Wait()
	return firstOf(errs)
}

// play starts a round and plays it. It reports whether there is another round.
func (e *evening) play(ctx context.Context) (more bool, err error) {
	format, rounds := e.tournament().Format, e.events[0].Rounds()
	killed := min(2, rounds)
	var kill error
	var asked func()
	switch {
	case e.faults > 0 && e.round == killed && rounds > 1: // while its games are opened
		asked = sync.OnceFunc(func() { kill = e.kill(ctx) })
		err = e.start(asked)
	case e.rate > 0:
		err = e.startBesideOthers(ctx)
	default:
		err = e.start(nil)
	}
	if err != nil || kill != nil {
		return false, firstOf([]error{err, kill})
	}
	enough := 0 // boards of an arena
	if format == tournament.Arena {
		enough = 3 * e.event.players / 2 / len(e.events)
	}
	if e.faults > 0 && rounds == 1 {
		if err := e.await(enough, 3); err != nil {
			return false, err
		}
		if err := e.kill(ctx); err != nil {
			return false, err
		}
	}
	if e.faults > 0 && e.round == (rounds+1)/2 {
		if err := e.await(enough, 2); err != nil {
			return false, err
		}
		if err := e.restart(ctx); err != nil {
			return false, err
		}
	}
	if format == tournament.Arena {
		return false, e.endArena(ctx, enough)
	}
	return e.round < rounds, e.all((*entrants.Event).Play)
}

// await waits until one part in parts of the boards has a result. enough is the number of boards that
// an arena will have; 0: the number that there are.
func (e *evening) await(enough, parts int) error {
	return e.all(func(event *entrants.Event) error {
		return event.Until(func(over, all int) bool {
			if enough > 0 {
				all = enough
			}
			return over*parts >= all
		})
	})
}

// endArena lets an arena go on until its time is over, or until it has enough boards.
func (e *evening) endArena(ctx context.Context, enough int) error {
	if e.event.minutes > 0 {
		if err := cli.Pause(ctx, time.Duration(e.tournament().Minutes)*time.Minute); err != nil {
			return err
		}
	} else if err := e.all(func(event *entrants.Event) error {
		if err := event.Until(func(_, all int) bool { return all >= enough }); err != nil {
			return err
		}
		return event.StopWaves()
	}); err != nil {
		return err
	}
	return e.all((*entrants.Event).Play)
}

// start starts the next round of all tournaments.
func (e *evening) start(asked func()) error {
	var mu sync.Mutex
	var all entrants.Started
	database, _ := e.with.processes()
	cpu, stored := e.cluster.process().cpu(), database.cpu()
	err := e.all(func(event *entrants.Event) error {
		s, err := event.Start(asked)
		mu.Lock()
		defer mu.Unlock()
		all.Games += s.Games
		all.Opened, all.Seated = max(all.Opened, s.Opened), max(all.Seated, s.Seated)
		return err
	})
	if err != nil {
		return err
	}
	what := ", while their owner was killed"
	if asked == nil {
		r := &e.result
		r.Games, r.Opened, r.Seated = max(r.Games, all.Games), max(r.Opened, all.Opened), max(r.Seated, all.Seated)
		what = fmt.Sprintf("; CPU of the instances %v", e.cluster.process().cpu()-cpu)
		if e.with != nil {
			what += fmt.Sprintf(", of PostgreSQL %v", database.cpu()-stored)
		}
	}
	fmt.Fprintf(e.errOut, "mancala-bench: round %d: %d games were open after %v, and before all their players after %v%s\n",
		e.round, all.Games, all.Opened.Round(time.Millisecond), all.Seated.Round(time.Millisecond), what)
	return nil
}

// startBesideOthers starts the next round while other games go on.
func (e *evening) startBesideOthers(ctx context.Context) error {
	games := otherGames{Bases: e.cluster.bases(), Rooms: e.rooms, Rate: e.rate, Length: e.length}
	others, err := games.start(ctx, e.errOut)
	if err != nil {
		return err
	}
	profiled := e.target.profile(ctx, e.length)
	if e.nice {
		lowerPriority()
	}
	err = e.start(nil)
	moves, wrong := others()
	e.result.latency = append(e.result.latency, moves.Latency...)
	e.result.Moves += moves.Moves
	return firstOf([]error{err, wrong, profiled()})
}

// kill kills the owner of the tournaments, and starts it again.
func (e *evening) kill(ctx context.Context) error { return e.fail(ctx, fault{kind: "kill", victim: 0}) }

// restart restarts another instance in good order.
func (e *evening) restart(ctx context.Context) error {
	return e.fail(ctx, fault{kind: "restart", victim: 1})
}

func (e *evening) fail(ctx context.Context, f fault) error {
	fmt.Fprintf(e.errOut, "mancala-bench: round %d: %v\n", e.round, f)
	e.result.Faults++
	return f.do(ctx, e.cluster.list[f.victim])
}

// check checks all tournaments, and looks for holes in the journal.
func (e *evening) check(ctx context.Context) error {
	j, err := e.cluster.journal(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = j.Close() }()
	for _, event := range e.events {
		entries, err := entrants.Entries(ctx, j, event.ID())
		if err != nil {
			return err
		}
		for _, what := range event.Check(ctx, entries) {
			e.wrong(&e.result, what)
		}
	}
	found, err := e.cluster.holes(ctx)
	for _, what := range found {
		e.wrong(&e.result, what)
	}
	return err
}

// formats are those that this workload plays.
var formats = []string{string(tournament.Swiss), string(tournament.Arena), string(tournament.Knockout)}

// checkTournament returns what is wrong with the flags of this workload.
func (p *plan) checkTournament() error {
	switch {
	case !slices.Contains(formats, p.event.format):
		return fmt.Errorf("--format %s is unknown; there are %s", p.event.format, strings.Join(formats, ", "))
	case p.event.players < 2, p.games > 2, p.event.minutes != 0 && p.event.minutes < 5:
		return fmt.Errorf("a tournament needs 2 players, at most 2 games on a board, and 5 minutes for an arena")
	case p.nice && (p.rounds > 1 || p.faults > 0):
		return fmt.Errorf("--nice needs --rounds 1 and --faults 0: what is started later would give way too")
	}
	return nil
}
