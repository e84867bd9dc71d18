package api

import (
	"net/http"
	"slices"
	"strconv"

	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/web/site"
)

// This file reads tournaments. A page reads what a socket of the tournament's room does not send:
// the names of players who have joined, and the whole standings.

type namesJSON struct {
	Names   map[string]string `json:"names"`
	Deleted []string          `json:"deleted,omitempty"` // pages name them in their language
}

// apiNames answers with the names of the hosts and of the players from a number on.
func (srv *API) apiNames(w http.ResponseWriter, r *http.Request) error {
	from, err := numberIn(r, "from")
	if err != nil {
		return err
	}
	person, _ := srv.WhoIs(w, r)
	names, deleted, err := srv.Hosting.NamesFrom(r.Context(), r.PathValue("id"), person, from)
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, namesJSON{names, deleted})
}

// standingsJSON is the standings after one entry of the tournament's room.
type standingsJSON struct {
	Room   string          `json:"room"`
	Seq    uint64          `json:"seq"`
	Breaks []string        `json:"breaks"` // the codes of the tie-breaks, in their order
	Rows   []site.TableRow `json:"rows"`
}

// standingJSON is one player's row with explanations.
type standingJSON struct {
	Room   string             `json:"room"`
	Seq    uint64             `json:"seq"`
	Place  int                `json:"place"`
	Number int                `json:"n"`
	Points int                `json:"points"`
	Breaks []tournament.Break `json:"breaks"`
}

// apiStandings answers with the standings, or with one player's row and how it comes about.
func (srv *API) apiStandings(w http.ResponseWriter, r *http.Request) error {
	player, err := numberIn(r, "player")
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	table, err := srv.Hosting.Standings(r.Context(), id)
	if err != nil {
		return err
	}
	if player > 0 {
		i := slices.IndexFunc(table.Rows, func(s tournament.Standing) bool { return s.Number == player })
		if i < 0 {
			return refusal.New(tournament.CodeNotEntered)
		}
		s := table.Rows[i]
		return srv.Answer(w, http.StatusOK, standingJSON{id, table.Seq, s.Place, s.Number, s.Points, append([]tournament.Break{}, s.Breaks...)})
	}
	answer := standingsJSON{Room: id, Seq: table.Seq, Breaks: []string{}, Rows: site.TableRows(table)}
	if len(table.Rows) > 0 {
		for _, b := range table.Rows[0].Breaks {
			answer.Breaks = append(answer.Breaks, b.Code)
		}
	}
	return srv.Answer(w, http.StatusOK, answer)
}

// numberIn returns a number of the query, or 0 if it is not there.
func numberIn(r *http.Request, name string) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, site.ErrBadFrame
	}
	return n, nil
}
