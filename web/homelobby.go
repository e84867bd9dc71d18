package web

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/lobby/seeks"
	"mancala/match"
)

// lobbyView is the lobby as the home page shows it before its socket does.
type lobbyView struct {
	Systems     []engine.Row // games of two
	Clocks, All []choice     // of pools, and of seeks
	Seeks       []seekRow
	Waits       string // what this person waits for, in words
	Script      lobbyScript
}

type choice struct{ Value, Text string }

type seekRow struct {
	ID, Name, Game, Clock string // the last two in words
	Own                   bool
}

// Blank is a row without a seek, for the script to fill.
func (lobbyView) Blank() seekRow { return seekRow{} }

// lobbyScript is what the page's script needs: texts, and the list to begin with.
type lobbyScript struct {
	Texts map[string]any `json:"texts"`
	Seeks []seekShown    `json:"seeks"`
	Open  int            `json:"open"`
	Wait  *waitShown     `json:"wait,omitempty"`
}

// Few clocks for pools, so that people meet.
var (
	poolClocks = []string{"none", "5+3", "10+5"}
	seekClocks = []string{"none", "3+2", "5+3", "10+5", "30+10", "3/move"}
)

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
		(clock == "" || slices.Contains(seekClocks, clock))
}

// lobbyView looks into the lobby. Without it the page is there all the same.
func (srv *Server) lobbyView(ctx context.Context, player string) *lobbyView {
	v := &lobbyView{Systems: ofTwo(), Clocks: srv.clocks(poolClocks), All: srv.clocks(seekClocks)}
	var state seeks.State
	view, err := srv.house.View(ctx, seeks.Room, "")
	if err == nil {
		err = json.Unmarshal(view.Snapshot, &state)
	}
	open := state.Open()
	apart, apartErr := srv.Circle.ApartFrom(ctx, player)
	open = slices.DeleteFunc(open, func(w seeks.Wait) bool { return slices.Contains(apart, w.Player) })
	newest := open[max(0, len(open)-maxShown):]
	list := make([]seeks.Wait, len(newest))
	for i, w := range newest {
		list[len(newest)-1-i] = w
	}
	shown, namesErr := srv.shownSeeks(ctx, list)
	if err := errors.Join(err, namesErr, apartErr); err != nil {
		srv.log.Warn("web: lobby not shown", "err", err)
	}
	mine := state.Of(player)
	for _, s := range shown {
		v.Seeks = append(v.Seeks, seekRow{s.ID, s.Name, gameWords(s.Game), srv.clockWords(s.Clock), mine != nil && mine.ID == s.ID})
	}
	if mine != nil {
		key := map[bool]string{true: "lobby.finding", false: "lobby.seeking"}[mine.Pool]
		v.Waits = srv.messages.t(key, "game", gameWords(mine.Game), "clock", srv.clockWords(mine.Clock))
	}
	v.Script = lobbyScript{Texts: srv.messages.under("lobby"), Seeks: append([]seekShown{}, shown...), Open: len(open), Wait: showWait(mine)}
	return v
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

func (srv *Server) clocks(list []string) (choices []choice) {
	for _, text := range list {
		choices = append(choices, choice{text, srv.clockWords(text)})
	}
	return choices
}

// clockWords says a clock: "5 minutes, 3 s added a turn".
func (srv *Server) clockWords(text string) string {
	t := srv.messages.t
	if text == "none" {
		return t("clock.none")
	}
	if days, ok := strings.CutSuffix(text, "/move"); ok {
		return t("clock.days", "n", days)
	}
	if minutes, seconds, ok := strings.Cut(text, "+"); ok {
		return t("clock.fischer", "n", minutes, "seconds", seconds)
	}
	minutes, seconds, _ := strings.Cut(text, "d")
	return t("clock.delay", "n", minutes, "seconds", seconds)
}
