package desk

import (
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/web/messages"
	"mancala/web/pages"
	"mancala/web/site"
)

// screenPage is the projector of a tournament (UX.md §9). Everybody may open it.
type screenPage struct {
	pages.Head
	hallView
	Texts map[string]any
	Hall  template.JS
}

// themes are those that the address of a projector can name.
var themes = []string{"light", "dark", "contrast", "wood"}

// screen serves the projector's page. With ?theme=dark or ?theme=light it has that theme, since a
// projector has no settings of its own.
func (srv *Pages) screen(w http.ResponseWriter, r *http.Request) error {
	hall, err := srv.Hall(r, "")
	if err != nil {
		return err
	}
	c := srv.Catalog(r)
	p := screenPage{Head: srv.NewHead(r, c.T("desk.screen.title", "name", hall.State.Settings.Name), ""), hallView: srv.hallView(r, hall), Texts: textsOf(c)}
	if theme := r.URL.Query().Get("theme"); slices.Contains(themes, theme) {
		p.Prefs = site.Attributes(lobby.Prefs{"theme": theme})
	}
	if p.Hall, err = hallData(hall, ""); err != nil {
		return err
	}
	return srv.Render(w, r, http.StatusOK, "screen", p)
}

// posterPage is a sheet with the code with which people join.
type posterPage struct {
	pages.Head
	hallView
}

// poster serves the poster, which a browser prints on one sheet.
func (srv *Pages) poster(w http.ResponseWriter, r *http.Request) error {
	hall, _, err := srv.hosted(w, r)
	if err != nil {
		return err
	}
	p := posterPage{Head: srv.NewHead(r, srv.Catalog(r).T("desk.poster.title", "name", hall.State.Settings.Name), ""), hallView: srv.hallView(r, hall)}
	return srv.Render(w, r, http.StatusOK, "poster", p)
}

// sheetPage is what a host prints: a certificate for each player, or the pairings of a round.
type sheetPage struct {
	pages.Head
	hallView
	Heading      string
	Certificates []certificate
	Boards       []printedBoard
	Unplayed     bool // a player of a board did not come
}

// A certificate is the sheet of one player, with their place.
type certificate struct {
	Place  int
	Name   string
	Points string // empty: the format counts none
}

// A printedBoard is a line of the list of pairings.
type printedBoard struct {
	Number               int
	First, Second, Score string // Second is empty: First has the bye
}

// certificates serves a sheet for each player, or for the best with ?top=3.
func (srv *Pages) certificates(w http.ResponseWriter, r *http.Request) error {
	hall, _, err := srv.hosted(w, r)
	if err != nil {
		return err
	}
	c := srv.Catalog(r)
	p := sheetPage{Head: srv.NewHead(r, c.T("desk.certificates.title", "name", hall.State.Settings.Name), ""), hallView: srv.hallView(r, hall)}
	p.Heading = c.T("desk.certificates")
	top, err := strconv.Atoi(r.URL.Query().Get("top"))
	if err != nil || top < 1 {
		top = tournament.MaxPlayers
	}
	for _, row := range hall.State.Standings() {
		if row.Place > top {
			break
		}
		p.Certificates = append(p.Certificates, certificate{row.Place, pages.PlayerName(c, hall, row.Number), pointsOf(c, &hall.State, row)})
	}
	return srv.Render(w, r, http.StatusOK, "sheet", p)
}

// pointsOf returns the points of a row of the standings in words, with the number of rounds if the tournament is
// in rounds. All waves of an arena are one round of the state.
func pointsOf(c *messages.Catalog, s *tournament.State, row tournament.Standing) string {
	switch {
	case s.Settings.Format == tournament.Knockout:
		return ""
	case s.InWaves():
		return c.T("desk.points.n", "n", c.Tenths(row.Points))
	}
	return c.T("desk.certificate.points", "n", c.Tenths(row.Points), "rounds", len(s.Rounds))
}

// pairingList serves the pairings of a round to print: the last one, or that of ?round=2.
func (srv *Pages) pairingList(w http.ResponseWriter, r *http.Request) error {
	hall, _, err := srv.hosted(w, r)
	if err != nil {
		return err
	}
	round := len(hall.State.Rounds)
	if asked := r.URL.Query().Get("round"); asked != "" {
		round, err = strconv.Atoi(asked)
	}
	if err != nil || round < 1 || round > len(hall.State.Rounds) {
		return refusal.New(tournament.CodeNoRound)
	}
	c := srv.Catalog(r)
	p := sheetPage{Head: srv.NewHead(r, c.T("desk.pairings.title", "name", hall.State.Settings.Name, "round", round), ""), hallView: srv.hallView(r, hall)}
	p.Heading = c.T("desk.pairings.of", "round", round)
	for _, b := range hall.State.Rounds[round-1] {
		line := printedBoard{Number: b.Number, First: pages.PlayerName(c, hall, b.First), Score: site.ResultFigures[b.Result]}
		if b.Second != 0 {
			line.Second = pages.PlayerName(c, hall, b.Second)
		}
		p.Boards = append(p.Boards, line)
		p.Unplayed = p.Unplayed || site.Unplayed(b.Result)
	}
	return srv.Render(w, r, http.StatusOK, "sheet", p)
}
