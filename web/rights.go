package web

import (
	"context"
	"time"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/match"
	"mancala/match/machine"
)

// Who may say what beside a game (ux.md §6).

var errPresets error = &machine.Error{Code: "chat-presets"}

// silence tells somebody for how long he may not chat.
type silence struct {
	Hours int `json:"hours"`
}

// mayTalk refuses who has been muted.
func (srv *Server) mayTalk(player string) error {
	until := srv.Desk.Muted(player)
	switch left := time.Until(until); {
	case until.IsZero():
		return nil
	case left > moderation.Forever/2:
		return &machine.Error{Code: "muted-for-good"}
	default:
		return &machine.Error{Code: "muted", Detail: silence{int(left/time.Hour) + 1}}
	}
}

// mayChat refuses what a game's settings do not allow to be said beside it, and
// what those who would read it do not want. Ready phrases may always be said: who
// wants none does not see them.
func (srv *Server) mayChat(ctx context.Context, player string, q request, plays bool) error {
	if err := srv.mayTalk(player); err != nil {
		return err
	}
	view, err := srv.house.View(ctx, q.Room, "")
	if err != nil {
		return err
	}
	game, err := match.ReadPublic(q.Room, view.Snapshot)
	switch {
	case err != nil:
		return err
	case game.Chat == "off":
		return &machine.Error{Code: "chat-off"}
	case q.Preset != "":
		return nil
	case game.Chat == "presets":
		return errPresets
	}
	writers := []string{player}
	if plays {
		writers = game.Players()
	}
	free, err := srv.writeFreely(ctx, writers)
	if err == nil && !plays && game.Listed {
		free, err = srv.noGuests(ctx, writers) // among strangers
	}
	if err == nil && !free {
		err = errPresets
	}
	return err
}

// writeFreely says whether all of some people want to read and write words of
// their own.
func (srv *Server) writeFreely(ctx context.Context, people []string) (bool, error) {
	for _, id := range people {
		prefs, err := srv.People.Prefs(ctx, id)
		if err != nil || prefs["kids"] == "on" || prefs.Get(chatPref) != "free" {
			return false, err
		}
	}
	return true, nil
}

var chatPref = prefNamed("chat")

// noGuests says whether all of some people have accounts: guests say only ready
// phrases to strangers.
func (srv *Server) noGuests(ctx context.Context, people []string) (bool, error) {
	for _, id := range people {
		p, err := srv.People.Player(ctx, id)
		if codeOf(err) == lobby.CodeNoPlayer {
			return false, nil
		}
		if err != nil || p.Guest() {
			return false, err
		}
	}
	return true, nil
}

// chatOfStrangers is what may be said in a game of people who have met here.
func (srv *Server) chatOfStrangers(ctx context.Context, people []string) (string, error) {
	free, err := srv.noGuests(ctx, people)
	if free {
		return "free", err
	}
	return "presets", err
}
