package pages

import (
	"net/http"

	"mancala/engine"
	"mancala/lobby"
	"mancala/match"
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

// Beside serves the other forms of a game: its record, pictures, card and analysis.
func (srv *Pages) Beside(w http.ResponseWriter, r *http.Request) error {
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

// placeIn returns the place that an address names, as in ?ply=12 or ?ply=2.12.
func placeIn(r *http.Request) string { return r.URL.Query().Get("ply") }

// moment returns the moment at a place in a game that is over, as a player sees it. A game that goes
// on, and one whose watchers have not seen its end, has none.
func (srv *Pages) moment(r *http.Request, player, place string, s *match.Public) (*match.Moment, error) {
	if place == "" || !s.Over() || s.NeverBegan() {
		return nil, nil
	}
	story, err := srv.Story(r, player)
	if err != nil {
		return nil, err
	}
	return story.Moment(place), nil
}

// shownAt returns a game as it was at a moment. A nil moment stands for the end.
func shownAt(s *match.Public, m *match.Moment) *match.Public {
	if m == nil {
		return s
	}
	then, b := *s, site.BoardOf(m.Position)
	then.Pits, then.Stores, then.Marks, then.Turn, then.Result = b.Pits, b.Stores, b.Marks, int(m.Position.Seat), nil
	if m.Position.Phase != engine.Over {
		then.State = "live"
	}
	return &then
}
