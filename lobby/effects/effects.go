// Package effects carries out what rooms want done outside: it opens the game of two
// players who have found each other and the rematch, counts a game for the ratings,
// and lets bots answer (ARCHITECTURE.md §3). For tournaments it opens the games of a round, brings
// hosts' orders to games, reports results, and keeps the list.
//
// Every handler is idempotent by the task's ID: a room that was taken over asks again.
package effects

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/lobby/tournament"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/deadline"
	"mancala/match/machine"
	"mancala/match/room"
)

// Rooms are the rooms of this instance and of the others.
type Rooms interface {
	Order(ctx context.Context, id string, c machine.Command) (room.Answer, error)
	Begin(ctx context.Context, id, kind string, commands ...machine.Command) error
	CreateShown(ctx context.Context, id, kind string, commands ...machine.Command) (room.View, error)
	Do(ctx context.Context, id string, c machine.Command) (room.Answer, error)
	View(ctx context.Context, id, player string) (room.View, error)
}

// Chat decides who may chat.
type Chat interface {
	OfStrangers(ctx context.Context, players []string) (string, error)
}

// Social knows which players have blocked which.
type Social interface {
	Apart(ctx context.Context, a, b string) (bool, error)
}

// Ratings counts games, and knows the ratings that players have from them.
type Ratings interface {
	Count(ctx context.Context, g rating.Game) ([]rating.Change, error)
	Of(ctx context.Context, players []string, system, speed string) (map[string]rating.PlayerRating, error)
}

// Bots answer games.
type Bots interface {
	Answer(ctx context.Context, room string, t machine.Task) (machine.Command, error)
}

// Tournaments is the list of tournaments.
type Tournaments interface {
	Put(ctx context.Context, id string, l tournament.Listing) error
}

// People have names.
type People interface {
	DropName(ctx context.Context, player string) error
	Forget(ctx context.Context, player string) error
}

// RuleSets are those that players keep.
type RuleSets interface {
	// Again remembers that a rematch has the rule set of the game before it.
	Again(ctx context.Context, old, room string) error
}

// Effects is what the handlers need.
type Effects struct {
	Rooms   Rooms
	Chat    Chat
	Social  Social
	Ratings Ratings
	Bots    Bots
	Expiry  time.Duration                                    // after which a game that has not begun ends
	Opened  func(id string, v room.View, earliest time.Time) // see [gamelist.List.Opened]

	Tournaments Tournaments
	People      People
	RuleSets    RuleSets

	turns struct {
		make  sync.Once
		taken chan struct{} // a place for the one task that opens games of a round
		pace  pace          // belongs to that task
	}
}

// Kinds are the kinds of rooms, each with a function that makes its machine.
func Kinds() map[string]func(string) machine.Machine {
	return map[string]func(string) machine.Machine{
		match.Kind: func(string) machine.Machine { return match.New() },
		seeks.Kind: func(string) machine.Machine { return seeks.New() },

		tournament.Kind: func(id string) machine.Machine { return tournament.New(id) },
	}
}

// Handlers are the handlers of tasks by kind. Rooms may wake up before ready returns
// anything; their tasks are tried again.
func Handlers(ready func() *Effects) map[string]room.Handler {
	with := func(f func(*Effects, context.Context, room.Task) (json.RawMessage, error)) room.Handler {
		return func(ctx context.Context, t room.Task) (json.RawMessage, error) {
			e := ready()
			if e == nil {
				return nil, errors.New("effects: not ready yet")
			}
			return f(e, ctx, t)
		}
	}
	return map[string]room.Handler{
		match.TaskRematch: with((*Effects).rematch),
		match.TaskRate:    with((*Effects).rate),
		match.TaskBot:     with((*Effects).askBot),
		seeks.TaskOpen:    with((*Effects).openPair),

		match.TaskReport:       with((*Effects).report),
		tournament.TaskOpen:    with((*Effects).openRound),
		tournament.TaskAct:     with((*Effects).act),
		tournament.TaskRecall:  with((*Effects).recall),
		tournament.TaskIndex:   with((*Effects).index),
		tournament.TaskRatings: with((*Effects).ratings),
	}
}

// openPair makes the game of two players who have found each other. A game that is
// there already is no error: another game may have come of this seek, in a copy of the
// lobby that did not know of this one.
//
// It makes none if one of the two has blocked the other. The lobby does not always know of
// that: its facts about a player name only those who waited when the player's order was
// checked.
func (e *Effects) openPair(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var p seeks.Pair
	if err := json.Unmarshal(t.Body, &p); err != nil {
		return nil, err
	}
	apart, err := e.Social.Apart(ctx, p.Seats[0], p.Seats[1])
	if err != nil {
		return nil, err
	}
	if apart {
		return json.RawMessage(`{"apart":true}`), nil
	}
	setting, err := e.Chat.OfStrangers(ctx, p.Seats[:])
	if err != nil {
		return nil, err
	}
	err = e.Rooms.Begin(ctx, p.ID, match.Kind, p.Creation(e.Expiry, setting))
	if errors.Is(err, room.ErrTaken) {
		return json.RawMessage(`{"late":true}`), nil
	}
	if err == nil {
		e.Opened(p.ID, room.View{}, time.Time{})
	}
	return nil, err
}

// rematch opens the room in which the same players play again. Its ID derives from the
// old room's, so that doing it twice makes one room.
func (e *Effects) rematch(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var who struct {
		Creator string `json:"creator"`
	}
	if err := json.Unmarshal(t.Body, &who); err != nil {
		return nil, err
	}
	id := lobby.DerivedRoomID("rematch", t.Room)
	err := e.Rooms.Begin(ctx, id, match.Kind, machine.Command{
		ID: "rematch-of-" + t.Room, Kind: match.KindCreate, By: who.Creator, Body: t.Body,
	})
	if err != nil {
		return nil, err
	}
	if err := e.RuleSets.Again(ctx, t.Room, id); err != nil {
		return nil, err
	}
	e.Opened(id, room.View{}, time.Time{})
	return json.Marshal(map[string]string{"room": id})
}

// askBot lets a bot answer its match, with a command to that match. The entry of that
// command ends ctx, which means that the task is closed.
func (e *Effects) askBot(ctx context.Context, t room.Task) (json.RawMessage, error) {
	c, err := e.Bots.Answer(ctx, t.Room, t.Task)
	if err != nil {
		return nil, err
	}
	sent, cancel := context.WithTimeout(context.WithoutCancel(ctx), workers.Timeout)
	defer cancel()
	_, err = e.Rooms.Do(sent, t.Room, c)
	return nil, err
}

// rate counts a game for the ratings of its players, after its watchers have seen the end,
// since ratings are public. A repeated call gives the same answer.
func (e *Effects) rate(ctx context.Context, t room.Task) (json.RawMessage, error) {
	var g match.Rated
	if err := json.Unmarshal(t.Body, &g); err != nil {
		return nil, err
	}
	if err := e.awaitWatchers(ctx, t.Room); err != nil {
		return nil, err
	}
	changes, err := e.Ratings.Count(ctx, rating.Game{Room: t.Room, System: g.System, Speed: g.Speed, Players: g.Seats, Score: g.Score})
	if err != nil || changes == nil {
		return nil, err
	}
	list := make([]match.RatingChange, len(changes))
	for seat, c := range changes {
		list[seat] = match.RatingChange{Before: c.Before.Rounded(), After: c.After.Rounded(), Provisional: c.After.Provisional()}
	}
	return json.Marshal(map[string]any{"ratings": list})
}

// awaitWatchers returns when a game is over for those who watch it, too.
func (e *Effects) awaitWatchers(ctx context.Context, id string) error {
	view, err := e.Rooms.View(ctx, id, "")
	if err != nil {
		return err
	}
	f, err := match.ReadFacts(view.Snapshot)
	if err != nil || f.Over() {
		return err
	}
	return deadline.Wait(ctx, view.Delay)
}
