package e2e

import (
	"strings"
	"testing"
)

// Pages that are open lose every name when the host deletes the tournament.
func TestDeletedTournamentLeavesNoNamesOnOpenPages(t *testing.T) {
	t.Parallel()
	s := serve(t)
	host, ada, wall := s.person("Hanna", desktop), s.person("Ada", phone), s.person("The wall", projector)
	id, code, _ := host.hosts("Club evening")
	ada.enters(code, "Ada Lovelace")
	wall.opens("/t/" + id + "/screen")
	wall.hears("#entered-names", "Ada Lovelace")
	host.hears("#player-rows", "Ada Lovelace")
	host.presses("#delete summary")
	host.presses("#delete-ask")
	host.hears("#deletion-name", "Delete “Club evening”?")
	host.hears("#deletion-what", "The list of 1 player")
	host.presses("#delete-go")
	for _, p := range []*person{host, ada, wall} {
		p.hears("#deleted", "The host has deleted this tournament.")
		if text := ask[string](p, `document.title + document.querySelector("main").textContent`); strings.Contains(text, "Ada") || strings.Contains(text, "Club evening") {
			t.Errorf("%s still reads %q", p.name, text)
		}
	}
}
