package effects_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby"
	"mancala/lobby/effects"
	"mancala/lobby/lobbytest"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// town is what the effects need beside rooms.
type town struct {
	opened  []string
	rated   []rating.Game
	changes []rating.Change
	answer  machine.Command
	apart   bool     // all players have blocked each other
	again   []string // pairs of a game and its rematch, whose rule sets are the same
}

func (w *town) OfStrangers(context.Context, []string) (string, error) { return "presets", nil }

func (w *town) Apart(context.Context, string, string) (bool, error) { return w.apart, nil }

func (w *town) Count(_ context.Context, g rating.Game) ([]rating.Change, error) {
	w.rated = append(w.rated, g)
	return w.changes, nil
}

func (w *town) Of(context.Context, []string, string, string) (map[string]rating.PlayerRating, error) {
	return nil, nil
}

func (w *town) Again(_ context.Context, old, room string) error {
	w.again = append(w.again, old, room)
	return nil
}

func (w *town) Answer(context.Context, string, machine.Task) (machine.Command, error) {
	return w.answer, nil
}

// handler returns the handler of a kind of task, over these rooms.
func (w *town) handler(rooms *lobbytest.Rooms, kind string) room.Handler {
	e := &effects.Effects{
		Rooms: rooms, Chat: w, Social: w, Ratings: w, Bots: w, RuleSets: w, Expiry: time.Hour,
		Opened: func(id string, _ room.View, _ time.Time) { w.opened = append(w.opened, id) },
	}
	return effects.Handlers(func() *effects.Effects { return e })[kind]
}

func task(roomID, kind string, body any) room.Task {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return room.Task{Room: roomID, Task: machine.Task{ID: kind, Kind: kind, Body: b}}
}

// public returns a game as watchers see it.
func public(t *testing.T, rooms *lobbytest.Rooms, id string) *match.Public {
	t.Helper()
	view, err := rooms.View(t.Context(), id, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := match.ReadPublic(id, view.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTasksFailUntilTheServicesExist(t *testing.T) {
	for kind, handle := range effects.Handlers(func() *effects.Effects { return nil }) {
		if _, err := handle(t.Context(), room.Task{}); err == nil {
			t.Errorf("%s succeeded", kind)
		}
	}
}

func TestPairGetsOneGame(t *testing.T) {
	rooms, w := lobbytest.NewRooms(), new(town)
	open := w.handler(rooms, seeks.TaskOpen)
	pair := task(seeks.Room, seeks.TaskOpen, seeks.Pair{
		ID: "k3v9qa2mx1", Seats: [2]string{"ben", "ada"}, Owner: "ada", Other: "ben", Game: seeks.Game{Rules: "oware", Clock: "5+3"},
	})
	if answer, err := open(t.Context(), pair); err != nil || answer != nil {
		t.Fatalf("answered %s, %v", answer, err)
	}
	p := public(t, rooms, "k3v9qa2mx1")
	if !slices.Equal(p.Seats, []string{"ben", "ada"}) || p.Rules != "oware" || p.Chat != "presets" {
		t.Errorf("made a game of %s for %q with chat %s", p.Rules, p.Seats, p.Chat)
	}
	if answer, err := open(t.Context(), pair); err != nil || string(answer) != `{"late":true}` {
		t.Errorf("a second time it answered %s, %v", answer, err)
	}
	if !slices.Equal(w.opened, []string{"k3v9qa2mx1"}) {
		t.Errorf("%q were listed", w.opened)
	}
}

func TestPairGetsNoGameIfOneHasBlockedTheOther(t *testing.T) {
	rooms, w := lobbytest.NewRooms(), &town{apart: true}
	answer, err := w.handler(rooms, seeks.TaskOpen)(t.Context(), task(seeks.Room, seeks.TaskOpen, seeks.Pair{
		ID: "k3v9qa2mx1", Seats: [2]string{"ben", "ada"}, Owner: "ada", Other: "ben", Game: seeks.Game{Rules: "oware", Clock: "5+3"},
	}))
	if err != nil || string(answer) != `{"apart":true}` {
		t.Errorf("answered %s, %v", answer, err)
	}
	if _, err := rooms.View(t.Context(), "k3v9qa2mx1", ""); !errors.Is(err, room.ErrNoRoom) || len(w.opened) > 0 {
		t.Errorf("the game: %v; %q were listed", err, w.opened)
	}
}

func TestRematchIsInTheRoomThatDerivesFromTheOldOne(t *testing.T) {
	rooms, w := lobbytest.NewRooms(), new(town)
	c := match.Creation{Settings: match.Settings{Rules: "oware"}, Seats: []string{"ada", "ben"}}
	var body map[string]any
	if err := json.Unmarshal(c.Command("x").Body, &body); err != nil {
		t.Fatal(err)
	}
	answer, err := w.handler(rooms, match.TaskRematch)(t.Context(), task("k3v9qa2mx1", match.TaskRematch, body))
	id := lobby.DerivedRoomID("rematch", "k3v9qa2mx1")
	if want := `{"room":"` + id + `"}`; err != nil || string(answer) != want {
		t.Fatalf("answered %s, %v, want %s", answer, err, want)
	}
	if p := public(t, rooms, id); !slices.Equal(p.Seats, []string{"ada", "ben"}) || !slices.Equal(w.opened, []string{id}) ||
		!slices.Equal(w.again, []string{"k3v9qa2mx1", id}) {
		t.Errorf("made a game for %q, listed %q, with the rule sets of %q", p.Seats, w.opened, w.again)
	}
}

func TestBotAnswersWithACommandToItsGame(t *testing.T) {
	rooms := lobbytest.NewRooms()
	rooms.Open(t, "k3v9qa2mx1", match.Creation{Settings: match.Settings{Rules: "oware"}, Seats: []string{"ada", "ben"}})
	w := &town{answer: machine.Command{ID: "m", Kind: match.KindMove, By: "ada", Body: json.RawMessage(`{"ply":0,"move":"a"}`)}}
	answer, err := w.handler(rooms, match.TaskBot)(t.Context(), task("k3v9qa2mx1", match.TaskBot, nil))
	if err != nil || answer != nil || public(t, rooms, "k3v9qa2mx1").Ply != 1 {
		t.Errorf("answered %s, %v, at ply %d", answer, err, public(t, rooms, "k3v9qa2mx1").Ply)
	}
}

func TestGameIsRatedOnceItsWatchersHaveSeenTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rooms := lobbytest.NewRooms()
		rooms.Open(t, "k3v9qa2mx1", match.Creation{Settings: match.Settings{Rules: "oware"}, Seats: []string{"ada", "ben"}})
		rooms.Delay = time.Minute // watchers still see the game going on
		w := &town{changes: []rating.Change{{Before: rating.New, After: rating.New}, {Before: rating.New, After: rating.New}}}
		rate, of := w.handler(rooms, match.TaskRate), task("k3v9qa2mx1", match.TaskRate, match.Rated{System: "oware", Speed: "blitz", Seats: [2]string{"ada", "ben"}, Score: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := rate(ctx, of); !errors.Is(err, context.DeadlineExceeded) || len(w.rated) > 0 {
			t.Errorf("within a second: %v, %d games rated", err, len(w.rated))
		}
		began := time.Now()
		answer, err := rate(t.Context(), of)
		if took := time.Since(began); err != nil || took != time.Minute || len(w.rated) != 1 || w.rated[0].Room != "k3v9qa2mx1" {
			t.Fatalf("after %v: %v, %+v", took, err, w.rated)
		}
		var told struct{ Ratings []match.RatingChange }
		if err := json.Unmarshal(answer, &told); err != nil || len(told.Ratings) != 2 || !told.Ratings[0].Provisional {
			t.Errorf("answered %s, %v", answer, err)
		}
		rooms.Says(t, "k3v9qa2mx1", "ada", match.KindAbort, `{}`)
		w.changes = nil // the game does not count
		began = time.Now()
		if answer, err := rate(t.Context(), of); err != nil || answer != nil || time.Since(began) > 0 {
			t.Errorf("of a game that is over for watchers: %s, %v after %v", answer, err, time.Since(began))
		}
	})
}
