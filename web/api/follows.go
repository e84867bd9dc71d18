package api

import (
	"net/http"

	"mancala/lobby/social"
	"mancala/web/site"
)

// apiSocial lists the players whom the client follows and has blocked.
func (srv *API) apiSocial(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	c, err := srv.SocialOf(r.Context(), player)
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, c)
}

// apiRelation returns the handler that follows, unfollows, blocks or unblocks a player.
func (srv *API) apiRelation(action social.Action) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		player, known := srv.WhoIs(w, r)
		err := site.ErrNoIdentity
		if known {
			err = srv.ChangeRelation(r.Context(), player, action, r.PathValue("player"))
		}
		if err != nil {
			return err
		}
		return srv.Answer(w, http.StatusOK, struct{}{})
	}
}
