package folding

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
)

func TestFoldingJournalKeepsTheContract(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journal.Journal { return New(memjournal.New()) })
}

// noted notes the rooms that are folded. A call takes a second.
type noted struct {
	journal.Journal
	list   []string // to be folded
	folded []string
	at     []time.Time
	err    error
}

func (n *noted) Fold(_ context.Context, id string) error {
	time.Sleep(time.Second)
	n.folded, n.at = append(n.folded, id), append(n.at, time.Now())
	return n.err
}

func (n *noted) Unfolded(_ context.Context, limit int) ([]string, error) {
	some := n.list[:min(limit, len(n.list))]
	n.list = n.list[len(some):]
	return some, nil
}

func ended(t *testing.T, j journal.Journal, id string, wake time.Time) {
	t.Helper()
	err := j.Create(t.Context(), journal.Room{ID: id, Kind: "k"})
	if err == nil {
		_, err = j.Claim(t.Context(), id, "a", 0)
	}
	if err == nil {
		err = j.Release(t.Context(), id, "a", 1, wake)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run keeps a journal for some time.
func run(t *testing.T, j *Journal, d time.Duration, report func(error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	j.Keep(ctx, report)
}

func TestRoomThatIsReleasedForGoodIsFoldedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &noted{Journal: memjournal.New()}
		j := New(inner)
		ended(t, j, "over", time.Time{})
		ended(t, j, "sleeps", time.Now().Add(time.Hour))
		run(t, j, firstRound/2, func(err error) { t.Error(err) })
		if fmt.Sprint(inner.folded) != "[over]" {
			t.Errorf("folded %v", inner.folded)
		}
	})
}

func TestOtherRoomsAreFoldedSoonAfterTheStartAndHourly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &noted{Journal: memjournal.New()}
		for i := range 70 {
			inner.list = append(inner.list, fmt.Sprint(i))
		}
		j, start := New(inner), time.Now()
		run(t, j, firstRound+10*time.Minute, func(err error) { t.Error(err) })
		if len(inner.folded) != 70 || inner.at[0].After(start.Add(firstRound+time.Second)) {
			t.Fatalf("folded %d rooms, from %v", len(inner.folded), inner.at)
		}
		// The database is left to others for as long as a fold takes.
		for i := range inner.at[1:] {
			if gap := inner.at[i+1].Sub(inner.at[i]); gap != 2*time.Second {
				t.Errorf("%v from one fold to the next", gap)
			}
		}
		inner.folded, inner.err = nil, errors.New("broken")
		inner.list = []string{"a", "b"}
		failed := 0
		run(t, j, firstRound+roundEvery/2, func(error) { failed++ })
		if !slices.Equal(inner.folded, []string{"a"}) || failed != 1 {
			t.Errorf("folded %v, %d errors: a round ends with an error", inner.folded, failed)
		}
	})
}
