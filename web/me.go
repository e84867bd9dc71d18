package web

import (
	"encoding/json"
	"errors"
	"html/template"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"mancala/lobby"
)

// prefs are the settings of who asks. Without them a page is as usual.
func (srv *Server) prefs(r *http.Request) lobby.Prefs {
	a := keptBy(r)
	if a.read {
		return a.prefs
	}
	who, err := srv.identify(r)
	if err != nil || who.player == "" {
		return nil // so far: he may become somebody by this request
	}
	if a.prefs, err = srv.People.Prefs(r.Context(), who.player); err != nil {
		lobby.Warn(srv.log, "web: settings not read", err)
		a.failed = true
	}
	a.read = true
	return a.prefs
}

// grown finds out whether somebody is a child who was taken for one because his
// settings could not be read.
func (srv *Server) grown(s *session) {
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		select {
		case <-time.After(wait/2 + rand.N(wait)):
		case <-srv.workers.Context().Done():
			return
		}
		if prefs, err := srv.People.Prefs(srv.workers.Context(), s.player); err == nil {
			s.child.Store(prefs["kids"] == "on")
			return
		}
	}
}

// attributes are all settings as attributes of a page's root, so that the first
// paint is right and neither style sheet nor script needs to know what is usual.
func attributes(prefs lobby.Prefs) template.HTMLAttr {
	var b strings.Builder
	for _, pref := range lobby.AllPrefs { // names and values are our own words and numbers
		b.WriteString(` data-` + pref.Name + `="` + prefs.Get(pref) + `"`)
	}
	return template.HTMLAttr(b.String())
}

// setPrefs changes settings of who acts; that makes a stranger a guest.
func (srv *Server) setPrefs(w http.ResponseWriter, r *http.Request, change lobby.Prefs) (lobby.Prefs, error) {
	if err := change.Check(); err != nil { // before somebody is made a guest for nothing
		return nil, err
	}
	player, err := srv.whoActs(w, r)
	if err != nil {
		return nil, err
	}
	if err := lobby.SlowDown(srv.prefLimit.Wait(player)); err != nil {
		return nil, err
	}
	prefs, err := srv.People.SetPrefs(r.Context(), player, change)
	*keptBy(r) = kept{}
	if kids, said := change["kids"]; said && err == nil {
		srv.presence.SetChild(player, kids == "on")
	}
	srv.presence.Changed(player) // he may want to be seen, or not
	srv.presence.Invalidate(player)
	return prefs, err
}

// rename changes the name of the player who acts, and tells the pages of the
// player's games. An account's name is what its owner signs in with, so it asks for
// a fresh session.
func (srv *Server) rename(w http.ResponseWriter, r *http.Request, name string) (string, error) {
	if _, err := lobby.CleanName(name); err != nil {
		return "", err
	}
	if err := srv.freshOrGuest(w, r); err != nil {
		return "", err
	}
	player, err := srv.whoActs(w, r)
	if err != nil {
		return "", err
	}
	if err := lobby.SlowDown(srv.chatLimit.Wait(player)); err != nil { // a name is something that others are told, too
		return "", err
	}
	if name, err = srv.People.Rename(r.Context(), player, name); err != nil {
		return "", err
	}
	srv.tellRenamed(player)
	return name, nil
}

// apiMe changes what is known of oneself: today the name.
func (srv *Server) apiMe(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name string `json:"name"`
	}
	err := readJSON(r, &body)
	if err == nil {
		body.Name, err = srv.rename(w, r, body.Name)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, body)
}

// apiSettings changes some settings and answers with all that are not as usual.
func (srv *Server) apiSettings(w http.ResponseWriter, r *http.Request) {
	var prefs lobby.Prefs
	err := readJSON(r, &prefs)
	if err == nil {
		prefs, err = srv.setPrefs(w, r, prefs)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, prefs)
}

// readJSON reads the body of a request to the API.
func readJSON(r *http.Request, into any) error {
	body := json.NewDecoder(r.Body)
	body.DisallowUnknownFields()
	err := body.Decode(into)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return errTooLarge
	case err != nil:
		return errBadFrame
	}
	return nil
}

// tellRenamed tells the pages of a player's games on this instance what he is
// called now.
func (srv *Server) tellRenamed(player string) {
	srv.hubsMu.Lock()
	hubs := slices.Collect(maps.Values(srv.hubs))
	srv.hubsMu.Unlock()
	srv.workers.Start(func() {
		for _, h := range hubs {
			if slices.Contains(h.people(), player) {
				h.tellNames()
			}
		}
	})
}
