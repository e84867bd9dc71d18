package journaltest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/match/journal"
)

func testClaim(t *testing.T, s suite) {
	wake := time.UnixMilli(1_900_000_000_000)
	s.create(t, journal.Room{ID: "r", Kind: "match", Wake: wake}, rowsTo(2, 0)...)
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "a", 1)) // an epoch that does not exist yet

	got := s.claim(t, "r", "a", 0)
	if got.ID != "r" || got.Kind != "match" || got.Owner != "a" || got.Epoch != 1 || got.Seq != 2 || !got.Wake.Equal(wake) || !got.OwnerSeen.IsZero() {
		t.Errorf("first claim: %+v", got)
	}
	if line := s.room(t, "r"); line.Owner != "a" || line.Epoch != 1 || line.OwnerSeen.IsZero() {
		t.Errorf("after the claim: %+v, want a's, seen alive", line)
	}
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "b", 1)) // a is alive
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "a", 0)) // the epoch is stale
	s.wantErr(t, journal.ErrInvalid)(s.j.Claim(s.ctx, "r", "", 1))
	if line := s.room(t, "r"); line.Owner != "a" || line.Epoch != 1 {
		t.Errorf("refused claims changed the room: %+v", line)
	}
	again := s.claim(t, "r", "a", 1)
	if again.Epoch != 2 || again.Owner != "a" || again.OwnerSeen.IsZero() {
		t.Errorf("claimed again: %+v", again)
	}
}

func testClaimRace(t *testing.T, s suite) {
	for round := range uint64(5) {
		if round == 0 {
			s.create(t, journal.Room{ID: "r", Kind: "match"})
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		var winners []string
		for i := range 8 {
			wg.Go(func() {
				self := fmt.Sprintf("i%d", i)
				r, err := s.j.Claim(s.ctx, "r", self, round)
				switch {
				case err == nil:
					mu.Lock()
					winners = append(winners, self)
					mu.Unlock()
					if r.Owner != self || r.Epoch != round+1 {
						t.Errorf("%s won and got %+v", self, r)
					}
				case !errors.Is(err, journal.ErrConflict):
					t.Errorf("claim: %v", err)
				}
			})
		}
		wg.Wait()
		if line := s.room(t, "r"); len(winners) != 1 || line.Owner != winners[0] || line.Epoch != round+1 {
			t.Fatalf("winners %v, the room says %+v", winners, line)
		}
		if err := s.j.Release(s.ctx, "r", winners[0], round+1, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
}

func testRelease(t *testing.T, s suite) {
	s.owned(t, "r")
	s.append(t, "r", row(1, 1))
	wake := time.UnixMilli(1_800_000_000_000)
	for _, stale := range []struct {
		self  string
		epoch uint64
	}{{"b", 1}, {"a", 0}, {"a", 2}} {
		if err := s.j.Release(s.ctx, "r", stale.self, stale.epoch, wake); err != nil {
			t.Errorf("release by %v: %v", stale, err)
		}
	}
	if line := s.room(t, "r"); line.Owner != "a" || !line.Wake.IsZero() {
		t.Fatalf("a release by others changed the room: %+v", line)
	}
	if err := s.j.Release(s.ctx, "r", "a", 1, wake); err != nil {
		t.Fatal(err)
	}
	line := s.room(t, "r")
	if line.Owner != "" || line.Epoch != 1 || line.Seq != 1 || !line.Wake.Equal(wake) || !line.OwnerSeen.IsZero() {
		t.Errorf("released: %+v", line)
	}
	s.wantRows(t, "r", rowsTo(1, 1))
	s.conflict(t, "r", row(2, 1)) // the room has no owner
	if got := s.claim(t, "r", "b", 1); got.Epoch != 2 || !got.OwnerSeen.IsZero() {
		t.Errorf("claimed after a clean release: %+v, want no outage", got)
	}
	if err := s.j.Release(s.ctx, "r", "b", 2, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if line := s.room(t, "r"); !line.Wake.IsZero() {
		t.Errorf("released without a wake time, it has %v", line.Wake)
	}
}

func testFence(t *testing.T, s suite) {
	s.create(t, journal.Room{ID: "r", Kind: "match"})
	s.conflict(t, "r", row(1, 0)) // the room has no owner
	s.claim(t, "r", "a", 0)
	for _, bad := range []journal.Row{row(0, 1), row(2, 1), row(1, 0), row(1, 2)} {
		s.conflict(t, "r", bad)
	}
	s.append(t, "r", row(1, 1))
	for _, bad := range []journal.Row{row(1, 1), row(0, 1), row(3, 1), row(2, 0), row(2, 2), row(1<<63, 1)} {
		s.conflict(t, "r", bad)
	}
	s.append(t, "r", row(2, 1))
	s.wantRows(t, "r", rowsTo(2, 1))

	// Many writers append to one room. Each number must go to one of them.
	const writers, each = 8, 20
	var wg sync.WaitGroup
	var won [each]atomic.Int64
	for range writers {
		wg.Go(func() {
			for i := range uint64(each) {
				err := s.j.Append(s.ctx, "r", row(3+i, 1), time.Time{})
				for errors.Is(err, journal.ErrConflict) && s.room(t, "r").Seq < 3+i {
					err = s.j.Append(s.ctx, "r", row(3+i, 1), time.Time{}) // the row before it is not there yet
				}
				if err == nil {
					won[i].Add(1)
				} else if !errors.Is(err, journal.ErrConflict) {
					t.Errorf("append: %v", err)
				}
			}
		})
	}
	wg.Wait()
	for i := range won {
		if n := won[i].Load(); n != 1 {
			t.Errorf("row %d was acknowledged %d times", 3+i, n)
		}
	}
	s.wantRows(t, "r", rowsTo(2+each, 1))
}

func testTakeOver(t *testing.T, s suite) {
	s.owned(t, "r")
	s.append(t, "r", row(1, 1))
	s.claim(t, "r", "a", 1) // the same instance, with another copy of the room
	s.conflict(t, "r", row(2, 1))
	s.append(t, "r", row(2, 2))
	s.conflict(t, "r", row(3, 1))
	if err := s.j.Release(s.ctx, "r", "a", 1, time.Now()); err != nil {
		t.Fatal(err)
	}
	if line := s.room(t, "r"); line.Owner != "a" {
		t.Errorf("the old copy released the new one: %+v", line)
	}
	s.wantRows(t, "r", []journal.Row{row(1, 1), row(2, 2)})
}

// testTakeOverRace appends while the owner changes. Rows of an old epoch must never
// follow rows of a new one, and the claim must know the last old row.
func testTakeOverRace(t *testing.T, s suite) {
	const epochs = 12
	s.create(t, journal.Room{ID: "r", Kind: "match"})
	var wg sync.WaitGroup
	var acked sync.Map // seq -> epoch
	claimed := s.claim(t, "r", "a", 0)
	for range epochs {
		wrote := make(chan struct{})
		epoch, first := claimed.Epoch, claimed.Seq+1
		wg.Go(func() {
			defer close(wrote)
			for seq := first; ; seq++ {
				if err := s.j.Append(s.ctx, "r", row(seq, epoch), time.Time{}); err != nil {
					if !errors.Is(err, journal.ErrConflict) {
						t.Errorf("append: %v", err)
					}
					return
				}
				if _, twice := acked.LoadOrStore(seq, epoch); twice {
					t.Errorf("row %d was acknowledged twice", seq)
				}
			}
		})
		for s.room(t, "r").Seq < first+1 { // until the writer runs
		}
		claimed = s.claim(t, "r", "a", epoch)
		if rows := s.read(t, "r", 0, 0); uint64(len(rows)) != claimed.Seq {
			t.Errorf("the claim of epoch %d says %d rows, there are %d", claimed.Epoch, claimed.Seq, len(rows))
		}
		<-wrote
	}
	wg.Wait()
	rows := s.read(t, "r", 0, 0)
	var last uint64
	for i, r := range rows {
		if r.Seq != uint64(i)+1 || r.Epoch < last {
			t.Fatalf("row %d of epoch %d after epoch %d at place %d", r.Seq, r.Epoch, last, i+1)
		}
		last = r.Epoch
		if epoch, ok := acked.Load(r.Seq); !ok || epoch != r.Epoch {
			t.Errorf("row %d of epoch %d was acknowledged to %v", r.Seq, r.Epoch, epoch)
		}
	}
}
