package api

import (
	"net/http"

	"mancala/lobby"
	"mancala/web/site"
)

// apiWho answers with the client's identity. It refuses a client that has none.
func (srv *API) apiWho(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	p, err := srv.People.Player(r.Context(), player)
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, site.MeJSON{ID: p.ID, Name: p.Name})
}

// apiPrefs answers with all settings, including those that have their defaults.
func (srv *API) apiPrefs(w http.ResponseWriter, r *http.Request) error {
	mine, all := srv.Prefs(r), lobby.Prefs{}
	for _, pref := range lobby.AllPrefs {
		all[pref.Name] = mine.Get(pref)
	}
	return srv.Answer(w, http.StatusOK, all)
}

type listedGameJSON struct {
	Room    string       `json:"room"`
	Title   string       `json:"title"`
	State   string       `json:"state"`
	Ended   bool         `json:"ended"`
	Updated int64        `json:"updated"` // ms since 1970
	Turn    bool         `json:"turn"`    // the client is on turn
	People  []personJSON `json:"people"`
}

type personJSON struct {
	site.MeJSON
	Seat int `json:"seat"` // -1: no seat
}

// apiMyGames lists the client's games, open games first. With ?before= it lists only
// open games, from that place on.
func (srv *API) apiMyGames(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	var games []lobby.Game
	var err error
	if before := r.URL.Query().Get("before"); before == "" {
		games, err = srv.Games.Of(r.Context(), player, site.GamesListed)
	} else if place := site.PlaceOf(before); place != (lobby.Place{}) {
		games, err = srv.Games.Going(r.Context(), player, place, site.GamesListed)
	} else {
		err = site.ErrBadFrame
	}
	if err != nil {
		return err
	}
	names, err := srv.People.Names(r.Context(), lobby.PlayersIn(games))
	if err != nil {
		return err
	}
	turns := srv.Gamelist.Turns(r.Context(), player, games)
	list := make([]listedGameJSON, len(games))
	for i, g := range games {
		list[i] = listedGameJSON{g.Room, g.Title, g.State, g.Ended, g.Updated.UnixMilli(), turns[g.Room], []personJSON{}}
		for _, in := range g.In {
			list[i].People = append(list[i].People, personJSON{site.MeJSON{ID: in.Player, Name: names[in.Player]}, in.Seat})
		}
	}
	return srv.Answer(w, http.StatusOK, list)
}
