package web

// reconsider shows people once more what they see, since one has blocked the
// other or does no longer.
func (l *lounge) reconsider(people ...string) {
	ctx := l.server.soon()
	l.entering.Lock()
	defer l.entering.Unlock()
	for _, player := range people {
		apart, err := l.server.Circle.ApartFrom(ctx, player)
		if err != nil {
			l.server.log.Warn("web: blocks not read", "err", err)
			continue
		}
		l.mu.Lock()
		visitors := append([]*visitor{}, l.people[player]...)
		l.mu.Unlock()
		for _, v := range visitors {
			if v.quiet {
				continue
			}
			through := l.viewOf(ctx, request{Rules: v.view.rules, Clock: v.view.clock}, player, apart)
			l.mu.Lock()
			if l.visitors[v.session] == v {
				l.look(v, through)
			}
			l.mu.Unlock()
		}
	}
}
