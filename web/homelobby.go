package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/match"
)

// lobbyView is the lobby as the home page shows it before its socket does.
type lobbyView struct {
	Systems     []engine.Row // games of two
	Clocks, All []choice     // of pools, and of seeks
	Seeks       []seekRow
	Waits       string // what this person waits for, in words
	Account     bool   // he has one
	Rules       string // which seeks are shown; "all"
	Clock       string
	Script      lobbyScript
}

type choice struct{ Value, Text string }

type seekRow struct {
	ID, Name, Game, Clock, Counts, Range string // all but the ID in words
	Why                                  string // he may not join it
	Own                                  bool
}

// Blank is a row without a seek, for the script to fill.
func (lobbyView) Blank() seekRow { return seekRow{} }

// lobbyScript is what the page's script needs: texts, and the list to begin with.
type lobbyScript struct {
	Texts map[string]any  `json:"texts"`
	Seeks []seekShown     `json:"seeks"`
	Open  int             `json:"open"`
	Wait  *waitShown      `json:"wait,omitempty"`
	Can   *policy.Ability `json:"can,omitempty"`
}

// Few clocks for pools, so that people meet.
var poolClocks = []string{"none", "5+3", "10+5"}

// ofTwo are the games that two play.
var ofTwo = sync.OnceValue(func() (rows []engine.Row) {
	for _, row := range engine.Systems {
		if n, err := (match.Settings{Rules: row.Name}).Seats(); err == nil && n == 2 {
			rows = append(rows, row)
		}
	}
	return rows
})

// isFilter says whether seeks can be chosen so: by a game and a clock, or by none.
func isFilter(rules, clock string) bool {
	return (rules == "" || slices.ContainsFunc(ofTwo(), func(row engine.Row) bool { return row.Name == rules })) &&
		(clock == "" || slices.Contains(lobby.SeekClocks, clock))
}

// lobbyView looks into the lobby. Without it the page is there all the same.
func (srv *Server) lobbyView(r *http.Request, player string) *lobbyView {
	ctx, c := r.Context(), srv.catalog(r)
	v := &lobbyView{Systems: ofTwo(), Clocks: c.clocks(poolClocks), All: c.clocks(lobby.SeekClocks)}
	look := srv.chosenView(r, v)
	var state seeks.State
	view, err := srv.rooms.View(ctx, seeks.Room, "")
	if err == nil {
		err = json.Unmarshal(view.Snapshot, &state)
	}
	var apartErr error
	look.apart, apartErr = srv.Policy.Apart(ctx, player)
	list, _ := look.look(&state, maxShown)
	shown, namesErr := srv.shownSeeks(ctx, list)
	can, canErr := srv.Policy.Ability(ctx, player)
	if err := errors.Join(err, namesErr, apartErr, canErr); err != nil {
		lobby.Warn(srv.log, "web: lobby not shown", err)
	}
	v.Account = can != nil
	mine := state.Of(player)
	for _, s := range shown {
		v.Seeks = append(v.Seeks, seekRow{
			s.ID, s.Name, gameWords(s.Game), c.clock(s.Clock), c.counts(s.Game), c.ratings(s.Range),
			c.why(s, can), mine != nil && mine.ID == s.ID,
		})
	}
	if mine != nil {
		key := map[bool]string{true: "lobby.finding", false: "lobby.seeking"}[mine.Pool]
		v.Waits = c.t(key, "game", gameWords(mine.Game), "clock", c.clock(mine.Clock))
	}
	v.Script = lobbyScript{Texts: c.under("lobby"), Seeks: append([]seekShown{}, shown...), Open: look.open(&state), Wait: showWait(mine), Can: can}
	return v
}

// chosenView is the seeks that somebody wants to see: as the address says, or else
// as he has chosen before.
func (srv *Server) chosenView(r *http.Request, v *lobbyView) *view {
	prefs, query := srv.prefs(r), r.URL.Query()
	chosen := func(name, pref string) string {
		value := cmp.Or(query.Get(name), prefs[pref], "all")
		if value == "all" {
			return ""
		}
		return value
	}
	f := filter{rules: chosen("rules", "seekgame"), clock: chosen("clock", "seekclock")}
	if !isFilter(f.rules, f.clock) {
		f = filter{}
	}
	v.Rules, v.Clock = cmp.Or(f.rules, "all"), cmp.Or(f.clock, "all")
	return &view{filter: f}
}

// why says why somebody may not join a seek; empty if he may.
func (c *catalog) why(s seekShown, can *policy.Ability) string {
	w := seeks.Wait{Game: s.Game, Range: s.Range}
	f := seeks.Facts{Account: can != nil}
	if can != nil {
		f.Rating = cmp.Or(can.Ratings[s.In], rating.New.Rounded())
	}
	if err := w.May(f); err != nil {
		return c.t("lobby." + string(lobby.CodeOf(err)))
	}
	return ""
}

// ratings says which ratings are wanted; empty if all are.
func (c *catalog) ratings(r seeks.Range) string {
	switch {
	case r == seeks.Range{}:
		return ""
	case r.High == 0:
		return c.t("lobby.range.low", "low", r.Low)
	case r.Low == 0:
		return c.t("lobby.range.high", "high", r.High)
	}
	return c.t("lobby.range", "low", r.Low, "high", r.High)
}

// gameWords is what a game is called: "Kalah, seeds=5".
func gameWords(g seeks.Game) string {
	words := g.Rules
	for _, row := range engine.Systems {
		if row.Name == g.Rules {
			words = row.Title
		}
	}
	if g.Options != "" {
		words += ", " + g.Options
	}
	return words
}

func (c *catalog) clocks(list []string) (choices []choice) {
	for _, text := range list {
		choices = append(choices, choice{text, c.clock(text)})
	}
	return choices
}
