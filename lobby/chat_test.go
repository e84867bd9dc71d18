package lobby

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

const testRoom = "k3v9qa2mxy"

func (l *Lobby) mustSay(t testing.TB, line Line) Line {
	t.Helper()
	got, err := l.Lines.Say(t.Context(), line)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// heard returns the last lines of a stream as text.
func (l *Lobby) heard(t testing.TB, room, stream string, limit int) string {
	t.Helper()
	lines, err := l.Lines.Last(t.Context(), room, stream, limit)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, line := range lines {
		out = append(out, fmt.Sprint(line.N, ":", line.Preset, line.Text))
	}
	return strings.Join(out, " ")
}

func TestChatIsCleanedNumberedAndRead(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		want := Line{Room: testRoom, Stream: StreamPlayers, N: 1, Player: "pa", Seat: 1, At: c.now(), Text: "<b>hi</b> there"}
		got := l.mustSay(t, Line{Room: testRoom, Stream: StreamPlayers, Player: "pa", Seat: 1, Text: " <b>hi</b>\nthere ", N: 77})
		if got != want {
			t.Errorf("said %+v, want %+v", got, want)
		}
		if lines, err := l.Lines.Last(t.Context(), testRoom, StreamPlayers, 10); err != nil || len(lines) != 1 || lines[0] != want {
			t.Errorf("heard %+v, %v; want %+v", lines, err, want)
		}
		for _, p := range presets {
			l.mustSay(t, Line{Room: testRoom, Stream: StreamWatchers, Player: "pb", Seat: NoSeat, Preset: p})
		}
		l.mustSay(t, Line{Room: "anotherr22", Stream: StreamWatchers, Seat: NoSeat, Text: "elsewhere"})
		for _, tt := range []struct {
			room, stream string
			limit        int
			want         string
		}{
			{testRoom, StreamPlayers, 10, "1:<b>hi</b> there"},
			{testRoom, StreamWatchers, 3, "8:rematch 9:wow 10:so-close"},
			{testRoom, StreamWatchers, 0, ""},
			{testRoom, StreamWatchers, -1, ""},
			{"anotherr22", StreamWatchers, 10, "1:elsewhere"},
			{"nobodyh3re", StreamWatchers, 10, ""},
		} {
			if got := l.heard(t, tt.room, tt.stream, tt.limit); got != tt.want {
				t.Errorf("the last %d of %s in %s: %q, want %q", tt.limit, tt.stream, tt.room, got, tt.want)
			}
		}
	})
}

func TestChatRefusesBadLines(t *testing.T) {
	l := openLobby(t, openMemory(t), newClock(), Options{})
	for _, tt := range []struct {
		name string
		line Line
		want string
	}{
		{"nothing", Line{Stream: StreamPlayers}, "empty"},
		{"spaces", Line{Stream: StreamPlayers, Text: "  "}, "empty"},
		{"too much", Line{Stream: StreamPlayers, Text: strings.Repeat("a", MaxText+1)}, "too-long"},
		{"what turns the line round", Line{Stream: StreamPlayers, Text: "\u202eabc"}, "characters"},
		{"an unknown preset", Line{Stream: StreamPlayers, Preset: "insult"}, "preset"},
		{"both", Line{Stream: StreamPlayers, Preset: "hello", Text: "hello"}, "preset"},
	} {
		tt.line.Room = testRoom
		if line, err := l.Lines.Say(t.Context(), tt.line); codeOf(err) != CodeText || why(err) != tt.want || line != (Line{}) {
			t.Errorf("%s: %+v, %v (%s); want %s, %s", tt.name, line, err, why(err), CodeText, tt.want)
		}
	}
	if _, err := l.Lines.Say(t.Context(), Line{Room: testRoom, Stream: "shouts", Text: "hi"}); err == nil {
		t.Error("said something in a stream that does not exist")
	}
	if got := l.heard(t, testRoom, StreamPlayers, 10); got != "" {
		t.Errorf("then heard %q", got)
	}
}

func TestErasedLineIsGoneForAll(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		var said []Line
		for _, text := range []string{"one", "rude", "three"} {
			said = append(said, l.mustSay(t, Line{Room: testRoom, Stream: StreamWatchers, Player: "pa", Seat: NoSeat, Text: text}))
		}
		for _, n := range []int64{2, 3} { // one in the middle, and the last: its number is not used again
			if got, err := l.Lines.Erase(t.Context(), testRoom, StreamWatchers, n); err != nil || got != said[n-1] {
				t.Errorf("erased %+v, %v; want %+v", got, err, said[n-1])
			}
		}
		l.mustSay(t, Line{Room: testRoom, Stream: StreamWatchers, Text: "four"})
		if got := l.heard(t, testRoom, StreamWatchers, 10); got != "1:one 4:four" {
			t.Errorf("heard %q", got)
		}
		var left int
		if err := db.Reader().QueryRow("SELECT COUNT(*) FROM chat WHERE text IN ('rude', 'three')").Scan(&left); err != nil || left != 0 {
			t.Errorf("%d erased texts are still in the database, %v", left, err)
		}
		for _, n := range []int64{2, 5, 0} {
			if _, err := l.Lines.Erase(t.Context(), testRoom, StreamWatchers, n); codeOf(err) != CodeNoLine {
				t.Errorf("erasing line %d: %v, want %s", n, err, CodeNoLine)
			}
		}
	})
}

func TestChatKeepsTheLatestLines(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{Keep: 3})
		for i := range 10 {
			l.mustSay(t, Line{Room: testRoom, Stream: StreamPlayers, Text: fmt.Sprint("t", i)})
		}
		l.mustSay(t, Line{Room: testRoom, Stream: StreamWatchers, Text: "w"})
		if got := l.heard(t, testRoom, StreamPlayers, 10); got != "8:t7 9:t8 10:t9" {
			t.Errorf("kept %q", got)
		}
	})
}

// TestConcurrentLinesGetDifferentNumbers proves that lines sent at the same time get
// different numbers, without gaps.
func TestConcurrentLinesGetDifferentNumbers(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		const people, lines = 8, 10
		c := newClock()
		l := []*Lobby{openLobby(t, db, c, Options{}), openLobby(t, db, c, Options{})}
		var mu sync.Mutex
		seen := map[int64]bool{}
		var wg sync.WaitGroup
		for i := range people {
			wg.Go(func() {
				for range lines {
					line, err := l[i%2].Lines.Say(t.Context(), Line{Room: testRoom, Stream: StreamPlayers, Preset: "hello"})
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					seen[line.N] = true
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for n := range int64(people * lines) {
			if !seen[n+1] {
				t.Errorf("no line got number %d", n+1)
			}
		}
	})
}

// An operator sees a line with its neighbours in the same stream. An erased line keeps
// its place there, without its text.
func TestLineIsShownAmongItsNeighbours(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		l := openLobby(t, db, newClock(), Options{})
		for _, text := range []string{"one", "two", "three", "four", "five"} {
			l.mustSay(t, Line{Room: testRoom, Stream: StreamPlayers, Player: "pa", Text: text})
			l.mustSay(t, Line{Room: testRoom, Stream: StreamWatchers, Player: "pb", Seat: NoSeat, Text: "no " + text})
		}
		if _, err := l.Lines.Erase(t.Context(), testRoom, StreamPlayers, 2); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			room, stream string
			n            int64
			want         string
		}{
			{testRoom, StreamPlayers, 3, "1:one 2:(erased) 3:three 4:four 5:five "},
			{testRoom, StreamPlayers, 1, "1:one 2:(erased) 3:three "},
			{testRoom, StreamWatchers, 5, "3:no three 4:no four 5:no five "},
			{testRoom, StreamPlayers, 9, ""}, {testRoom, "", 3, ""}, {"nobodyh3re", StreamPlayers, 1, ""},
		} {
			lines, err := l.Lines.Around(t.Context(), tt.room, tt.stream, tt.n, 2)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, line := range lines {
				if line.Erased {
					line.Text += "(erased)"
				}
				got += fmt.Sprint(line.N, ":", line.Text, " ")
			}
			if got != tt.want {
				t.Errorf("around %d of %q: %q, want %q", tt.n, tt.stream, got, tt.want)
			}
		}
	})
}

// Chat is kept for a time after it was written, and in a game in progress until the game
// ends.
func TestOldChatOfFinishedGamesIsDeleted(t *testing.T) {
	with(t, func(t *testing.T, db DB) {
		c := newClock()
		l := openLobby(t, db, c, Options{})
		l.know(t, "pa", "pb")
		for room, over := range map[string]bool{"done": true, "going": false} {
			if err := l.Games.Put(t.Context(), Game{Room: room, Ended: over, Updated: c.now(), In: []Part{{"pa", 0}, {"pb", 1}}}); err != nil {
				t.Fatal(err)
			}
		}
		say := func() {
			for _, room := range []string{"done", "going", "nolist"} {
				if _, err := l.Lines.Say(t.Context(), Line{Room: room, Stream: StreamPlayers, Player: "pa", Text: "hello"}); err != nil {
					t.Fatal(err)
				}
			}
		}
		count := func(room string) int {
			lines, err := l.Lines.Last(t.Context(), room, StreamPlayers, 10)
			if err != nil {
				t.Fatal(err)
			}
			return len(lines)
		}
		say()
		c.advance(60 * 24 * time.Hour)
		say()
		c.advance(31 * 24 * time.Hour)
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		for room, want := range map[string]int{"done": 1, "going": 2, "nolist": 1} {
			if n := count(room); n != want {
				t.Errorf("%s: %d lines are left, want %d", room, n, want)
			}
		}
	})
}
