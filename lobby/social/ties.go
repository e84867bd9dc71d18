package social

import (
	"context"
	"log/slog"

	"mancala/lobby"
)

// Tie is a word for what a player does to another: the word that forms and pages send.
type Tie string

// The ties that a player can make and end.
const (
	Follow   Tie = "follow"
	Unfollow Tie = "unfollow"
	Block    Tie = "block"
	Unblock  Tie = "unblock"
)

// Known reports whether there is such a tie.
func (t Tie) Known() bool { return t == Follow || t == Unfollow || t == Block || t == Unblock }

// blocks reports whether t changes which players may meet.
func (t Tie) blocks() bool { return t == Block || t == Unblock }

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

// Ties makes and ends ties between players, and tells everything that depends on them.
type Ties struct {
	Graph *Graph
	Lobby Lobby
	Pages Pages
	Log   *slog.Logger
}

// Change makes or ends a tie of player to other. The tie must be known. Change refuses as
// the methods of [Graph] do.
func (t *Ties) Change(ctx context.Context, player string, tie Tie, other string) error {
	change := map[Tie]func(ctx context.Context, player, other string) error{
		Follow: t.Graph.Follow, Unfollow: t.Graph.Unfollow, Block: t.Graph.Block, Unblock: t.Graph.Unblock,
	}[tie]
	if err := change(ctx, player, other); err != nil {
		return err
	}
	if tie.blocks() {
		t.Pages.BlocksChanged(player, other)
	}
	if tie == Block {
		if err := t.Lobby.KeepApart(ctx, player, other); err != nil {
			lobby.Warn(t.Log, "social: lobby not told of a block", err)
		}
	}
	t.Pages.LookAgain(ctx, player, other)
	t.Pages.Invalidate(player, other)
	return nil
}
