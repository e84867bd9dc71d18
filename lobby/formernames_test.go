package lobby

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"mancala/match/refusal"
)

// closed fails the test unless the name is refused to every player but its owner: to a
// new account, to an account that renames, and to a guest.
func (l *Lobby) closed(t testing.TB, name string) {
	t.Helper()
	const want = CodeNameTaken
	other, guest, fresh := l.mustUpgrade(t, "Other "+newPlayerID()), l.mustGuest(t), l.mustGuest(t)
	if _, err := l.People.Rename(t.Context(), other.ID, name); codeOf(err) != want {
		t.Errorf("another account as %q: %v, want %q", name, err, want)
	}
	if _, err := l.People.Rename(t.Context(), guest.ID, name); codeOf(err) != want {
		t.Errorf("a guest as %q: %v, want %q", name, err, want)
	}
	if _, err := l.People.Upgrade(t.Context(), fresh.ID, name, nothing); codeOf(err) != want {
		t.Errorf("a new account as %q: %v, want %q", name, err, want)
	}
	if err := l.People.NameFree(t.Context(), name); codeOf(err) != want {
		t.Errorf("%q before an account is made: %v, want %q", name, err, want)
	}
}

func TestRenamedAccountsOldNameIsKeptFromOthersFor30Days(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l, other := openLobby(t, db, c, Options{}), openLobby(t, db, c, Options{})
		ada := l.mustUpgrade(t, "Ada")
		rename := func(name string, want refusal.Code) {
			t.Helper()
			if _, err := l.People.Rename(t.Context(), ada.ID, name); codeOf(err) != want {
				t.Errorf("renamed to %q: %v, want %q", name, err, want)
			}
		}
		rename("ada", "") // the player's own name, in another case
		rename("Account", CodeNameReserved)
		rename("Zoe", "")
		for _, like := range []string{"Ada", "A.D.A", "Аdа"} {
			other.closed(t, like)
		}
		if _, err := l.People.Named(t.Context(), "Ada"); codeOf(err) != CodeNoPlayer {
			t.Errorf("the old name still leads to a player: %v", err)
		}
		rename("Ada", "") // the owner takes the name back
		other.closed(t, "Zoe")
		rename("Zoe", "")

		c.advance(NameKept - time.Millisecond)
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		other.closed(t, "Ada")
		c.advance(time.Millisecond)
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.mustUpgrade(t, "Ada")
		rename("Ada", CodeNameTaken)
		if p, err := l.People.Player(t.Context(), ada.ID); err != nil || p.Name != "Zoe" {
			t.Errorf("after a refusal the player is %+v, %v", p, err)
		}
	})
}

func TestDeletedAccountsNamesAreKeptFromOthersFor30Days(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		ada := l.mustUpgrade(t, "Ada")
		if _, err := l.People.Rename(t.Context(), ada.ID, "Zoe"); err != nil {
			t.Fatal(err)
		}
		c.advance(10 * 24 * time.Hour)
		if err := l.People.Forget(t.Context(), ada.ID); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Ada", "Zoe"} {
			l.closed(t, name)
		}
		left := 0
		if err := db.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM former_handles WHERE player = $1", ada.ID).Scan(&left); err != nil || left != 0 {
			t.Errorf("%d names still say whose they were, %v", left, err)
		}
		c.advance(20 * 24 * time.Hour)
		l.mustUpgrade(t, "Ada")
		l.closed(t, "Zoe")
		c.advance(10 * 24 * time.Hour) // the name is free before a sweep removes its row
		l.mustUpgrade(t, "Zoe")
	})
}

// One account can close only a bounded number of names to others. An operator can rename
// the account beyond that bound.
func TestAccountGivesUpOnlySoManyNames(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		ada := l.mustUpgrade(t, "Ada")
		for i := range maxFormer {
			if _, err := l.People.Rename(t.Context(), ada.ID, fmt.Sprint("Name ", i)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := l.People.Rename(t.Context(), ada.ID, "Zoe"); codeOf(err) != CodeNamesMany {
			t.Errorf("one more: %v, want %s", err, CodeNamesMany)
		}
		if _, err := l.People.Rename(t.Context(), ada.ID, "Ada"); err != nil {
			t.Errorf("a former name of the same account: %v", err)
		}
		if _, err := l.People.RenameByOperator(t.Context(), ada.ID, "Quiet Owl"); err != nil {
			t.Errorf("an operator: %v", err)
		}
		c.advance(NameKept)
		if _, err := l.People.Rename(t.Context(), ada.ID, "Zoe"); err != nil {
			t.Errorf("after a month: %v", err)
		}
	})
}

// An instance of the previous version does not know former handles and gives a kept name
// to another player. The new owner keeps the name.
func TestNameThatTheVersionBeforeGaveAwayIsKept(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		ada, ben := l.mustUpgrade(t, "Ada"), l.mustUpgrade(t, "Ben")
		if _, err := l.People.Rename(t.Context(), ada.ID, "Zoe"); err != nil {
			t.Fatal(err)
		}
		err := db.Write(t.Context(), func(tx Tx) error {
			_, err := tx.Exec("DELETE FROM handles WHERE player = $1", ben.ID)
			_, err2 := tx.Exec("INSERT INTO handles (handle, player) VALUES ($1, $2)", NameKey("Ada"), ben.ID)
			return errors.Join(err, err2)
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.People.Rename(t.Context(), ada.ID, "Ada"); codeOf(err) != CodeNameTaken {
			t.Errorf("the former owner takes it back: %v, want %s", err, CodeNameTaken)
		}
		for _, name := range []string{"ADA", "Ben"} {
			if _, err := l.People.Rename(t.Context(), ben.ID, name); err != nil {
				t.Errorf("its owner as %q: %v", name, err)
			}
		}
		if _, err := l.People.Rename(t.Context(), ada.ID, "Ada"); codeOf(err) != CodeNameTaken {
			t.Errorf("the former owner after the next one gave it up: %v, want %s", err, CodeNameTaken)
		}
	})
}

// A name that is given up while other players request it goes to none of them.
func TestNameIsKeptWhileManyWantIt(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		ada := l.mustUpgrade(t, "Ada")
		var wg sync.WaitGroup
		got := l.requestAda(t, &wg)
		wg.Go(func() {
			if err := l.People.Forget(t.Context(), ada.ID); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		if n := got.Load(); n != 0 {
			t.Errorf("%d have the name", n)
		}
	})
}
