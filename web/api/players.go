package api

import (
	"net/http"
	"slices"

	"mancala/lobby"
	"mancala/lobby/rating"
	"mancala/match"
	"mancala/web/site"
)

// This file is profiles and leaderboards for programs.

type playerJSON struct {
	site.MeJSON
	Since   int64      `json:"since"` // ms since 1970
	Account bool       `json:"account"`
	Against *scoreJSON `json:"against,omitempty"` // the client's score against this player
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
	Last        int64   `json:"last"` // when the last game ended, in ms since 1970
}

func ratingJSONOf(s rating.PlayerRating) ratingJSON {
	return ratingJSON{s.System, s.Speed, s.Value, s.Deviation, s.Provisional(), s.Games, s.At.UnixMilli()}
}

// apiPlayer answers with the account of that name. A guest finds only themselves.
func (srv *API) apiPlayer(w http.ResponseWriter, r *http.Request) error {
	viewer, known := srv.WhoIs(w, r)
	p, err := srv.Profiled(r.Context(), r.PathValue("name"), viewer)
	answer := playerJSON{MeJSON: site.MeJSON{ID: p.ID, Name: p.Name}, Since: p.Created.UnixMilli(), Account: !p.Guest()}
	if err == nil && known && p.ID != viewer {
		var s lobby.Score
		s, err = srv.Games.Between(r.Context(), viewer, p.ID)
		answer.Against = &scoreJSON{s.Won, s.Drawn, s.Lost}
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, answer)
}

// apiRatings answers with a player's ratings.
func (srv *API) apiRatings(w http.ResponseWriter, r *http.Request) error {
	viewer, _ := srv.WhoIs(w, r)
	p, err := srv.Profiled(r.Context(), r.PathValue("name"), viewer)
	var ratings []rating.PlayerRating
	if err == nil {
		ratings, err = srv.Ratings.All(r.Context(), p.ID)
	}
	if err != nil {
		return err
	}
	list := make([]ratingJSON, len(ratings))
	for i, s := range ratings {
		list[i] = ratingJSONOf(s)
	}
	return srv.Answer(w, http.StatusOK, list)
}

type pastJSON struct {
	Room     string        `json:"room"`
	Title    string        `json:"title"`
	System   string        `json:"system,omitempty"`
	Rated    bool          `json:"rated"`
	Seat     int           `json:"seat"`
	Outcome  string        `json:"outcome"`
	Finished int64         `json:"finished"`
	Others   []site.MeJSON `json:"others"`
}

type pastListJSON struct {
	Games []pastJSON `json:"games"`
	Next  string     `json:"next,omitempty"` // the value of ?before= for the next page
}

// apiPast lists the finished games of a player that the client may see, the latest
// first.
func (srv *API) apiPast(w http.ResponseWriter, r *http.Request) error {
	viewer, _ := srv.WhoIs(w, r)
	q := r.URL.Query()
	f := site.FilterOf(q)
	for name, taken := range map[string]bool{"system": f.System != "", "result": f.Result != "", "rated": f.Rated != "", "before": f.Before.Room != ""} {
		if q.Get(name) != "" && !taken {
			return site.ErrBadFrame
		}
	}
	p, err := srv.Profiled(r.Context(), r.PathValue("name"), viewer)
	var games []lobby.Past
	if err == nil {
		games, err = srv.Games.Past(r.Context(), p.ID, f.Chosen(viewer), site.PastListed+1)
	}
	answer := pastListJSON{Games: []pastJSON{}}
	if len(games) > site.PastListed {
		games = games[:site.PastListed]
		answer.Next = site.PlaceText(games[site.PastListed-1].Finished, games[site.PastListed-1].Room)
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
		return err
	}
	for _, g := range games {
		row := pastJSON{g.Room, g.Title, g.System, g.Rated, g.Seat, site.OutcomeNames[g.Outcome], g.Finished.UnixMilli(), []site.MeJSON{}}
		for _, id := range g.Others {
			row.Others = append(row.Others, site.MeJSON{ID: id, Name: names[id]})
		}
		answer.Games = append(answer.Games, row)
	}
	return srv.Answer(w, http.StatusOK, answer)
}

type boardListJSON struct {
	System string `json:"system"`
	Speed  string `json:"speed"`
	People int    `json:"people"`
}

// apiTops lists the leaderboards that have players.
func (srv *API) apiTops(w http.ResponseWriter, r *http.Request) error {
	boards, err := srv.Ratings.Boards(r.Context())
	if err != nil {
		return err
	}
	list := make([]boardListJSON, len(boards))
	for i, b := range boards {
		list[i] = boardListJSON(b)
	}
	return srv.Answer(w, http.StatusOK, list)
}

type placeJSON struct {
	Rank int `json:"rank"` // from 1; 0: not on the leaderboard
	site.MeJSON
	ratingJSON
}

type topJSON struct {
	MinGames int         `json:"minGames"`
	Places   []placeJSON `json:"places"`
	Own      *placeJSON  `json:"own,omitempty"`
}

// apiTop answers with a leaderboard. If the client is not among its places, the answer
// has the client's own line too.
func (srv *API) apiTop(w http.ResponseWriter, r *http.Request) error {
	p := site.Leaderboard{System: r.PathValue("system"), Speed: r.PathValue("speed")}
	if !site.IsOfTwo(p.System) || !slices.Contains(match.Speeds, p.Speed) {
		return site.ErrNoPath
	}
	viewer, _ := srv.WhoIs(w, r)
	if err := srv.Places(r, &p, viewer); err != nil {
		return err
	}
	line := func(row site.PlaceRow) placeJSON {
		return placeJSON{row.Rank, site.MeJSON{ID: row.Player, Name: row.Name}, ratingJSONOf(row.PlayerRating)}
	}
	answer := topJSON{MinGames: rating.MinGames, Places: make([]placeJSON, len(p.Places))}
	for i, row := range p.Places {
		answer.Places[i] = line(row)
	}
	if p.Own != nil {
		own := line(*p.Own)
		answer.Own = &own
	}
	return srv.Answer(w, http.StatusOK, answer)
}
