package seeks_test

import (
	"fmt"
	"slices"
	"testing"

	"mancala/lobby/seeks"
)

// open returns a lobby with n seeks of n players, and one person in a pool.
func open(n int) *seeks.State {
	s := &seeks.State{Waits: []seeks.Wait{{ID: "pool", Player: "pool", Pool: true, Game: seeks.Game{Rules: "kalah", Clock: "5+3"}}}}
	for i := range n {
		w := seeks.Wait{ID: fmt.Sprint("s", i), Player: fmt.Sprint("p", i), Game: seeks.Game{Rules: "kalah", Clock: "none"}}
		if i%2 == 1 {
			w.Game = seeks.Game{Rules: "oware", Clock: "5+3"}
		}
		s.Waits = append(s.Waits, w)
	}
	return s
}

// brought returns what a window shows once it is up to date, at most most seeks at a time.
func brought(w *seeks.Window, s *seeks.State, most int) (ids []string) {
	fresh, gone := w.Look(s, most)
	w.Change(seeks.Show(fresh, nil), gone)
	for _, shown := range w.Shown() {
		ids = append(ids, shown.ID)
	}
	return ids
}

func TestWindowShowsTheNewestSeeksOfItsFilter(t *testing.T) {
	for _, tt := range []struct {
		name   string
		window seeks.Window
		open   int
		want   []string
	}{
		{"all", seeks.Window{}, 6, []string{"s5", "s4", "s3", "s2", "s1", "s0"}},
		{"one game", seeks.Window{Filter: seeks.Filter{Rules: "oware"}}, 3, []string{"s5", "s3", "s1"}},
		{"one clock", seeks.Window{Filter: seeks.Filter{Clock: "none"}}, 3, []string{"s4", "s2", "s0"}},
		{"without a blocked player", seeks.Window{Apart: []string{"p4"}}, 5, []string{"s5", "s3", "s2", "s1", "s0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := open(6)
			if got := brought(&tt.window, s, seeks.MaxShown); !slices.Equal(got, tt.want) || tt.window.Open(s) != tt.open {
				t.Errorf("shows %q of %d, want %q of %d", got, tt.window.Open(s), tt.want, tt.open)
			}
		})
	}
}

func TestWindowChangesByAFewSeeksAtATime(t *testing.T) {
	var w seeks.Window
	s := open(seeks.MaxShown + 10)
	for n := 5; n <= seeks.MaxShown; n += 5 {
		if got := brought(&w, s, 5); len(got) != n {
			t.Fatalf("shows %d, want %d", len(got), n)
		}
	}
	if got := brought(&w, s, 5); len(got) != seeks.MaxShown || w.Open(s) != seeks.MaxShown+10 {
		t.Errorf("shows %d of %d, want %d of %d", len(got), w.Open(s), seeks.MaxShown, seeks.MaxShown+10)
	}
	s.Fold(seeks.Change{Out: []string{"p29", "p28"}})
	if got := brought(&w, s, 5); len(got) != seeks.MaxShown || slices.Contains(got, "s29") || slices.Contains(got, "s28") {
		t.Errorf("after two seeks have ended, shows %q", got)
	}
}

func TestSeekIsPutIntoAWindowOnce(t *testing.T) {
	var w seeks.Window
	s := open(2)
	fresh, _ := w.Look(s, seeks.MaxShown)
	list := seeks.Show(fresh, map[string]string{"p0": "Ada"})
	if added := w.Change(list, nil); len(added) != 2 || added[1].Name != "Ada" {
		t.Errorf("added %+v", added)
	}
	if added := w.Change(seeks.Show(fresh, nil), nil); len(added) != 0 || len(w.Shown()) != 2 {
		t.Errorf("a second call added %+v, %d are shown", added, len(w.Shown()))
	}
}

func TestFilterKnowsGamesOfTwoAndTheClocksOfSeeks(t *testing.T) {
	for f, want := range map[seeks.Filter]bool{
		{}: true, {Rules: "kalah"}: true, {Clock: "5+3"}: true, {Rules: "kalah", Clock: "none"}: true,
		{Rules: "chess"}: false, {Clock: "7+7"}: false,
	} {
		if f.Valid() != want {
			t.Errorf("%+v: %t, want %t", f, !want, want)
		}
	}
}
