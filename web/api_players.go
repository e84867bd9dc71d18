package web

import (
	"net/http"
	"slices"

	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/match"
)

// What profiles and leaderboards show, for programs.

type playerJSON struct {
	meJSON
	Since   int64      `json:"since"` // ms since 1970
	Account bool       `json:"account"`
	Against *scoreJSON `json:"against,omitempty"` // the asker's games against him
}

type scoreJSON struct {
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
}

type ratingJSON struct {
	System      string  `json:"system"`
	Speed       string  `json:"speed"`
	Rating      float64 `json:"rating"`
	Deviation   float64 `json:"deviation"`
	Provisional bool    `json:"provisional"`
	Games       int     `json:"games"`
	Last        int64   `json:"last"` // when the last game was counted
}

func ratingJSONOf(s rating.Standing) ratingJSON {
	return ratingJSON{s.System, s.Speed, s.Value, s.Deviation, s.Provisional(), s.Games, s.At.UnixMilli()}
}

// apiPlayer finds somebody with an account by his name.
func (srv *Server) apiPlayer(w http.ResponseWriter, r *http.Request) {
	viewer, known := srv.whoIs(w, r)
	p, err := srv.profiled(r.Context(), r.PathValue("name"), viewer)
	answer := playerJSON{meJSON: meJSON{p.ID, p.Name}, Since: p.Created.UnixMilli(), Account: !p.Guest()}
	if err == nil && known && p.ID != viewer {
		var s lobby.Score
		s, err = srv.Games.Between(r.Context(), viewer, p.ID)
		answer.Against = &scoreJSON{s.Won, s.Drawn, s.Lost}
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, answer)
}

// apiRatings gives somebody's ratings.
func (srv *Server) apiRatings(w http.ResponseWriter, r *http.Request) {
	viewer, _ := srv.whoIs(w, r)
	p, err := srv.profiled(r.Context(), r.PathValue("name"), viewer)
	var standings []rating.Standing
	if err == nil {
		standings, err = srv.Ratings.All(r.Context(), p.ID)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	list := make([]ratingJSON, len(standings))
	for i, s := range standings {
		list[i] = ratingJSONOf(s)
	}
	srv.answer(w, http.StatusOK, list)
}

type pastJSON struct {
	Room     string   `json:"room"`
	Title    string   `json:"title"`
	System   string   `json:"system,omitempty"`
	Rated    bool     `json:"rated"`
	Seat     int      `json:"seat"`
	Outcome  string   `json:"outcome"`
	Finished int64    `json:"finished"`
	Others   []meJSON `json:"others"`
}

type pastListJSON struct {
	Games []pastJSON `json:"games"`
	Next  string     `json:"next,omitempty"` // "before" of the next page
}

// apiPast lists the games of a player that are over, as far as the asker may see them,
// the latest first.
func (srv *Server) apiPast(w http.ResponseWriter, r *http.Request) {
	viewer, _ := srv.whoIs(w, r)
	q := r.URL.Query()
	f := filterOf(q)
	for name, taken := range map[string]bool{"system": f.System != "", "result": f.Result != "", "rated": f.Rated != "", "before": f.before.Room != ""} {
		if q.Get(name) != "" && !taken {
			srv.refuseAPI(w, r, errBadFrame)
			return
		}
	}
	p, err := srv.profiled(r.Context(), r.PathValue("name"), viewer)
	var games []lobby.Past
	if err == nil {
		games, err = srv.Games.Past(r.Context(), p.ID, f.chosen(viewer), pastListed+1)
	}
	answer := pastListJSON{Games: []pastJSON{}}
	if len(games) > pastListed {
		games = games[:pastListed]
		answer.Next = placeText(games[pastListed-1].Finished, games[pastListed-1].Room)
	}
	var ids []string
	for _, g := range games {
		ids = append(ids, g.Others...)
	}
	var names map[string]string
	if err == nil {
		names, err = srv.People.Names(r.Context(), ids)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	for _, g := range games {
		row := pastJSON{g.Room, g.Title, g.System, g.Rated, g.Seat, outcomeNames[g.Outcome], g.Finished.UnixMilli(), []meJSON{}}
		for _, id := range g.Others {
			row.Others = append(row.Others, meJSON{id, names[id]})
		}
		answer.Games = append(answer.Games, row)
	}
	srv.answer(w, http.StatusOK, answer)
}

type boardListJSON struct {
	System string `json:"system"`
	Speed  string `json:"speed"`
	People int    `json:"people"`
}

// apiTops lists the leaderboards with somebody on them.
func (srv *Server) apiTops(w http.ResponseWriter, r *http.Request) {
	boards, err := srv.Ratings.Boards(r.Context())
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	list := make([]boardListJSON, len(boards))
	for i, b := range boards {
		list[i] = boardListJSON(b)
	}
	srv.answer(w, http.StatusOK, list)
}

type placeJSON struct {
	Rank int `json:"rank"` // 0: not on it
	meJSON
	ratingJSON
}

type topJSON struct {
	MinGames int         `json:"minGames"`
	Places   []placeJSON `json:"places"`
	Own      *placeJSON  `json:"own,omitempty"`
}

// apiTop gives a leaderboard, and the asker's own line if he is not on it.
func (srv *Server) apiTop(w http.ResponseWriter, r *http.Request) {
	p := leaderboard{System: r.PathValue("system"), Speed: r.PathValue("speed")}
	if !isRated(p.System) || !slices.Contains(match.Speeds, p.Speed) {
		srv.refuseAPI(w, r, errNoPath)
		return
	}
	viewer, _ := srv.whoIs(w, r)
	if err := srv.places(r, &p, viewer); err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	line := func(row placeRow) placeJSON {
		return placeJSON{row.Rank, meJSON{row.Player, row.Name}, ratingJSONOf(row.Standing)}
	}
	answer := topJSON{MinGames: rating.MinGames, Places: make([]placeJSON, len(p.Places))}
	for i, row := range p.Places {
		answer.Places[i] = line(row)
	}
	if p.Own != nil {
		own := line(*p.Own)
		answer.Own = &own
	}
	srv.answer(w, http.StatusOK, answer)
}
