package showcase

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/memdb"
)

var start = time.UnixMilli(1_795_252_000_000)

// open returns an index in a database in memory. Its clock is fixed.
func open(t *testing.T) (*Index, *lobby.Lobby) {
	t.Helper()
	db, err := memdb.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	people, err := lobby.Open(t.Context(), lobby.On(db), lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), lobby.On(db), people)
	if err != nil {
		t.Fatal(err)
	}
	s.Now = func() time.Time { return start }
	return s, people
}

func game(room string, ply int, over bool) Game {
	return Game{Room: room, System: "kalah", Title: "Kalah", Clock: "5+3", Seats: []string{"p1", "p2"}, Ply: ply, Over: over, At: start}
}

func rooms(t *testing.T, list func(context.Context) ([]Game, error)) string {
	t.Helper()
	games, err := list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, g := range games {
		ids = append(ids, fmt.Sprintf("%s:%d/%d", g.Room, g.Ply, g.Watchers))
	}
	return strings.Join(ids, " ")
}

func (x *Index) best(ctx context.Context) ([]Game, error) { return x.Best(ctx, 10) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLiveGamesAreOrderedByWatchersThenRating(t *testing.T) {
	s, _ := open(t)
	strong := game("strong", 3, false)
	strong.Rating = 1800
	must(t, s.Put(t.Context(), game("plain", 1, false), strong, game("watched", 2, false)))
	must(t, s.Note(t.Context(), Progress{"watched", 4, 7, start.Add(time.Second)}, Progress{"nowhere", 1, 100, start}))
	if got, want := rooms(t, s.Live), "watched:4/7 strong:3/0 plain:1/0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRepeatedAndLateStatesChangeNothingAndAGameOverStaysOver(t *testing.T) {
	s, _ := open(t)
	must(t, s.Put(t.Context(), game("r1", 5, false)))
	must(t, s.Note(t.Context(), Progress{"r1", 9, 3, start.Add(time.Second)}))
	must(t, s.Put(t.Context(), game("r1", 7, false))) // an older state that arrives late
	if got, want := rooms(t, s.Live), "r1:9/3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	must(t, s.Put(t.Context(), game("r1", 12, true)))
	must(t, s.Put(t.Context(), game("r1", 5, false)))
	must(t, s.Note(t.Context(), Progress{"r1", 9, 3, start}))
	if got := rooms(t, s.Live); got != "" {
		t.Errorf("live: %s", got)
	}
	if got, want := rooms(t, s.best), "r1:12/0"; got != want {
		t.Errorf("over: %s, want %s", got, want)
	}
}

func TestBestReplaysAreTheMostWatchedAndNotTooShort(t *testing.T) {
	s, _ := open(t)
	must(t, s.Put(t.Context(), game("loved", 5, false), game("short", 1, false)))
	must(t, s.Note(t.Context(), Progress{"loved", 9, 30, start}, Progress{"loved", 20, 2, start}, Progress{"short", 2, 40, start}))
	must(t, s.Put(t.Context(), game("loved", 30, true), game("short", minPlies-1, true), game("other", 31, true)))
	if got, want := rooms(t, s.best), "loved:30/0 other:31/0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOldGamesAreDeleted(t *testing.T) {
	s, _ := open(t)
	must(t, s.Put(t.Context(), game("live", 5, false), game("over", 20, true)))
	s.Now = func() time.Time { return start.Add(staleAfter + time.Second) }
	if got := rooms(t, s.Live); got != "" {
		t.Errorf("a day later %s is still listed", got)
	}
	s.Now = func() time.Time { return start.Add(keepOver + time.Second) }
	must(t, s.Sweep(t.Context()))
	s.Now = func() time.Time { return start }
	if got := rooms(t, s.Live) + rooms(t, s.best); got != "" {
		t.Errorf("a week later %s is still stored", got)
	}
}

func TestGamesOfADeletedPlayerAreRemoved(t *testing.T) {
	s, people := open(t)
	ada, err := people.People.Guest(t.Context())
	must(t, err)
	g := game("r1", 5, false)
	g.Seats = []string{"p1", ada.ID}
	must(t, s.Put(t.Context(), g, game("r2", 5, false)))
	must(t, people.Games.Put(t.Context(), lobby.Game{Room: "r1", Updated: time.Now(), In: []lobby.Part{{Player: ada.ID}}}))
	must(t, people.People.Forget(t.Context(), ada.ID))
	if got, want := rooms(t, s.Live), "r2:5/0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
