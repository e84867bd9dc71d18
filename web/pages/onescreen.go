package pages

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/match"
	localgame "mancala/web/local"
)

// herePage is the page at /here, for a game of two at one screen.
type herePage struct {
	head
	Systems        []engine.Row
	Rules, Options string
	Name           string // a guest's own name, or that of the account
	Turns          []prefView
	MaxName        int
}

// isForTwo reports whether two people can play a system.
func isForTwo(row engine.Row) bool {
	rules, ok := engine.System(row.Name)
	return ok && rules.Sides*rules.Partners == 2
}

// systemsForTwo are the games that two people can play.
func systemsForTwo() []engine.Row {
	return slices.DeleteFunc(slices.Clone(engine.Systems), func(row engine.Row) bool { return !isForTwo(row) })
}

// HerePage serves the page at /here.
func (srv *Pages) HerePage(w http.ResponseWriter, r *http.Request) error {
	t, q := srv.Catalog(r).T, r.URL.Query()
	p := herePage{
		head: srv.head(r, t("together.title"), t("together.description")), Systems: systemsForTwo(), MaxName: lobby.MaxName,
		Rules: q.Get("rules"), Options: strings.TrimSpace(q.Get("options")), Turns: prefViews(srv.Prefs(r), []string{turnsPref}), Name: srv.ownName(w, r),
	}
	return srv.render(w, r, http.StatusOK, "here", p)
}

// ownName returns the name of the client, or "" without an identity.
func (srv *Pages) ownName(w http.ResponseWriter, r *http.Request) string {
	player, ok := srv.WhoIs(w, r)
	if !ok {
		return ""
	}
	names, err := srv.People.Names(r.Context(), []string{player})
	if err != nil {
		lobby.Warn(srv.Log, "web: name not read", err)
	}
	return names[player]
}

// localPage is the page at /local, for every game that is played without a server. The page is the same
// for all of them, so that a browser can keep it. Its script fills the game in.
type localPage struct {
	gamePage
	Bots              []botCard
	Four              []string // games for more than two
	Name              string   // the visitor's, if it is known
	MaxName           int
	Mine, Theirs, Two template.HTML // faces of the people
	Lines             template.JS   // a line about each game, by system
}

// Local serves the page at /local.
func (srv *Pages) Local(w http.ResponseWriter, r *http.Request) error {
	c, prefs := srv.Catalog(r), srv.Prefs(r)
	g, err := usualGame()
	if err != nil {
		return err
	}
	p := localPage{Bots: srv.botCards(r, usualBot)[:localgame.Levels], Name: srv.ownName(w, r), MaxName: lobby.MaxName}
	p.head = srv.head(r, c.T("local.title"), c.T("local.description"))
	p.ID, p.State, p.Systems = localgame.Room, g.public.State, engine.Systems
	p.Quick = prefViews(prefs, append([]string{turnsPref}, quickPrefs...))
	p.Board = showBoard(c, g.public, g.rules, 0, func(int) string { return "" })
	for seat := range 2 {
		p.Seats = append(p.Seats, seatView{Seat: seat, Mark: marks[seat]})
	}
	mate := match.SeatmateID(localgame.Me, "1")
	p.Mine, p.Theirs = faceOf(localgame.Me, p.Kids), faceOf(mate, p.Kids)
	p.Two = p.Mine
	lines := map[string]string{}
	for _, row := range engine.Systems {
		if lines[row.Name] = c.T("learn.line." + row.Name); !isForTwo(row) {
			p.Four = append(p.Four, row.Name)
		}
	}
	text, err := json.Marshal(lines)
	if err != nil {
		return fmt.Errorf("web: local page: %w", err)
	}
	p.Lines = template.JS(text) // json.Marshal has escaped < > and &
	return srv.render(w, r, http.StatusOK, "local", p)
}

// begunGame is a game as it begins.
type begunGame struct {
	public *match.Public
	rules  engine.Rules
}

// usualGame is the game whose board the page has before its script knows which one is played.
var usualGame = sync.OnceValues(func() (g begunGame, err error) {
	m := match.New()
	e, err := m.Decide(match.Creation{Creator: localgame.Me, Seats: []string{localgame.Me, match.SeatmateID(localgame.Me, "1")}}.Command("begin"), time.UnixMilli(1))
	if err == nil {
		err = m.Apply(e)
	}
	if err == nil {
		g.public, err = match.ReadPublic(localgame.Room, m.Snapshot(0))
	}
	if err == nil {
		g.rules, err = engine.ParseRules(g.public.Canonical)
	}
	return g, err
})
