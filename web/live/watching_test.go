package live

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"mancala/lobby"
	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/lobby/presence"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/journal/memjournal"
	"mancala/match/room"
	"mancala/web/site"
)

// However many watch, only a few are considered for the list of names. A named
// watcher stays in the list while they watch.
func TestManyWatchersAreNamed(t *testing.T) {
	h := &hub{}
	for i := range 5000 {
		h.watch().watches(&sub{player: fmt.Sprintf("p%04d", i)}, 1)
	}
	h.watch().watches(&sub{player: "?stranger"}, 1)
	h.watch().named = []string{"p4999", "p0007", "pgone"}
	h.watch().known = map[string]string{"p4999": "Ada", "p0007": "Ben", "pgone": "Cleo", "p0001": ""}
	for range 20 {
		here, strange := h.attendance()
		if len(here) > maxRolled || len(strange) != maxAsked {
			t.Fatalf("%d are looked at, of them %d for the first time", len(here), len(strange))
		}
		if !slices.Equal(here[:3], []string{"p4999", "p0007", "p0001"}) || slices.Contains(here, "pgone") {
			t.Errorf("here are %q …", here[:4])
		}
	}
	h.watch().watches(&sub{player: "p4999"}, -1)
	if here, _ := h.attendance(); slices.Contains(here, "p4999") || len(h.watch().here) != 4999 {
		t.Errorf("a watcher who has left is counted, among %d", len(h.watch().here))
	}
}

// The room may report the number of watchers as soon as it is followed, before the
// hub knows that it follows.
func TestWatchersCountedBeforeTheHubFollows(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	rooms, err := room.Start(ctx, room.Config{Self: "test", Journal: memjournal.New(), Kinds: effects.Kinds()})
	if err != nil {
		t.Fatal(err)
	}
	w := workers.New()
	t.Cleanup(func() {
		if err := rooms.Drain(context.Background(), nil); err != nil {
			t.Error(err)
		}
		w.Close()
		cancel()
		rooms.Wait()
	})
	const id = "k3v9qa2mxy"
	if err := rooms.Create(ctx, id, match.Kind, match.Creation{Settings: match.Settings{Rules: "kalah"}, Creator: "pada"}.Command("create")); err != nil {
		t.Fatal(err)
	}
	s := &site.Site{Config: site.Config{Rooms: rooms}, Workers: w, Lobby: &lobby.Lobby{}}
	s.Presence = presence.New(presence.Config{Rooms: rooms, Workers: w}, gamelist.NewPages(w), nil)
	h := &hub{server: &Live{Site: s, hubs: map[string]*hub{}}, id: id}
	h.Note(room.Note{Kind: room.NoteWatching, Body: json.RawMessage(`{"count":1}`)})
	h.follow()
	defer h.following.Close()
	for calling := true; calling; runtime.Gosched() {
		h.mu.Lock()
		calling = h.watch().calling
		h.mu.Unlock()
	}
}
