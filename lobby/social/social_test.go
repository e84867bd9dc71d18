package social

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/match/refusal"
)

// town is a graph with some guests.
type town struct {
	testing.TB
	*Graph
	lobby *lobby.Lobby
	db    lobby.DB
	id    map[string]string // of the guests, by name
	now   time.Time
}

func newTown(t *testing.T, names ...string) *town {
	t.Helper()
	w := &town{TB: t, db: lobbytest.Memory(t), id: map[string]string{}, now: time.UnixMilli(1_795_252_000_000)}
	var err error
	if w.lobby, err = lobby.Open(t.Context(), w.db, lobby.Options{}); err != nil {
		t.Fatal(err)
	}
	w.Graph = w.open()
	for _, name := range names {
		w.id[name] = w.guest()
	}
	return w
}

// open returns the graph of another instance, in the same database.
func (w *town) open() *Graph {
	w.Helper()
	c, err := Open(w.Context(), w.db, w.lobby.People)
	if err != nil {
		w.Fatal(err)
	}
	c.now = func() time.Time { return w.now }
	return c
}

func (w *town) guest() string {
	w.Helper()
	p, err := w.lobby.People.Guest(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return p.ID
}

// does carries out an action and expects it to be refused with a code, or to succeed if
// want is empty.
func (w *town) does(do func(context.Context, string, string) error, player, other string, want refusal.Code) {
	w.Helper()
	err := do(w.Context(), w.id[player], w.id[other])
	switch code, refused := refusal.Of(err); {
	case refused:
		if code != want {
			w.Errorf("%s and %s: refused with %s, want %q", player, other, code, want)
		}
	case err != nil:
		w.Fatal(err)
	case want != "":
		w.Errorf("%s and %s: not refused, want %s", player, other, want)
	}
}

func (w *town) list(what string, list func(context.Context, string) ([]string, error), player string, want ...string) {
	w.Helper()
	ids, err := list(w.Context(), w.id[player])
	if err != nil {
		w.Fatal(err)
	}
	var names []string
	for _, id := range ids {
		for name := range w.id {
			if w.id[name] == id {
				names = append(names, name)
			}
		}
	}
	if !slices.Equal(names, want) {
		w.Errorf("%s of %s are %v, want %v", what, player, names, want)
	}
}

func TestPlayersFollowOthersButNotThemselves(t *testing.T) {
	w := newTown(t, "ada", "ben", "cleo")
	w.does(w.Follow, "ada", "ben", "")
	w.now = w.now.Add(time.Second)
	w.does(w.Follow, "ada", "cleo", "")
	w.now = w.now.Add(time.Second)
	w.does(w.Follow, "ada", "ben", "") // again changes nothing
	w.list("the followed", w.Followed, "ada", "cleo", "ben")
	w.list("the followed", w.Followed, "ben")
	w.does(w.Follow, "ada", "ada", CodeYourself)
	w.does(w.Follow, "ada", "nobody", CodeNobody)
	w.does(w.Unfollow, "ada", "ben", "")
	w.does(w.Unfollow, "ada", "ben", "")
	w.list("the followed", w.Followed, "ada", "cleo")
}

func TestBlockKeepsBothPlayersApartAndIsNotDisclosed(t *testing.T) {
	w := newTown(t, "ada", "ben", "cleo")
	w.does(w.Follow, "ada", "ben", "")
	w.does(w.Follow, "ben", "ada", "")
	w.list("those apart", w.ApartFrom, "ben")
	w.does(w.Block, "ada", "ben", "")
	w.list("the followed", w.Followed, "ada")
	w.list("the followed", w.Followed, "ben")
	w.list("the blocked", w.Blocked, "ada", "ben")
	w.list("the blocked", w.Blocked, "ben")
	w.list("those apart", w.ApartFrom, "ada", "ben")
	w.list("those apart", w.ApartFrom, "ben", "ada")
	w.list("who block", w.BlockedBy, "ben", "ada")
	w.list("who block", w.BlockedBy, "ada")
	w.does(w.Follow, "ada", "ben", CodeApart)
	w.does(w.Follow, "ben", "ada", CodeApart)
	w.does(w.Block, "ada", "ada", CodeYourself)
	w.does(w.Block, "ada", "nobody", CodeNobody)
	w.does(w.Unblock, "ada", "ben", "")
	w.list("those apart", w.ApartFrom, "ben")
	w.does(w.Follow, "ben", "ada", "")
}

func TestAnotherInstanceLearnsOfABlockWithinSeconds(t *testing.T) {
	w := newTown(t, "ada", "ben")
	other := w.open()
	w.list("those apart", other.ApartFrom, "ben")
	w.does(w.Block, "ada", "ben", "")
	w.now = w.now.Add(fresh)
	w.list("those apart", other.ApartFrom, "ben", "ada")
}

func TestTiesBeyondTheMaximumAreRefused(t *testing.T) {
	w := newTown(t, "ada", "ben")
	for kind, most := range map[string]int{follow: MaxFollowed, block: MaxBlocked} {
		for i := range most {
			name := fmt.Sprint(kind, i)
			w.id[name] = w.guest()
			if err := w.add(t.Context(), w.id["ada"], kind, w.id[name], most); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.does(w.Follow, "ada", "ben", CodeFull)
	w.does(w.Block, "ada", "ben", CodeFull)
	w.does(w.Unblock, "ada", "block3", "")
	w.does(w.Block, "ada", "ben", "")
	w.does(w.Block, "ada", "block4", "") // blocked already
}

func TestTiesOfADeletedPlayerAreDeletedOnBothSides(t *testing.T) {
	w := newTown(t, "ada", "ben", "cleo")
	w.does(w.Block, "ada", "ben", "")
	w.does(w.Follow, "cleo", "ada", "")
	if err := w.lobby.People.Forget(t.Context(), w.id["ada"]); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := w.db.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM ties").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d relations are left, %v", left, err)
	}
}
