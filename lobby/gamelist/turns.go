package gamelist

import (
	"context"
	"sync"

	"mancala/lobby"
	"mancala/match"
)

// turns remembers of games that were asked whose turn it is, and after which entry
// that was. Lists do not know it, or each move would be written twice; and of a long
// list only those games are asked that have gone on since.
type turns struct {
	mu    sync.Mutex
	known map[string]turn // by game
}

type turn struct {
	seq    uint64
	player string // empty: nobody's
}

// maxTurns is how many games are remembered, in some MB. If there are more, all are
// asked anew.
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

// LearnTurn remembers whose turn it is in a game after its entry seq; "" is nobody's.
func (l *List) LearnTurn(id string, seq uint64, player string) { l.turns.learn(id, seq, player) }

// Turns returns in which of these games it is the player's turn. While the database is
// away it seems to be in none.
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
		yours[g.Room] = whose == player
	}
	return yours
}

func goesOn(state string) bool { return state == "live" || state == "setup" }

// askTurn asks a game whose turn it is, for one of its players.
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
		l.Changed(g.Room) // nobody followed it when it happened, and looking keeps the room awake
	}
	if goesOn(p.State) && p.Turn >= 0 && p.Turn < len(p.Seats) {
		whose = p.Seats[p.Turn]
	}
	if listed && view.Delay == 0 { // a watcher is shown the past
		l.LearnTurn(g.Room, view.Seq, whose)
	}
	return whose
}
