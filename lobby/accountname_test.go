package lobby

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"mancala/match/refusal"
)

func nothing(Tx) error { return nil }

func (l *Lobby) mustUpgrade(t testing.TB, name string) Player {
	t.Helper()
	p := l.mustGuest(t)
	if _, err := l.People.Upgrade(t.Context(), p.ID, name, nothing); err != nil {
		t.Fatal(err)
	}
	p, err := l.People.Player(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAccountNamesAreChecked(t *testing.T) {
	for _, tt := range []struct {
		in   string
		code refusal.Code
	}{
		{"Ada", ""}, {"Ada 2", ""}, {"नूर", ""}, {"李小龍", ""},
		{"Deleted player", CodeNameReserved}, {"d e l e t e d-player", CodeNameReserved}, {"ＡＤＭＩＮ", CodeNameReserved},
		{"Аdmin", CodeNameReserved}, {"Settings", CodeNameReserved}, {"w.a.t.c.h", CodeNameReserved}, {"Acc0unt", CodeNameReserved},
		{"2345", CodeNameEmpty}, {"", CodeNameEmpty}, {"<b>", CodeNameCharacters},
	} {
		if _, err := AccountName(tt.in); codeOf(err) != tt.code {
			t.Errorf("%q: %v, want %q", tt.in, err, tt.code)
		}
	}
}

// An account keeps the guest's data. No other player can have its name, in any spelling
// with the same handle.
func TestUpgradedGuestKeepsTheirData(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		ada, ben := l.mustGuest(t), l.mustGuest(t)
		if _, err := l.People.SetPrefs(t.Context(), ada.ID, Prefs{"theme": "dark"}); err != nil {
			t.Fatal(err)
		}
		if guest, err := l.People.IsGuest(t.Context(), ada.ID); !guest || err != nil {
			t.Errorf("a guest is one: %t, %v", guest, err)
		}
		broken := errors.New("broken")
		if _, err := l.People.Upgrade(t.Context(), ada.ID, "Ada", func(Tx) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("what goes with it failed: %v", err)
		}
		if name, err := l.People.Upgrade(t.Context(), ada.ID, " Ada ", nothing); name != "Ada" || err != nil {
			t.Fatalf("upgraded to %q, %v", name, err)
		}
		p, err := l.People.Player(t.Context(), ada.ID)
		if err != nil || p.Guest() || p.Name != "Ada" || !p.Created.Equal(ada.Created) {
			t.Errorf("the account is %+v, %v", p, err)
		}
		if guest, err := l.People.IsGuest(t.Context(), ada.ID); guest || err != nil {
			t.Errorf("an account is a guest: %t, %v", guest, err)
		}
		if prefs, err := l.People.Prefs(t.Context(), ada.ID); err != nil || prefs["theme"] != "dark" {
			t.Errorf("the settings are %v, %v", prefs, err)
		}
		if _, err := l.People.Upgrade(t.Context(), ada.ID, "Zoe", nothing); codeOf(err) != CodeHasAccount {
			t.Errorf("once more: %v, want %s", err, CodeHasAccount)
		}
		if _, err := l.People.Upgrade(t.Context(), "nobody", "Zoe", nothing); codeOf(err) != CodeNoPlayer {
			t.Errorf("a stranger: %v, want %s", err, CodeNoPlayer)
		}
		for _, like := range []string{"Ada", "ADA", "a d a", "A.d.a", "Аdа", "ａｄａ"} {
			if _, err := l.People.Upgrade(t.Context(), ben.ID, like, nothing); codeOf(err) != CodeNameTaken {
				t.Errorf("another %q: %v, want %s", like, err, CodeNameTaken)
			}
			if _, err := l.People.Rename(t.Context(), ben.ID, like); codeOf(err) != CodeNameTaken {
				t.Errorf("a guest %q: %v, want %s", like, err, CodeNameTaken)
			}
			if p, err := l.People.Named(t.Context(), like); err != nil || p.ID != ada.ID {
				t.Errorf("%q is %+v, %v", like, p, err)
			}
		}
		if _, err := l.People.Named(t.Context(), ben.Name); codeOf(err) != CodeNoPlayer {
			t.Errorf("a guest was found by name: %v", err)
		}
	})
}

// requestAda lets 8 guests request the name Ada at once, and counts those who get it.
func (l *Lobby) requestAda(t *testing.T, wg *sync.WaitGroup) *atomic.Int32 {
	got := new(atomic.Int32)
	for range 8 {
		p := l.mustGuest(t)
		wg.Go(func() {
			switch _, err := l.People.Upgrade(t.Context(), p.ID, "Ada", nothing); {
			case err == nil:
				got.Add(1)
			case codeOf(err) != CodeNameTaken:
				t.Error(err)
			}
		})
	}
	return got
}

// Of several players who request a name at once, one gets it.
func TestOneOfSeveralGetsARequestedName(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		var wg sync.WaitGroup
		got := l.requestAda(t, &wg)
		wg.Wait()
		if n := got.Load(); n != 1 {
			t.Errorf("%d of 8 are Ada", n)
		}
	})
}
