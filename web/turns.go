package web

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

// turnsOf says in which of these games it is somebody's turn. Without the database
// it seems to be in none: the page is there all the same.
func (srv *Server) turnsOf(ctx context.Context, player string, games []lobby.Game) map[string]bool {
	var ids []string
	for _, g := range games {
		if goesOn(g.State) {
			ids = append(ids, g.Room)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	seqs, err := srv.rooms.Seqs(ctx, ids)
	if err != nil {
		srv.warn("web: not known whose turn it is", err)
	}
	mine := map[string]bool{}
	for _, g := range games {
		seq, asked := seqs[g.Room]
		if !asked {
			continue
		}
		whose, known := srv.turns.after(g.Room, seq)
		if !known {
			whose = srv.askTurn(ctx, g, player)
		}
		mine[g.Room] = whose == player
	}
	return mine
}

func goesOn(state string) bool { return state == "live" || state == "setup" }

// askTurn asks a game whose turn it is, for one of its players.
func (srv *Server) askTurn(ctx context.Context, g lobby.Game, player string) (whose string) {
	view, err := srv.rooms.View(ctx, g.Room, player)
	if err != nil {
		return ""
	}
	s, err := match.ReadPublic(g.Room, view.Snapshot)
	if err != nil {
		return ""
	}
	listed := s.State == g.State
	if !listed {
		srv.lists.changed(g.Room) // nobody was there when it happened, and who asks keeps the room awake
	}
	if goesOn(s.State) && s.Turn >= 0 && s.Turn < len(s.Seats) {
		whose = s.Seats[s.Turn]
	}
	if listed && view.Delay == 0 { // who only watches is shown the past
		srv.turns.learn(g.Room, view.Seq, whose)
	}
	return whose
}
