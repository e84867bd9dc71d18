package local

import (
	"slices"
	"time"

	"mancala/lobby/bot"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// table is the game that is played.
type table struct {
	game    Game
	match   *match.Match
	entries []machine.Entry
	bots    bot.Alone
	thought *thought
}

// thought is the answer that a bot has found and not yet given.
type thought struct {
	task    string
	command machine.Command
}

// kinds are the commands of people and bots. The next round also begins by time.
var kinds = []string{
	match.KindMove, match.KindResign, match.KindAbort, match.KindOffer, match.KindAccept, match.KindDecline, match.KindNext,
}

// begun returns a table at which a game has begun.
func begun(g Game) (t table, err error) {
	if t.game, err = g.check(); err != nil {
		return t, err
	}
	seats, _ := t.game.settings().Seats()
	t.match = match.New()
	_, err = t.decide(t.game.creation(seats), t.game.At)
	return t, err
}

// replace puts another game on the table. Its bots are those of the game before, with their tables.
func (t *table) replace(next table) {
	next.bots = t.bots
	*t = next
}

// repeat decides a command that was kept.
func (t *table) repeat(s Step) error {
	if !timely(s.At) {
		return refusal.New(CodeBadGame)
	}
	if s.Kind == machine.KindWake {
		return t.nextRound(s.At)
	}
	by, err := t.player(s.Seat)
	if err != nil || !slices.Contains(kinds, s.Kind) {
		return refusal.New(CodeBadGame)
	}
	_, err = t.decide(machine.Command{Kind: s.Kind, By: by, Body: s.Body}, s.At)
	return err
}

// player returns the player in a seat.
func (t *table) player(seat int) (string, error) {
	seats := t.match.Players()
	if seat < 0 || seat >= len(seats) {
		return "", refusal.New(match.CodeNotPlaying)
	}
	return seats[seat], nil
}

// decide decides a command and applies its entry.
func (t *table) decide(c machine.Command, now int64) (machine.Entry, error) {
	e, err := t.match.Decide(c, time.UnixMilli(now))
	if err == nil {
		err = t.match.Apply(e)
	}
	if err == nil {
		t.entries = append(t.entries, e)
	}
	return e, err
}

// asked reports whether a task of this kind is open.
func (t *table) asked(kind string) bool {
	_, ok := t.task(kind)
	return ok
}

func (t *table) task(kind string) (machine.Task, bool) {
	for _, task := range t.match.Tasks() {
		if task.Kind == kind {
			return task, true
		}
	}
	return machine.Task{}, false
}

// nextRound starts the next round. Nothing else happens by time: a game that the players leave alone does not end.
func (t *table) nextRound(now int64) error {
	if t.match.State() != "pause" {
		return machine.ErrNothing
	}
	_, err := t.decide(machine.Command{Kind: machine.KindWake}, now)
	return err
}
