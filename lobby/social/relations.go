package social

import (
	"context"
	"log/slog"

	"mancala/lobby"
)

// Action is how a player changes their relation to another: the word that forms and pages send.
type Action string

// The actions of a player.
const (
	Follow   Action = "follow"
	Unfollow Action = "unfollow"
	Block    Action = "block"
	Unblock  Action = "unblock"
)

// Known reports whether there is such an action.
func (a Action) Known() bool { return a == Follow || a == Unfollow || a == Block || a == Unblock }

// blocks reports whether a changes which players may meet.
func (a Action) blocks() bool { return a == Block || a == Unblock }

// Lobby pairs players.
type Lobby interface {
	// KeepApart makes the lobby pair these two players no more.
	KeepApart(ctx context.Context, player, other string) error
}

// Pages are the pages of players, on this instance and on the others.
type Pages interface {
	// BlocksChanged makes these players' pages show the seeks of those whom they may meet.
	BlocksChanged(players ...string)
	// LookAgain makes these players' pages show which of the players they follow are here.
	LookAgain(ctx context.Context, players ...string)
	// Invalidate makes the other instances do the same.
	Invalidate(players ...string)
}

// Relations changes the relations between players, and tells everything that depends on them.
type Relations struct {
	Graph *Graph
	Lobby Lobby
	Pages Pages
	Log   *slog.Logger
}

// Change carries out an action of player on other. The action must be known. Change refuses as
// the methods of [Graph] do.
func (r *Relations) Change(ctx context.Context, player string, action Action, other string) error {
	change := map[Action]func(ctx context.Context, player, other string) error{
		Follow: r.Graph.Follow, Unfollow: r.Graph.Unfollow, Block: r.Graph.Block, Unblock: r.Graph.Unblock,
	}[action]
	if err := change(ctx, player, other); err != nil {
		return err
	}
	if action.blocks() {
		r.Pages.BlocksChanged(player, other)
	}
	if action == Block {
		if err := r.Lobby.KeepApart(ctx, player, other); err != nil {
			lobby.Warn(r.Log, "social: lobby not told of a block", err)
		}
	}
	r.Pages.LookAgain(ctx, player, other)
	r.Pages.Invalidate(player, other)
	return nil
}
