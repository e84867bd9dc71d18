package event

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/web/pages"
	"mancala/web/site"
)

// newPage is the page at /t/new, or at /class.
type newPage struct {
	pages.Head
	pages.Form
	Class   bool
	Systems []engine.Row
	Clocks  []pages.Choice
	Formats []tournament.Format
	Breaks  [][]pages.TieBreakChoice // by field, see [pages.TieBreakFields]
	Field   string                   // the field with the problem
	Problem string                   // in words
}

// formCodes are the refusals that the form can answer.
var formCodes = []refusal.Code{
	tournament.CodeBadSettings, tournament.CodeBadEnd, tournament.CodeNeedsAccount, match.CodeBadSettings, match.CodeBadClock, match.CodeBadRules, match.CodeNotRateable,
}

func (srv *Pages) newPage(w http.ResponseWriter, r *http.Request) error {
	c := srv.Catalog(r)
	usual := url.Values{"name": {c.T("tournament.new.usual")}, "format": {"swiss"}, "rounds": {"5"}, "minutes": {"30"}, "clock": {"10+5"}, "late": {"on"}}
	if rules := r.URL.Query().Get("rules"); site.IsOfTwo(rules) {
		usual.Set("rules", rules)
		if options := r.URL.Query().Get("options"); options != "" {
			usual.Set("options", options)
		}
	}
	return srv.showForm(w, r, http.StatusOK, usual, nil)
}

func (srv *Pages) newClass(w http.ResponseWriter, r *http.Request) error {
	usual := url.Values{"name": {srv.Catalog(r).T("tournament.class.usual")}, "format": {"class"}, "clock": {"none"}, "short": {"on"}}
	return srv.showForm(w, r, http.StatusOK, usual, nil)
}

// showForm shows the form as it was typed, and what is wrong with it.
func (srv *Pages) showForm(w http.ResponseWriter, r *http.Request, status int, typed url.Values, wrong error) error {
	c := srv.Catalog(r)
	p := newPage{
		Form: pages.Form(typed), Class: typed.Get("short") != "", Systems: seeks.OfTwo(), Clocks: pages.Clocks(c, pages.TournamentClocks),
		Formats: pages.TournamentFormats, Breaks: pages.TieBreakFields(c, typed["tiebreak"]),
	}
	key := "tournament.new"
	if p.Class {
		key = "tournament.class"
	}
	p.Head = srv.NewHead(r, c.T(key+".title"), c.T(key+".description"))
	if wrong != nil {
		p.Problem = c.Sentence(lobby.CodeOf(wrong), refusal.Detail(wrong))
		if problem, ok := refusal.Detail(wrong).(tournament.Problem); ok {
			p.Field = formField(problem.Field)
			p.Problem = c.T("tournament.problem." + p.Field)
		}
		if refusal.Is(wrong, tournament.CodeBadEnd) {
			p.Field = "ends"
		}
	}
	return srv.Render(w, r, status, "tournament-new", p)
}

// formField returns the field of the form for a field of the settings.
func formField(setting string) string {
	fields := map[string]string{"noShow": "noshow", "tieBreaks": "tiebreak", "accounts": "rated"}
	return cmp.Or(fields[setting], setting)
}

// open makes a tournament.
func (srv *Pages) open(w http.ResponseWriter, r *http.Request) error {
	typed, err := site.FormOf(r)
	if err != nil {
		return err
	}
	s, err := settingsOf(typed)
	if err != nil {
		return srv.showForm(w, r, http.StatusUnprocessableEntity, typed, err)
	}
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return err
	}
	made, err := srv.Hosting.Open(r.Context(), player, srv.Address(r), s)
	if code := lobby.CodeOf(err); err != nil && slices.Contains(formCodes, code) {
		return srv.showForm(w, r, http.StatusUnprocessableEntity, typed, err)
	}
	if err != nil {
		return err
	}
	srv.sendReady(w, r, made)
	return nil
}
