package lobby

import (
	"strings"
	"testing"
	"time"

	"mancala/match"
)

func TestSeatmateIsOnePlayerForEachNameOfAKeeper(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		ada, ben := l.mustGuest(t), l.mustGuest(t)
		l.mustUpgrade(t, "Eva")
		must := func(keeper, name string, nth int) Player {
			t.Helper()
			mate, err := l.People.Seatmate(t.Context(), keeper, name, nth)
			if err != nil || !match.PlaysFor(keeper, mate.ID) || ValidPlayerID(mate.ID) || !mate.Guest() {
				t.Fatalf("the seatmate %q is %+v, %v", name, mate, err)
			}
			if names, err := l.People.Names(t.Context(), []string{mate.ID}); err != nil || names[mate.ID] != mate.Name {
				t.Errorf("the names are %v, %v; want %q", names, err, mate.Name)
			}
			return mate
		}
		mia := must(ada.ID, " Mia ", 1)
		c.advance(time.Hour)
		if again := must(ada.ID, "mia", 1); again.ID != mia.ID || again.Name != "mia" || !again.Seen.After(mia.Seen) {
			t.Errorf("a second time it is %+v, at first %+v", again, mia)
		}
		if other := must(ben.ID, "Mia", 1); other.ID == mia.ID {
			t.Error("two keepers have the same seatmate")
		}
		usual := must(ada.ID, "", 1)
		if len(strings.Fields(usual.Name)) != 2 || must(ada.ID, "", 1) != usual || must(ada.ID, "", 2).ID == usual.ID {
			t.Errorf("without a name it is %+v", usual)
		}
		if _, err := l.People.Seatmate(t.Context(), ada.ID, "eva", 1); codeOf(err) != CodeNameTaken {
			t.Errorf("the name of an account: %v, want %s", err, CodeNameTaken)
		}
		if _, err := l.People.Seatmate(t.Context(), ada.ID, "<b>", 1); codeOf(err) != CodeNameCharacters {
			t.Errorf("markup as a name: %v, want %s", err, CodeNameCharacters)
		}
	})
}

func TestDeletedPlayerTakesTheirSeatmatesWithThem(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		ada, ben := l.mustGuest(t), l.mustGuest(t)
		keep := map[string]bool{ben.ID: true}
		var ids []string
		for i, keeper := range []Player{ada, ada, ben} {
			mate, err := l.People.Seatmate(t.Context(), keeper.ID, "Mia", i)
			if err == nil {
				err = l.Games.Put(t.Context(), Game{Room: "r" + mate.ID, Ended: true, Updated: c.now(), In: []Part{{keeper.ID, 0}, {mate.ID, 1}, {ben.ID, 2}}})
			}
			if err != nil {
				t.Fatal(err)
			}
			keep[mate.ID] = keeper == ben
			ids = append(ids, mate.ID)
		}
		if err := l.People.Forget(t.Context(), ada.ID); err != nil {
			t.Fatal(err)
		}
		for _, id := range append(ids, ada.ID, ben.ID) {
			if n := left(t, db, id); n > 0 != keep[id] {
				t.Errorf("%d rows name %s, kept: %v", n, id, keep[id])
			}
		}
	})
}

// The list has no game of a seatmate when the game was swept, was not listed yet, or was never made.
func TestSeatmateWithoutAGameIsDeletedWithTheirKeeper(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		ada, ben := l.mustGuest(t), l.mustGuest(t)
		seatmate := func(keeper Player) string {
			t.Helper()
			mate, err := l.People.Seatmate(t.Context(), keeper.ID, "Mia", 1)
			if err != nil {
				t.Fatal(err)
			}
			return mate.ID
		}
		own, others := seatmate(ada), seatmate(ben)
		if err := l.People.Forget(t.Context(), ada.ID); err != nil {
			t.Fatal(err)
		}
		if left(t, db, own) > 0 || left(t, db, others) == 0 {
			t.Errorf("%d rows name the seatmate, and %d the one of another player", left(t, db, own), left(t, db, others))
		}
	})
}
