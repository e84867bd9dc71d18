package gamelist

import (
	"context"

	"mancala/lobby"
	"mancala/match"
)

// turn is the player on turn in a game after an entry. The stored lists do not hold it, since each move
// would then be written twice. A list caches it, so that only games with new entries are asked again.
type turn struct {
	seq    uint64
	player string // empty: no player is on turn
}

// maxTurns is the number of games whose turns are cached, in a few MB.
const maxTurns = 1 << 15

// LearnTurn caches the player on turn in a game after its entry seq; "" means that no
// player is on turn.
func (l *List) LearnTurn(id string, seq uint64, player string) { l.turns.Put(id, turn{seq, player}, 1) }

// Turns returns the games in which the player is on turn. While the database is unreachable
// it returns none.
func (l *List) Turns(ctx context.Context, player string, games []lobby.Game) map[string]bool {
	var ids []string
	for _, g := range games {
		if match.GoesOn(g.State) {
			ids = append(ids, g.Room)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	seqs, err := l.Rooms.Seqs(ctx, ids)
	if err != nil {
		lobby.Warn(l.Log, "gamelist: turns not known", err)
	}
	yours := map[string]bool{}
	for _, g := range games {
		seq, asked := seqs[g.Room]
		if !asked {
			continue
		}
		last, known := l.turns.Get(g.Room)
		whose := last.player
		if !known || last.seq != seq {
			whose = l.askTurn(ctx, g, player)
		}
		yours[g.Room] = match.ActsFor(player, whose)
	}
	return yours
}

// askTurn reads the player on turn in a game, on behalf of one of its players.
func (l *List) askTurn(ctx context.Context, g lobby.Game, player string) (whose string) {
	view, err := l.Rooms.View(ctx, g.Room, player)
	if err != nil {
		return ""
	}
	p, err := match.ReadPublic(g.Room, view.Snapshot)
	if err != nil {
		return ""
	}
	listed := p.State == g.State
	if !listed {
		l.Changed(g.Room) // no follower saw the change, and this read keeps the room awake
	}
	whose = p.OnTurn()
	if listed && view.Delay == 0 { // a watcher is shown the past
		l.LearnTurn(g.Room, view.Seq, whose)
	}
	return whose
}
