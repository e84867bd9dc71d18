package web

import (
	"context"
	"maps"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/seeks"
	"mancala/web/socket"
)

// What visitors are told stays small, however much happens: a window of the open
// seeks, which changes once a second and by a few seeks.
const (
	maxShown  = 20
	maxNews   = 5 // in one frame
	newsEvery = time.Second
)

// filter is which seeks somebody wants to see.
type filter struct {
	rules, clock string // empty: all
	person       string // whom some must not meet; empty for all others
}

// view is the window that all who want to see the same look through.
type view struct {
	filter
	apart []string // whose seeks are not for this person
	shown []seekShown
	fan   *socket.Fan
}

// holds says whether a seek is in the view.
func (v *view) holds(w *seeks.Wait) bool {
	return !w.Pool && (v.rules == "" || v.rules == w.Rules) && (v.clock == "" || v.clock == w.Clock) && !slices.Contains(v.apart, w.Player)
}

// open counts the seeks of the view, shown or not.
func (v *view) open(s *seeks.State) (n int) {
	if s == nil {
		return 0
	}
	for i := range s.Waits {
		if v.holds(&s.Waits[i]) {
			n++
		}
	}
	return n
}

// look compares what is open with what is shown: the newest seeks that there is
// room for, and those that are gone.
func (v *view) look(s *seeks.State, most int) (fresh []seeks.Wait, gone []string) {
	if s == nil {
		return nil, nil
	}
	for _, shown := range v.shown {
		if w := s.Seek(shown.ID); w == nil || !v.holds(w) {
			gone = append(gone, shown.ID)
		}
	}
	places := min(maxShown-len(v.shown)+len(gone), most)
	for i := len(s.Waits) - 1; i >= 0 && len(fresh) < places; i-- {
		if w := &s.Waits[i]; v.holds(w) && !v.shows(w.ID) {
			fresh = append(fresh, *w)
		}
	}
	return fresh, gone
}

func (v *view) shows(id string) bool {
	return slices.ContainsFunc(v.shown, func(s seekShown) bool { return s.ID == id })
}

// tellNews tells everybody what has changed in the list of seeks. However fast seeks
// come and go, people are told once in a while, and first what is new now.
func (l *lounge) tellNews() {
	l.mu.Lock()
	views := slices.Collect(maps.Values(l.views))
	l.mu.Unlock()
	for _, v := range views {
		l.show(l.server.workers.Context(), v, maxNews)
	}
}

// show brings a view up to date and tells all who look through it. Names are read
// outside the locks; what has changed meanwhile is told next time.
func (l *lounge) show(ctx context.Context, v *view, most int) {
	l.mu.Lock()
	fresh, gone := v.look(l.state, most)
	l.mu.Unlock()
	if len(fresh)+len(gone) == 0 {
		return
	}
	list, err := l.server.shownSeeks(ctx, fresh)
	if err != nil {
		lobby.Warn(l.server.log, "web: names not read", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return // the room has gone, and everybody asks anew
	}
	v.shown = slices.DeleteFunc(v.shown, func(s seekShown) bool { return slices.Contains(gone, s.ID) })
	list = slices.DeleteFunc(list, func(s seekShown) bool { return v.shows(s.ID) }) // by who came first
	v.shown = append(list, v.shown...)
	v.fan.Send(message(seeksFrame{"seeks", seeks.Room, list, gone, v.open(l.state)}))
	if len(fresh) == most {
		l.news.Mark() // there may be more
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
		list[i] = seekShown{ID: w.ID, Name: names[w.Player], Game: w.Game, Range: w.Range}
		if w.Range != (seeks.Range{}) {
			list[i].In = w.Rules + " " + w.Settings().Speed()
		}
	}
	return list, err
}
