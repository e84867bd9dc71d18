package web

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"time"

	"mancala/engine/search/review"
	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// analysisJSON is how far the analysis of a game has come, and what was found. The
// positions are there in any case, so that moves can be tried from them.
type analysisJSON struct {
	State  string          `json:"state"` // "none", "working", "made" or "failed"
	Done   int             `json:"done"`
	All    int             `json:"all"`
	Mine   bool            `json:"mine"` // who asks has wanted it, and may give it up
	Rounds []analysedRound `json:"rounds"`
}

type analysedRound struct {
	Start     string         `json:"start"`
	Positions []string       `json:"positions"` // after each ply
	Review    *review.Review `json:"review,omitempty"`
}

// analysed is a game that is over, as watchers see it, and what was found out about it.
type analysed struct {
	story *match.Story
	found *analysis.Analysis // nil: nobody has asked
}

// analysisOf reads both.
func (srv *Server) analysisOf(r *http.Request) (*analysed, error) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return nil, room.ErrNoRoom
	}
	story, err := analysis.Story(r.Context(), srv.rooms, id, "")
	if err != nil {
		return nil, err
	}
	if story.Match.State() != "over" {
		return nil, refusal.New(analysis.CodeNotOver)
	}
	found, err := srv.Analyses.Find(r.Context(), id)
	if errors.Is(err, analysis.ErrNone) {
		err = nil
	}
	return &analysed{story, found}, err
}

// json is what pages and programs are told.
func (a *analysed) json(player string) analysisJSON {
	out := analysisJSON{State: "none", Rounds: []analysedRound{}}
	if x := a.found; x != nil {
		out.State, out.Done, out.All = "working", x.Done, x.All
		out.Mine = player != "" && player == x.Asker && !x.Made()
		switch {
		case x.Made():
			out.State = "made"
		case x.Failed:
			out.State = "failed"
		}
	}
	for i, c := range a.story.Rounds {
		round := analysedRound{Start: c.First.String(), Positions: []string{}}
		for _, s := range c.Steps {
			round.Positions = append(round.Positions, s.Position.String())
		}
		if out.State == "made" && i < len(a.found.Rounds) {
			round.Review = a.found.Rounds[i]
		}
		out.Rounds = append(out.Rounds, round)
	}
	return out
}

// wantAnalysis asks for the analysis of a game.
func (srv *Server) wantAnalysis(w http.ResponseWriter, r *http.Request) (player string, err error) {
	id, from := r.PathValue("id"), srv.address(r)
	if player, err = srv.whoActs(w, r); err != nil {
		return "", err
	}
	if found, err := srv.Analyses.Find(r.Context(), id); err == nil && !found.Failed {
		return player, nil // it costs nothing
	}
	if err := lobby.SlowDown(srv.analysisLimit.Wait(player)); err != nil {
		return "", err
	}
	if err := lobby.SlowDown(srv.analysisAddressLimit.WaitAddress(from)); err != nil {
		return "", err
	}
	_, err = srv.Analyses.Ask(r.Context(), id, player, from)
	return player, err
}

// postAnalysis is the form of the page: it asks for an analysis, or gives it up.
func (srv *Server) postAnalysis(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err == nil && form.Has("cancel") {
		player, _ := srv.whoIs(w, r)
		err = srv.Analyses.Cancel(r.Context(), r.PathValue("id"), player)
	} else if err == nil {
		_, err = srv.wantAnalysis(w, r)
	}
	if code := lobby.CodeOf(err); err != nil && code == searchpool.CodeBusy {
		http.Redirect(w, r, "/"+r.PathValue("id")+"/analysis?busy", http.StatusSeeOther)
		return
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/"+r.PathValue("id")+"/analysis", http.StatusSeeOther)
}

// apiAnalysis gives the analysis of a game, as far as it has come; POST asks for it,
// and DELETE gives up what one has asked for.
func (srv *Server) apiAnalysis(w http.ResponseWriter, r *http.Request) {
	id, status := r.PathValue("id"), http.StatusOK
	player, _ := srv.whoIs(w, r)
	err := error(nil)
	switch {
	case !lobby.ValidRoomID(id):
		err = room.ErrNoRoom
	case r.Method == http.MethodPost:
		status = http.StatusAccepted
		player, err = srv.wantAnalysis(w, r)
	case r.Method == http.MethodDelete:
		err = srv.Analyses.Cancel(r.Context(), id, player)
	}
	var a *analysed
	if err == nil {
		a, err = srv.analysisOf(r)
	}
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, status, a.json(player))
}

// annotated gives a game's records with what was found out about it.
func (srv *Server) annotated(w http.ResponseWriter, r *http.Request) {
	a, err := srv.analysisOf(r)
	if err == nil && (a.found == nil || !a.found.Made()) {
		err = room.ErrNoRoom
	}
	var names map[string]string
	if err == nil {
		names, err = srv.names(r.Context(), a.story.Match.Players())
	}
	if err != nil {
		srv.deny(w, r, err)
		return
	}
	var texts []string
	for i, rec := range a.story.Match.Records(func(player string) string { return names[player] }) {
		if i < len(a.found.Rounds) {
			review.Annotate(rec, a.found.Rounds[i])
		}
		texts = append(texts, rec.String())
	}
	giveText(w, "mancala-"+r.PathValue("id")+"-analysis.txt", strings.Join(texts, "\n"))
}

// lookedAt is what the panel of a finished game shows of its analysis.
type lookedAt struct {
	Worths [][][2]float64 // by rounds, before each ply and at the end: the seat that moves, and what the game is worth to it
	Turned string         // the sentence about where the last round turned, and
	At     int            // the ply
}

// lookedAt is that of a game; nil if nobody has asked, or if it cannot be read now.
func (srv *Server) lookedAt(ctx context.Context, c *catalog, id string, named func(seat int) string) *lookedAt {
	found, err := srv.Analyses.Find(ctx, id)
	if err != nil || !found.Made() {
		return nil
	}
	out := &lookedAt{}
	for _, r := range found.Rounds {
		var line [][2]float64
		for _, p := range r.Plies {
			line = append(line, seen(p.Worth))
		}
		out.Worths = append(out.Worths, append(line, seen(r.End)))
		out.Turned, out.At = c.turned(r, named), r.Turning
	}
	return out
}

func seen(w review.Worth) [2]float64 { return [2]float64{float64(w.Seat), math.Round(10*w.Value) / 10} }

// analysisPage is a finished game looked at closely. It reads without script: a
// sentence and a row of a table for each ply.
type analysisPage struct {
	*gamePage
	Stage    string // how far the analysis has come: the state in analysisJSON
	Done     int
	All      int
	Mine     bool
	Busy     bool // there was no room for it
	Rounds   []roundView
	Texts    map[string]any
	Position *setView // a position that somebody has set up
	Edit     editView
}

// analysis is the page.
func (srv *Server) analysis(w http.ResponseWriter, r *http.Request) {
	p, err := srv.analysisPage(w, r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	if p.Stage == "working" {
		w.Header().Set("Refresh", "3") // for who has no script; a script asks by itself
	}
	srv.render(w, r, http.StatusOK, "analysis", p)
}

func (srv *Server) analysisPage(w http.ResponseWriter, r *http.Request) (*analysisPage, error) {
	id := r.PathValue("id")
	a, err := srv.analysisOf(r)
	if err != nil {
		return nil, err
	}
	player, _ := srv.whoIs(w, r)
	view, err := srv.rooms.View(r.Context(), id, player)
	if err != nil {
		return nil, err
	}
	game, err := srv.gamePage(r, id, player, view, time.Now())
	if err != nil {
		return nil, err
	}
	m, out, t := a.story.Match, a.json(player), srv.catalog(r).t
	names, err := srv.names(r.Context(), m.Players())
	if err != nil {
		return nil, err
	}
	named := func(seat int) string { return names[m.Players()[seat]] }
	game.head.Title = t("analysis.title", "game", game.Title)
	game.head.Description = t("analysis.description", "game", game.Title)
	p := &analysisPage{
		gamePage: game, Stage: out.State, Done: out.Done, All: out.All, Mine: out.Mine, Busy: r.URL.Query().Has("busy"),
		Texts: srv.catalog(r).under("analysis"), Edit: editOf(m.Game(), m.Position(), named),
	}
	for i, round := range out.Rounds {
		if round.Review != nil {
			p.Rounds = append(p.Rounds, srv.catalog(r).roundView(i, len(out.Rounds), round.Review, named))
		}
	}
	if r.URL.Query().Has("pit") {
		err = srv.setUp(w, r, p, m.Game(), named)
	}
	return p, err
}
