package api

import (
	"net/http"

	"mancala/lobby"
	"mancala/web/site"
)

// liveGame is a game in the API's list.
type liveGame struct {
	Room     string   `json:"room"`
	Rules    string   `json:"rules"`
	Options  string   `json:"options,omitempty"`
	Title    string   `json:"title"`
	Clock    string   `json:"clock"`
	Rated    bool     `json:"rated,omitempty"`
	Delay    int      `json:"delay,omitempty"`
	Rating   int      `json:"rating,omitempty"`
	Seats    []string `json:"seats"`
	Names    []string `json:"names"`
	Ply      int      `json:"ply"`
	Watchers int      `json:"watchers"`
}

// apiLive lists the games that every client may watch, in the order of the page.
func (srv *API) apiLive(w http.ResponseWriter, r *http.Request) error {
	rules := r.URL.Query().Get("rules")
	if rules != "" && !site.IsSystem(rules) {
		return site.ErrBadFrame
	}
	live, err := srv.Shows.Live(r.Context(), rules, site.MaxCards+site.MaxMore)
	if err != nil {
		return err
	}
	var ids []string
	for _, g := range live {
		ids = append(ids, g.Seats...)
	}
	names, err := srv.People.Names(r.Context(), ids)
	if err != nil {
		return err
	}
	list := make([]liveGame, len(live))
	for i, g := range live {
		own := make([]string, len(g.Seats))
		for k, id := range g.Seats {
			own[k] = names[id]
		}
		list[i] = liveGame{g.Room, g.System, g.Options, g.Title, g.Clock, g.Rated, g.Delay, g.Rating, g.Seats, lobby.Distinct(own), g.Ply, g.Watchers}
	}
	return srv.Answer(w, http.StatusOK, map[string]any{"games": list})
}
