package pages

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/site"
)

// NewGame creates a game with the settings of the form, or with the defaults, and
// redirects to it. The player has a link to share before any question is asked.
func (srv *Pages) NewGame(w http.ResponseWriter, r *http.Request) error {
	settings, err := settingsOf(r)
	if err != nil {
		return err
	}
	level, err := site.LevelOf(r.PostForm.Get("bot"))
	var id string
	switch {
	case err != nil:
	case level > 0:
		id, err = srv.MakeBotGame(w, r, settings, level)
	case r.PostForm.Has("screen"):
		names := r.PostForm["name"]
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		id, err = srv.MakeScreenGame(w, r, settings, names)
	default:
		id, err = srv.MakeGame(w, r, settings)
	}
	if err != nil {
		return err
	}
	if kept := r.PostForm.Get("kept"); lobby.ValidRoomID(kept) {
		if err := srv.Rulebook.Made(r.Context(), id, kept, settings.Rules, settings.Options); err != nil {
			lobby.Warn(srv.Log, "web: rule set not remembered", err, "room", id)
		}
	}
	if first := r.PostForm.Get("first"); first != "" && level > 0 {
		srv.playFirst(r.Context(), id, first)
	}
	http.Redirect(w, r, "/"+id, http.StatusSeeOther)
	return nil
}

// playFirst plays the first move of a game that the client has just made against a bot, on
// the board of the home page. If it cannot be played, the game is there all the same.
func (srv *Pages) playFirst(ctx context.Context, id, move string) {
	view, err := srv.Rooms.View(ctx, id, "")
	var s *match.Public
	if err == nil {
		s, err = match.ReadPublic(id, view.Snapshot)
	}
	var body []byte
	if err == nil {
		body, err = json.Marshal(map[string]any{"ply": s.Ply, "move": move})
	}
	if err == nil {
		_, err = srv.Do(ctx, id, machine.Command{ID: "first-" + rand.Text(), Kind: match.KindMove, By: s.Creator, Body: body}, false)
	}
	if err != nil {
		srv.Log.Debug("web: first move not played", "room", id, "err", err)
	}
}

// settingsOf reads the settings of a game from a form. The match checks them.
func settingsOf(r *http.Request) (match.Settings, error) {
	form, err := site.FormOf(r)
	s := match.Settings{
		Rules: form.Get("rules"), Options: houseRules(form),
		Clock: form.Get("clock"), Start: form.Get("start"),
		ForOthers: form.Get("forOthers") != "", Chat: form.Get("chat"), Listed: form.Get("listed") != "", Rated: form.Get("rated") != "",
	}
	if late := form.Get("delay"); late != "" {
		seconds, wrong := strconv.ParseInt(late, 10, 64)
		if wrong != nil {
			return s, refusal.New(match.CodeBadSettings)
		}
		s.Delay = seconds
	}
	if form.Has("boxes") { // browsers do not send a box that is not ticked
		assists := form.Get("assists") != ""
		s.Assists = &assists
	}
	return s, err
}

// houseRules returns the house rules of a form: what was typed, and the steppers that say
// something else than the usual.
func houseRules(form url.Values) string {
	parts := strings.Fields(form.Get("options"))
	for _, name := range []string{"pits", "seeds"} {
		value := strings.TrimSpace(form.Get(name))
		typed := slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, name+"=") })
		if value != "" && !typed {
			parts = append(parts, name+"="+value)
		}
	}
	return strings.Join(parts, " ")
}

// Act handles the forms of a game's page. Only a POST takes a seat, since a program
// that fetches a link for its preview must not take one.
func (srv *Pages) Act(w http.ResponseWriter, r *http.Request) error {
	switch r.PathValue("what") {
	case "sit":
		return srv.formCommand(w, r, "sit", nil)
	case "accept":
		return srv.accept(w, r)
	case "analysis":
		return srv.postAnalysis(w, r)
	case seeks.KindDecline, seeks.KindLeave:
		return srv.endChallenge(w, r, r.PathValue("what"))
	case "settings":
		s, err := settingsOf(r)
		if err != nil {
			return err
		}
		fields := map[string]any{
			"rules": s.Rules, "options": s.Options, "clock": s.Clock, "start": s.Start, "forOthers": s.ForOthers,
		}
		if s.Assists != nil { // the form has all settings
			fields["assists"], fields["delay"], fields["listed"], fields["rated"] = *s.Assists, s.Delay, s.Listed, s.Rated
		}
		if s.Chat != "" {
			fields["chat"] = s.Chat
		}
		return srv.formCommand(w, r, "settings", fields)
	}
	return room.ErrNoRoom
}

// introduce makes a client without identity a guest and has the browser send the same form
// again. Only a client that sends the cookie back gets a seat. If the answer with the
// cookie were lost, the seat would belong to a guest whose cookie no client has.
func (srv *Pages) introduce(w http.ResponseWriter, r *http.Request) error {
	err := site.ErrNoCookie
	if !r.URL.Query().Has("again") {
		_, err = srv.WhoActs(w, r)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, r.URL.EscapedPath()+"?again", http.StatusTemporaryRedirect)
	return nil
}

// formCommand sends a command from a form to the game and redirects to its page.
func (srv *Pages) formCommand(w http.ResponseWriter, r *http.Request, kind string, fields map[string]any) error {
	id := r.PathValue("id")
	player, known := srv.WhoIs(w, r)
	if !known {
		return srv.introduce(w, r)
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	if fields == nil {
		body = nil
	}
	rated, _ := fields["rated"].(bool)
	_, err = srv.Do(r.Context(), id, machine.Command{ID: kind + "-" + rand.Text(), Kind: kind, By: player, Body: body}, rated)
	switch code := lobby.CodeOf(err); {
	case err == nil, code == match.CodeAlreadySeated:
		http.Redirect(w, r, "/"+id, http.StatusSeeOther)
	case kind == "sit" && code == match.CodeNotWaiting:
		// Another player took the seat first, or the invitation has ended.
		err = refusal.New(match.CodeNoSeat)
		if view, look := srv.Rooms.View(r.Context(), id, player); look == nil {
			if s, look := match.ReadPublic(id, view.Snapshot); look == nil && s.NeverBegan() {
				err = site.ErrInviteOver
			}
		}
		return err
	default:
		return err
	}
	return nil
}
