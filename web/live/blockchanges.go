package live

import "mancala/lobby"

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
