package pages

import (
	"context"
	"net/http"

	"mancala/lobby"
	"mancala/lobby/searchpool"
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

// lookedAt is the summary of an analysis in the panel of a finished game.
type lookedAt struct {
	Worths [][][2]float64 // by round, before each ply and at the end: the seat to move, and what the game is worth to it
	Turned string         // the sentence about the ply at which the last round turned
	At     int            // the number of that ply
}

// lookedAt returns the summary for a game. It is nil if the game has no finished
// analysis, or if the analysis cannot be read now.
func (srv *Pages) lookedAt(ctx context.Context, c *messages.Catalog, id string, named func(seat int) string) *lookedAt {
	found, err := srv.Analyses.Find(ctx, id)
	if err != nil || !found.Made() {
		return nil
	}
	out := &lookedAt{}
	for _, r := range found.Rounds {
		var line [][2]float64
		for _, p := range r.Plies {
			line = append(line, site.Seen(p.Worth))
		}
		out.Worths = append(out.Worths, append(line, site.Seen(r.End)))
		out.Turned, out.At = turned(c, r, named), r.Turning
	}
	return out
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
	if p.Stage == "working" {
		w.Header().Set("Refresh", "3") // for browsers without script; the script polls
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
	view, err := srv.Rooms.View(r.Context(), id, player)
	if err != nil {
		return nil, err
	}
	game, err := srv.gamePage(r, id, player, view)
	if err != nil {
		return nil, err
	}
	m, out, t := a.Story.Match, a.Json(player), srv.Catalog(r).T
	names, err := srv.Names(r.Context(), m.Players())
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
			p.Rounds = append(p.Rounds, showRound(srv.Catalog(r), i, len(out.Rounds), round.Review, named, viewpoint{max(0, game.As) % sides, sides}))
		}
	}
	if r.URL.Query().Has("pit") {
		err = srv.setUp(w, r, p, m.Game(), named)
	}
	return p, err
}
