package gamelist

import (
	"context"
	"sync"

	"mancala/lobby"
	"mancala/match"
)

// turns caches the player on turn in each game that was asked, with the entry after which
// this holds. The stored lists do not hold the player on turn, since each move would then
// be written twice. With the cache, only games with new entries are asked again.
type turns struct {
	mu    sync.Mutex
	known map[string]turn // by game
}

type turn struct {
	seq    uint64
	player string // empty: no player is on turn
}

// maxTurns is how many games are cached, in a few MB. Beyond it, the cache is emptied.
const maxTurns = 1 << 16

func (t *turns) after(id string, seq uint64) (player string, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, known := t.known[id]
	return last.player, known && last.seq == seq
}

func (t *turns) learn(id string, seq uint64, player string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) == maxTurns {
		t.known = map[string]turn{}
	}
	t.known[id] = turn{seq, player}
}

// LearnTurn caches the player on turn in a game after its entry seq; "" means that no
// player is on turn.
func (l *List) LearnTurn(id string, seq uint64, player string) { l.turns.learn(id, seq, player) }

// Turns returns the games in which the player is on turn. While the database is unreachable
// it returns none.
func (l *List) Turns(ctx context.Context, player string, games []lobby.Game) map[string]bool {
	var ids []string
	for _, g := range games {
		if goesOn(g.State) {
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
		whose, known := l.turns.after(g.Room, seq)
		if !known {
			whose = l.askTurn(ctx, g, player)
		}
		yours[g.Room] = whose == player || match.PlaysFor(player, whose)
	}
	return yours
}

func goesOn(state string) bool { return state == "live" || state == "setup" }

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
	if goesOn(p.State) && p.Turn >= 0 && p.Turn < len(p.Seats) {
		whose = p.Seats[p.Turn]
	}
	if listed && view.Delay == 0 { // a watcher is shown the past
		l.LearnTurn(g.Room, view.Seq, whose)
	}
	return whose
}
