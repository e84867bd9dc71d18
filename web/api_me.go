package web

import (
	"net/http"

	"mancala/lobby"
)

type meJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// apiWho says who asks; a stranger is nobody.
func (srv *Server) apiWho(w http.ResponseWriter, r *http.Request) {
	player, known := srv.whoIs(w, r)
	if !known {
		srv.refuseAPI(w, r, errNoIdentity)
		return
	}
	p, err := srv.People.Player(r.Context(), player)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, meJSON{p.ID, p.Name})
}

// apiPrefs gives all settings, also those that are as usual.
func (srv *Server) apiPrefs(w http.ResponseWriter, r *http.Request) {
	mine, all := srv.prefs(r), lobby.Prefs{}
	for _, pref := range lobby.AllPrefs {
		all[pref.Name] = mine.Get(pref)
	}
	srv.answer(w, http.StatusOK, all)
}

type listedGameJSON struct {
	Room    string       `json:"room"`
	Title   string       `json:"title"`
	State   string       `json:"state"`
	Ended   bool         `json:"ended"`
	Updated int64        `json:"updated"` // ms since 1970
	Turn    bool         `json:"turn"`    // it is the asker's
	People  []personJSON `json:"people"`
}

type personJSON struct {
	meJSON
	Seat int `json:"seat"` // -1: none
}

// apiMyGames lists the asker's games, those that go on first; from a place on those
// alone.
func (srv *Server) apiMyGames(w http.ResponseWriter, r *http.Request) {
	player, known := srv.whoIs(w, r)
	if !known {
		srv.refuseAPI(w, r, errNoIdentity)
		return
	}
	var games []lobby.Game
	var err error
	if before := r.URL.Query().Get("before"); before == "" {
		games, err = srv.Games.Of(r.Context(), player, gamesListed)
	} else if place := placeOf(before); place != (lobby.Place{}) {
		games, err = srv.Games.Going(r.Context(), player, place, gamesListed)
	} else {
		err = errBadFrame
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	names, err := srv.namesIn(r.Context(), games)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	turns := srv.gamelist.Turns(r.Context(), player, games)
	list := make([]listedGameJSON, len(games))
	for i, g := range games {
		list[i] = listedGameJSON{g.Room, g.Title, g.State, g.Ended, g.Updated.UnixMilli(), turns[g.Room], []personJSON{}}
		for _, in := range g.In {
			list[i].People = append(list[i].People, personJSON{meJSON{in.Player, names[in.Player]}, in.Seat})
		}
	}
	srv.answer(w, http.StatusOK, list)
}
