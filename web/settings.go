package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
)

// settingsPage is the page at /settings. Its forms work without script; with it
// every control counts at once.
type settingsPage struct {
	head
	Known       bool   // somebody, not a stranger
	Name        string // also a name that could not be taken
	NameProblem string
	Saved       bool
	Forgotten   bool // just now: nothing is known any more
	Fresh       bool // a guest, or an account whose owner has just signed in
	Confirmed   bool // the owner has signed in once more to change the name
	MaxName     int
	Groups      []prefGroup
}

// prefGroup is a part of the page. What is shown here must do something today.
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
	{"look", []string{"theme", "look", "counts", "heap", "labels", "orient", "language", "dates"}},
	{"motion", []string{"speed", "motion"}},
	{"sound", []string{"volume", "muted", "haptics"}},
	{"play", []string{"confirm", "preview", "premove", "forced"}},
	{"access", []string{"keys", "field", "verbosity"}},
	{"people", []string{"chat", "challenges", "seen", "kids"}},
}

// quickPrefs are those that the game's page has at hand.
var quickPrefs = []string{"theme", "speed", "motion", "volume", "muted", "confirm", "preview"}

func prefViews(prefs lobby.Prefs, names []string) []prefView {
	var views []prefView
	for _, name := range names {
		i := slices.IndexFunc(lobby.AllPrefs, func(p lobby.Pref) bool { return p.Name == name })
		value := prefs.Get(lobby.AllPrefs[i])
		if name == "chat" && value == "free" && prefs["kids"] == "on" {
			value = "presets" // what counts for children (kids.js)
		}
		views = append(views, prefView{lobby.AllPrefs[i], value})
	}
	return views
}

func (srv *Server) settings(w http.ResponseWriter, r *http.Request) {
	srv.showSettings(w, r, http.StatusOK, func(p *settingsPage) {
		p.Saved = r.URL.Query().Has("saved")
		p.Forgotten = r.URL.Query().Has("forgotten") && !p.Known
		p.Confirmed = r.URL.Query().Has("confirmed") && p.Me != "" && p.Fresh
	})
}

func (srv *Server) showSettings(w http.ResponseWriter, r *http.Request, status int, change func(*settingsPage)) {
	p := settingsPage{head: srv.head(r, srv.catalog(r).t("prefs.title"), srv.catalog(r).t("prefs.description")), MaxName: lobby.MaxName}
	who, err := srv.whoCame(w, r)
	if err != nil {
		lobby.Warn(srv.log, "web: session not read", err)
	} else if who.player != "" {
		p.Known = true
		p.Fresh = who.session == nil || who.session.Fresh
		names, err := srv.People.Names(r.Context(), []string{who.player})
		if err != nil {
			lobby.Warn(srv.log, "web: name not read", err)
		}
		p.Name = names[who.player]
	}
	prefs := srv.prefs(r)
	for _, g := range prefGroups {
		p.Groups = append(p.Groups, prefGroup{g.name, prefViews(prefs, g.prefs)})
	}
	change(&p)
	srv.render(w, r, status, "settings", p)
}

// saveSettings takes what a form of the page says: a name, or any settings.
func (srv *Server) saveSettings(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	if name, ok := form["name"]; ok {
		if _, err := srv.rename(w, r, name[0]); err != nil {
			if err == errSignInAgain {
				http.Redirect(w, r, "/account/sign-in?confirm="+thenName, http.StatusSeeOther)
				return
			}
			if _, other := statuses[lobby.CodeOf(err)]; other {
				srv.failWith(w, r, err)
				return
			}
			srv.showSettings(w, r, http.StatusUnprocessableEntity, func(p *settingsPage) { // a name that cannot be
				p.Name, p.NameProblem = name[0], srv.catalog(r).sentence(lobby.CodeOf(err), nil)
			})
			return
		}
	} else {
		change := lobby.Prefs{}
		for name, values := range form {
			change[name] = values[len(values)-1]
		}
		if _, err := srv.setPrefs(w, r, change); err != nil {
			srv.failWith(w, r, err)
			return
		}
	}
	http.Redirect(w, r, "/settings?saved", http.StatusSeeOther)
}

// forget deletes all that is known of the player who asks and is sure. The owner of
// an account has to have just signed in, so that another person who uses the device
// cannot delete it. The browser deletes what it keeps of the player: pages, their
// worker, and notes.
func (srv *Server) forget(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	player, known := srv.whoIs(w, r)
	switch {
	case err != nil:
	case !known || form.Get("sure") == "":
		http.Redirect(w, r, "/settings#forget", http.StatusSeeOther)
		return
	default:
		if err = srv.freshOrGuest(w, r); err == errSignInAgain {
			http.Redirect(w, r, "/account/sign-in?confirm", http.StatusSeeOther)
			return
		} else if err != nil {
			break
		}
		srv.giveUp(r.Context(), player)
		err = srv.Accounts.Forget(r.Context(), player)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	srv.tellRenamed(player)
	srv.endCookie(w, cookieName)
	srv.forgetDevice(w)
	w.Header().Set("Clear-Site-Data", `"storage"`)
	http.Redirect(w, r, "/settings?forgotten", http.StatusSeeOther)
}

// giveUp ends a player's part in games that are not over, so that nobody waits
// for him: a game that has not begun is aborted, or the seat left; another is
// resigned. What cannot be done is left as it is.
func (srv *Server) giveUp(ctx context.Context, player string) {
	srv.gamelist.Flush() // of a game that has just begun
	var place lobby.Place
	for {
		games, err := srv.Games.Going(ctx, player, place, 100)
		if err != nil {
			lobby.Warn(srv.log, "web: games not listed", err)
		}
		if len(games) == 0 {
			return
		}
		srv.giveUpIn(ctx, player, games)
		last := games[len(games)-1]
		place = lobby.Place{At: last.Updated, Room: last.Room}
	}
}

func (srv *Server) giveUpIn(ctx context.Context, player string, games []lobby.Game) {
	for _, g := range games {
		for _, c := range []machine.Command{
			{Kind: match.KindAbort}, {Kind: match.KindStand}, {Kind: match.KindResign, Body: json.RawMessage(`{"what":"match"}`)},
		} {
			c.ID, c.By = c.Kind+"-"+rand.Text(), player
			if _, err := srv.rooms.Do(ctx, g.Room, c); err == nil {
				break
			}
		}
	}
}
