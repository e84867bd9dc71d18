package web

import (
	"net/http"
	"slices"

	"mancala/lobby"
	"mancala/lobby/moderation"
)

// peoplePage is the page at /people: whom one follows, and whom one has blocked.
type peoplePage struct {
	head
	Following []followedJSON
	Blocked   []meJSON
}

func (srv *Server) peoplePage(w http.ResponseWriter, r *http.Request) {
	p := peoplePage{head: srv.head(r, srv.messages.t("people.title"), srv.messages.t("people.description"))}
	if player, ok := srv.whoIs(w, r); ok {
		c, err := srv.circle(r.Context(), player)
		if err != nil {
			srv.failWith(w, r, err)
			return
		}
		p.Following, p.Blocked = c.Following, c.Blocked
		slices.SortStableFunc(p.Following, func(a, b followedJSON) int { return b.rank() - a.rank() })
	}
	srv.render(w, r, http.StatusOK, "people", p)
}

// rank orders people: who plays, who is here, the rest.
func (f followedJSON) rank() int {
	switch {
	case f.Game != "":
		return 2
	case f.Here:
		return 1
	}
	return 0
}

// personPage is what one may do about somebody: what the dialog of a game's page
// does, for those without script.
type personPage struct {
	head
	Person personView
}

// personView is somebody, as the forms about him need it.
type personView struct {
	meJSON
	Follows, Blocks, Reported bool
	Back                      string // where the forms lead
	Room                      string // where it happened
}

// Reasons are why he may be reported.
func (personView) Reasons() []string { return moderation.Reasons() }

func (srv *Server) personPage(w http.ResponseWriter, r *http.Request) {
	other, err := srv.People.Player(r.Context(), r.PathValue("player"))
	if codeOf(err) == lobby.CodeNoPlayer {
		srv.notFound(w, r)
		return
	}
	query := r.URL.Query()
	v := personView{meJSON: meJSON{other.ID, other.Name}, Reported: query.Has("reported"), Back: local(query.Get("back"), "/people")}
	if room := query.Get("room"); lobby.ValidRoomID(room) {
		v.Room, v.Back = room, "/"+room
	}
	if player, ok := srv.whoIs(w, r); ok && err == nil {
		var c circleJSON
		c, err = srv.circle(r.Context(), player)
		v.Follows = slices.ContainsFunc(c.Following, func(f followedJSON) bool { return f.ID == other.ID })
		v.Blocks = slices.Contains(c.Blocked, v.meJSON)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	srv.render(w, r, http.StatusOK, "person", personPage{srv.head(r, other.Name, ""), v})
}
