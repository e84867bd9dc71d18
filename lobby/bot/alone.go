package bot

import (
	"context"

	"mancala/engine"
	"mancala/engine/search"
	"mancala/match"
	"mancala/match/machine"
)

// Alone answers the tasks of one game on the caller's goroutine, without a pool: in a browser there
// is one thread. Its bots give the answers that [Bots] would give. Only one goroutine may use it at
// a time. Its zero value is ready.
type Alone struct {
	player, adviser kept
}

// Answer returns the command with which a bot answers a task of room, and the number of seeds of the
// ply before, which people watch first. The error describes an invalid task.
func (b *Alone) Answer(ctx context.Context, room string, t machine.Task) (c machine.Command, sown int, err error) {
	a, err := read(room, t)
	if err != nil {
		return c, 0, err
	}
	c, err = a.command(a.search(ctx, use(&b.player, a.level, a.question.Game)))
	return c, a.question.Sown, err
}

// quickAdviser gives hints in a browser, where a search takes some ten times as long as on a server.
var quickAdviser = search.Level{Nodes: 40_000}

// Hint returns the best move and its value for the side to move.
func (b *Alone) Hint(ctx context.Context, q *match.Question) search.Answer {
	if b.adviser.player == nil || b.adviser.game != q.Game {
		b.adviser = kept{adviser, q.Game, quickAdviser.Player(q.Game)}
	}
	_, a := b.adviser.player.Move(ctx, q.Position, &q.History, 0)
	return a
}

// use returns the player that is kept if it fits, or else a new one, which is then kept. Its earlier
// use does not affect its moves.
func use(k *kept, level int, g *engine.Game) *search.Player {
	if k.player == nil || k.level != level || k.game != g {
		*k = kept{level, g, settings(level).Player(g)}
	}
	return k.player
}
