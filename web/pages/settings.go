package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mancala/lobby"
	"mancala/web/site"
)

// ThenName is the parameter of the sign-in page for a player who must sign in again to
// change their name.
const ThenName = "name"

// settingsPage is the page at /settings. Its forms work without script. With script each
// control takes effect at once.
type settingsPage struct {
	head
	Known       bool   // the client has an identity
	Name        string // the player's name, or the name that was refused
	NameProblem string
	Saved       bool
	Forgotten   bool // the player's data was just deleted
	Fresh       bool // a guest, or an account whose owner has just signed in
	Confirmed   bool // the owner has signed in once more to change the name
	MaxName     int
	Groups      []prefGroup
	Game        string // the room of the game from which the visitor comes
}

// prefGroup is a part of the page. It must contain only settings that have an effect.
type prefGroup struct {
	Name  string
	Prefs []prefView
}

// prefView is a setting as a control.
type prefView struct {
	lobby.Pref
	Value string
}

var prefGroups = []struct {
	name  string
	prefs []string
}{
	{"look", []string{"theme", "look", "counts", "heap", "labels", "orient", turnsPref, "language", "dates"}},
	{"motion", []string{"speed", "motion"}},
	{"sound", []string{"volume", "muted", "haptics"}},
	{"play", []string{"confirm", "preview", "premove", "forced"}},
	{"access", []string{"keys", "field", "verbosity"}},
	{"people", []string{"chat", "challenges", "seen", "kids"}},
}

// PrefGroups returns the names of the settings on the page, in the groups in which it
// shows them. Only tests call it.
func PrefGroups() (groups [][]string) {
	for _, g := range prefGroups {
		groups = append(groups, g.prefs)
	}
	return groups
}

// turnsPref is the setting for games at one screen.
const turnsPref = "turns"

// quickPrefs are the settings on the page of a game.
var quickPrefs = []string{"theme", "speed", "motion", "volume", "muted", "confirm", "preview"}

func prefViews(prefs lobby.Prefs, names []string) []prefView {
	var views []prefView
	for _, name := range names {
		i := slices.IndexFunc(lobby.AllPrefs, func(p lobby.Pref) bool { return p.Name == name })
		value := prefs.Get(lobby.AllPrefs[i])
		if name == "chat" && value == "free" && prefs["kids"] == "on" {
			value = "presets" // the level that applies in kids mode (kids.js)
		}
		views = append(views, prefView{lobby.AllPrefs[i], value})
	}
	return views
}

// Settings serves the page at /settings.
func (srv *Pages) Settings(w http.ResponseWriter, r *http.Request) error {
	return srv.showSettings(w, r, http.StatusOK, func(p *settingsPage) {
		p.Saved = r.URL.Query().Has("saved")
		p.Forgotten = r.URL.Query().Has("forgotten") && p.Me == ""
		p.Confirmed = r.URL.Query().Has("confirmed") && p.Me != "" && p.Fresh
	})
}

func (srv *Pages) showSettings(w http.ResponseWriter, r *http.Request, status int, change func(*settingsPage)) error {
	p := settingsPage{head: srv.head(r, srv.Catalog(r).T("prefs.title"), srv.Catalog(r).T("prefs.description")), MaxName: lobby.MaxName, Game: gameBefore(r)}
	if p.Game != "" {
		p.Spoken.Here = "/settings?game=" + p.Game // the choice of a language leads back to this page
	}
	who, err := srv.WhoCame(w, r)
	if err != nil {
		lobby.Warn(srv.Log, "web: session not read", err)
	} else if who.Player != "" {
		p.Known = true
		p.Fresh = who.Session == nil || who.Session.Fresh
		names, err := srv.People.Names(r.Context(), []string{who.Player})
		if err != nil {
			lobby.Warn(srv.Log, "web: name not read", err)
		}
		p.Name = names[who.Player]
	}
	prefs := srv.Prefs(r)
	for _, g := range prefGroups {
		p.Groups = append(p.Groups, prefGroup{g.name, prefViews(prefs, g.prefs)})
	}
	change(&p)
	return srv.render(w, r, status, "settings", p)
}

// gameBefore returns the room of the game from whose page the visitor has come. It is empty for other pages. A
// player who looks for a setting during a game wants to go on at once. The forms and the address keep the
// room while settings are saved and another language is chosen.
func gameBefore(r *http.Request) string {
	if id := r.FormValue("game"); lobby.ValidRoomID(id) {
		return id
	}
	from, err := url.Parse(r.Referer())
	if err != nil || from.Host != r.Host {
		return ""
	}
	id := strings.TrimPrefix(from.Path, "/")
	if !lobby.ValidRoomID(id) {
		return ""
	}
	return id
}

// SaveSettings handles the forms of the page, and the choice of a language at the foot of every page,
// which leads back there. A form has a name or some settings.
func (srv *Pages) SaveSettings(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	back := "/settings?saved"
	if id := gameBefore(r); id != "" {
		back += "&game=" + id
	}
	if name, ok := form["name"]; ok {
		if _, err := srv.Rename(w, r, name[0]); err != nil {
			if err == site.ErrSignInAgain {
				http.Redirect(w, r, "/account/sign-in?confirm="+ThenName, http.StatusSeeOther)
				return nil
			}
			if _, other := site.Statuses[lobby.CodeOf(err)]; other {
				return err
			}
			return srv.showSettings(w, r, http.StatusUnprocessableEntity, func(p *settingsPage) { // the name is invalid or taken
				p.Name, p.NameProblem = name[0], srv.Catalog(r).Sentence(lobby.CodeOf(err), nil)
			})
		}
	} else {
		back = local(form.Get("back"), back)
		form.Del("back")
		form.Del("game")
		change := lobby.Prefs{}
		for name, values := range form {
			change[name] = values[len(values)-1]
		}
		if _, err := srv.SetPrefs(w, r, change); err != nil {
			return err
		}
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil
}

// Forget deletes all data about the player who sends the form, if they have ticked that
// they are sure. The owner of an account must have signed in recently, so that another
// person who uses the device cannot delete it. The browser deletes what it keeps of the
// player: pages, the service worker, and local storage.
func (srv *Pages) Forget(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	who, err := srv.WhoCame(w, r)
	player := who.Player
	switch {
	case err != nil:
	case player == "" || form.Get("sure") == "":
		http.Redirect(w, r, "/settings#forget", http.StatusSeeOther)
		return nil
	default:
		if err = srv.FreshOrGuest(w, r); err == site.ErrSignInAgain {
			http.Redirect(w, r, "/account/sign-in?confirm", http.StatusSeeOther)
			return nil
		} else if err != nil {
			break
		}
		srv.Departure.Depart(r.Context(), player)
		err = srv.Accounts.Forget(r.Context(), player)
	}
	if err != nil {
		return err
	}
	srv.EndCookie(w, site.CookieName)
	if who.Session == nil { // the device may have kept this guest; it still keeps the guest beside an account
		srv.EndCookie(w, site.GuestCookie)
	}
	srv.ForgetDevice(w)
	w.Header().Set("Clear-Site-Data", `"storage"`)
	http.Redirect(w, r, "/settings?forgotten", http.StatusSeeOther)
	return nil
}
