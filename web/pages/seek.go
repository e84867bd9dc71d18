package pages

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match/room"
	"mancala/web/site"
)

// Seek handles the forms of the lobby: they make a seek, search for an opponent, or end
// either. They lead back to the home page, whose socket keeps the seek open.
func (srv *Pages) Seek(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	player, err := srv.WhoActs(w, r)
	if err == nil {
		_, err = srv.Order(r, player, strings.TrimPrefix(r.URL.Path, "/"), orderIn(form))
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// orderIn reads an order to the lobby from a form. A field that should be a number and is
// not counts as empty.
func orderIn(form url.Values) seeks.Order {
	number := func(name string) int {
		n, _ := strconv.Atoi(strings.TrimSpace(form.Get(name)))
		return n
	}
	return seeks.Order{
		Key: rand.Text(), Seek: form.Get("seek"), To: form.Get("to"),
		Game: seeks.Game{
			Rules: form.Get("rules"), Clock: form.Get("clock"), Options: houseRules(form), Rated: form.Get("rated") != "",
		},
		Range: seeks.Range{Low: number("low"), High: number("high")},
	}
}

// accept accepts a seek or a challenge, and redirects to the game once it exists.
func (srv *Pages) accept(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return room.ErrNoRoom
	}
	player, known := srv.WhoIs(w, r)
	if !known {
		return srv.introduce(w, r) // the opponent must not play against a guest whose cookie no client has
	}
	_, err := srv.Order(r, player, seeks.KindAccept, seeks.Order{Seek: id})
	if err == nil {
		err = srv.LobbyRoom.Await(r.Context(), id)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/"+id, http.StatusSeeOther)
	return nil
}
