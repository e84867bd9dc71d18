package live

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"mancala/match/deadline"
)

// grown corrects a player's kids mode. The player was treated as a child because
// their settings could not be read. It retries until they can be read.
func (srv *Live) grown(s *session) {
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		if deadline.Wait(srv.Workers.Context(), wait/2+rand.N(wait)) != nil {
			return
		}
		if prefs, err := srv.People.Prefs(srv.Workers.Context(), s.player); err == nil {
			s.child.Store(prefs["kids"] == "on")
			return
		}
	}
}

// tellRenamed sends a player's new name to the pages of the player's games and tournaments on this
// instance. With spread it tells the pages of the tournaments on all other instances too.
func (srv *Live) tellRenamed(player string, spread bool) {
	srv.hubsMu.Lock()
	hubs := slices.Collect(maps.Values(srv.hubs))
	srv.hubsMu.Unlock()
	srv.Workers.Start(func() {
		for _, h := range hubs {
			if event := h.eventOf(); event != nil {
				event.renamed(player, spread)
			} else if slices.Contains(h.Players(), player) {
				h.tellNames()
			}
		}
	})
}
