package live

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
	MaxShown  = 20
	MaxNews   = 5 // in one frame
	newsEvery = time.Second
)

// Filter is which seeks somebody wants to see.
type Filter struct {
	Rules, Clock string // empty: all
	person       string // whom some must not meet; empty for all others
}

// View is the window that all who want to see the same look through.
type View struct {
	Filter
	Apart []string // whose seeks are not for this person
	shown []SeekShown
	fan   *socket.Fan
}

// holds says whether a seek is in the view.
func (v *View) holds(w *seeks.Wait) bool {
	return !w.Pool && (v.Rules == "" || v.Rules == w.Rules) && (v.Clock == "" || v.Clock == w.Clock) && !slices.Contains(v.Apart, w.Player)
}

// Open counts the seeks of the view, shown or not.
func (v *View) Open(s *seeks.State) (n int) {
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

// Look compares what is open with what is shown: the newest seeks that there is
// room for, and those that are gone.
func (v *View) Look(s *seeks.State, most int) (fresh []seeks.Wait, gone []string) {
	if s == nil {
		return nil, nil
	}
	for _, shown := range v.shown {
		if w := s.Seek(shown.ID); w == nil || !v.holds(w) {
			gone = append(gone, shown.ID)
		}
	}
	places := min(MaxShown-len(v.shown)+len(gone), most)
	for i := len(s.Waits) - 1; i >= 0 && len(fresh) < places; i-- {
		if w := &s.Waits[i]; v.holds(w) && !v.shows(w.ID) {
			fresh = append(fresh, *w)
		}
	}
	return fresh, gone
}

func (v *View) shows(id string) bool {
	return slices.ContainsFunc(v.shown, func(s SeekShown) bool { return s.ID == id })
}

// tellNews tells everybody what has changed in the list of seeks. However fast seeks
// come and go, people are told once in a while, and first what is new now.
func (l *lobbyHub) tellNews() {
	l.mu.Lock()
	views := slices.Collect(maps.Values(l.views))
	l.mu.Unlock()
	for _, v := range views {
		l.show(l.server.Workers.Context(), v, MaxNews)
	}
}

// show brings a view up to date and tells all who look through it. Names are read
// outside the locks; what has changed meanwhile is told next time.
func (l *lobbyHub) show(ctx context.Context, v *View, most int) {
	l.mu.Lock()
	fresh, gone := v.Look(l.state, most)
	l.mu.Unlock()
	if len(fresh)+len(gone) == 0 {
		return
	}
	list, err := l.server.ShownSeeks(ctx, fresh)
	if err != nil {
		lobby.Warn(l.server.Log, "web: names not read", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return // the room has gone, and everybody asks anew
	}
	v.shown = slices.DeleteFunc(v.shown, func(s SeekShown) bool { return slices.Contains(gone, s.ID) })
	list = slices.DeleteFunc(list, func(s SeekShown) bool { return v.shows(s.ID) }) // by who came first
	v.shown = append(list, v.shown...)
	v.fan.Send(message(seeksFrame{"seeks", seeks.Room, list, gone, v.Open(l.state)}))
	if len(fresh) == most {
		l.news.Mark() // there may be more
	}
}

// ShownSeeks adds the names of those who seek.
func (srv *Live) ShownSeeks(ctx context.Context, waits []seeks.Wait) ([]SeekShown, error) {
	people := make([]string, len(waits))
	for i, w := range waits {
		people[i] = w.Player
	}
	names, err := srv.Names(ctx, people)
	list := make([]SeekShown, len(waits))
	for i, w := range waits {
		list[i] = SeekShown{ID: w.ID, Name: names[w.Player], Game: w.Game, Range: w.Range}
		if w.Range != (seeks.Range{}) {
			list[i].In = w.Rules + " " + w.Settings().Speed()
		}
	}
	return list, err
}
