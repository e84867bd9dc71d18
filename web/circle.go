package web

import (
	"context"
	"errors"
	"mancala/lobby"
	"mancala/lobby/presence"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// tied does what somebody wants with another person: a word of the forms and of
// the page's buttons.
func (srv *Server) tied(ctx context.Context, player, what, other string) error {
	if err := lobby.SlowDown(srv.prefLimit.Wait(player)); err != nil {
		return err
	}
	switch what {
	case "follow":
		if err := srv.Social.Follow(ctx, player, other); err != nil {
			return err
		}
	case "unfollow":
		if err := srv.Social.Unfollow(ctx, player, other); err != nil {
			return err
		}
	case "block":
		if err := srv.Social.Block(ctx, player, other); err != nil {
			return err
		}
	case "unblock":
		if err := srv.Social.Unblock(ctx, player, other); err != nil {
			return err
		}
	default:
		return errBadFrame
	}
	if strings.HasSuffix(what, "block") {
		srv.reconsider(player, other)
	}
	if what == "block" {
		if err := srv.tellApart(ctx, player, other); err != nil {
			lobby.Warn(srv.log, "web: lobby not told of a block", err)
		}
	}
	srv.presence.LookAgain(ctx, player, other)
	srv.presence.Invalidate(player, other)
	return nil
}

// tiePeople is the forms about a person: on the page of people, on his own, and in a
// game. They lead back to where they were.
func (srv *Server) tiePeople(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	player, err := srv.whoActs(w, r)
	if err == nil {
		err = srv.tied(r.Context(), player, form.Get("do"), form.Get("player"))
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, local(form.Get("back"), "/people"), http.StatusSeeOther)
}

// local is a path of this site, or another one if it is none.
func local(path, other string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, `\`) {
		return other
	}
	return u.String()
}

// circleJSON is whom somebody follows and blocks.
type circleJSON struct {
	Following []followedJSON `json:"following"`
	Blocked   []meJSON       `json:"blocked"`
}

type followedJSON struct {
	meJSON
	Here bool   `json:"here"`
	Game string `json:"game,omitempty"` // that he plays, if all may watch it
}

// circle reads whom somebody follows and blocks.
func (srv *Server) circle(ctx context.Context, player string) (c circleJSON, err error) {
	following, err := srv.Social.Followed(ctx, player)
	blocked, err2 := srv.Social.Blocked(ctx, player)
	names, err3 := srv.People.Names(ctx, slices.Concat(following, blocked))
	present, err4 := srv.presence.Among(ctx, following)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return c, err
	}
	c = circleJSON{[]followedJSON{}, []meJSON{}}
	for _, id := range following {
		f := followedJSON{meJSON: meJSON{id, names[id]}}
		if i := slices.IndexFunc(present, func(who presence.Present) bool { return who.ID == id }); i >= 0 {
			f.Here, f.Game = true, present[i].Game
		}
		c.Following = append(c.Following, f)
	}
	for _, id := range blocked {
		c.Blocked = append(c.Blocked, meJSON{id, names[id]})
	}
	return c, nil
}

// apiCircle lists whom the asker follows and blocks.
func (srv *Server) apiCircle(w http.ResponseWriter, r *http.Request) {
	player, known := srv.whoIs(w, r)
	if !known {
		srv.refuseAPI(w, r, errNoIdentity)
		return
	}
	c, err := srv.circle(r.Context(), player)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	srv.answer(w, http.StatusOK, c)
}

// apiTie makes or ends a tie of the asker.
func (srv *Server) apiTie(what string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		player, known := srv.whoIs(w, r)
		err := errNoIdentity
		if known {
			err = srv.tied(r.Context(), player, what, r.PathValue("player"))
		}
		if err != nil {
			srv.refuseAPI(w, r, err)
			return
		}
		srv.answer(w, http.StatusOK, struct{}{})
	}
}
