package lobby

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestEvery tests the period without a database, since a bubble cannot contain one.
func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		broken := errors.New("broken")
		start := time.Now()
		var at []time.Duration
		do := func(context.Context) error {
			at = append(at, time.Since(start))
			if len(at) == 3 {
				cancel()
			}
			return broken
		}
		var reported []error
		every(ctx, time.Hour, do, func(err error) { reported = append(reported, err) })
		if len(at) != 3 || at[0] != time.Hour || at[2] != 3*time.Hour {
			t.Errorf("done after %v, want every hour", at)
		}
		if len(reported) != 2 || reported[0] != broken { // the third error came after the context had ended
			t.Errorf("reported %v, want %v twice", reported, broken)
		}
	})
}

func TestSweepAll(t *testing.T) {
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
