// Package event serves the public pages of tournaments: the list, the form that makes one, and the
// page of a tournament with what its players do there.
//
// The server renders every page as it is now. On the page of a tournament a script goes on from
// there (web/static/event): it follows the room and folds its changes.
package event

import (
	"maps"
	"net/http"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/web/messages"
	"mancala/web/pages"
)

// Pages serves the pages of tournaments.
type Pages struct{ *pages.Pages }

// New returns the pages of tournaments, beside the other pages of a server.
func New(p *pages.Pages) *Pages { return &Pages{p} }

// look returns the tournament in the request's address as a person sees it.
func (srv *Pages) look(r *http.Request, person string) (*view, error) {
	hall, err := srv.Hall(r, person)
	if err != nil {
		return nil, err
	}
	return &view{Hall: hall, c: srv.Catalog(r)}, nil
}

// lookWithTable is look with the standings. They are read first, so that every player in them is in
// the tournament too, even while people join.
func (srv *Pages) lookWithTable(r *http.Request, person string) (*view, error) {
	known, err := srv.Hosting.Standings(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	v, err := srv.look(r, person)
	if err != nil {
		return nil, err
	}
	v.known = known
	return v, nil
}

// A view is a tournament in the words of one language.
type view struct {
	*hosting.Hall
	c     *messages.Catalog
	known *hosting.Table // set by lookWithTable
}

// t returns a text about tournaments.
func (v *view) t(key string, pairs ...any) string { return v.c.T("tournament."+key, pairs...) }

// live returns a text that the script has as well. A class has some of its own, since its players are
// pupils.
func (v *view) live(key string, pairs ...any) string {
	if own := "class." + key; v.class() && v.c.Has("tournament."+own) {
		return v.t(own, pairs...)
	}
	return v.t("live."+key, pairs...)
}

// texts returns the texts of the script.
func (v *view) texts() map[string]any {
	texts := v.c.Under("tournament.live")
	texts["player.deleted"] = v.c.T("player.deleted")
	if v.class() {
		maps.Copy(texts, v.c.Under("tournament.class"))
	}
	return texts
}

func (v *view) class() bool { return v.State.Settings.Format == tournament.Class }

// name returns the name of the player with a number.
func (v *view) name(number int) string { return pages.PlayerName(v.c, v.Hall, number) }
