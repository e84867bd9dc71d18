package live

import (
	"context"
	"encoding/json"

	"mancala/lobby"
	"mancala/lobby/seeks"
)

// reconsider sends players a new snapshot of the seeks that they may see. It is
// called after one of them has blocked or unblocked the other.
func (l *lobbyHub) reconsider(people ...string) {
	ctx := l.server.Workers.Soon()
	l.entering.Lock()
	defer l.entering.Unlock()
	for _, player := range people {
		apart, err := l.server.Social.ApartFrom(ctx, player)
		if err != nil {
			lobby.Warn(l.server.Log, "web: blocks not read", err)
			continue
		}
		l.mu.Lock()
		visitors := append([]*visitor{}, l.people[player]...)
		l.mu.Unlock()
		for _, v := range visitors {
			if v.quiet {
				continue
			}
			through := l.viewOf(ctx, request{Rules: v.view.Rules, Clock: v.view.Clock}, player, apart)
			l.mu.Lock()
			if l.visitors[v.session] == v {
				l.look(v, through)
			}
			l.mu.Unlock()
		}
	}
}

// TellApart tells the lobby's room that two players must not be paired. It does
// nothing unless both have a seek.
func (srv *Live) TellApart(ctx context.Context, player, other string) error {
	waiting := false
	err := srv.LobbyState(ctx, func(s *seeks.State) { waiting = s.Of(player) != nil && s.Of(other) != nil })
	if err != nil || !waiting {
		return err
	}
	body, err := json.Marshal(seeks.Order{To: other, Facts: seeks.Facts{Apart: []string{other}}})
	if err == nil {
		_, err = srv.LobbyRoom.Do(ctx, player, seeks.KindApart, body)
	}
	return err
}

// Reconsider sends these players' pages in the lobby a new snapshot of the seeks
// that they may see.
func (srv *Live) Reconsider(players ...string) { srv.lobby.reconsider(players...) }
