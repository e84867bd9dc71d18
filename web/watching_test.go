package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"mancala/match/room"
)

// However many watch, few are looked at for the list of names, and who is named stays
// so while he watches.
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
		t.Errorf("who has gone is here, among %d", len(h.watch().here))
	}
}

// A room may say how many watch as soon as it is followed, when the hub does not know
// that yet.
func TestCountedBeforeTied(t *testing.T) {
	s := serve(t)
	id, _ := s.game("rules=kalah")
	h := &hub{server: s.Server, id: id}
	h.Note(room.Note{Kind: room.NoteWatching, Body: json.RawMessage(`{"count":1}`)})
	s.page(s.person(), "/"+id, http.StatusOK) // meanwhile
	h.follow()
	defer h.following.Close()
	s.eventually("the roll to be called", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return !h.watch().calling
	})
}
