package web

import (
	"context"

	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/match/room"
)

// Tasks are the handlers of what rooms want done outside. Rooms may wake up before
// server returns anything.
func Tasks(server func() *Server) map[string]room.Handler {
	return effects.Handlers(func() *effects.Effects {
		if srv := server(); srv != nil {
			return srv.Effects
		}
		return nil
	})
}

// Unseen brings the lists of games up to date before a room goes to sleep.
func Unseen(server func() *Server) func(context.Context, string, room.View) error {
	return gamelist.Unseen(func() *gamelist.List {
		if srv := server(); srv != nil {
			return srv.Gamelist
		}
		return nil
	})
}
