package event

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/web/pages"
	"mancala/web/site"
)

// hallPage is the page of a tournament.
type hallPage struct {
	pages.Head
	ID         string
	Stage      string
	Format     string
	Facts      []string // what is played, in words
	Said       string   // how far it is, in words
	Starts     time.Time
	Waves      bool // players are paired as they become free
	Code       string
	JoinAt     string
	You        *meView // nil: the person has not entered
	Open       bool    // the person can join
	Substitute bool    // not as a player who is paired
	Guest      bool    // ... with a name
	Name       string  // that they have already
	NoGuests   bool    // they could join with an account
	Problem    string  // why they could not
	Host       bool
	Round      int        // how many rounds have started
	Boards     []boardRow // of the last one
	Earlier    []int      // the other rounds, the last one first
	Entered    []entered  // the players, before the first round
	Entrants   string     // what they are called
	Table      *table
	Cross      *cross
	Bracket    []bracketRound
	Blank      boardRow // the script fills copies of it
	Texts      map[string]any
	Watch      map[string]any // the texts of small boards
	Data       template.JS    // for the script
}

// An entered player, in the list before the first round.
type entered struct {
	Number     int
	Name       string
	Rating     int
	Here, Mine bool
}

// hall serves the page of a tournament.
func (srv *Pages) hall(w http.ResponseWriter, r *http.Request) error {
	return srv.showHall(w, r, http.StatusOK, nil)
}

// showHall shows the page of a tournament, and why the person could not join.
func (srv *Pages) showHall(w http.ResponseWriter, r *http.Request, status int, wrong error) error {
	person, _ := srv.WhoIs(w, r)
	v, err := srv.lookWithTable(r, person)
	if err != nil {
		return err
	}
	p, err := srv.hallPage(r, v, person)
	if err != nil {
		return err
	}
	if wrong != nil {
		p.Problem = v.c.Sentence(lobby.CodeOf(wrong), refusal.Detail(wrong))
		p.Name = cmp.Or(r.PostFormValue("name"), p.Name) // it stays in the field
	}
	return srv.Render(w, r, status, "tournament", p)
}

func (srv *Pages) hallPage(r *http.Request, v *view, person string) (*hallPage, error) {
	s := &v.State
	p := &hallPage{
		Head: srv.NewHead(r, s.Settings.Name, v.t("description", "about", v.about(), "name", s.Settings.Name)),
		ID:   v.ID, Stage: string(s.Stage), Format: string(s.Settings.Format), Facts: v.facts(), Said: v.said(), Starts: starts(&s.Settings),
		Waves: v.waves(), Host: v.Host, Texts: v.texts(), Watch: v.c.Under("watch"),
	}
	p.Entrants = v.t("players")
	if v.class() {
		p.Entrants = v.t("class.players")
	}
	standings := v.known.Rows
	p.You = v.me(standings)
	_, p.JoinAt, _ = srv.Link(r, "t/"+v.ID)
	if s.Stage == tournament.Entry {
		var err error
		if p.Code, err = srv.Invitations.Code(r.Context(), v.ID); err != nil {
			lobby.Warn(srv.Log, "web: invitation code not read", err, "room", v.ID)
		}
		for _, player := range s.Players {
			if !player.Out && player.ID != "" {
				p.Entered = append(p.Entered, entered{player.Number, v.name(player.Number), player.Rating, player.Here, player.ID == person})
			}
		}
	}
	joining := s.Joining(v.Now)
	if p.You == nil && joining != tournament.Closed && len(s.Players) < tournament.MaxPlayers {
		p.Open, p.Guest, p.Substitute = true, true, joining == tournament.Substitute
		switch who, err := srv.People.Player(r.Context(), person); {
		case err != nil && lobby.CodeOf(err) != lobby.CodeNoPlayer:
			return nil, err
		case err == nil && !who.Guest():
			p.Guest = false
		case err == nil:
			p.Name = who.Name
		}
		if p.Guest && s.Settings.Accounts {
			p.Open, p.NoGuests = false, true
		}
	}
	p.Table = v.table(standings)
	if s.Stage == tournament.Entry || s.Settings.Format == tournament.Knockout && s.Stage != tournament.Over {
		p.Table = nil // nobody has a place yet
	}
	if p.Round = len(s.Rounds); p.Round > 0 {
		p.Boards = v.boards(p.Round)
	}
	for n := p.Round - 1; n > 0 && !p.Waves; n-- {
		p.Earlier = append(p.Earlier, n)
	}
	p.Cross, p.Bracket = v.cross(standings), v.bracket()
	var err error
	p.Data, err = v.data(person)
	return p, err
}

// embedded is the size of the snapshot that a page has for its script. The script asks its socket
// for a larger one.
const embedded = 64 << 10

// data returns what the page's script begins with.
func (v *view) data(person string) (template.JS, error) {
	data := map[string]any{
		"room": v.ID, "me": person, "seq": v.Seq, "now": v.Now, "names": v.Names, "table": v.known.Seq, "rows": site.TableRows(v.known),
	}
	snap, err := json.Marshal(v.State)
	if err == nil && len(snap) <= embedded {
		data["snap"] = json.RawMessage(snap)
	}
	text, err2 := json.Marshal(data)
	if err := errors.Join(err, err2); err != nil {
		return "", fmt.Errorf("web: page of %s: %w", v.ID, err)
	}
	return template.JS(text), nil // json.Marshal has escaped < > and &
}

// waves reports whether players are paired as they become free.
func (v *view) waves() bool { return v.State.InWaves() }

// about returns format, game and clock in words.
func (v *view) about() string {
	o := &v.State.Settings
	return v.t("about", "format", pages.FormatName(v.c, o.Format), "game", site.SystemRow(o.Rules).Title, "clock", v.c.Clock(o.Clock))
}

// facts returns what is played, in words.
func (v *view) facts() (list []string) {
	o := &v.State.Settings
	add := func(key string, pairs ...any) { list = append(list, v.t("fact."+key, pairs...)) }
	list = append(list, pages.GameName(v.c, o), v.c.Clock(o.Clock))
	switch o.Format {
	case tournament.Swiss:
		add("swiss", "n", o.Rounds)
	case tournament.Arena:
		add("arena", "n", o.Minutes)
	default:
		list = append(list, pages.FormatName(v.c, o.Format))
	}
	if o.Days > 0 {
		add("days", "n", o.Days)
	}
	if o.BySeeds {
		add("seeds")
	} else if o.Games == 2 {
		add("two")
	}
	if o.Rated {
		add("rated")
	} else if o.Accounts {
		add("accounts")
	}
	return list
}

// said returns how far the tournament is, in words.
func (v *view) said() string {
	s := &v.State
	switch {
	case s.Stage == tournament.Over:
		return v.t("live.stage.over")
	case s.Stage == tournament.Entry:
		return v.live("stage.entry", "n", v.taking())
	case v.waves():
		return v.live("stage.waves", "n", v.taking())
	case s.Settings.Format == tournament.Knockout && len(s.Rounds) == s.Total():
		return v.t("live.stage.final")
	}
	return v.t("live.stage.round", "n", len(s.Rounds), "of", s.Total())
}

// taking returns how many players take part.
func (v *view) taking() (n int) {
	for _, p := range v.State.Players {
		if !p.Out {
			n++
		}
	}
	return n
}
