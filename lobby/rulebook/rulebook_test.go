package rulebook

import (
	"fmt"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/match/refusal"
)

// open returns a book, and two guests who may write in it.
func open(t *testing.T, db lobby.DB) (b *Book, people *lobby.People, ada, ben string) {
	t.Helper()
	l, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b, err = Open(t.Context(), db, l); err != nil {
		t.Fatal(err)
	}
	clock := time.UnixMilli(1_795_252_000_000).UTC()
	b.now = func() time.Time { clock = clock.Add(time.Second); return clock }
	for _, id := range []*string{&ada, &ben} {
		guest, err := l.People.Guest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		*id = guest.ID
	}
	return b, l.People, ada, ben
}

func TestKeptRuleSetIsFoundUntilItsAuthorForgetsIt(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		b, people, ada, ben := open(t, db)
		keep := func(player, name, options string) string {
			t.Helper()
			id, err := b.Keep(t.Context(), Entry{Player: player, Name: name, System: "kalah", Options: options})
			if err != nil || !lobby.ValidRoomID(id) {
				t.Fatalf("kept as %q, %v", id, err)
			}
			return id
		}
		first, second := keep(ada, "  Long   Kalah ", "pits=9"), keep(ada, "Short Kalah", "pits=3")
		other := keep(ben, "Long Kalah", "pits=9")
		if again := keep(ada, "Long Kalah", "pits=9"); again != first || other == first {
			t.Errorf("the same rules were kept as %s, %s and %s", first, again, other)
		}
		e, err := b.Find(t.Context(), first)
		if want := (Entry{first, ada, "Long Kalah", "kalah", "pits=9", e.Made}); err != nil || e != want || e.Made.IsZero() {
			t.Errorf("found %+v, %v; want %+v", e, err, want)
		}
		list, err := b.Of(t.Context(), ada)
		if err != nil || len(list) != 2 || list[0].ID != second || list[1].ID != first {
			t.Errorf("Ada keeps %+v, %v", list, err)
		}

		missing := func(id string) bool {
			t.Helper()
			_, err := b.Find(t.Context(), id)
			return refusal.Is(err, CodeNone)
		}
		if err := b.Forget(t.Context(), ben, first); err != nil || missing(first) {
			t.Errorf("Ben has deleted Ada's rules: %v", err)
		}
		if err := b.Forget(t.Context(), ada, first); err != nil || !missing(first) {
			t.Errorf("Ada's rules are still there: %v", err)
		}
		third := keep(ada, "Rude", "pits=4")
		if name, err := b.Remove(t.Context(), third); err != nil || name != "Rude" || !missing(third) {
			t.Errorf("an operator has deleted %q, %v", name, err)
		}
		if _, err := b.Remove(t.Context(), third); !refusal.Is(err, CodeNone) {
			t.Errorf("deleted again: %v", err)
		}
		if err := people.Forget(t.Context(), ada); err != nil || !missing(second) || missing(other) {
			t.Errorf("after Ada has gone: %v", err)
		}
		if id, err := b.Keep(t.Context(), Entry{Player: ada, Name: "Late", System: "kalah"}); !refusal.Is(err, lobby.CodeNoPlayer) {
			t.Errorf("after Ada has gone, her rules were kept as %q, %v", id, err)
		}
	})
}

func TestRuleSetsAreRefusedWhenTheirNameIsBadOrThereAreTooMany(t *testing.T) {
	b, _, ada, ben := open(t, lobbytest.Memory(t))
	for _, name := range []string{"", "   ", "a\u202eb", "<b>", string(make([]byte, 500))} {
		if id, err := b.Keep(t.Context(), Entry{Player: ada, Name: name, System: "kalah"}); id != "" || err == nil {
			t.Errorf("the name %q was kept", name)
		} else if _, refused := refusal.Of(err); !refused {
			t.Errorf("the name %q: %v", name, err)
		}
	}
	for i := range MaxKept {
		if _, err := b.Keep(t.Context(), Entry{Player: ada, Name: fmt.Sprint("Rules ", i), System: "kalah"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Keep(t.Context(), Entry{Player: ada, Name: "One more", System: "kalah"}); !refusal.Is(err, CodeFull) {
		t.Errorf("one more: %v", err)
	}
	if _, err := b.Keep(t.Context(), Entry{Player: ada, Name: "Rules 3", System: "kalah"}); err != nil {
		t.Errorf("the same again: %v", err)
	}
	if _, err := b.Keep(t.Context(), Entry{Player: ben, Name: "Mine", System: "kalah"}); err != nil {
		t.Errorf("another player: %v", err)
	}
}
