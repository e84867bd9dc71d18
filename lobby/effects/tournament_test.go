package effects_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby/effects"
	"mancala/lobby/lobbytest"
	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// failing is rooms of which some fail.
type failing struct {
	*lobbytest.Rooms
	errs map[string]error // by room
}

func (f failing) Order(ctx context.Context, id string, c machine.Command) (room.Answer, error) {
	if err := f.errs[id]; err != nil {
		return room.Answer{}, err
	}
	return f.Rooms.Order(ctx, id, c)
}

func (f failing) View(ctx context.Context, id, player string) (room.View, error) {
	if err := f.errs[id]; err != nil {
		return room.View{}, err
	}
	return f.Rooms.View(ctx, id, player)
}

// roundWithABrokenRoom returns the rooms of two boards of a tournament, "whole" and "broken".
func roundWithABrokenRoom(t *testing.T) *effects.Effects {
	rooms := lobbytest.NewRooms()
	for board, id := range []string{"whole", "broken"} {
		openBoard(t, rooms, id, board+1)
	}
	return &effects.Effects{Rooms: failing{rooms, map[string]error{"broken": room.ErrQuarantined}}, Opened: func(string, room.View, time.Time) {}}
}

func openBoard(t *testing.T, rooms *lobbytest.Rooms, id string, board int) {
	t.Helper()
	rooms.Open(t, id, match.Creation{
		Settings: match.Settings{Rules: "kalah", Clock: "5+3"}, Seats: []string{"p1", "p2"}, Expires: -1,
		Event: &match.Event{Room: "club", Round: 1, Board: board, Game: 1},
	})
}

func carryOut(t *testing.T, e *effects.Effects, kind string, body any) string {
	t.Helper()
	work := task("club", kind, body)
	result, err := effects.Handlers(func() *effects.Effects { return e })[kind](t.Context(), work)
	if err != nil {
		t.Fatal(err)
	}
	return string(result)
}

func TestBoardThatAHostHadPausedStaysPausedWhenItsRoundIsNotTakenBack(t *testing.T) {
	rooms := lobbytest.NewRooms()
	games := []string{"paused", "running", "begun"}
	for board, id := range games {
		openBoard(t, rooms, id, board+1)
	}
	rooms.Says(t, "begun", "p1", match.KindMove, `{"ply":0,"move":"a"}`)
	e := &effects.Effects{Rooms: rooms, Opened: func(string, room.View, time.Time) {}}
	carryOut(t, e, tournament.TaskAct, tournament.Acting{
		Act: tournament.Act{Kind: match.ActPause, By: "host", Round: 1}, Games: []tournament.Target{{Room: "paused", Seats: []int{0}}},
	})
	recall := tournament.Recall{By: "host", Rooms: games, Paused: games[:1]}
	if got := carryOut(t, e, tournament.TaskRecall, recall); got != `{"moved":true}` {
		t.Errorf("the result is %s", got)
	}
	for _, id := range games {
		p := public(t, rooms, id)
		move := machine.Command{ID: "m", Kind: match.KindMove, By: p.Seats[p.Turn], Body: fmt.Appendf(nil, `{"ply":%d,"move":"b"}`, p.Ply)}
		_, err := rooms.Do(t.Context(), id, move)
		if paused := refusal.Is(err, match.CodePaused); paused != (id == "paused") {
			t.Errorf("a move in the game %q: %v", id, err)
		}
	}
}

func TestActOnARoundTellsOfBrokenRooms(t *testing.T) {
	e := roundWithABrokenRoom(t)
	act := tournament.Acting{Act: tournament.Act{Kind: match.ActPause, By: "host", Round: 1}}
	for _, id := range []string{"broken", "whole"} {
		act.Games = append(act.Games, tournament.Target{Room: id, Seats: []int{0}})
	}
	if got := carryOut(t, e, tournament.TaskAct, act); got != `{"broken":["broken"]}` {
		t.Errorf("the result is %s", got)
	}
	if _, err := e.Rooms.Do(t.Context(), "whole", machine.Command{ID: "m", Kind: match.KindMove, By: "p1", Body: []byte(`{"move":"a"}`)}); err == nil {
		t.Error("a player moves in the game that is paused")
	}
}

func TestRoundWithABrokenRoomIsTakenBack(t *testing.T) {
	e := roundWithABrokenRoom(t)
	if got := carryOut(t, e, tournament.TaskRecall, tournament.Recall{By: "host", Rooms: []string{"broken", "whole"}}); got != "{}" {
		t.Errorf("the result is %s", got)
	}
	if p := public(t, e.Rooms.(failing).Rooms, "whole"); p.Result == nil {
		t.Errorf("the whole room is %s", p.State)
	}
}

// threeBoards returns the rooms of three boards, of which "far" cannot be reached.
func threeBoards(t *testing.T) (*effects.Effects, failing, []string) {
	t.Helper()
	games := []string{"far", "near", "close"}
	rooms := failing{lobbytest.NewRooms(), map[string]error{"far": room.ErrUnavailable}}
	for board, id := range games {
		openBoard(t, rooms.Rooms, id, board+1)
	}
	return &effects.Effects{Rooms: rooms, Opened: func(string, room.View, time.Time) {}}, rooms, games
}

// paused reports whether a host has paused a game.
func paused(t *testing.T, rooms *lobbytest.Rooms, id string) bool {
	t.Helper()
	var snap struct {
		Paused int64 `json:"paused"`
	}
	view, err := rooms.View(t.Context(), id, "")
	if err == nil {
		err = json.Unmarshal(view.Snapshot, &snap)
	}
	if err != nil {
		t.Fatal(err)
	}
	return snap.Paused != 0
}

func TestActOnARoundGoesOnAfterAGameOutOfReach(t *testing.T) {
	e, rooms, games := threeBoards(t)
	act := tournament.Acting{Act: tournament.Act{Number: 1, Kind: match.ActPause, By: "host", Round: 1}}
	for _, id := range games {
		act.Games = append(act.Games, tournament.Target{Room: id, Seats: []int{0}})
	}
	if got := carryOut(t, e, tournament.TaskAct, act); got != `{"left":["far"]}` {
		t.Errorf("the result is %s", got)
	}
	for _, id := range games {
		if got := paused(t, rooms.Rooms, id); got != (id != "far") {
			t.Errorf("%s is paused: %v", id, got)
		}
	}
	act.Left, act.Games = []int{1}, act.Games[:1]
	again := task("club", tournament.TaskAct, act)
	handler := effects.Handlers(func() *effects.Effects { return e })[tournament.TaskAct]
	if got, err := handler(t.Context(), again); err == nil {
		t.Errorf("the next try reaches no game more, and is not tried again later: %s", got)
	}
	delete(rooms.errs, "far")
	if got := carryOut(t, e, tournament.TaskAct, act); got != "{}" || !paused(t, rooms.Rooms, "far") {
		t.Errorf("the result is %s", got)
	}
}

// Games come back one by one after an outage. Each answer that names those that are left is an entry for
// everybody in the tournament.
func TestOrderToGamesThatComeBackOneByOneIsAnsweredAFewTimes(t *testing.T) {
	const boards = 100
	rooms := failing{lobbytest.NewRooms(), map[string]error{}}
	e := &effects.Effects{Rooms: rooms, Opened: func(string, room.View, time.Time) {}}
	act := tournament.Acting{Act: tournament.Act{Number: 1, Kind: match.ActPause, By: "host", Round: 1}}
	for i := range boards {
		id := fmt.Sprintf("game%d", i)
		openBoard(t, rooms.Rooms, id, i+1)
		rooms.errs[id] = room.ErrUnavailable
		act.Games = append(act.Games, tournament.Target{Room: id, Seats: []int{0}})
	}
	handler := effects.Handlers(func() *effects.Effects { return e })[tournament.TaskAct]
	answers, named := 0, 0
	for tries := 0; len(act.Games) > 0 && tries <= boards; tries++ {
		result, err := handler(t.Context(), task("club", tournament.TaskAct, act))
		if err == nil {
			var answer struct{ Left []string }
			if err := json.Unmarshal(result, &answer); err != nil {
				t.Fatal(err)
			}
			answers++
			named += len(answer.Left)
			act.Left = make([]int, len(answer.Left)) // as the tournament does it
			act.Games = slices.DeleteFunc(act.Games, func(g tournament.Target) bool { return !slices.Contains(answer.Left, g.Room) })
		}
		delete(rooms.errs, fmt.Sprintf("game%d", tries))
	}
	if len(act.Games) > 0 || answers > 20 || named > 5*boards {
		t.Errorf("%d games are left after %d answers, which name %d games", len(act.Games), answers, named)
	}
	for i := range boards {
		if id := fmt.Sprintf("game%d", i); !paused(t, rooms.Rooms, id) {
			t.Errorf("%s is not paused", id)
		}
	}
}

func TestRoundIsTakenBackOnceEveryGameCanBeReached(t *testing.T) {
	e, rooms, games := threeBoards(t)
	recall := tournament.Recall{By: "host", Rooms: games}
	if got := carryOut(t, e, tournament.TaskRecall, recall); got != `{"left":["far"]}` {
		t.Errorf("the result is %s", got)
	}
	for _, id := range games[1:] {
		if !paused(t, rooms.Rooms, id) || public(t, rooms.Rooms, id).Result != nil {
			t.Errorf("%s does not stand still", id)
		}
	}
	delete(rooms.errs, "far")
	recall.Left = 1
	if got := carryOut(t, e, tournament.TaskRecall, recall); got != "{}" || public(t, rooms.Rooms, "near").Result == nil {
		t.Errorf("the result is %s", got)
	}
}

// opened is rooms that note when each game is created.
type opened struct {
	*lobbytest.Rooms
	began time.Time
	takes time.Duration // how long it takes to create a game
	mu    sync.Mutex
	at    []time.Duration
}

func (o *opened) CreateShown(ctx context.Context, id, kind string, commands ...machine.Command) (room.View, error) {
	o.mu.Lock()
	o.at = append(o.at, time.Since(o.began))
	o.mu.Unlock()
	time.Sleep(o.takes)
	return o.Rooms.CreateShown(ctx, id, kind, commands...)
}

// The tasks of a round come all at once. Players come to the games of the first one before the next games
// are there.
func TestGamesOfALargeRoundAreOpenedAtAPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tasks, games = 4, 50
		rooms := &opened{Rooms: lobbytest.NewRooms(), began: time.Now()}
		e := &effects.Effects{Rooms: rooms, Opened: func(string, room.View, time.Time) {}}
		var group sync.WaitGroup
		for n := range tasks {
			group.Go(func() { carryOut(t, e, tournament.TaskOpen, opening(fmt.Sprintf("game%d-", n), games)) })
		}
		group.Wait()
		if len(rooms.at) != tasks*games || rooms.at[0] != 0 {
			t.Fatalf("%d games, the first after %v", len(rooms.at), rooms.at[0])
		}
		for i, at := range rooms.at {
			if at < time.Duration(i-25)*time.Second/600 || at > time.Duration(i)*time.Second/600 {
				t.Errorf("game %d of %d opens after %v", i+1, tasks*games, at)
			}
		}
	})
}

// While games take long to open, moves of other games wait as well. So the next games are opened more slowly,
// but all 2,000 of a large round within five seconds, and as quickly as before once the service is quick again.
func TestGamesAreOpenedMoreSlowlyWhileTheServiceIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rooms := &opened{Rooms: lobbytest.NewRooms()}
		e := &effects.Effects{Rooms: rooms, Opened: func(string, room.View, time.Time) {}}
		open := func(name string, takes time.Duration) time.Duration {
			rooms.takes = takes
			began := time.Now()
			carryOut(t, e, tournament.TaskOpen, opening(name, 2000))
			return time.Since(began)
		}
		slow := open("slow", 40*time.Millisecond)
		if slow < 4*time.Second || slow > 5*time.Second {
			t.Errorf("the games of a slow service are open after %v", slow)
		}
		if again := open("quick", time.Millisecond); again > slow*4/5 {
			t.Errorf("when the service is quick again they are open after %v", again)
		}
	})
}

// The instance loses rooms whose tasks wait for their turn. The games of the others need not wait for theirs.
func TestTaskThatEndsBeforeItsTurnDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &effects.Effects{Rooms: lobbytest.NewRooms(), Opened: func(string, room.View, time.Time) {}}
		handler := effects.Handlers(func() *effects.Effects { return e })[tournament.TaskOpen]
		began := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		first := opening("first", 50)
		group.Go(func() { carryOut(t, e, tournament.TaskOpen, first) })
		synctest.Wait()
		for n := range 10 {
			group.Go(func() {
				if _, err := handler(ctx, task("club", tournament.TaskOpen, opening(fmt.Sprintf("lost%d-", n), 50))); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
			})
		}
		synctest.Wait()
		cancel()
		group.Wait()
		carryOut(t, e, tournament.TaskOpen, opening("last", 25))
		if took, want := time.Since(began), 50*time.Second/600; took < want-time.Millisecond || took > want+time.Millisecond {
			t.Errorf("the last games are open after %v, want %v", took, want)
		}
	})
}

// opening returns the body of a task that opens the given number of games. The ID of a room is name with a
// number from 0.
func opening(name string, games int) tournament.Opening {
	o := tournament.Opening{Settings: match.Settings{Rules: "kalah", Clock: "5+3"}, Games: make([]tournament.NewGame, games)}
	for i := range o.Games {
		o.Games[i] = tournament.NewGame{Room: fmt.Sprint(name, i), Seats: [2]string{"p1", "p2"}, Round: 1, Board: 1, Game: 1}
	}
	return o
}

func TestTaskThatWaitsToOpenGamesEndsWithItsRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &effects.Effects{Rooms: lobbytest.NewRooms(), Opened: func(string, room.View, time.Time) {}}
		o := opening("game", 50)
		carryOut(t, e, tournament.TaskOpen, o)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		handler := effects.Handlers(func() *effects.Effects { return e })[tournament.TaskOpen]
		if _, err := handler(ctx, task("club", tournament.TaskOpen, o)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
