package web

import (
	"context"
	"slices"
	"time"

	"mancala/lobby/seeks"
)

// changed says that the list of seeks may look otherwise. Called with mu held.
func (l *lounge) changed() {
	l.news = true
	if !l.telling {
		l.telling = l.server.start(l.tellNews)
	}
}

// tellNews goes on until everybody knows everything. However fast seeks come and
// go, people are told once in a while, and first what is new now.
func (l *lounge) tellNews() {
	for {
		l.mu.Lock()
		fresh, gone := l.look(maxNews)
		l.news = false
		l.mu.Unlock()
		if len(fresh)+len(gone) > 0 {
			l.show(l.server.ctx, fresh, gone)
		}
		select {
		case <-time.After(newsEvery):
		case <-l.server.ctx.Done():
		}
		l.mu.Lock()
		if !l.news || l.server.ctx.Err() != nil {
			l.telling = false
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
	}
}

// look compares what is open with what is shown: the newest seeks that there is
// room for, and those that are gone. Called with mu held.
func (l *lounge) look(most int) (fresh []seeks.Wait, gone []string) {
	if l.state == nil {
		return nil, nil
	}
	open := l.state.Open()
	for _, s := range l.shown {
		if !slices.ContainsFunc(open, func(w seeks.Wait) bool { return w.ID == s.ID }) {
			gone = append(gone, s.ID)
		}
	}
	places := min(maxShown-len(l.shown)+len(gone), most)
	for _, w := range slices.Backward(open) {
		if len(fresh) == places {
			break
		}
		if !l.shows(w.ID) {
			fresh = append(fresh, w)
		}
	}
	return fresh, gone
}

func (l *lounge) shows(id string) bool {
	return slices.ContainsFunc(l.shown, func(s seekShown) bool { return s.ID == id })
}

// show tells everybody. Names are read outside the locks; what has changed
// meanwhile is told next time.
func (l *lounge) show(ctx context.Context, fresh []seeks.Wait, gone []string) {
	list, err := l.server.shownSeeks(ctx, fresh)
	if err != nil {
		l.server.log.Warn("web: names not read", "err", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return // the room has gone, and everybody asks anew
	}
	l.shown = slices.DeleteFunc(l.shown, func(s seekShown) bool { return slices.Contains(gone, s.ID) })
	list = slices.DeleteFunc(list, func(s seekShown) bool { return l.shows(s.ID) }) // by who came first
	l.shown = append(list, l.shown...)
	l.fan.Send(message(seeksFrame{"seeks", seeks.Room, list, gone, l.open(nil)}))
	for s, v := range l.visitors {
		if len(v.apart) > 0 { // he is not in the fan
			s.send(message(seeksFrame{"seeks", seeks.Room, v.sees(list), gone, l.open(v.apart)}))
		}
	}
	if len(fresh) == maxNews {
		l.news = true // there may be more
	}
}

// shownSeeks adds the names of those who seek.
func (srv *Server) shownSeeks(ctx context.Context, waits []seeks.Wait) ([]seekShown, error) {
	people := make([]string, len(waits))
	for i, w := range waits {
		people[i] = w.Player
	}
	names, err := srv.names(ctx, people)
	list := make([]seekShown, len(waits))
	for i, w := range waits {
		list[i] = seekShown{w.ID, names[w.Player], w.Game, w.Player}
	}
	return list, err
}
