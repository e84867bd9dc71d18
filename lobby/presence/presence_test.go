package presence_test

import (
	"io"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/lobby/presence"
	"mancala/lobby/social"
	"mancala/lobby/workers"
	"mancala/match"
)

// town is a presence with rooms, and some guests.
type town struct {
	testing.TB
	*presence.Presence
	rooms *lobbytest.Rooms
	id    map[string]string // of the guests, by name
}

// noLists are the pages with lists of games: none is open.
type noLists struct{}

func (noLists) Shown() map[string]struct{} { return nil }
func (noLists) Noted([]string)             {}

func newTown(t *testing.T, names ...string) *town {
	t.Helper()
	db := lobbytest.Memory(t)
	people, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	graph, err := social.Open(t.Context(), db, people.People)
	if err != nil {
		t.Fatal(err)
	}
	w := &town{TB: t, rooms: lobbytest.NewRooms(), id: lobbytest.Guests(t, people.People, names...)}
	group := workers.New()
	t.Cleanup(group.Close)
	w.Presence = presence.New(presence.Config{
		Rooms: w.rooms, People: people.People, Social: graph, Workers: group, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}, noLists{})
	return w
}

// page is a device of a player.
type page struct {
	player string
	seats  []string
	child  bool
	named  int
	shown  chan []presence.Present
}

func (w *town) page(name string, seats ...string) *page {
	return &page{player: w.id[name], seats: seats, shown: make(chan []presence.Present, 100)}
}

func (p *page) Identity() string                            { return p.player }
func (p *page) SeatedIn() []string                          { return p.seats }
func (p *page) IsProgram() bool                             { return false }
func (p *page) SetChild(yes bool)                           { p.child = yes }
func (p *page) NameAnew()                                   { p.named++ }
func (p *page) ShowPresent(here []presence.Present, _ bool) { p.shown <- here }

// shows fails the test unless the next list that the page shows is this one.
func (w *town) shows(p *page, want ...presence.Present) {
	w.Helper()
	if got := <-p.shown; !slices.Equal(got, want) {
		w.Errorf("shows %v, want %v", got, want)
	}
}

func TestPageShowsWhichFollowedPlayersAreHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, "Ada", "Ben")
		ada, ben := w.id["Ada"], w.id["Ben"]
		const listed, unlisted = "k3v9qa2mx1", "k3v9qa2mx2"
		w.rooms.Open(t, listed, match.Creation{Settings: match.Settings{Rules: "kalah", Listed: true}, Seats: []string{ben, "p0"}})
		w.rooms.Open(t, unlisted, match.Creation{Settings: match.Settings{Rules: "kalah"}, Seats: []string{ben, "p0"}})
		if err := w.Social.Follow(t.Context(), ada, ben); err != nil {
			t.Fatal(err)
		}
		looks := w.page("Ada")
		if err := w.Look(t.Context(), looks); err != nil {
			t.Fatal(err)
		}
		w.shows(looks)
		one, two := w.page("Ben", unlisted), w.page("Ben", listed)
		w.Came(one)
		w.shows(looks, presence.Present{ID: ben})
		w.Came(two)
		w.shows(looks, presence.Present{ID: ben, Game: listed})
		w.Left(two)
		w.shows(looks, presence.Present{ID: ben})
		if _, err := w.People.SetPrefs(t.Context(), ben, lobby.Prefs{"seen": "nobody"}); err != nil {
			t.Fatal(err)
		}
		w.SettingsChanged(ben, lobby.Prefs{"seen": "nobody"})
		w.shows(looks)
		if one.named != 1 || one.child {
			t.Errorf("the device was asked to be named anew %d times, child: %t", one.named, one.child)
		}
		w.Left(looks)
		if _, pages, followed := w.Stats(); pages != 0 || followed != 0 {
			t.Errorf("%d pages look at %d players", pages, followed)
		}
	})
}

// hindered is a page to whose first list something happens on its way.
type hindered struct {
	*page
	onTheWay func()
}

func (h *hindered) ShowPresent(here []presence.Present, all bool) {
	if all {
		h.onTheWay()
	}
	h.page.ShowPresent(here, all)
}

func TestChangeWhileThePageGetsItsFirstListIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, "Ada", "Ben")
		ben := w.id["Ben"]
		if err := w.Social.Follow(t.Context(), w.id["Ada"], ben); err != nil {
			t.Fatal(err)
		}
		looks := w.page("Ada")
		comes := func() {
			w.Came(w.page("Ben"))
			w.shows(looks, presence.Present{ID: ben})
		}
		if err := w.Look(t.Context(), &hindered{looks, comes}); err != nil {
			t.Fatal(err)
		}
		w.shows(looks)
		w.shows(looks, presence.Present{ID: ben})
	})
}

// leaver is a page that leaves when it is asked for its player for the second time.
type leaver struct {
	*page
	asked int
	leave func()
}

func (l *leaver) Identity() string {
	if l.asked++; l.asked == 2 {
		l.leave()
	}
	return l.player
}

// The form that follows a player leads to another page, so this one leaves at about the same time.
func TestPageLeavingWhileItsPlayerFollowsAnotherIsForgotten(t *testing.T) {
	w := newTown(t, "Ada", "Ben")
	p := &leaver{page: w.page("Ada"), asked: 2}
	w.Came(p)
	if err := w.Look(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if err := w.Social.Follow(t.Context(), w.id["Ada"], w.id["Ben"]); err != nil {
		t.Fatal(err)
	}
	p.asked, p.leave = 0, func() { w.Left(p) }
	w.LookAgain(t.Context(), w.id["Ada"])
	if p.asked < 2 {
		t.Error("the page has not left")
	}
	if players, pages, followed := w.Stats(); players != 0 || pages != 0 || followed != 0 {
		t.Errorf("%d players are here, and %d pages look at %d players", players, pages, followed)
	}
}

func TestDevicesLearnOfKidsModeAndBlocks(t *testing.T) {
	w := newTown(t, "Ada", "Ben")
	var told []string
	w.WhenBlocksChange(func(player string) { told = append(told, player) })
	one, two, other := w.page("Ada"), w.page("Ada"), w.page("Ben")
	for _, p := range []*page{one, two, other} {
		w.Came(p)
	}
	w.SettingsChanged(w.id["Ada"], lobby.Prefs{"kids": "on"})
	if !one.child || !two.child || other.child {
		t.Errorf("children: %t %t %t", one.child, two.child, other.child)
	}
	w.SettingsChanged(w.id["Ada"], nil)
	if !one.child {
		t.Error("an unknown change has ended kids mode")
	}
	w.BlocksChanged(w.id["Ada"], w.id["Ben"])
	if want := []string{w.id["Ada"], w.id["Ben"]}; !slices.Equal(told, want) {
		t.Errorf("told of blocks of %q, want %q", told, want)
	}
}
