package live

import (
	"mancala/lobby"
	"mancala/web/request"
)

// reconsider sends the pages of a player a new snapshot of the seeks that they may see. It is
// called when the player may meet others than before.
func (l *lobbyHub) reconsider(player string) {
	ctx := l.server.Workers.Soon()
	l.entering.Lock()
	defer l.entering.Unlock()
	apart, err := l.server.Social.ApartFrom(ctx, player)
	if err != nil {
		lobby.Warn(l.server.Log, "web: blocks not read", err)
		return
	}
	l.mu.Lock()
	visitors := append([]*visitor{}, l.people[player]...)
	l.mu.Unlock()
	for _, v := range visitors {
		if v.quiet {
			continue
		}
		through := l.viewOf(ctx, request.Request{Rules: v.view.Rules, Clock: v.view.Clock}, player, apart)
		l.mu.Lock()
		if l.visitors[v.session] == v {
			l.look(v, through)
		}
		l.mu.Unlock()
	}
}
