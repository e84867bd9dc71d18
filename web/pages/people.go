package pages

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"mancala/lobby"
	"mancala/web/site"
)

// peoplePage is the page at /people: the players whom the viewer follows or has blocked.
type peoplePage struct {
	head
	Following []site.FollowedJSON
	Blocked   []site.MeJSON
	Hero      heroBoard // what there is to do for a viewer who follows nobody
}

// PeoplePage serves the page at /people.
func (srv *Pages) PeoplePage(w http.ResponseWriter, r *http.Request) error {
	p := peoplePage{head: srv.head(r, srv.Catalog(r).T("people.title"), srv.Catalog(r).T("people.description")), Hero: heroOf()}
	if player, ok := srv.WhoIs(w, r); ok {
		c, err := srv.SocialOf(r.Context(), player)
		if err != nil {
			return err
		}
		p.Following, p.Blocked = c.Following, c.Blocked
		slices.SortStableFunc(p.Following, func(a, b site.FollowedJSON) int { return rank(b) - rank(a) })
	}
	return srv.render(w, r, http.StatusOK, "people", p)
}

// rank orders players: those in a game first, then those online, then the rest.
func rank(f site.FollowedJSON) int {
	switch {
	case f.Game != "":
		return 2
	case f.Here:
		return 1
	}
	return 0
}

// personPage is the page with what the viewer can do about a player. It replaces the
// dialog of a game's page for browsers without script.
type personPage struct {
	head
	Person  personView
	Profile string // the address of the profile; empty for a guest
}

// personView is a player, with what the forms about them need.
type personView struct {
	site.MeJSON
	Follows, Blocks, Reported bool
	Back                      string // where the forms lead afterwards
	Room                      string // the game that a report is about
}

// PersonPage serves the page about a player.
func (srv *Pages) PersonPage(w http.ResponseWriter, r *http.Request) error {
	other, err := srv.People.Player(r.Context(), r.PathValue("player"))
	var v personView
	if err == nil {
		player, _ := srv.WhoIs(w, r)
		v, err = srv.personView(r.Context(), player, other)
	}
	if err != nil {
		return err
	}
	query := r.URL.Query()
	v.Reported, v.Back = query.Has("reported"), local(query.Get("back"), "/people")
	if room := query.Get("room"); lobby.ValidRoomID(room) {
		v.Room, v.Back = room, "/"+room
	}
	p := personPage{head: srv.head(r, other.Name, ""), Person: v}
	if !other.Guest() {
		p.Profile = site.ProfilePath(other.Name)
	}
	return srv.render(w, r, http.StatusOK, "person", p)
}

// personView returns a player, with whether the viewer follows or has blocked them.
func (srv *Pages) personView(ctx context.Context, viewer string, other lobby.Player) (personView, error) {
	v := personView{MeJSON: site.MeJSON{ID: other.ID, Name: other.Name}}
	if viewer == "" {
		return v, nil
	}
	following, err := srv.Social.Followed(ctx, viewer)
	if err != nil {
		return v, err
	}
	blocked, err := srv.Social.Blocked(ctx, viewer)
	v.Follows, v.Blocks = slices.Contains(following, other.ID), slices.Contains(blocked, other.ID)
	return v, err
}

// ReportForm handles the forms that report a player or the name of a rule set. It leads back to
// their page.
func (srv *Pages) ReportForm(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	var q site.ReportJSON
	if err == nil {
		q = site.ReportJSON{Player: form.Get("player"), Reason: form.Get("reason"), Text: form.Get("text"), Room: form.Get("room"), Stream: form.Get("stream"), Rules: form.Get("rules")}
		if line := form.Get("line"); line != "" {
			if q.Line, err = strconv.ParseInt(line, 10, 64); err != nil {
				err = site.ErrBadFrame
			}
		}
	}
	var player string
	if err == nil {
		player, err = srv.WhoActs(w, r)
	}
	if err == nil {
		err = srv.Report(r.Context(), srv.Address(r), player, q)
	}
	if err != nil {
		return err
	}
	back := "/people/" + url.PathEscape(q.Player) + "?reported"
	switch {
	case q.Rules != "":
		back = "/rules/" + q.Rules + "?reported" // as below
	case q.Room != "":
		back += "&room=" + q.Room // a valid ID: Report has found the room
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil
}
