package desk

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/web/site"
)

// addedAtOnce is how many players one form can add. A room remembers the keys of no more than 32
// commands of a host. The desk's script sends longer lists in parts.
const addedAtOnce = 20

const codeManyNames refusal.Code = "tournament-many-names"

// A notAdded is a name with which no player was added, and why.
type notAdded struct {
	Name string `json:"name"`
	Msg  string `json:"msg"`
}

// hostsForm reads a form of a host.
func (srv *Pages) hostsForm(w http.ResponseWriter, r *http.Request) (form url.Values, hall *hosting.Hall, host string, err error) {
	if form, err = site.FormOf(r); err == nil {
		hall, host, err = srv.hosted(w, r)
	}
	return form, hall, host, err
}

// addPlayers adds players without devices: one for each line. A desk that has no answer sends the
// same form again, so a form with the same key adds nobody twice.
func (srv *Pages) addPlayers(w http.ResponseWriter, r *http.Request) error {
	form, hall, host, err := srv.hostsForm(w, r)
	if err != nil {
		return err
	}
	key := site.FirstRunes(cmp.Or(form.Get("key"), rand.Text()), 40)
	names := map[string]string{} // of those who were added, by ID
	refused, lines := []notAdded{}, 0
	for i, line := range strings.Split(form.Get("names"), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var player string
		if lines++; lines > addedAtOnce {
			err = refusal.New(codeManyNames)
		} else {
			player, err = srv.Hosting.AddOnce(r.Context(), hall.ID, host, line, key+"-"+strconv.Itoa(i))
		}
		switch code := lobby.CodeOf(err); {
		case err == nil && player != "":
			names[player] = line
		case err == nil: // added before
		case site.Statuses[code] >= http.StatusInternalServerError:
			return err
		default:
			refused = append(refused, notAdded{line, srv.Catalog(r).Sentence(code, refusal.Detail(err))})
		}
	}
	return srv.Answer(w, http.StatusOK, map[string]any{"added": len(names), "refused": refused})
}

// changePlayer gives a player another name, or their place to another person who has entered.
func (srv *Pages) changePlayer(w http.ResponseWriter, r *http.Request) error {
	form, hall, host, err := srv.hostsForm(w, r)
	if err != nil {
		return err
	}
	numbered := func(text string) string {
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(hall.State.Players) {
			return hall.State.Players[n-1].ID
		}
		return ""
	}
	player := numbered(r.PathValue("number"))
	if player == "" {
		return refusal.New(tournament.CodeNotEntered)
	}
	if form.Has("other") {
		err = srv.Hosting.Replace(r.Context(), hall.ID, host, player, numbered(form.Get("other")))
	} else {
		err = srv.Hosting.Rename(r.Context(), hall.ID, host, player, form.Get("name"))
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, map[string]any{"ok": true})
}
