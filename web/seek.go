package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/match/machine"
	"mancala/match/room"
)

// seek is the forms of the lobby: to make a seek, to look for an opponent, and to
// wait no more. They lead back to the home page, whose socket keeps the place.
func (srv *Server) seek(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	player, err := srv.whoActs(w, r)
	if err == nil {
		err = srv.doInLobby(r, player, strings.TrimPrefix(r.URL.Path, "/"), map[string]string{
			"key": rand.Text(), "rules": form.Get("rules"), "clock": form.Get("clock"), "options": strings.TrimSpace(form.Get("options")),
		})
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// accept takes up a seek, and goes to the game once it is there.
func (srv *Server) accept(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		srv.notFound(w, r)
		return
	}
	player, known := srv.whoIs(w, r)
	if !known {
		srv.introduce(w, r) // or the other would play against a guest whom nobody is
		return
	}
	err := srv.doInLobby(r, player, seeks.KindAccept, map[string]string{"seek": id})
	if err == nil {
		err = srv.comes(r.Context(), id)
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/"+id, http.StatusSeeOther)
}

// mayMeet says whether somebody may do this in the lobby now. Who plays in kids mode
// meets no strangers (ux.md §8).
func (srv *Server) mayMeet(ctx context.Context, player, kind string, body []byte) error {
	if kind == seeks.KindLeave {
		return nil
	}
	if !srv.seekLimit.Allow(player) {
		return errTooMany
	}
	prefs, err := srv.People.Prefs(ctx, player)
	if err == nil && prefs["kids"] == "on" {
		return errNoStrangers
	}
	if err == nil && kind == seeks.KindAccept {
		err = srv.mayAccept(ctx, player, body)
	}
	return err
}

func (srv *Server) doInLobby(r *http.Request, player, kind string, fields map[string]string) error {
	body, err := json.Marshal(fields)
	if err == nil {
		err = srv.mayMeet(r.Context(), player, kind, body)
	}
	if err != nil {
		return err
	}
	_, err = srv.house.Do(r.Context(), seeks.Room, machine.Command{ID: kind + "-" + rand.Text(), Kind: kind, By: player, Body: body})
	return err
}

// comes waits until a game is there: a moment, for somebody without a socket.
func (srv *Server) comes(ctx context.Context, id string) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		_, err := srv.house.View(ctx, id, "")
		if !errors.Is(err, room.ErrNoRoom) {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
