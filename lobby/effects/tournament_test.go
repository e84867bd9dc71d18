package effects_test

import (
	"context"
	"fmt"
	"testing"

	"mancala/lobby/effects"
	"mancala/lobby/lobbytest"
	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// brokenRoom is rooms of which one is in quarantine.
type brokenRoom struct {
	*lobbytest.Rooms
	id string
}

func (b brokenRoom) Order(ctx context.Context, id string, c machine.Command) (room.Answer, error) {
	if id == b.id {
		return room.Answer{}, room.ErrQuarantined
	}
	return b.Rooms.Order(ctx, id, c)
}

func (b brokenRoom) View(ctx context.Context, id, player string) (room.View, error) {
	if id == b.id {
		return room.View{}, room.ErrQuarantined
	}
	return b.Rooms.View(ctx, id, player)
}

// roundWithABrokenRoom returns the rooms of two boards of a tournament, "whole" and "broken".
func roundWithABrokenRoom(t *testing.T) *effects.Effects {
	rooms := lobbytest.NewRooms()
	for board, id := range []string{"whole", "broken"} {
		openBoard(t, rooms, id, board+1)
	}
	return &effects.Effects{Rooms: brokenRoom{rooms, "broken"}, Opened: func(string) {}}
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
	e := &effects.Effects{Rooms: rooms, Opened: func(string) {}}
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
	if got := carryOut(t, e, tournament.TaskRecall, tournament.Recall{By: "host", Rooms: []string{"broken", "whole"}}); got != "" {
		t.Errorf("the result is %s", got)
	}
	if p := public(t, e.Rooms.(brokenRoom).Rooms, "whole"); p.Result == nil {
		t.Errorf("the whole room is %s", p.State)
	}
}
