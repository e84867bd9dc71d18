package chat

import (
	"slices"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/match"
)

func TestEndOfAGameOpensTheOtherStreamToItsReaders(t *testing.T) {
	const players, watchers = lobby.StreamPlayers, lobby.StreamWatchers
	for _, tt := range []struct {
		name     string
		own      string
		state    string
		listed   bool
		opened   string
		readable []string
	}{
		{"player in a game that goes on", players, "live", true, "", []string{players, watchers}},
		{"player after a listed game", players, "over", true, watchers, []string{players, watchers}},
		{"player after an unlisted game", players, "over", false, watchers, []string{players, watchers}},
		{"watcher of a game that goes on", watchers, "live", true, "", []string{watchers}},
		{"watcher after a listed game", watchers, "over", true, players, []string{watchers, players}},
		{"watcher after an unlisted game", watchers, "over", false, "", []string{watchers}},
		{"watcher before the game", watchers, "waiting", true, "", []string{watchers}},
	} {
		game := match.Facts{State: tt.state, Listed: tt.listed}
		if got := opened(tt.own, game); got != tt.opened {
			t.Errorf("%s: the end has opened %q, want %q", tt.name, got, tt.opened)
		}
		if got := readable(tt.own, game); !slices.Equal(got, tt.readable) {
			t.Errorf("%s: may have read %q, want %q", tt.name, got, tt.readable)
		}
	}
}

func TestLinesReachTheOtherStreamOnlyAfterTheGame(t *testing.T) {
	const players, watchers = lobby.StreamPlayers, lobby.StreamWatchers
	for _, tt := range []struct {
		name, stream, state string
		listed              bool
		delay, after        time.Duration
		ok                  bool
	}{
		{"players in a game that goes on", players, "live", true, 0, 0, false},
		{"watchers of a game that goes on", watchers, "live", true, 0, 0, false},
		{"players after a listed game", players, "over", true, 0, 0, true},
		{"players after a listed game that watchers see late", players, "over", true, time.Minute, time.Minute, true},
		{"players after an unlisted game", players, "over", false, 0, 0, false},
		{"watchers after a listed game", watchers, "over", true, 0, 0, true},
		{"watchers after an unlisted game", watchers, "over", false, 0, 0, true},
		{"watchers after a game that they see late", watchers, "over", true, time.Minute, 0, true},
	} {
		after, ok := overheard(tt.stream, match.Facts{State: tt.state, Listed: tt.listed}, tt.delay)
		if after != tt.after || ok != tt.ok {
			t.Errorf("%s: %t after %v, want %t after %v", tt.name, ok, after, tt.ok, tt.after)
		}
	}
}
