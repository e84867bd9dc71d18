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

// The lobby's messages stay small under any load. Visitors see a window of the open
// seeks. It changes at most once a second, and by a few seeks.
const (
	MaxShown  = 20
	MaxNews   = 5 // new seeks in one frame
	newsEvery = time.Second
)

// Filter selects the seeks that a visitor wants to see.
type Filter struct {
	Rules, Clock string // empty selects all
	person       string // the player, if some players are blocked for them; empty: shared by all other players
}

// View is the window of seeks that all visitors with the same filter share.
type View struct {
	Filter
	Apart []string // players whose seeks are hidden from this player
	shown []SeekShown
	fan   *socket.Fan
}

// holds reports whether a seek belongs to the view.
func (v *View) holds(w *seeks.Wait) bool {
	return !w.Pool && (v.Rules == "" || v.Rules == w.Rules) && (v.Clock == "" || v.Clock == w.Clock) && !slices.Contains(v.Apart, w.Player)
}

// Open counts the seeks of the view, including those that are not shown.
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

// Look compares the open seeks with the shown ones. It returns the newest seeks that
// fit into the window, limited to the number most, and the IDs of shown seeks that
// are gone.
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

// tellNews sends all visitors the changes in the list of seeks. It runs at a fixed
// pace, and sends the newest seeks first.
func (l *lobbyHub) tellNews() {
	l.mu.Lock()
	views := slices.Collect(maps.Values(l.views))
	l.mu.Unlock()
	for _, v := range views {
		l.show(l.server.Workers.Context(), v, MaxNews)
	}
}

// show brings a view up to date and sends the change to its visitors. It reads names
// without holding locks. A change that comes meanwhile is sent next time.
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
		return // the room has gone; all clients subscribe again
	}
	v.shown = slices.DeleteFunc(v.shown, func(s SeekShown) bool { return slices.Contains(gone, s.ID) })
	list = slices.DeleteFunc(list, func(s SeekShown) bool { return v.shows(s.ID) }) // another call has already shown these
	v.shown = append(list, v.shown...)
	v.fan.Send(message(seeksFrame{"seeks", seeks.Room, list, gone, v.Open(l.state)}))
	if len(fresh) == most {
		l.news.Mark() // more seeks may be waiting
	}
}

// ShownSeeks returns seeks as visitors see them, with their players' names.
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
