package site

import (
	"errors"
	"math"
	"net/http"
	"strings"
	"time"

	"mancala/engine"
	"mancala/engine/search/review"
	"mancala/lobby"
	"mancala/lobby/address"
	"mancala/lobby/analysis"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// analysisJSON is the progress and the result of a game's analysis. It has the
// positions in any state, so that a page can try moves from them.
type analysisJSON struct {
	State  string          `json:"state"` // "none", "working", "made" or "failed"
	Done   int             `json:"done"`
	All    int             `json:"all"`
	Mine   bool            `json:"mine"` // the reader has asked for it and may cancel it
	Rounds []analysedRound `json:"rounds"`
}

type analysedRound struct {
	Start     string         `json:"start"`
	Positions []string       `json:"positions"` // after each ply
	Review    *review.Review `json:"review,omitempty"`
}

// Analysed is a finished game as watchers see it, with its analysis.
type Analysed struct {
	Story *match.Story
	found *analysis.Analysis // nil: no analysis was asked for
}

// AnalysisOf reads a finished game and its analysis.
func (srv *Site) AnalysisOf(r *http.Request) (*Analysed, error) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return nil, room.ErrNoRoom
	}
	if err := srv.mayReplay(r); err != nil {
		return nil, err
	}
	story, err := srv.story(r.Context(), id, "")
	if err != nil {
		return nil, err
	}
	if !story.Match.Over() {
		return nil, refusal.New(analysis.CodeNotOver)
	}
	found, err := srv.Analyses.Find(r.Context(), id)
	if errors.Is(err, analysis.ErrNone) {
		err = nil
	}
	return &Analysed{story, found}, err
}

// JSON returns the form that pages and programs get.
func (a *Analysed) JSON(player string) analysisJSON {
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
	for i, c := range a.Story.Rounds {
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

// WantAnalysis requests the analysis of a game for the player who acts. An analysis
// that already exists counts against no limit.
func (srv *Site) WantAnalysis(w http.ResponseWriter, r *http.Request) (player string, err error) {
	id, from := r.PathValue("id"), srv.Address(r)
	if player, err = srv.WhoActs(w, r); err != nil {
		return "", err
	}
	if err := srv.MayAskEngine(r, player); err != nil {
		return "", err
	}
	if found, err := srv.Analyses.Find(r.Context(), id); err == nil && !found.Failed {
		return player, nil // no new work
	}
	if err := lobby.SlowDown(srv.Limit(LimitAnalyses).Wait(player)); err != nil {
		return "", err
	}
	if err := lobby.SlowDown(srv.Limit(LimitAnalysesPerAddress).WaitAddress(from)); err != nil {
		return "", err
	}
	_, err = srv.Analyses.Ask(r.Context(), id, player, from)
	return player, err
}

// Annotated answers with a game's records, annotated with its analysis.
func (srv *Site) Annotated(w http.ResponseWriter, r *http.Request) error {
	a, err := srv.AnalysisOf(r)
	if err == nil && (a.found == nil || !a.found.Made()) {
		err = room.ErrNoRoom
	}
	var names map[string]string
	if err == nil {
		names, err = srv.Names(r.Context(), a.Story.Match.Players())
	}
	if err != nil {
		return err
	}
	var texts []string
	for i, rec := range a.Story.Match.Records(func(player string) string { return names[player] }) {
		if i < len(a.found.Rounds) {
			review.Annotate(rec, a.found.Rounds[i])
		}
		texts = append(texts, rec.String())
	}
	giveText(w, "mancala-"+r.PathValue("id")+"-analysis.txt", strings.Join(texts, "\n"))
	return nil
}

// Seen returns a worth as a seat and a value rounded to one decimal.
func Seen(w review.Worth) [2]float64 { return [2]float64{float64(w.Seat), math.Round(10*w.Value) / 10} }

// WorthOf has the search pool analyse a position.
func (srv *Site) WorthOf(w http.ResponseWriter, r *http.Request, g *engine.Game, p engine.Position) (*review.Ply, error) {
	who, _ := srv.WhoIs(w, r)
	from := srv.Address(r)
	if err := srv.MayAskEngine(r, who); err != nil {
		return nil, err
	}
	wait := func() time.Duration { return srv.Limit(LimitLooks).Wait(who) }
	if who == "" { // people without an identity take turns, and are counted, by network
		who = address.Network(from).String()
		wait = func() time.Duration { return srv.Limit(LimitLooks).WaitAddress(from) }
	}
	if err := lobby.SlowDown(wait()); err != nil {
		return nil, err
	}
	ply, err := srv.Analyses.Look(r.Context(), g, p, who, from)
	return &ply, err
}

// MayAskEngine refuses an engine's answer to a player, or to a device on which a player
// has signed in, while the player plays a rated game. player may be empty.
func (srv *Site) MayAskEngine(r *http.Request, player string) error {
	players := []string{player}
	for _, d := range srv.devices(r) {
		players = append(players, d.Player)
	}
	srv.Gamelist.Flush() // a game that has just begun is in the list
	return srv.Policy.MayAskEngine(r.Context(), players)
}
