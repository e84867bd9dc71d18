package pages

import (
	"net/http"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/web/messages"
	"mancala/web/site"
)

// postAnalysis handles the form of the analysis page. It requests an analysis or
// cancels it.
func (srv *Pages) postAnalysis(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err == nil && form.Has("cancel") {
		player, _ := srv.WhoIs(w, r)
		err = srv.Analyses.Cancel(r.Context(), r.PathValue("id"), player)
	} else if err == nil {
		_, err = srv.WantAnalysis(w, r)
	}
	if code := lobby.CodeOf(err); err != nil && code == searchpool.CodeBusy {
		http.Redirect(w, r, "/"+r.PathValue("id")+"/analysis?busy", http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/"+r.PathValue("id")+"/analysis", http.StatusSeeOther)
	return nil
}

// analysisPage is the page with the analysis of a finished game. It is complete without
// script: each ply has a sentence and a row of a table.
type analysisPage struct {
	*gamePage
	Stage    string // "none", "working", "made" or "failed", as in the API
	Done     int
	All      int
	Mine     bool
	Busy     bool // the request was refused since the server is busy
	Rounds   []roundView
	Texts    map[string]any
	Position *setView // the position that the reader has set up
	Edit     editView
}

// analysis serves the analysis page.
func (srv *Pages) analysis(w http.ResponseWriter, r *http.Request) error {
	p, err := srv.analysisPage(w, r)
	if err != nil {
		return err
	}
	return srv.render(w, r, http.StatusOK, "analysis", p)
}

func (srv *Pages) analysisPage(w http.ResponseWriter, r *http.Request) (*analysisPage, error) {
	id := r.PathValue("id")
	a, err := srv.AnalysisOf(r)
	if err != nil {
		return nil, err
	}
	player, _ := srv.WhoIs(w, r)
	view, err := srv.game(r.Context(), id, player)
	if err != nil {
		return nil, err
	}
	game, err := srv.gamePage(r, id, player, "", view)
	if err != nil {
		return nil, err
	}
	m, out, t := a.Story.Match, a.JSON(player), srv.Catalog(r).T
	names, err := srv.NamesIn(r.Context(), srv.Catalog(r), m.Players())
	if err != nil {
		return nil, err
	}
	named := func(seat int) string { return names[m.Players()[seat]] }
	game.head.Title = t("analysis.title", "game", game.Title)
	game.head.Description = t("analysis.description", "game", game.Title)
	p := &analysisPage{
		gamePage: game, Stage: out.State, Done: out.Done, All: out.All, Mine: out.Mine, Busy: r.URL.Query().Has("busy"),
		Texts: srv.Catalog(r).Under("analysis"), Edit: editOf(m.Game(), m.Position(), named),
	}
	sides := int(m.Game().Shape().Sides)
	for i, round := range out.Rounds {
		if round.Review != nil {
			p.Rounds = append(p.Rounds, showRound(srv.Catalog(r), m.Game().Rules(), i, len(out.Rounds), round.Review, named, viewpoint{max(0, game.As) % sides, sides}))
		}
	}
	if r.URL.Query().Has("pit") {
		var at *engine.Position
		if p.Position, at, err = srv.setUp(w, r, m.Game(), named); at != nil {
			p.Edit, p.Board = editOf(m.Game(), *at, named), boardSetUp(srv.Catalog(r), p.head.Title, m.Game(), *at, named)
		}
	}
	return p, err
}

// boardSetUp returns the board with a position that the reader has set up.
func boardSetUp(c *messages.Catalog, title string, g *engine.Game, p engine.Position, named func(seat int) string) boardView {
	shape, b, state := g.Shape(), match.BoardOf(p), "live"
	if p.Phase == engine.Over {
		state = "over"
	}
	return showBoard(c, &match.Public{
		Shape: [3]int{int(shape.Sides), int(shape.Partners), int(shape.Pits)}, Title: title, State: state,
		Pits: b.Pits, Stores: b.Stores, Marks: b.Marks,
	}, g.Rules(), 0, named)
}
