package gamelist_test

import (
	"context"
	"io"
	"log/slog"
	"testing"

	"mancala/lobby"
	"mancala/lobby/gamelist"
	"mancala/lobby/lobbytest"
	"mancala/lobby/rulebook"
	"mancala/lobby/showcase"
	"mancala/lobby/workers"
	"mancala/match"
)

// nobody watches games, and no page is told of them.
type nobody struct{}

func (nobody) Put(context.Context, []showcase.Game) {}
func (nobody) GamesMoved([]string)                  {}
func (nobody) WantGames(...string)                  {}

func (nobody) Compare(context.Context, map[string]rulebook.Rules) error { return nil }

// newList returns the lists of games of these rooms, and two players.
func newList(t *testing.T, rooms *lobbytest.Rooms) (l *gamelist.List, ada, ben string) {
	t.Helper()
	people, err := lobby.Open(t.Context(), lobbytest.Memory(t), lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := workers.New()
	t.Cleanup(w.Close)
	l = gamelist.New(gamelist.Config{
		Rooms: rooms, Games: people.Games, Showcase: nobody{}, RuleSets: nobody{}, Presence: nobody{}, Pages: gamelist.NewPages(w), Workers: w,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	for _, id := range []*string{&ada, &ben} {
		p, err := people.People.Guest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		*id = p.ID
	}
	return l, ada, ben
}

// TestPlayerWhoGivesUpLeavesNobodyWaiting also shows how: a game that has hardly begun is
// aborted, a seat in one that has not begun is left, and any other is resigned.
func TestPlayerWhoGivesUpLeavesNobodyWaiting(t *testing.T) {
	rooms := lobbytest.NewRooms()
	l, ada, ben := newList(t, rooms)
	two := match.Creation{Settings: match.Settings{Rules: "kalah"}, Seats: []string{ada, ben}}
	rooms.Open(t, "k3v9qa2mx1", two)
	rooms.Open(t, "k3v9qa2mx2", two)
	rooms.Says(t, "k3v9qa2mx2", ada, match.KindMove, `{"ply":0,"move":"a"}`)
	rooms.Says(t, "k3v9qa2mx2", ben, match.KindMove, `{"ply":1,"move":"a"}`)
	rooms.Open(t, "k3v9qa2mx3", match.Creation{Settings: match.Settings{Rules: "kalah", ForOthers: true}, Creator: ben})
	rooms.Says(t, "k3v9qa2mx3", ada, match.KindSit, `{}`)
	rooms.Open(t, "k3v9qa2mx4", match.Creation{Settings: match.Settings{Rules: "kalah"}, Seats: []string{ben, "p0"}})
	for _, id := range []string{"k3v9qa2mx1", "k3v9qa2mx2", "k3v9qa2mx3", "k3v9qa2mx4"} {
		l.Changed(id)
	}
	l.GiveUp(t.Context(), ada)
	for id, want := range map[string]string{"k3v9qa2mx1": "over", "k3v9qa2mx2": "over", "k3v9qa2mx3": "waiting", "k3v9qa2mx4": "live"} {
		view, err := rooms.View(t.Context(), id, "")
		if err != nil {
			t.Fatal(err)
		}
		p, err := match.ReadPublic(id, view.Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		if p.State != want || len(p.Sitters) > 0 && p.State == "waiting" {
			t.Errorf("%s is %s with %q in it, want %s", id, p.State, p.Sitters, want)
		}
		if won, _ := p.Won(); id == "k3v9qa2mx2" && (len(won) != 1 || won[0] != 1) {
			t.Errorf("%s was won by %v, want the other seat", id, won)
		}
	}
}
