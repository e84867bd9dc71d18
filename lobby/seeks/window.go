package seeks

import (
	"slices"
	"sync"

	"mancala/engine"
	"mancala/lobby"
	"mancala/match"
)

// MaxShown is how many seeks a visitor sees at a time. So the lobby's messages stay small
// under any load.
const MaxShown = 20

// Filter selects the seeks that a visitor wants to see.
type Filter struct {
	Rules, Clock string // empty selects all
}

// Valid reports whether seeks can be filtered by this game and this clock.
func (f Filter) Valid() bool {
	return (f.Rules == "" || slices.ContainsFunc(OfTwo(), func(row engine.Row) bool { return row.Name == f.Rules })) &&
		(f.Clock == "" || slices.Contains(lobby.SeekClocks, f.Clock))
}

// OfTwo returns the games for two players.
var OfTwo = sync.OnceValue(func() (rows []engine.Row) {
	for _, row := range engine.Systems {
		if n, err := (match.Settings{Rules: row.Name}).Seats(); err == nil && n == 2 {
			rows = append(rows, row)
		}
	}
	return rows
})

// Window is the part of the open seeks that a visitor sees.
type Window struct {
	Filter
	Apart []string // players whose seeks are hidden from the visitor
	shown []Shown
}

// Shown is an open seek as visitors see it.
type Shown struct {
	ID   string `json:"seek"`
	Name string `json:"name"` // the player's
	Game
	Range
	In string `json:"in,omitempty"` // the game and speed of the ratings that the range is about
}

// Show returns seeks as visitors see them. names has their players' names by ID.
func Show(waits []Wait, names map[string]string) []Shown {
	list := make([]Shown, len(waits))
	for i, w := range waits {
		list[i] = Shown{ID: w.ID, Name: names[w.Player], Game: w.Game, Range: w.Range}
		if w.Range != (Range{}) {
			list[i].In = w.Rules + " " + w.Settings().Speed()
		}
	}
	return list
}

// holds reports whether a seek belongs to the window.
func (v *Window) holds(w *Wait) bool {
	return !w.Pool && (v.Rules == "" || v.Rules == w.Rules) && (v.Clock == "" || v.Clock == w.Clock) && !slices.Contains(v.Apart, w.Player)
}

// Open counts the seeks of the window, including those that are not shown.
func (v *Window) Open(s *State) (n int) {
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
func (v *Window) Look(s *State, most int) (fresh []Wait, gone []string) {
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

func (v *Window) shows(id string) bool {
	return slices.ContainsFunc(v.shown, func(s Shown) bool { return s.ID == id })
}

// Change applies what [Window.Look] has found: it puts fresh before the shown seeks and
// removes those that are gone. It returns what is new: another call may have put some of
// fresh there already.
func (v *Window) Change(fresh []Shown, gone []string) (added []Shown) {
	v.shown = slices.DeleteFunc(v.shown, func(s Shown) bool { return slices.Contains(gone, s.ID) })
	added = slices.DeleteFunc(fresh, func(s Shown) bool { return v.shows(s.ID) })
	v.shown = append(added[:len(added):len(added)], v.shown...)
	return added
}

// Shown returns the seeks that the visitor sees, the newest first. The caller must not
// change it.
func (v *Window) Shown() []Shown { return v.shown }

// OwnWait is what a player waits for, as the player sees it.
type OwnWait struct {
	ID    string `json:"seek"`
	Key   string `json:"key"`
	Pool  bool   `json:"pool"`
	Since int64  `json:"since"`
	Game
	Range
}

// Own returns a wait as its own player sees it, nil for nil.
func (w *Wait) Own() *OwnWait {
	if w == nil {
		return nil
	}
	return &OwnWait{w.ID, w.Key, w.Pool, w.Since, w.Game, w.Range}
}

// AsksOf returns the challenges by and to a player.
func (s *State) AsksOf(player string) (asks []Challenge) {
	for _, c := range s.Asked {
		if c.By == player || c.To == player {
			asks = append(asks, c)
		}
	}
	return asks
}
