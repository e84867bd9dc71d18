package live

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// grown finds out whether somebody is a child who was taken for one because his
// settings could not be read.
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

// TellRenamed tells the pages of a player's games on this instance what he is
// called now.
func (srv *Live) TellRenamed(player string) {
	srv.hubsMu.Lock()
	hubs := slices.Collect(maps.Values(srv.hubs))
	srv.hubsMu.Unlock()
	srv.Workers.Start(func() {
		for _, h := range hubs {
			if slices.Contains(h.people(), player) {
				h.tellNames()
			}
		}
	})
}
