package pages

import (
	"net/http"

	"mancala/lobby"
	"mancala/match/room"
	"mancala/web/site"
)

// OfGame wraps a handler for addresses below a game's address. It answers not found if
// the ID in the address cannot be a game's.
func OfGame(serve site.Handler) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !lobby.ValidRoomID(r.PathValue("id")) {
			return room.ErrNoRoom
		}
		return serve(w, r)
	}
}

// GameViews serves the other forms of a game: its record, pictures, card and analysis.
func (srv *Pages) GameViews(w http.ResponseWriter, r *http.Request) error {
	switch r.PathValue("what") {
	case "record":
		return srv.Export(w, r)
	case "og.png":
		return srv.picture(w, r, false)
	case "square.png":
		return srv.picture(w, r, true)
	case "game.gif":
		return srv.movie(w, r)
	case "card":
		return srv.cardOf(w, r)
	case "analysis":
		return srv.analysis(w, r)
	case "annotated":
		return srv.Annotated(w, r)
	}
	return room.ErrNoRoom
}
