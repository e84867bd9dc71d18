package gamelist_test

import (
	"context"
	"slices"
	"testing"

	"mancala/lobby/gamelist"
	"mancala/lobby/lobbytest"
	"mancala/lobby/rulebook"
	"mancala/lobby/showcase"
	"mancala/match"
	"mancala/match/room"
)

// told collects what a list tells others.
type told struct {
	shown    []string
	compared map[string]rulebook.Rules
	moved    []string
}

func (o *told) Put(_ context.Context, games []showcase.Game) {
	for _, g := range games {
		o.shown = append(o.shown, g.Room)
	}
}

func (o *told) Compare(_ context.Context, games map[string]rulebook.Rules) error {
	o.compared = games
	return nil
}

func (o *told) GamesMoved(players []string) { o.moved = append(o.moved, players...) }
func (o *told) WantGames(...string)         {}

// No follower tells the lists how the game of such a room stands.
func TestGameOfARoomWithoutFollowersIsListedBeforeItSleeps(t *testing.T) {
	const id = "k3v9qa2mx1"
	rooms := lobbytest.NewRooms()
	l, ada, ben := newList(t, rooms)
	var o told
	l.Showcase, l.RuleSets, l.Presence = &o, &o, &o
	rooms.Open(t, id, match.Creation{Settings: match.Settings{Rules: "kalah", Options: "seeds=5", Listed: true}, Seats: []string{ada, ben}})
	view, err := rooms.View(t.Context(), id, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := gamelist.Unseen(func() *gamelist.List { return nil })(t.Context(), id, view); err == nil {
		t.Error("the room may sleep although its game could not be listed yet")
	}
	unseen := gamelist.Unseen(func() *gamelist.List { return l })
	if err := unseen(t.Context(), id, room.View{Kind: "another", Snapshot: []byte("no game")}); err != nil {
		t.Errorf("a room that is no game is listed: %v", err)
	}
	if err := unseen(t.Context(), id, view); err != nil {
		t.Fatal(err)
	}
	for _, player := range []string{ada, ben} {
		if games, err := l.Games.Of(t.Context(), player, 9); err != nil || len(games) != 1 || games[0].Room != id || games[0].State != "live" {
			t.Errorf("the games of a player are %v, %v", games, err)
		}
		if !slices.Contains(o.moved, player) {
			t.Errorf("only the pages of %v are told, not those of %s", o.moved, player)
		}
	}
	if len(o.shown) != 1 || o.shown[0] != id {
		t.Errorf("games to watch are %v", o.shown)
	}
	if want := (rulebook.Rules{System: "kalah", Options: "seeds=5"}); o.compared[id] != want {
		t.Errorf("the rules %v are compared, want %v", o.compared, want)
	}
}
