package pages

import (
	"cmp"
	"errors"
	"net/http"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/policy"
	"mancala/lobby/rating"
	"mancala/lobby/seeks"
	"mancala/web/messages"
	"mancala/web/site"
)

// lobbyView is the lobby as the home page shows it before its socket is connected.
type lobbyView struct {
	Systems     []engine.Row // the games for two players
	Clocks, All []choice     // the clocks of pools, and of seeks
	Seeks       []seekRow
	Waits       string // the player's own seek or search, in words
	Account     bool   // the player has an account
	Rules       string // the filter of the list of seeks: a system, or "all"
	Clock       string // the same for clocks
	Script      lobbyScript
	Blank       seekRow // a row without a seek: the script fills copies of it
}

type choice struct{ Value, Text string }

type seekRow struct {
	ID, Name, Game, Clock, Counts, Range string // all in words except the ID
	Why                                  string // the reason why the player may not join it
	Own                                  bool
}

// lobbyScript is the data for the page's script: its texts and the first state of the
// lobby.
type lobbyScript struct {
	Texts map[string]any  `json:"texts"`
	Seeks []seeks.Shown   `json:"seeks"`
	Open  int             `json:"open"`
	Wait  *seeks.OwnWait  `json:"wait,omitempty"`
	Can   *policy.Ability `json:"can,omitempty"`
}

// poolClocks are few, so that more players wait for the same clock.
var poolClocks = []string{"none", "5+3", "10+5"}

// lobbyView returns the lobby as the player sees it. If a part of the lobby cannot be
// read, the page is served without it.
func (srv *Pages) lobbyView(r *http.Request, player string) *lobbyView {
	ctx, c := r.Context(), srv.Catalog(r)
	v := &lobbyView{Systems: seeks.OfTwo(), Clocks: clocks(c, poolClocks), All: clocks(c, lobby.SeekClocks)}
	look := srv.chosenView(r, v)
	var apartErr error
	look.Apart, apartErr = srv.Policy.Apart(ctx, player)
	var list []seeks.Wait
	var mine *seeks.Wait
	open := 0
	err := srv.LobbyRoom.State(ctx, func(s *seeks.State) {
		list, _ = look.Look(s, seeks.MaxShown)
		open = look.Open(s)
		if w := s.Of(player); w != nil {
			own := *w
			mine = &own
		}
	})
	shown, namesErr := srv.ShownSeeks(ctx, list)
	can, canErr := srv.Policy.Ability(ctx, player)
	if err := errors.Join(err, namesErr, apartErr, canErr); err != nil {
		lobby.Warn(srv.Log, "web: lobby not shown", err)
	}
	v.Account = can != nil
	for _, s := range shown {
		v.Seeks = append(v.Seeks, seekRow{
			s.ID, s.Name, c.Game(site.GameWords(s.Game)), c.Clock(s.Clock), site.Counts(c, s.Game), ratings(c, s.Range),
			why(c, s, can), mine != nil && mine.ID == s.ID,
		})
	}
	if mine != nil {
		key := map[bool]string{true: "lobby.finding", false: "lobby.seeking"}[mine.Pool]
		v.Waits = c.T(key, "game", site.GameWords(mine.Game), "clock", c.Clock(mine.Clock))
	}
	v.Script = lobbyScript{Texts: c.Under("lobby"), Seeks: append([]seeks.Shown{}, shown...), Open: open, Wait: mine.Own(), Can: can}
	return v
}

// chosenView returns the filter of the list of seeks, and writes it into v. It comes
// from the address, or else from the player's settings.
func (srv *Pages) chosenView(r *http.Request, v *lobbyView) *seeks.Window {
	prefs, query := srv.Prefs(r), r.URL.Query()
	chosen := func(name, pref string) string {
		value := cmp.Or(query.Get(name), prefs[pref], "all")
		if value == "all" {
			return ""
		}
		return value
	}
	f := seeks.Filter{Rules: chosen("rules", "seekgame"), Clock: chosen("clock", "seekclock")}
	if !f.Valid() {
		f = seeks.Filter{}
	}
	v.Rules, v.Clock = cmp.Or(f.Rules, "all"), cmp.Or(f.Clock, "all")
	return &seeks.Window{Filter: f}
}

// why returns in words why the player may not join a seek. It is empty if they may.
func why(c *messages.Catalog, s seeks.Shown, can *policy.Ability) string {
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

// ratings returns in words which ratings a seek accepts. It is empty if the seek
// accepts all.
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
