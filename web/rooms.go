package web

import (
	"context"

	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/match/room"
)

// Tasks returns the handlers of the work that rooms request. Rooms may wake before
// server returns a server, so server may return nil.
func Tasks(server func() *Server) map[string]room.Handler {
	return effects.Handlers(func() *effects.Effects {
		if srv := server(); srv != nil {
			return srv.Effects
		}
		return nil
	})
}

// Unseen returns a function that updates the lists of games before a room sleeps.
func Unseen(server func() *Server) func(context.Context, string, room.View) error {
	return gamelist.Unseen(func() *gamelist.List {
		if srv := server(); srv != nil {
			return srv.Gamelist
		}
		return nil
	})
}
