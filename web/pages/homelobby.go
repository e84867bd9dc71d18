package pages

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/web/live"
	"mancala/web/messages"
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
	Texts map[string]any   `json:"texts"`
	Seeks []live.SeekShown `json:"seeks"`
	Open  int              `json:"open"`
	Wait  *live.WaitShown  `json:"wait,omitempty"`
	Can   *policy.Ability  `json:"can,omitempty"`
}

// Few clocks for pools, so that people meet.
var poolClocks = []string{"none", "5+3", "10+5"}

// lobbyView looks into the lobby. Without it the page is there all the same.
func (srv *Pages) lobbyView(r *http.Request, player string) *lobbyView {
	ctx, c := r.Context(), srv.Catalog(r)
	v := &lobbyView{Systems: live.OfTwo(), Clocks: clocks(c, poolClocks), All: clocks(c, lobby.SeekClocks)}
	look := srv.chosenView(r, v)
	var state seeks.State
	view, err := srv.Rooms.View(ctx, seeks.Room, "")
	if err == nil {
		err = json.Unmarshal(view.Snapshot, &state)
	}
	var apartErr error
	look.Apart, apartErr = srv.Policy.Apart(ctx, player)
	list, _ := look.Look(&state, live.MaxShown)
	shown, namesErr := srv.live.ShownSeeks(ctx, list)
	can, canErr := srv.Policy.Ability(ctx, player)
	if err := errors.Join(err, namesErr, apartErr, canErr); err != nil {
		lobby.Warn(srv.Log, "web: lobby not shown", err)
	}
	v.Account = can != nil
	mine := state.Of(player)
	for _, s := range shown {
		v.Seeks = append(v.Seeks, seekRow{
			s.ID, s.Name, live.GameWords(s.Game), c.Clock(s.Clock), live.Counts(c, s.Game), ratings(c, s.Range),
			why(c, s, can), mine != nil && mine.ID == s.ID,
		})
	}
	if mine != nil {
		key := map[bool]string{true: "lobby.finding", false: "lobby.seeking"}[mine.Pool]
		v.Waits = c.T(key, "game", live.GameWords(mine.Game), "clock", c.Clock(mine.Clock))
	}
	v.Script = lobbyScript{Texts: c.Under("lobby"), Seeks: append([]live.SeekShown{}, shown...), Open: look.Open(&state), Wait: live.ShowWait(mine), Can: can}
	return v
}

// chosenView is the seeks that somebody wants to see: as the address says, or else
// as he has chosen before.
func (srv *Pages) chosenView(r *http.Request, v *lobbyView) *live.View {
	prefs, query := srv.Prefs(r), r.URL.Query()
	chosen := func(name, pref string) string {
		value := cmp.Or(query.Get(name), prefs[pref], "all")
		if value == "all" {
			return ""
		}
		return value
	}
	f := live.Filter{Rules: chosen("rules", "seekgame"), Clock: chosen("clock", "seekclock")}
	if !live.IsFilter(f.Rules, f.Clock) {
		f = live.Filter{}
	}
	v.Rules, v.Clock = cmp.Or(f.Rules, "all"), cmp.Or(f.Clock, "all")
	return &live.View{Filter: f}
}

// why says why somebody may not join a seek; empty if he may.
func why(c *messages.Catalog, s live.SeekShown, can *policy.Ability) string {
	w := seeks.Wait{Game: s.Game, Range: s.Range}
	f := seeks.Facts{Account: can != nil}
	if can != nil {
		f.Rating = cmp.Or(can.Ratings[s.In], rating.New.Rounded())
	}
	if err := w.May(f); err != nil {
		return c.T("lobby." + string(lobby.CodeOf(err)))
	}
	return ""
}

// ratings says which ratings are wanted; empty if all are.
func ratings(c *messages.Catalog, r seeks.Range) string {
	switch {
	case r == seeks.Range{}:
		return ""
	case r.High == 0:
		return c.T("lobby.range.low", "low", r.Low)
	case r.Low == 0:
		return c.T("lobby.range.high", "high", r.High)
	}
	return c.T("lobby.range", "low", r.Low, "high", r.High)
}

func clocks(c *messages.Catalog, list []string) (choices []choice) {
	for _, text := range list {
		choices = append(choices, choice{text, c.Clock(text)})
	}
	return choices
}
