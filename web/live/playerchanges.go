package live

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// grown corrects a player's kids mode. The player was treated as a child because
// their settings could not be read. It retries until they can be read.
func (srv *Live) grown(s *session) {
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		select {
		case <-time.After(wait/2 + rand.N(wait)):
		case <-srv.Workers.Context().Done():
			return
		}
		if prefs, err := srv.People.Prefs(srv.Workers.Context(), s.player); err == nil {
			s.child.Store(prefs["kids"] == "on")
			return
		}
	}
}

// TellRenamed sends a player's new name to the pages of the player's games on this
// instance. It tells the pages of the player's tournaments on all instances.
func (srv *Live) TellRenamed(player string) {
	srv.hubsMu.Lock()
	hubs := slices.Collect(maps.Values(srv.hubs))
	srv.hubsMu.Unlock()
	srv.Workers.Start(func() {
		for _, h := range hubs {
			if event := h.eventOf(); event != nil {
				event.renamed(player, true)
			} else if slices.Contains(h.Players(), player) {
				h.tellNames()
			}
		}
	})
}
