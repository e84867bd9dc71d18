package api

import (
	"net/http"

	"mancala/lobby"
	"mancala/web/site"
)

// apiMe changes the client's own data. Only the name can be changed.
func (srv *API) apiMe(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name string `json:"name"`
	}
	err := site.ReadJSON(r, &body)
	if err == nil {
		body.Name, err = srv.Rename(w, r, body.Name)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, body)
}

// apiSettings changes some settings. It answers with all settings that differ from their
// defaults.
func (srv *API) apiSettings(w http.ResponseWriter, r *http.Request) error {
	var prefs lobby.Prefs
	err := site.ReadJSON(r, &prefs)
	if err == nil {
		prefs, err = srv.SetPrefs(w, r, prefs)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, prefs)
}
