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

// request is everything that the page can ask.
type request struct {
	Do   string          `json:"do"`
	Now  int64           `json:"now"`
	Game *Game           `json:"game"`
	Kept *Kept           `json:"kept"`
	ID   string          `json:"id"`
	Kind string          `json:"kind"`
	As   *int            `json:"as"`
	Body json.RawMessage `json:"body"`
}

// do carries a request out.
func (t *table) do(q *request) (Reply, error) {
	switch q.Do {
	case "begin":
		if q.Game == nil {
			return Reply{}, refusal.New(CodeBadRequest)
		}
		return t.begin(*q.Game, q.Now)
	case "continue":
		if q.Kept == nil {
			return Reply{}, refusal.New(CodeBadGame)
		}
		return t.goOn(*q.Kept, q.Now)
	}
	if t.match == nil {
		return Reply{}, refusal.New(CodeNoGame)
	}
	switch q.Do {
	case "cmd":
		return t.command(q)
	case "think":
		return t.think()
	case "bot":
		return t.bot(q.Now)
	case "wake":
		return t.wake(q.Now)
	case "read":
		return t.reply(t.snapshot(q.Now)), nil
	case "hint":
		return t.hint()
	case "replay":
		return t.replay()
	case "record":
		return Reply{Text: t.match.Record(t.game.nameOf)}, nil
	}
	return Reply{}, refusal.New(CodeBadRequest)
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
	if !match.ActsFor(Me, by) {
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
