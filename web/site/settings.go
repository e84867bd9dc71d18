package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"net/http"
	"strings"

	"mancala/lobby"
)

// Prefs returns the settings of the player who asks. Without settings a page uses
// the defaults.
func (srv *Site) Prefs(r *http.Request) lobby.Prefs {
	a := KeptBy(r)
	if a.read {
		return a.prefs
	}
	who, err := srv.Identify(r)
	if err != nil || who.Player == "" {
		return nil // not cached: this request may still make the player a guest
	}
	if a.prefs, err = srv.People.Prefs(r.Context(), who.Player); err != nil {
		lobby.Warn(srv.Log, "web: settings not read", err)
		a.Failed = true
	}
	a.read = true
	return a.prefs
}

// Attributes returns all settings as attributes of a page's root element. So the
// first paint is right, and neither style sheets nor scripts need to know the
// defaults.
func Attributes(prefs lobby.Prefs) template.HTMLAttr {
	var b strings.Builder
	for _, pref := range lobby.AllPrefs { // names and values are our own words and numbers, so they need no escaping
		b.WriteString(` data-` + pref.Name + `="` + prefs.Get(pref) + `"`)
	}
	return template.HTMLAttr(b.String())
}

// SetPrefs changes settings of the player who acts. A stranger becomes a guest.
func (srv *Site) SetPrefs(w http.ResponseWriter, r *http.Request, change lobby.Prefs) (lobby.Prefs, error) {
	if err := change.Check(); err != nil { // checked first, so that bad settings make no guest
		return nil, err
	}
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return nil, err
	}
	if err := lobby.SlowDown(srv.Limit(LimitSettings).Wait(player)); err != nil {
		return nil, err
	}
	prefs, err := srv.People.SetPrefs(r.Context(), player, change)
	*KeptBy(r) = kept{}
	if change["kids"] == "on" {
		// Another page or a program may have them open. A stranger could still accept them.
		if err := srv.LobbyRoom.Withdraw(r.Context(), player); err != nil {
			lobby.Warn(srv.Log, "web: seek and challenges not withdrawn for kids mode", err)
		}
	}
	if err != nil {
		change = nil // it may have been written
	}
	srv.Presence.SettingsChanged(player, change)
	return prefs, err
}

// Rename changes the name of the player who acts, and sends it to the pages of the
// player's games. The owner of an account signs in with its name, so an account
// needs a fresh session.
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
	if err := lobby.SlowDown(srv.Limit(LimitChat).Wait(player)); err != nil { // a name can carry messages to others, as chat does
		return "", err
	}
	return srv.People.Rename(r.Context(), player, name)
}

// ReadJSON reads the body of an API request.
func ReadJSON(r *http.Request, into any) error {
	text, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return ErrTooLarge
	case err != nil || !IsJSONText(text):
		return ErrBadFrame
	}
	body := json.NewDecoder(bytes.NewReader(text))
	body.DisallowUnknownFields()
	if body.Decode(into) != nil || body.Decode(new(json.RawMessage)) != io.EOF {
		return ErrBadFrame
	}
	return nil
}
