package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"mancala/match/journal/pgtest"
)

// TestGuestsAndGamesOfADayAreBounded simulates a service that keeps guests and their games
// for two days. After that it grows by nothing but the games that were given up, which end
// after 30 days.
func TestGuestsAndGamesOfADayAreBounded(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(*testing.T) string{
		"sqlite":     func(*testing.T) string { return "" },
		"postgresql": func(t *testing.T) string { return pgtest.Open(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const daily, twoDays = 200, 48 * time.Hour
			s, err := openStore(t.Context(), database(t))
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			y, err := newYear(t.Context(), yearLoad{idle: twoDays, kept: twoDays, chat: twoDays}, s)
			if err != nil {
				t.Fatal(err)
			}
			count := func(table string) int {
				t.Helper()
				n, err := y.count(t.Context(), table)
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			const days = 5
			for range days {
				if err := y.day(t.Context(), daily); err != nil {
					t.Fatal(err)
				}
			}
			// A game is given up by one guest in four, and holds two.
			abandoned := days * daily / mouldKinds
			if len(y.going) != abandoned+daily/mouldKinds { // and those of today that have one player so far
				t.Errorf("%d games go on, want %d", len(y.going), abandoned+daily/mouldKinds)
			}
			for table, most := range map[string]int{
				"players": 3*daily + 2*abandoned, "rooms": 4*daily + abandoned, "games": 8*daily + 2*abandoned, "folded": 4 * daily,
				"chat": 3 * daily, "invitations": 2 * daily, "stage": 2 * daily,
			} {
				if n := count(table); n > most || n == 0 {
					t.Errorf("after %d days %s has %d rows, want at most %d", days, table, n, most)
				}
			}
			entries := "segments"
			if name == "postgresql" {
				entries = "entries"
			}
			if n, most := count(entries), 20*len(y.going); n > most {
				t.Errorf("%s has %d rows, want at most %d of the games that go on", entries, n, most)
			}
			y.now = y.now.Add(31 * 24 * time.Hour)
			for range 5 { // no more guests
				if err := y.day(t.Context(), 0); err != nil {
					t.Fatal(err)
				}
			}
			y.now = y.now.Add(31 * 24 * time.Hour)
			for range 2 {
				if err := y.day(t.Context(), 0); err != nil {
					t.Fatal(err)
				}
			}
			for _, table := range []string{"players", "rooms", "games", "folded", entries, "chat", "invitations", "stage", "orphaned_games"} {
				if n := count(table); n != 0 {
					t.Errorf("at last %s has %d rows", table, n)
				}
			}
		})
	}
}

func TestSimulatedYearPrintsEachMonth(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(t.Context(), strings.Fields("--work year --days 31 --daily 4"), nil, &out, &out); err != nil {
		t.Fatal(err, out.String())
	}
	for _, want := range []string{"4 guests and games a day for 31 days, in SQLite", "day 30 ", "day 31 ", "folded", "players"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it did not print %q:\n%s", want, out.String())
		}
	}
}
