package puzzles

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"mancala/engine"
	"mancala/engine/search"
	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/lobby/searchpool"
	"mancala/match/refusal"
)

// firstRun is the number of a game of the computer that soon has puzzles.
const firstRun = 3

// open returns puzzles, and players by name.
func open(t *testing.T, db lobby.DB, enough int) (*Puzzles, *lobby.Lobby, map[string]string) {
	t.Helper()
	l, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pool := searchpool.New(searchpool.Options{})
	t.Cleanup(pool.Close)
	p, err := Open(t.Context(), db, l, Options{Pool: pool, Listed: l.Games, Log: slog.New(slog.DiscardHandler), Enough: enough, Nodes: 20_000, Run: firstRun})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, l, lobbytest.Guests(t, l.People, "ada", "ben")
}

// A server without games fills itself, and a fresh search proves each puzzle: one move gets the goal, and no
// other does.
func TestComputerFillsAServerWithProvenPuzzles(t *testing.T) {
	p, _, _ := open(t, lobbytest.Memory(t), 6)
	if _, err := p.OfDay(t.Context()); lobby.CodeOf(err) != CodeNone {
		t.Errorf("the puzzle of the day without puzzles: %v", err)
	}
	p.Want()
	p.Want() // the work goes on already
	p.group.Wait()
	counted, err := p.Count(t.Context())
	n := 0
	for theme, of := range counted {
		if n += of; !slices.Contains(Themes, theme) {
			t.Errorf("there is a theme %q", theme)
		}
	}
	if err != nil || n < 6 {
		t.Fatalf("there are %d puzzles, %v", n, err)
	}
	for range n {
		x, err := p.Next(t.Context(), "", "", "")
		if err != nil {
			t.Fatal(err)
		}
		prove(t, x)
		if _, err := p.db.Reader().Exec("DELETE FROM puzzles WHERE id = $1", x.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// prove checks a puzzle by the value of each position after a move.
func prove(t *testing.T, x Puzzle) {
	t.Helper()
	rules, _ := engine.System(x.System)
	g := engine.MustCompile(rules.String())
	at, err := g.Parse(x.Position)
	if err != nil || at.Seat != 0 {
		t.Fatalf("%s: %v", x.Position, err)
	}
	got := map[string]bool{}
	for _, m := range g.LegalMoves(&at, nil) {
		after := at
		if err := g.Play(&after, nil, m, nil); err != nil {
			t.Fatal(err)
		}
		value := float64(after.Score(0) - after.Score(1))
		if after.Phase != engine.Over {
			a := search.New(g, memory).Search(t.Context(), after, nil, search.Limits{Nodes: 50_000_000, Prove: true})
			if !a.Exact {
				t.Fatalf("%s %s: %s is not proven", x.System, x.Position, m)
			}
			if value = a.Value; after.Seat != 0 {
				value = -value
			}
		}
		got[m.String()] = value > 0 || x.Goal == Draw && value == 0
	}
	for m, reaches := range got {
		if reaches != (m == x.Solution) {
			t.Errorf("%s %s, %s by %s: %s gets it: %v", x.System, x.Position, x.Goal, x.Solution, m, reaches)
		}
	}
}

func TestFirstTryOfAPlayerChangesBothRatings(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		p, l, ids := open(t, db, 6)
		var all []string
		for _, position := range []string{"0,2,0,3,3,2/0,3,2,0,5,0 14/14 S play 0 22", "3,4,4,0,4,0/1,0,1,11,2,2 10/6 S play 0 18"} {
			if n, err := p.add(t.Context(), Puzzle{System: "kalah", Position: position, Solution: "b", Goal: Win, Theme: "again", Room: "k3v9qa2mx1"}); err != nil || n != 1 {
				t.Fatal(n, err)
			}
			for _, again := range []string{position, board(position) + " play 3 31"} { // in another game, at another ply
				if n, err := p.add(t.Context(), Puzzle{System: "kalah", Position: again, Solution: "b", Goal: Win, Theme: "again"}); err != nil || n != 0 {
					t.Fatal("a board is two puzzles", err)
				}
			}
			all = append(all, lobby.DerivedRoomID("puzzle", "kalah", board(position)))
		}
		try := func(who, id, move string, want bool) {
			t.Helper()
			if got, err := p.Try(t.Context(), ids[who], id, move); err != nil || got != want {
				t.Errorf("%s plays %s: %v, %v", who, move, got, err)
			}
		}
		rated := func(who string, tried int) float64 {
			t.Helper()
			r, n, err := p.Solver(t.Context(), ids[who])
			if err != nil || n != tried {
				t.Errorf("%s has tried %d, %v", who, n, err)
			}
			return r.Value
		}
		try("ada", all[0], "b", true)
		if x, err := p.Find(t.Context(), all[0]); err != nil || x.Rating.Value >= 1500 {
			t.Errorf("the rating of the puzzle that was solved is %v, %v", x.Rating.Value, err)
		}
		try("ben", all[0], "a", false)
		try("ben", all[0], "b", true) // the second try does not count
		if ada, ben := rated("ada", 1), rated("ben", 1); ada <= 1500 || ben >= 1500 {
			t.Errorf("the ratings are %v and %v", ada, ben)
		}
		if x, err := p.Find(t.Context(), all[0]); err != nil || x.Tried != 2 || x.Rating.Value == 1500 || x.Room != "k3v9qa2mx1" {
			t.Errorf("the puzzle is %+v, %v", x, err)
		}
		if x, err := p.Next(t.Context(), ids["ada"], "again", ""); err != nil || x.ID != all[1] {
			t.Errorf("the next one is %+v, %v", x, err)
		}
		try("ada", all[1], "a", false)
		for _, theme := range []string{"", "again", "quiet"} {
			if _, err := p.Next(t.Context(), ids["ada"], theme, ""); lobby.CodeOf(err) != CodeNone {
				t.Errorf("more of %q: %v", theme, err)
			}
		}
		for who, want := range map[string]refusal.Code{ids["ada"]: CodeNone, "nobody": CodeNone} {
			if _, err := p.Try(t.Context(), who, "nosuch", "a"); lobby.CodeOf(err) != want {
				t.Errorf("%s: %v", who, err)
			}
		}
		if _, err := p.Try(t.Context(), "nobody", all[0], "a"); lobby.CodeOf(err) != lobby.CodeNoPlayer {
			t.Error(err)
		}
		if err := l.People.Forget(t.Context(), ids["ada"]); err != nil {
			t.Fatal(err)
		}
		rated("ada", 0)
	})
}

// The nearest puzzle stays the same one until it is tried. A player who leaves it gets another one.
func TestPuzzleThatFollowsAnotherIsAnotherOne(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		p, _, _ := open(t, db, 6)
		add := func(seeds int) string {
			t.Helper()
			position := fmt.Sprintf("0,2,0,3,3,2/0,3,2,0,5,0 %d/%d S play 0 22", seeds, 28-seeds)
			if _, err := p.add(t.Context(), Puzzle{System: "kalah", Position: position, Solution: "b", Goal: Win, Theme: "again"}); err != nil {
				t.Fatal(err)
			}
			return lobby.DerivedRoomID("puzzle", "kalah", board(position))
		}
		next := func(left string) string {
			t.Helper()
			x, err := p.Next(t.Context(), "", "again", left)
			if err != nil {
				t.Fatal(err)
			}
			return x.ID
		}
		only := add(1)
		if next("") != only || next(only) != only || next("nosuch") != only {
			t.Error("the only puzzle is not the next one")
		}
		for n := range 14 {
			add(n + 2)
		}
		found, at := map[string]bool{}, next("")
		for range 200 {
			after := next(at)
			if after == at {
				t.Fatal("the puzzle that follows is the same one")
			}
			at, found[after] = after, true
		}
		if len(found) < 3 {
			t.Errorf("leaving puzzles leads to %d of them", len(found))
		}
	})
}

func TestEachDayHasItsPuzzle(t *testing.T) {
	p, _, _ := open(t, lobbytest.Memory(t), 6)
	now := time.Date(2026, 11, 27, 23, 0, 0, 0, time.UTC)
	p.opt.Now = func() time.Time { return now }
	for _, position := range []string{"0,2,0,3,3,2/0,3,2,0,5,0 14/14 S play 0 22", "3,4,4,0,4,0/1,0,1,11,2,2 10/6 S play 0 18"} {
		if _, err := p.add(t.Context(), Puzzle{System: "kalah", Position: position, Solution: "b", Goal: Win, Theme: "again"}); err != nil {
			t.Fatal(err)
		}
	}
	day := func() string {
		t.Helper()
		x, err := p.OfDay(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return x.ID
	}
	first := day()
	now = now.Add(59 * time.Minute)
	if again := day(); again != first {
		t.Errorf("the day has %s and %s", first, again)
	}
	now = now.Add(time.Minute)
	second := day()
	if second == first {
		t.Error("two days have the same puzzle")
	}
	for i := range 4 { // they begin again
		now = now.Add(24 * time.Hour)
		if want, got := []string{first, second}[i%2], day(); got != want {
			t.Errorf("%d days later the puzzle is %s, want %s", i+1, got, want)
		}
	}
}
