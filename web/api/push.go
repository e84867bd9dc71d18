package api

import (
	"net/http"

	"mancala/lobby"
	"mancala/lobby/push"
	"mancala/match/refusal"
	"mancala/web/site"
)

// pushJSON is what a browser needs to be told of turns, and the player's devices that are told.
type pushJSON struct {
	Key     string   `json:"key"`
	Player  string   `json:"player,omitempty"` // empty for a stranger
	Devices []string `json:"devices"`
}

// apiPush answers with the devices of the client's player that are told when the player is on turn.
func (srv *API) apiPush(w http.ResponseWriter, r *http.Request) error {
	player, _ := srv.WhoIs(w, r)
	return srv.answerPush(w, r, player)
}

func (srv *API) answerPush(w http.ResponseWriter, r *http.Request, player string) error {
	answer := pushJSON{srv.Push.PublicKey(), player, []string{}}
	if player != "" {
		devices, err := srv.Push.Devices(r.Context(), player)
		if err != nil {
			return err
		}
		answer.Devices = append(answer.Devices, devices...)
	}
	return srv.Answer(w, http.StatusOK, answer)
}

// apiAddPushDevice adds a device. A stranger becomes a guest.
func (srv *API) apiAddPushDevice(w http.ResponseWriter, r *http.Request) error {
	var s push.Subscription
	if err := site.ReadJSON(r, &s); err != nil {
		return err
	}
	if err := s.Check(); err != nil { // checked first, so that a bad one makes no guest
		return err
	}
	who, err := srv.WhoCame(w, r)
	if err != nil {
		return err
	}
	// Player and session come from one read of the identity. With a second read, a session that ends
	// in between would give the device to a new guest.
	player, session := who.Player, who.Signed()
	if player == "" {
		if player, err = srv.WhoActs(w, r); err != nil {
			return err
		}
	}
	if err := lobby.SlowDown(srv.Limit(site.LimitSettings).Wait(player)); err != nil {
		return err
	}
	if err := srv.Push.Subscribe(r.Context(), player, session, srv.Catalog(r).Lang, s); err != nil {
		return err
	}
	return srv.answerPush(w, r, player)
}

// apiRemovePushDevice removes a device.
func (srv *API) apiRemovePushDevice(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	device := r.PathValue("device")
	if !push.ValidDevice(device) {
		return refusal.New(push.CodeSubscription)
	}
	if err := lobby.SlowDown(srv.Limit(site.LimitSettings).Wait(player)); err != nil {
		return err
	}
	if err := srv.Push.Unsubscribe(r.Context(), player, device); err != nil {
		return err
	}
	return srv.answerPush(w, r, player)
}
