package lobby

import (
	"errors"
	"testing"
	"time"

	"mancala/match/gather"
)

// The database is closed next: no query may begin, or go on, beside that.
func TestClosedLobbyAsksTheDatabaseNothing(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		p := l.mustGuest(t)
		l.Close()
		if _, err := l.People.Names(t.Context(), []string{p.ID}); !errors.Is(err, gather.ErrClosed) {
			t.Errorf("names: %v", err)
		}
		if _, err := l.Lines.Last(t.Context(), "r", StreamPlayers, 1); !errors.Is(err, gather.ErrClosed) {
			t.Errorf("chat: %v", err)
		}
	})
}

func TestSweepDeletesIdleGuestsAndOldKeys(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		p := l.mustGuest(t)
		token := l.Tokens.mustSign(t, p.ID)
		c.advance(181 * 24 * time.Hour)
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := l.People.Player(t.Context(), p.ID); codeOf(err) != CodeNoPlayer {
			t.Errorf("an idle guest: %v, want %s", err, CodeNoPlayer)
		}
		if n := len(*l.Tokens.keys.Load()); n != 2 {
			t.Errorf("%d keys after half a year, want 2", n)
		}
		if _, _, ok := l.Tokens.Verify(token); !ok { // the caller of Verify must check that the player exists
			t.Error("the token of a deleted guest is not good")
		}
	})
}
