package local

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"mancala/engine"
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

// Step is a command as the page keeps it.
type Step struct {
	Kind string          `json:"k"`
	Seat int             `json:"s,omitempty"`
	At   int64           `json:"at"`
	Body json.RawMessage `json:"b,omitempty"`
}

// Kept is a game as the page keeps it.
type Kept struct {
	Game  Game   `json:"game"`
	Steps []Step `json:"steps"`
}

// kinds are the commands of people and bots. The next round also begins by time.
var kinds = []string{
	match.KindMove, match.KindResign, match.KindAbort, match.KindOffer, match.KindAccept, match.KindDecline, match.KindNext,
}

// begin begins a game in place of the one that is played.
func (t *table) begin(g Game, now int64) (Reply, error) {
	g.At = now
	next, err := begun(g)
	if err != nil {
		return Reply{}, err
	}
	t.replace(next)
	r := t.reply(t.snapshot(now))
	r.Game = &t.game
	return r, nil
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

// goOn continues with a game that was kept. The table stays as it is if that is no game.
func (t *table) goOn(k Kept, now int64) (Reply, error) {
	next, err := begun(k.Game)
	if err != nil {
		return Reply{}, refusal.New(CodeBadGame)
	}
	for _, s := range k.Steps {
		if err := next.repeat(s); err != nil {
			return Reply{}, refusal.New(CodeBadGame)
		}
	}
	t.replace(next)
	return t.reply(t.snapshot(now)), nil
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

// command carries out a command of a person. The page names the seat of another person at the screen.
func (t *table) command(q *request) (Reply, error) {
	seat := int(t.match.Audience(Me))
	if q.As != nil {
		seat = *q.As
	}
	by, err := t.player(seat)
	if err != nil {
		return Reply{}, err
	}
	if by != Me && !match.PlaysFor(Me, by) {
		return Reply{}, refusal.New(match.CodeNotPlaying)
	}
	if !slices.Contains(kinds, q.Kind) {
		return Reply{}, refusal.New(match.CodeBadCommand)
	}
	r, err := t.carryOut(machine.Command{ID: q.ID, Kind: q.Kind, By: by, Body: q.Body}, seat, q.Now)
	if err != nil || !t.asked(match.TaskRematch) {
		return r, err
	}
	return t.begin(t.game.again(len(t.match.Players())), q.Now)
}

// carryOut decides a command of a player and tells the page what it has led to.
func (t *table) carryOut(c machine.Command, seat int, now int64) (Reply, error) {
	e, err := t.decide(c, now)
	switch {
	case err == machine.ErrNothing:
		return t.reply(), nil
	case err != nil:
		return Reply{}, err
	}
	r := t.reply(t.event(e))
	r.Add = []Step{{c.Kind, seat, e.At, c.Body}}
	return r, nil
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

// pause is the shortest time before a bot's move, as on the server.
const pause = 500 * time.Millisecond

// think lets the bot search that has to answer.
func (t *table) think() (Reply, error) {
	task, ok := t.task(match.TaskBot)
	if !ok {
		return t.reply(), nil
	}
	c, sown, err := t.bots.Answer(context.Background(), t.game.ID, task)
	if err != nil {
		return Reply{}, err
	}
	t.thought = &thought{task.ID, c}
	return Reply{Bot: true, Pause: bot.Pause(pause, sown).Milliseconds()}, nil
}

// bot gives the answer that was found, unless the game has gone another way meanwhile.
func (t *table) bot(now int64) (Reply, error) {
	found := t.thought
	t.thought = nil
	if task, ok := t.task(match.TaskBot); !ok || found == nil || found.task != task.ID {
		return t.reply(), nil
	}
	return t.carryOut(found.command, int(t.match.Audience(found.command.By)), now)
}

// wake starts the next round of a match when its time has come.
func (t *table) wake(now int64) (Reply, error) {
	n := len(t.entries)
	if err := t.nextRound(now); err != nil && err != machine.ErrNothing {
		return Reply{}, err
	}
	if len(t.entries) == n {
		return t.reply(), nil
	}
	e := t.entries[n]
	r := t.reply(t.event(e))
	r.Add = []Step{{Kind: machine.KindWake, At: e.At}}
	return r, nil
}

// nextRound starts the next round. Nothing else happens by time: a game that the players leave alone does not end.
func (t *table) nextRound(now int64) error {
	if t.match.State() != "pause" {
		return machine.ErrNothing
	}
	_, err := t.decide(machine.Command{Kind: machine.KindWake}, now)
	return err
}

// hint returns the best move, for a person who plays against bots.
func (t *table) hint() (Reply, error) {
	q := t.match.Question()
	if t.game.Level == 0 || q.Position.Phase == engine.Setup || q.Position.Phase == engine.Over || t.match.State() != "live" {
		return Reply{}, refusal.New(match.CodeNotLive)
	}
	found := t.bots.Hint(context.Background(), q)
	b, err := json.Marshal(map[string]any{"ply": q.Position.Ply, "move": found.Line[0].String()})
	return Reply{JSON: b}, err
}

func (t *table) replay() (Reply, error) {
	story, err := match.StoryOf(t.entries)
	if err != nil {
		return Reply{}, err
	}
	b, err := json.Marshal(story.JSON())
	return Reply{JSON: b}, err
}
