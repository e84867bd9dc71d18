package puzzles

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// rooms are games by room. They note which were read.
type rooms struct {
	games   map[string][]*room.Published
	read    []string
	refuses refusal.Code // every game
}

func (r *rooms) View(context.Context, string, string) (room.View, error) {
	return room.View{Kind: match.Kind}, nil
}

func (r *rooms) Entries(_ context.Context, id, player string) ([]*room.Published, error) {
	r.read = append(r.read, id+player)
	if r.refuses != "" {
		return nil, refusal.New(r.refuses)
	}
	return r.games[id], nil
}

// Only games that are over and that every visitor may see become puzzles, and each is looked at once.
func TestListedGamesBecomePuzzles(t *testing.T) {
	p, l, ids := open(t, lobbytest.Memory(t), 1)
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	games := &rooms{games: map[string][]*room.Published{}}
	p.opt.Games, p.opt.Now = games, func() time.Time { return now }
	var listed []string
	for i := range 9 {
		g := lobby.Game{
			Room: fmt.Sprint("aaaaaaaaa", i), Ended: i%3 != 1, Listed: i%3 != 2, Updated: now.Add(time.Duration(i)*time.Second - time.Hour),
			System: "kalah", In: []lobby.Part{{Player: ids["ada"], Seat: 0}, {Player: ids["ben"], Seat: 1}},
		}
		random := rand.New(rand.NewPCG(uint64(i), 1))
		games.games[g.Room] = lobbytest.Played(t, match.Settings{Rules: "kalah"}, 1000, func(legal []engine.Move) engine.Move {
			return legal[random.IntN(len(legal))]
		})
		if err := l.Games.Put(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		if g.Ended && g.Listed {
			listed = append(listed, g.Room)
		}
	}
	for range 2 {
		p.Want()
		p.group.Wait()
		now = now.Add(2 * time.Hour)
	}
	if !slices.Equal(games.read, listed) {
		t.Errorf("the games %v were read, want %v", games.read, listed)
	}
	n := 0
	for {
		x, err := p.one(t.Context(), "ORDER BY id")
		if lobby.CodeOf(err) == CodeNone {
			break
		}
		if err != nil || !slices.Contains(listed, x.Room) || x.System != "kalah" {
			t.Fatalf("%+v, %v", x, err)
		}
		prove(t, x)
		n++
		if _, err := p.db.Reader().Exec("DELETE FROM puzzles WHERE id = $1", x.ID); err != nil {
			t.Fatal(err)
		}
	}
	if n == 0 {
		t.Error("the games have no puzzles")
	}
}

// A database or a room may be away for a moment. The next look comes soon, and later each time that it fails again.
func TestLookForPuzzlesThatFailedComesAgainSoon(t *testing.T) {
	p, l, ids := open(t, lobbytest.Memory(t), 1)
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	games := &rooms{games: map[string][]*room.Published{}, refuses: room.CodeUnavailable}
	p.opt.Games, p.opt.Now = games, func() time.Time { return now }
	if err := l.Games.Put(t.Context(), lobby.Game{
		Room: "aaaaaaaaa1", Ended: true, Listed: true, Updated: now.Add(-time.Hour), System: "kalah", In: []lobby.Part{{Player: ids["ada"], Seat: 0}},
	}); err != nil {
		t.Fatal(err)
	}
	looks := func(pass time.Duration) int {
		games.read, now = nil, now.Add(pass)
		p.Want()
		p.group.Wait()
		return len(games.read)
	}
	if looks(0) != 1 {
		t.Fatal("there was no look")
	}
	for _, wait := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		if looks(wait*time.Minute-1) != 0 || looks(1) != 1 {
			t.Errorf("the next look does not come after %d minutes", wait)
		}
	}
	games.refuses = "no-room" // for good: the look passes the game
	if looks(time.Hour) != 1 || looks(time.Hour-1) != 0 {
		t.Error("after a look without failure the next one does not come an hour later")
	}
	games.refuses = room.CodeUnavailable
	if err := l.Games.Put(t.Context(), lobby.Game{
		Room: "aaaaaaaaa2", Ended: true, Listed: true, Updated: now.Add(-time.Minute * 30), System: "kalah", In: []lobby.Part{{Player: ids["ada"], Seat: 0}},
	}); err != nil {
		t.Fatal(err)
	}
	if looks(1) != 1 || looks(time.Minute) != 1 {
		t.Error("the next failure does not begin with a short wait")
	}
}

// A game may be listed after another that ended later, and its room may be unavailable for a while. Both are looked
// at all the same.
func TestLookForPuzzlesPassesNoGame(t *testing.T) {
	p, l, ids := open(t, lobbytest.Memory(t), 1)
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	games := &rooms{games: map[string][]*room.Published{}}
	p.opt.Games, p.opt.Now = games, func() time.Time { return now }
	list := func(id string, ended time.Time) {
		t.Helper()
		err := l.Games.Put(t.Context(), lobby.Game{
			Room: id, Ended: true, Listed: true, Updated: ended, System: "kalah", In: []lobby.Part{{Player: ids["ada"], Seat: 0}, {Player: ids["ben"], Seat: 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	look := func(want ...string) {
		t.Helper()
		games.read = nil
		if err := p.mineListed(t.Context()); (err != nil) != (games.refuses == room.CodeUnavailable) {
			t.Errorf("a look: %v", err)
		}
		if !slices.Equal(games.read, want) {
			t.Errorf("the games %v were read, want %v", games.read, want)
		}
	}
	list("aaaaaaaaa2", now.Add(-time.Second))
	look()
	list("aaaaaaaaa1", now.Add(-time.Minute))
	now = now.Add(time.Hour)
	games.refuses = room.CodeUnavailable
	look("aaaaaaaaa1")
	games.refuses = "no-room" // for good
	look("aaaaaaaaa1", "aaaaaaaaa2")
	look()
}
