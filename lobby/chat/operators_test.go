package chat

import (
	"testing"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

func TestReportedLineIsOneThatTheReporterCanRead(t *testing.T) {
	const players, watchers = lobby.StreamPlayers, lobby.StreamWatchers
	s := newService(t)
	for _, l := range []lobby.Line{ // both have the number 1 in their stream
		{Player: "ben", Stream: players, Text: "from a seat"},
		{Player: "dan", Stream: watchers, Text: "from the gallery"},
	} {
		if _, err := s.Say(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name     string
		reporter string
		over     bool
		delay    time.Duration
		cited    Cited
		want     string // empty: no line
	}{
		{"player, own stream", "ada", false, 0, Cited{Stream: players, N: 1}, "from a seat"},
		{"player, who may have watched before", "ada", false, 0, Cited{Stream: watchers, N: 1}, "from the gallery"},
		{"player, no stream", "ada", false, 0, Cited{N: 1, Player: "dan"}, "from the gallery"},
		{"player, no stream, a wrong author", "ada", false, 0, Cited{N: 1, Player: "cleo"}, ""},
		{"player, no such line", "ada", false, 0, Cited{Stream: players, N: 2}, ""},
		{"watcher, during the game", "cleo", false, 0, Cited{Stream: players, N: 1}, ""},
		{"watcher, no stream, during the game", "cleo", false, 0, Cited{N: 1, Player: "ben"}, "from the gallery"}, // the only one they can read
		{"watcher, after the game", "cleo", true, 0, Cited{Stream: players, N: 1}, "from a seat"},
		{"watcher, who sees the end late", "cleo", true, time.Minute, Cited{Stream: players, N: 1}, ""},
	} {
		s.game["state"], s.delay = map[bool]string{true: "over", false: "live"}[tt.over], tt.delay
		view, err := s.View(t.Context(), testRoom, tt.reporter)
		if err != nil {
			t.Fatal(err)
		}
		tt.cited.Room = testRoom
		line, err := s.Find(t.Context(), view, tt.cited)
		if line.Text != tt.want || (tt.want == "") != refusal.Is(err, lobby.CodeNoLine) {
			t.Errorf("%s: %q, %v; want %q", tt.name, line.Text, err, tt.want)
		}
	}
}

func TestLineThatIsNotTheReportedOneIsNotErased(t *testing.T) {
	s := newService(t)
	line, err := s.Say(t.Context(), lobby.Line{Player: "ben", Stream: lobby.StreamPlayers, Text: "later"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Chat.Erase(t.Context(), testRoom, lobby.StreamPlayers, 1, line.At.Add(-time.Second)); !refusal.Is(err, lobby.CodeNoLine) {
		t.Errorf("the line has the number of a reported one: %v, want %s", err, lobby.CodeNoLine)
	}
	if got, err := s.Chat.Erase(t.Context(), testRoom, lobby.StreamPlayers, 1, line.At); got != line || err != nil {
		t.Errorf("erased %+v, %v; want %+v", got, err, line)
	}
}

// The first attempt may have ended before the clients were told.
func TestErasedLineCanBeErasedAgain(t *testing.T) {
	s := newService(t)
	line, err := s.Say(t.Context(), lobby.Line{Player: "ben", Stream: lobby.StreamPlayers, Text: "you fool"})
	if err != nil {
		t.Fatal(err)
	}
	erase := func(reported time.Time) (lobby.Line, error) {
		return s.Chat.Erase(t.Context(), testRoom, lobby.StreamPlayers, 1, reported)
	}
	if got, err := erase(line.At); got != line || err != nil {
		t.Fatalf("erased %+v, %v; want %+v", got, err, line)
	}
	without := line
	without.Text, without.Erased = "", true
	if got, err := erase(line.At); got != without || err != nil {
		t.Errorf("the second time: %+v, %v; want %+v", got, err, without)
	}
	if _, err := erase(line.At.Add(-time.Second)); !refusal.Is(err, lobby.CodeNoLine) {
		t.Errorf("another line with its number: %v, want %s", err, lobby.CodeNoLine)
	}
	s.lines[lobby.StreamPlayers][0].Player = "" // the player was deleted
	if _, err := erase(line.At); !refusal.Is(err, lobby.CodeNoLine) {
		t.Errorf("a line of a deleted player: %v, want %s", err, lobby.CodeNoLine)
	}
}
