package site

import (
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"strings"

	"mancala/lobby"
)

// Prefs are the settings of who asks. Without them a page is as usual.
func (srv *Site) Prefs(r *http.Request) lobby.Prefs {
	a := KeptBy(r)
	if a.read {
		return a.prefs
	}
	who, err := srv.Identify(r)
	if err != nil || who.Player == "" {
		return nil // so far: he may become somebody by this request
	}
	if a.prefs, err = srv.People.Prefs(r.Context(), who.Player); err != nil {
		lobby.Warn(srv.Log, "web: settings not read", err)
		a.Failed = true
	}
	a.read = true
	return a.prefs
}

// Attributes are all settings as attributes of a page's root, so that the first
// paint is right and neither style sheet nor script needs to know what is usual.
func Attributes(prefs lobby.Prefs) template.HTMLAttr {
	var b strings.Builder
	for _, pref := range lobby.AllPrefs { // names and values are our own words and numbers
		b.WriteString(` data-` + pref.Name + `="` + prefs.Get(pref) + `"`)
	}
	return template.HTMLAttr(b.String())
}

// SetPrefs changes settings of who acts; that makes a stranger a guest.
func (srv *Site) SetPrefs(w http.ResponseWriter, r *http.Request, change lobby.Prefs) (lobby.Prefs, error) {
	if err := change.Check(); err != nil { // before somebody is made a guest for nothing
		return nil, err
	}
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return nil, err
	}
	if err := lobby.SlowDown(srv.PrefLimit.Wait(player)); err != nil {
		return nil, err
	}
	prefs, err := srv.People.SetPrefs(r.Context(), player, change)
	*KeptBy(r) = kept{}
	if kids, said := change["kids"]; said && err == nil {
		srv.Presence.SetChild(player, kids == "on")
	}
	srv.Presence.Changed(player) // he may want to be seen, or not
	srv.Presence.Invalidate(player)
	return prefs, err
}

// Rename changes the name of the player who acts, and tells the pages of the
// player's games. An account's name is what its owner signs in with, so it asks for
// a fresh session.
func (srv *Site) Rename(w http.ResponseWriter, r *http.Request, name string) (string, error) {
	if _, err := lobby.CleanName(name); err != nil {
		return "", err
	}
	if err := srv.FreshOrGuest(w, r); err != nil {
		return "", err
	}
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return "", err
	}
	if err := lobby.SlowDown(srv.ChatLimit.Wait(player)); err != nil { // a name is something that others are told, too
		return "", err
	}
	if name, err = srv.People.Rename(r.Context(), player, name); err != nil {
		return "", err
	}
	srv.Live.TellRenamed(player)
	return name, nil
}

// ReadJSON reads the body of a request to the API.
func ReadJSON(r *http.Request, into any) error {
	body := json.NewDecoder(r.Body)
	body.DisallowUnknownFields()
	err := body.Decode(into)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return ErrTooLarge
	case err != nil:
		return ErrBadFrame
	}
	return nil
}
