package showcase

import (
	"fmt"
	"log/slog"
	"testing"

	"mancala/lobby/workers"
)

// crowds are followed rooms with their numbers of watchers.
type crowds map[string]int

func (c crowds) Any() bool { return len(c) > 0 }

func (c crowds) Progress(room string) (seq uint64, watchers int, followed bool) {
	watchers, followed = c[room]
	return 0, watchers, followed
}

// A busy instance follows more games than one transaction stores.
func TestWatchersOfAllFollowedGamesAreStored(t *testing.T) {
	const many = 3*maxNoted + 1
	index, _ := open(t)
	followed := crowds{}
	for i := range many {
		room := fmt.Sprintf("game%06d", i)
		must(t, index.Put(t.Context(), game(room, 10, false)))
		followed[room] = 1 + i%5
	}
	work := workers.New()
	defer work.Close()
	b := NewCache(CacheConfig{Index: index, Workers: work, Log: slog.New(slog.DiscardHandler)})
	b.SetFollowers(followed)
	stored := func(want crowds) {
		t.Helper()
		games, err := index.Live(t.Context())
		must(t, err)
		if len(games) != many {
			t.Errorf("%d games are listed", len(games))
		}
		for _, g := range games {
			if g.Watchers != want[g.Room] {
				t.Errorf("%s has %d watchers, want %d", g.Room, g.Watchers, want[g.Room])
			}
		}
	}
	b.note()
	stored(followed)
	for room := range followed {
		b.Left(room)
	}
	b.SetFollowers(crowds{})
	b.note()
	stored(crowds{})
}
