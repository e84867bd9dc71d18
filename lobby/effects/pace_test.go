package effects

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestRoundIsOpenedAtAPaceThatTheServiceKeepsUpWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const games = 25
		var p pace
		var takes time.Duration // by the service, to open the games
		last := time.Now()
		// open returns how long after the games before these are opened.
		open := func() (gap time.Duration) {
			t.Helper()
			err := p.open(t.Context(), games, func() {
				gap, last = time.Since(last), time.Now()
				time.Sleep(takes)
			})
			if err != nil {
				t.Fatal(err)
			}
			return gap
		}
		expect := func(when string, want time.Duration) {
			t.Helper()
			if got := open(); got != want {
				t.Errorf("%s the next games are opened after %v, want %v", when, got, want)
			}
		}
		expect("at the beginning", 0)
		expect("while the service is quick", games*openQuickly)
		expect("while the service is quick", games*openQuickly)

		takes = openSlow + 1
		for range 20 {
			open()
		}
		expect("while the service is slow", games*openSlowly)
		takes = openSlow
		for range 20 {
			open()
		}
		expect("when the service is quick again", games*openQuickly)

		takes = 0
		open()
		time.Sleep(3 * games * openQuickly) // not too far behind
		open()
		expect("after a short delay", 0)
		expect("after a short delay", 0)
		expect("when the delay is made up for", games*openQuickly)

		time.Sleep(openBehind + 2*games*openQuickly)
		open()
		expect("after a long delay, which is not made up for,", games*openQuickly)
	})
}
