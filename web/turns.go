package web

import (
	"context"
	"sync"

	"mancala/lobby"
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

// turnsOf says in which of these games it is somebody's turn. Without the database
// it seems to be in none: the page is there all the same.
func (srv *Server) turnsOf(ctx context.Context, player string, games []lobby.Game) map[string]bool {
	var ids []string
	state := map[string]string{}
	for _, g := range games {
		if g.State == "live" || g.State == "setup" {
			ids = append(ids, g.Room)
			state[g.Room] = g.State
		}
	}
	mine := map[string]bool{}
	if len(ids) == 0 {
		return mine
	}
	seqs, err := srv.house.Seqs(ctx, ids)
	if err != nil {
		srv.log.Warn("web: not known whose turn it is", "err", err)
		return mine
	}
	for _, id := range ids {
		seq, there := seqs[id]
		if !there {
			continue
		}
		whose, known := srv.turns.after(id, seq)
		if !known {
			whose = srv.askTurn(ctx, id, player, state[id])
		}
		mine[id] = whose == player
	}
	return mine
}

// askTurn asks a game whose turn it is, for one of its players. The list has it in
// this state.
func (srv *Server) askTurn(ctx context.Context, id, player, state string) (whose string) {
	view, err := srv.house.View(ctx, id, player)
	if err != nil {
		return ""
	}
	s, err := show(id, view)
	if err != nil {
		return ""
	}
	right := s.State == state
	if !right {
		srv.lists.changed(id) // nobody was there when it happened, and who asks keeps the room awake
	}
	if (s.State == "live" || s.State == "setup") && s.Turn >= 0 && s.Turn < len(s.Seats) {
		whose = s.Seats[s.Turn]
	}
	if right && view.Delay == 0 { // who only watches is shown the past
		srv.turns.learn(id, view.Seq, whose)
	}
	return whose
}
