package api

import (
	"net/http"

	"mancala/lobby"
	"mancala/web/site"
)

// apiMe changes what is known of oneself: today the name.
func (srv *API) apiMe(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name string `json:"name"`
	}
	err := site.ReadJSON(r, &body)
	if err == nil {
		body.Name, err = srv.Rename(w, r, body.Name)
	}
	if err != nil {
		srv.RefuseAPI(w, r, err)
		return
	}
	srv.Answer(w, http.StatusOK, body)
}

// apiSettings changes some settings and answers with all that are not as usual.
func (srv *API) apiSettings(w http.ResponseWriter, r *http.Request) {
	var prefs lobby.Prefs
	err := site.ReadJSON(r, &prefs)
	if err == nil {
		prefs, err = srv.SetPrefs(w, r, prefs)
	}
	if err != nil {
		srv.RefuseAPI(w, r, err)
		return
	}
	srv.Answer(w, http.StatusOK, prefs)
}
