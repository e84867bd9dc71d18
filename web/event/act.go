package event

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/deadline"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/site"
)

// act handles the forms of a tournament's page: a person joins, checks in, withdraws, or asks for a
// bye. Its script sends the same as commands over the socket, except to join, which is always a form.
func (srv *Pages) act(w http.ResponseWriter, r *http.Request) error {
	id, what := r.PathValue("id"), r.PathValue("what")
	if !slices.Contains([]string{"join", tournament.KindHere, tournament.KindLeave, tournament.KindBye}, what) || !lobby.ValidRoomID(id) {
		return room.ErrNoRoom
	}
	form, err := site.FormOf(r)
	if err != nil {
		return err
	}
	player, known := srv.WhoIs(w, r)
	switch {
	case !known:
		return srv.Introduce(w, r) // the player must not be a guest whose cookie no client has
	case what == "join":
		name := strings.TrimSpace(form.Get("name"))
		err = patiently(r.Context(), func() error { return srv.Hosting.Join(r.Context(), id, player, name) })
	default:
		err = srv.send(r, id, player, what, form.Get("round"), form.Get("bye"))
	}
	switch {
	case err == nil, what == "join" && refusal.Is(err, tournament.CodeEntered):
		http.Redirect(w, r, "/t/"+id, http.StatusSeeOther)
		return nil
	case refusal.Is(err, tournament.CodeNotEntered), isRefusal(err) && site.Statuses[lobby.CodeOf(err)] == 0: // the page shows what they can do
		return srv.showHall(w, r, http.StatusUnprocessableEntity, err)
	}
	return err
}

// patiently calls do again while the room is too busy or has moved: a whole class may join at once.
func patiently(ctx context.Context, do func() error) error {
	for {
		err := do()
		if !refusal.Is(err, room.CodeBusy) && !refusal.Is(err, room.CodeMoved) {
			return err
		}
		if deadline.Wait(ctx, 50*time.Millisecond+rand.N(200*time.Millisecond)) != nil {
			return err
		}
	}
}

// send gives a player's command to the tournament.
func (srv *Pages) send(r *http.Request, id, player, kind, round, bye string) error {
	o := tournament.Order{}
	if kind == tournament.KindBye {
		n, err := strconv.Atoi(round)
		if err != nil {
			return refusal.New(tournament.CodeNoRound)
		}
		o.Round, o.Bye = n, bye
	}
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	c := machine.Command{ID: kind + "-" + crand.Text(), Kind: kind, By: player, Body: body}
	return patiently(r.Context(), func() error {
		_, err := srv.Do(r.Context(), id, c, false)
		return err
	})
}

func isRefusal(err error) bool {
	_, ok := refusal.Of(err)
	return ok
}
