package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/learn"
	"mancala/web/messages"
	"mancala/web/site"
)

// TournamentFormats are the formats of tournaments in the order in which pages list them.
var TournamentFormats = []tournament.Format{
	tournament.Swiss, tournament.RoundRobin, tournament.DoubleRound, tournament.Knockout, tournament.Arena, tournament.Class,
}

// TournamentClocks are the clocks that the forms of tournaments offer.
var TournamentClocks = []string{"none", "3+2", "5+3", "10+5", "15+10", "30+10", "5d3", "1/move", "3/move", "7/move"}

// TieBreaks are the codes of all tie-breaks in the order in which pages list them, see package
// tiebreak.
var TieBreaks = []string{"DE", "BH", "BH/C1", "BH/C2", "BH/M1", "SB", "PS", "KS", "WIN", "WON", "TPR", "SEEDS"}

// ShortTieBreak returns the head of a tie-break's column.
func ShortTieBreak(code string) string {
	short := map[string]string{"SEEDS": "±", "BH/C1": "BH−1", "BH/C2": "BH−2", "BH/M1": "BH±1"}
	return cmp.Or(short[code], code)
}

// tieBreakFields is how many tie-breaks can be chosen in a form: as many as a Swiss usually has.
const tieBreakFields = 6

// A TieBreakChoice is a tie-break in a field of a form.
type TieBreakChoice struct {
	Choice
	Chosen bool
}

// TieBreakFields returns the fields for the tie-breaks of a tournament, in their order. Each field can hold each of
// them. Those that are chosen are codes; an empty one leaves its field empty.
func TieBreakFields(c *messages.Catalog, chosen []string) [][]TieBreakChoice {
	fields := make([][]TieBreakChoice, tieBreakFields)
	for i := range fields {
		for _, code := range TieBreaks {
			one := TieBreakChoice{Choice{code, c.T("tournament.break." + code)}, i < len(chosen) && chosen[i] == code}
			fields[i] = append(fields[i], one)
		}
	}
	return fields
}

// FormatName returns a format in words.
func FormatName(c *messages.Catalog, f tournament.Format) string {
	return c.T("tournament.format." + string(f))
}

// Hall returns the tournament in a request's address as a person sees it, with the names of deleted
// players in the language of the page.
func (srv *Pages) Hall(r *http.Request, person string) (*hosting.Hall, error) {
	hall, err := srv.Hosting.Look(r.Context(), r.PathValue("id"), person)
	if err == nil {
		lobby.CallDeleted(hall.Names, hall.Deleted, srv.Catalog(r).T("player.deleted"))
	}
	return hall, err
}

// PlayerName returns the name of the player with a number, or "Player 3" for a player without a
// name. It is empty if no player has the number.
func PlayerName(c *messages.Catalog, hall *hosting.Hall, number int) string {
	if number < 1 || number > len(hall.State.Players) {
		return ""
	}
	if name := hall.Names[hall.State.Players[number-1].ID]; name != "" {
		return name
	}
	return c.T("tournament.live.nobody", "n", number)
}

// A TournamentRow is a tournament in a list.
type TournamentRow struct {
	ID, Name, Stage string
	About           string    // format, game and clock in words
	Shape           string    // the ID of the symbol of its board
	Starts          time.Time // zero: not said
	messages.Dates
}

// GameName returns the game of a tournament in words. House rules are told by how they differ from the system.
func GameName(c *messages.Catalog, s *tournament.Settings) string {
	name := c.Game(site.SystemRow(s.Rules).Title)
	rules, _, err := site.HouseRules(s.Rules, s.Options)
	base, known := engine.System(s.Rules)
	if s.Options == "" || err != nil || !known {
		return name
	}
	told := c.T("learn.house.list", "options", strings.Join(learn.Changes(rules, base, c.T), " · "))
	return name + " · " + strings.TrimRight(told, ".")
}

// RowOf returns a tournament as a list shows it.
func RowOf(c *messages.Catalog, dates messages.Dates, row hosting.Row) TournamentRow {
	game := c.Game(site.SystemRow(row.Rules).Title)
	if row.House {
		game = c.T("list", "a", game, "b", c.T("header.rules"))
	}
	t := TournamentRow{
		Dates: dates,
		ID:    row.ID, Name: row.Name, Stage: string(row.Stage), Shape: Shape(row.Rules),
		About: c.T("tournament.about", "format", FormatName(c, row.Format), "game", game, "clock", c.Clock(row.Clock)),
	}
	if row.Starts > 0 {
		t.Starts = time.UnixMilli(row.Starts).UTC()
	}
	return t
}

// eventBar is the bar of a tournament on the page of one of its games.
type eventBar struct {
	Room, Name string
	Silent     bool        // there is no chat beside its games
	Need       string      // what the player needs in this game
	Way        template.JS // for the script (static/event/follow.js)
}

// eventBar returns the bar for a player. It is nil in other games, and where the tournament cannot be
// read.
func (srv *Pages) eventBar(ctx context.Context, c *messages.Catalog, game room.View, player string) *eventBar {
	var of struct{ Event *match.Event }
	if json.Unmarshal(game.Snapshot, &of) != nil || of.Event == nil {
		return nil
	}
	hall, err := srv.Hosting.LookWithoutNames(ctx, of.Event.Room, player)
	if err != nil {
		if lobby.CodeOf(err) != hosting.CodeNoTournament {
			lobby.Warn(srv.Log, "web: bar of the tournament not shown", err, "room", of.Event.Room)
		}
		return nil
	}
	s := &hall.State
	way := map[string]any{
		"room": hall.ID, "seq": hall.Seq, "now": hall.Now, "mine": 0, "stage": s.Stage, "due": s.Due, "ends": s.Ends, "days": s.Settings.Days, "round": len(s.Rounds),
		"waves": s.InWaves(), "players": len(s.Players), "announced": s.Announced, "texts": c.Under("tournament.bar"),
	}
	if hall.Me != nil {
		way["mine"] = hall.Me.Number
		if b := s.BoardOf(hall.Me.Number); b != nil {
			way["own"] = b
		}
	}
	text, err := json.Marshal(way)
	if err != nil {
		lobby.Warn(srv.Log, "web: bar of the tournament not shown", err, "room", of.Event.Room)
		return nil
	}
	bar := &eventBar{Room: hall.ID, Name: s.Settings.Name, Silent: s.Settings.Chat == "off", Way: template.JS(text)} // json.Marshal has escaped < > and &
	if hall.Me == nil {
		return bar
	}
	b := s.BoardOf(hall.Me.Number)
	if e := of.Event; b == nil || e.Round != len(s.Rounds) || e.Board != b.Number || e.Game != len(b.Games) {
		return bar // it is not the game that the player plays now
	}
	if known, err := srv.Hosting.Standings(ctx, hall.ID); err == nil {
		bar.Need = Needs(c, hall, known)
	}
	return bar
}

// comingTournaments returns a few tournaments that run or take players, for the home page. If they
// cannot be read, the page is served without them.
func (srv *Pages) comingTournaments(ctx context.Context, c *messages.Catalog, dates messages.Dates) (rows []TournamentRow) {
	const most = 3
	for _, stage := range []tournament.Stage{tournament.Running, tournament.Entry} {
		list, err := srv.Hosting.Index.List(ctx, stage, most-len(rows))
		if err != nil {
			lobby.Warn(srv.Log, "web: tournaments not shown", err)
			return nil
		}
		for _, row := range list {
			rows = append(rows, RowOf(c, dates, row))
		}
	}
	return rows
}

// mostTold is the last place of which players are told what they need for it.
const mostTold = 3

// Needs returns what a player needs in the game that is being played, in words: to win a match of a
// knockout, or for one of the first places in the last round of a tournament with points. It is empty
// where nothing is certain, such as with standings of another moment than the tournament.
func Needs(c *messages.Catalog, hall *hosting.Hall, known *hosting.Table) string {
	if hall.Me == nil {
		return ""
	}
	if need := hall.State.MatchNeed(hall.Me.Number); need != "" {
		return c.T("tournament.need." + need)
	}
	win, draw, ok := hall.State.Chances(hall.Me.Number, known.Rows)
	if !ok || known.Seq != hall.Seq || len(known.Rows) <= mostTold { // where there are few, every player has such a place
		return ""
	}
	var said []string
	add := func(key string, chance tournament.Chance) {
		if chance.Place <= mostTold {
			place := "tournament.need.place." + strconv.Itoa(chance.Place)
			if chance.Shared {
				place += ".shared"
			}
			said = append(said, c.T("tournament.need.after."+key, "place", c.T(place)))
		}
	}
	add("win", win)
	add("draw", draw)
	return strings.Join(said, " ")
}

// ToDesk leads a person who has become a host to the desk of a tournament. err is why they have not. If
// they can try again, again shows the page with the reason.
func (srv *Pages) ToDesk(w http.ResponseWriter, r *http.Request, id string, err error,
	again func(w http.ResponseWriter, r *http.Request, status int, refused string) error) error {
	switch code := lobby.CodeOf(err); {
	case err == nil:
		http.Redirect(w, r, "/t/"+id+"/host", http.StatusSeeOther)
		return nil
	case code == hosting.CodeNoHostKey, code == tournament.CodeFull:
		_, status := srv.Failed(w, r, err)
		return again(w, r, status, srv.Catalog(r).Sentence(code, nil))
	}
	return err
}
