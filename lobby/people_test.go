package lobby

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestGuestIsReadBack(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		p := l.mustGuest(t)
		if !ValidPlayerID(p.ID) || len(strings.Fields(p.Name)) != 2 || !p.Created.Equal(c.now()) || !p.Seen.Equal(c.now()) {
			t.Errorf("a new guest is %+v", p)
		}
		if got, err := l.People.Player(t.Context(), p.ID); err != nil || got != p {
			t.Errorf("read back %+v, %v; want %+v", got, err, p)
		}
		if _, err := l.People.Player(t.Context(), "nobody"); codeOf(err) != CodeNoPlayer {
			t.Errorf("a stranger: %v, want %s", err, CodeNoPlayer)
		}
	})
}

func TestPlayersAreRenamed(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		p := l.mustGuest(t)
		var told []string
		l.People.WhenRenamed(func(player string) { told = append(told, player) })
		for _, want := range []string{"Ada", "Ben"} {
			if got, err := l.People.Rename(t.Context(), p.ID, "  "+want+" "); err != nil || got != want {
				t.Errorf("renamed to %q, %v; want %q", got, err, want)
			}
			if names, err := l.People.Names(t.Context(), []string{p.ID}); err != nil || names[p.ID] != want {
				t.Errorf("then the names are %v, %v; want %q", names, err, want)
			}
		}
		if _, err := l.People.Rename(t.Context(), p.ID, "<b>"); codeOf(err) != CodeNameCharacters {
			t.Errorf("markup as a name: %v, want %s", err, CodeNameCharacters)
		}
		if _, err := l.People.Rename(t.Context(), "nobody", "Ada"); codeOf(err) != CodeNoPlayer {
			t.Errorf("a stranger renamed: %v, want %s", err, CodeNoPlayer)
		}
		if want := []string{p.ID, p.ID}; !slices.Equal(told, want) {
			t.Errorf("new names were told of %q, want %q", told, want)
		}
	})
}

func TestDeletedPlayersAreNumberedInEveryLanguage(t *testing.T) {
	names := map[string]string{"p1": DeletedName, "p2": "Ben", "p3": DeletedName + " 2"}
	CallDeleted(names, []string{"p1", "p3"}, "Compte supprimé")
	if want := map[string]string{"p1": "Compte supprimé", "p2": "Ben", "p3": "Compte supprimé 2"}; !maps.Equal(names, want) {
		t.Errorf("names are %q, want %q", names, want)
	}
}

func TestNamesAreCachedForAWhile(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l, other := openLobby(t, db, c, Options{}), openLobby(t, db, c, Options{})
		var ids []string
		want := map[string]string{"p2": DeletedName, "'; DROP TABLE players; --": DeletedName}
		for range 2*chunk + 5 {
			p := l.mustGuest(t)
			ids = append(ids, p.ID)
			want[p.ID] = p.Name
		}
		ids = append(ids, "p2", "'; DROP TABLE players; --", ids[0], ids[0])
		for range 2 { // from the database, then from the cache
			got, err := l.People.Names(t.Context(), ids)
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("names are %v, %v; want %v", got, err, want)
			}
		}
		for _, when := range []string{"from the cache", "from the database"} {
			_, deleted, err := l.People.NamesAndDeleted(t.Context(), ids)
			if gone := []string{"p2", "'; DROP TABLE players; --"}; err != nil || !slices.Equal(deleted, gone) {
				t.Errorf("%s %q are deleted, %v; want %q", when, deleted, err, gone)
			}
			c.advance(nameFresh)
		}
		if got, err := l.People.Names(t.Context(), nil); err != nil || len(got) != 0 {
			t.Errorf("names of no players: %v, %v", got, err)
		}

		// Another instance renames a player; this one shows it after nameFresh.
		if _, err := other.People.Rename(t.Context(), ids[0], "Ada"); err != nil {
			t.Fatal(err)
		}
		c.advance(nameFresh)
		if got, err := l.People.Names(t.Context(), ids[:1]); err != nil || got[ids[0]] != "Ada" {
			t.Errorf("after %v the name is %v, %v; want Ada", nameFresh, got, err)
		}
	})
}

// A batch has the questions of several callers. PostgreSQL refuses some of these IDs, and all that are asked with them.
func TestImpossibleIDTakesNoOtherNameAway(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		p := l.mustGuest(t)
		for _, id := range []string{"", "nobody", "p\x00", "\xff", "\xed\xa0\x80", strings.Repeat("p", 1<<16)} {
			names, deleted, err := l.People.NamesAndDeleted(t.Context(), []string{id, p.ID})
			if want := map[string]string{id: DeletedName, p.ID: p.Name}; err != nil || !maps.Equal(names, want) || !slices.Equal(deleted, []string{id}) {
				t.Errorf("with %.20q the names are %.80q, deleted %.20q, %v", id, names, deleted, err)
			}
			l.People.dropNames()
		}
	})
}

// TestNamesCacheKeepsNoOldName proves that the cache never keeps an old name when reads and a
// renaming are concurrent.
func TestNamesCacheKeepsNoOldName(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		p := l.mustGuest(t)
		for i := range 30 {
			name := fmt.Sprint("Ada ", i)
			var wg sync.WaitGroup
			wg.Go(func() {
				if _, err := l.People.Rename(t.Context(), p.ID, name); err != nil {
					t.Error(err)
				}
			})
			for range 3 {
				wg.Go(func() {
					if _, err := l.People.Names(t.Context(), []string{p.ID}); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			if got, err := l.People.Names(t.Context(), []string{p.ID}); err != nil || got[p.ID] != name {
				t.Fatalf("afterwards the name is %v, %v; want %q", got, err, name)
			}
		}
	})
}

func TestPlayersAreSeenOnEveryInstance(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l, other := openLobby(t, db, c, Options{}), openLobby(t, db, c, Options{})
		p := l.mustGuest(t)
		made := p.Seen
		seen := func(l *Lobby) time.Duration {
			t.Helper()
			if err := l.People.Seen(t.Context(), p.ID); err != nil {
				t.Fatal(err)
			}
			got, err := l.People.Player(t.Context(), p.ID)
			if err != nil {
				t.Fatal(err)
			}
			return got.Seen.Sub(made)
		}
		for _, step := range []struct {
			after, want time.Duration
			l           *Lobby
		}{
			{0, 0, l},
			{59 * time.Minute, 0, l},
			{59 * time.Minute, 0, other},
			{time.Hour, time.Hour, other},
			{time.Hour + 59*time.Minute, time.Hour, l},
			{2*time.Hour + time.Minute, 2*time.Hour + time.Minute, l},
			{3 * time.Hour, 2*time.Hour + time.Minute, other},
		} {
			c.advance(made.Add(step.after).Sub(c.now()))
			if got := seen(step.l); got != step.want {
				t.Errorf("after %v a sign of life leaves %v, want %v", step.after, got, step.want)
			}
		}
		if err := l.People.Seen(t.Context(), "nobody"); codeOf(err) != CodeNoPlayer {
			t.Errorf("a stranger's sign of life: %v, want %s", err, CodeNoPlayer)
		}
	})
}

func TestSweepKeepsGuestsWhoPlay(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{GuestIdle: 100 * time.Hour})
		idle, back, playing, played := l.mustGuest(t), l.mustGuest(t), l.mustGuest(t), l.mustGuest(t)
		for range 2*turnRows + 3 { // more than one transaction's worth
			l.mustGuest(t)
		}
		put := func(room string, p Player, ended bool) {
			if err := l.Games.Put(t.Context(), Game{Room: room, Ended: ended, Updated: c.now(), In: []Part{{p.ID, 0}}}); err != nil {
				t.Fatal(err)
			}
		}
		put("r1", playing, false)
		put("r2", played, true)
		ids := []string{idle.ID, back.ID, playing.ID, played.ID}
		if _, err := l.People.Names(t.Context(), ids); err != nil { // caches them
			t.Fatal(err)
		}
		sweep := func(want int) {
			t.Helper()
			if n, err := l.People.Sweep(t.Context()); err != nil || n != want {
				t.Fatalf("swept %d, %v; want %d", n, err, want)
			}
		}
		c.advance(99 * time.Hour)
		sweep(0)
		if err := l.People.Seen(t.Context(), back.ID); err != nil {
			t.Fatal(err)
		}
		c.advance(2 * time.Hour)
		sweep(2 + 2*turnRows + 3)
		sweep(0)
		got, err := l.People.Names(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{DeletedName, back.Name, playing.Name, DeletedName}
		for i, id := range ids {
			if got[id] != want[i] {
				t.Errorf("player %d is called %q, want %q", i, got[id], want[i])
			}
		}
		if err := l.People.Seen(t.Context(), idle.ID); codeOf(err) != CodeNoPlayer {
			t.Errorf("a swept guest comes back: %v, want %s", err, CodeNoPlayer)
		}
	})
}

func TestSweepKeepsGuestsWhoAreStillNeeded(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		first := openLobby(t, db, c, Options{GuestIdle: 100 * time.Hour})
		second := openLobby(t, db, c, Options{GuestIdle: 100 * time.Hour}) // another instance
		var guests []string
		for range turnRows + 3 { // more than one transaction's worth
			guests = append(guests, first.mustGuest(t).ID)
		}
		first.mustGuest(t)
		for range 5 {
			for _, l := range []*Lobby{first, second} {
				c.advance(24 * time.Hour)
				if err := l.People.Keep(t.Context(), guests); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, want := range []int{1, 0} {
			if n, err := first.People.Sweep(t.Context()); err != nil || n != want {
				t.Errorf("swept %d, %v; want %d", n, err, want)
			}
		}
		c.advance(101 * time.Hour)
		if n, err := second.People.Sweep(t.Context()); err != nil || n != len(guests) {
			t.Errorf("later swept %d, %v; want %d", n, err, len(guests))
		}
	})
}

func TestForgottenPlayerLeavesOnlyTheirGames(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		ada, ben := l.mustGuest(t), l.mustGuest(t)
		if err := l.Games.Put(t.Context(), Game{Room: "r1", Updated: c.now(), In: []Part{{ada.ID, 0}, {ben.ID, 1}}}); err != nil {
			t.Fatal(err)
		}
		for _, p := range []Player{ada, ben} {
			if _, err := l.Lines.Say(t.Context(), Line{Room: "r1", Stream: "players", Player: p.ID, Text: "I am " + p.Name}); err != nil {
				t.Fatal(err)
			}
			if _, err := l.People.SetPrefs(t.Context(), p.ID, Prefs{"theme": "dark"}); err != nil {
				t.Fatal(err)
			}
			if err := l.People.Seen(t.Context(), p.ID); err != nil { // caches both
				t.Fatal(err)
			}
		}
		for range 2 { // once more changes nothing
			if err := l.People.Forget(t.Context(), ada.ID); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.People.Seen(t.Context(), ada.ID); codeOf(err) != CodeNoPlayer {
			t.Errorf("the forgotten comes back: %v, want %s", err, CodeNoPlayer)
		}
		names, err := l.People.Names(t.Context(), []string{ada.ID, ben.ID})
		if err != nil || names[ada.ID] != DeletedName || names[ben.ID] != ben.Name {
			t.Errorf("the names are %v, %v", names, err)
		}
		if prefs, err := l.People.Prefs(t.Context(), ada.ID); err != nil || len(prefs) != 0 {
			t.Errorf("settings are left: %v, %v", prefs, err)
		}
		// The update that ends the player's game comes afterwards.
		if err := l.Games.Put(t.Context(), Game{Room: "r1", Ended: true, Updated: c.now(), In: []Part{{ada.ID, 0}, {ben.ID, 1}}}); err != nil {
			t.Fatal(err)
		}
		if games, err := l.Games.Of(t.Context(), ada.ID, 9); err != nil || len(games) != 0 {
			t.Errorf("games are left: %v, %v", games, err)
		}
		if games, err := l.Games.Of(t.Context(), ben.ID, 9); err != nil || len(games) != 1 {
			t.Errorf("the other's games are %v, %v", games, err)
		}
		lines, err := l.Lines.Last(t.Context(), "r1", "players", 9)
		if err != nil || len(lines) != 1 || lines[0].Player != ben.ID {
			t.Errorf("of the chat is left %v, %v", lines, err)
		}
	})
}

func TestConcurrentGuestsAreDifferent(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		var mu sync.Mutex
		var ids []string
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				p, err := l.People.Guest(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if err := l.People.Seen(t.Context(), p.ID); err != nil {
					t.Error(err)
				}
				if _, err := l.People.Sweep(t.Context()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				ids = append(ids, p.ID)
			})
		}
		wg.Wait()
		slices.Sort(ids)
		if n := len(slices.Compact(ids)); n != 20 {
			t.Errorf("%d different guests, want 20", n)
		}
	})
}
