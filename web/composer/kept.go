package composer

import (
	"net/http"
	"net/url"
	"slices"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/rulebook"
	"mancala/match/refusal"
	"mancala/web/learn"
	"mancala/web/pages"
	"mancala/web/site"
)

// keptPage is the page at /rules/{id}.
type keptPage struct {
	pages.Head
	RuleSet
	Entry    rulebook.Entry
	Author   string
	Mine     bool
	Reported bool // the client has just reported its name
	Board    learn.Figure
	Sections []learn.Section
	Changes  []string
	Systems  []engine.Row
}

// keep carries out the form that keeps a rule set by a name, and leads to its page.
func (srv *Pages) keep(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	rules, _, err := site.HouseRules(form.Get("rules"), form.Get("options"))
	if err != nil {
		return err
	}
	player, err := srv.WhoActs(w, r)
	if err == nil {
		err = lobby.SlowDown(srv.Limit(site.LimitSettings).Wait(player))
	}
	if err != nil {
		return err
	}
	set := ruleSet(site.SystemRow(form.Get("rules")), rules)
	id, err := srv.Rulebook.Keep(r.Context(), rulebook.Entry{Player: player, Name: form.Get("name"), System: set.System.Name, Options: set.Options})
	if code, refused := refusal.Of(err); refused && slices.Contains(keepCodes, code) {
		q := url.Values{"rules": {set.System.Name}, "options": {set.Options}}
		return srv.show(w, r, q, &notKept{form.Get("name"), srv.Catalog(r).Sentence(code, refusal.Detail(err))})
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/rules/"+id, http.StatusSeeOther)
	return nil
}

// keepCodes are the refusals that the form can answer.
var keepCodes = []refusal.Code{lobby.CodeNameEmpty, lobby.CodeNameLong, lobby.CodeNameCharacters, lobby.CodeNameReserved, rulebook.CodeFull}

// kept serves the page of a rule set that a player keeps.
func (srv *Pages) kept(w http.ResponseWriter, r *http.Request) error {
	e, err := srv.Rulebook.Find(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	rules, g, err := site.HouseRules(e.System, e.Options)
	if err != nil {
		return err
	}
	c := srv.Catalog(r)
	names, err := srv.PlayerNames(r.Context(), c, []string{e.Player})
	if err != nil {
		return err
	}
	who, err := srv.Identify(r)
	p := keptPage{
		RuleSet: ruleSet(site.SystemRow(e.System), rules), Entry: e, Author: names[e.Player], Mine: err == nil && who.Player == e.Player, Reported: r.URL.Query().Has("reported"),
		Board: learn.At(g, learn.Begin(g), c.T), Sections: learn.Words(rules, c.T), Systems: engine.Systems,
	}
	p.KeptAs = e.ID
	p.Changes = changesOf(c, p.RuleSet)
	p.Head = srv.NewHead(r, e.Name, c.T("compose.kept.description", "name", e.Name, "game", p.System.Title))
	p.Image = srv.RulesImage(r, p.System, p.Options)
	return srv.Render(w, r, http.StatusOK, "kept", p)
}

// forget deletes a rule set of the client. It refuses strangers: they keep nothing.
func (srv *Pages) forget(w http.ResponseWriter, r *http.Request) error {
	who, err := srv.WhoCame(w, r)
	if err != nil {
		return err
	}
	if who.Player == "" {
		return site.ErrNoIdentity
	}
	if err := lobby.SlowDown(srv.Limit(site.LimitSettings).Wait(who.Player)); err != nil {
		return err
	}
	if err := srv.Rulebook.Forget(r.Context(), who.Player, r.PathValue("id")); err != nil {
		return err
	}
	http.Redirect(w, r, "/rules/new", http.StatusSeeOther)
	return nil
}
