package web

import (
	"context"
	"mancala/lobby/workers"
)

// altered says that a request to this instance has changed something about people
// that their pages go by: a setting, or whom they follow or have blocked. Pages that
// are connected to another instance are told by that.
func (srv *Server) altered(people ...string) { srv.elsewhere.alter(people) }

// alteredElsewhere shows it to their pages that are connected here.
func (srv *Server) alteredElsewhere(people []string) {
	srv.Social.Drop(people...)
	people = srv.presence.connected(people)
	if len(people) == 0 {
		return
	}
	srv.workers.Start(func() {
		ctx, cancel := context.WithTimeout(srv.workers.Context(), workers.Timeout)
		defer cancel()
		for _, id := range people {
			prefs, err := srv.People.Prefs(ctx, id)
			if err != nil {
				srv.warn("web: settings not read", err)
				continue
			}
			srv.presence.grow(id, prefs["kids"] == "on")
			srv.presence.stir(id) // he may want to be seen, or not
			srv.lounge.reconsider(id)
			srv.presence.refollow(ctx, id)
		}
	})
}
