package journaltest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mancala/match/journal"
)

func testBatch(t *testing.T, s suite) {
	const rooms, each = 30, 10
	for i := range rooms {
		s.owned(t, fmt.Sprintf("r%d", i))
	}
	var wg sync.WaitGroup
	for i := range rooms {
		wg.Go(func() {
			id := fmt.Sprintf("r%d", i)
			for seq := uint64(1); seq <= each; seq++ {
				good, bad := row(seq, 1), row(seq, 0)
				if i%3 == 0 { // a fenced copy of the room writes all the time
					if err := s.j.Append(s.ctx, id, bad, time.Time{}); !errors.Is(err, journal.ErrConflict) {
						t.Errorf("append with a stale epoch: %v", err)
					}
				}
				if err := s.j.Append(s.ctx, id, good, time.Time{}); err != nil {
					t.Errorf("append %s %d: %v", id, seq, err)
				}
			}
		})
	}
	wg.Wait()
	for i := range rooms {
		s.wantRows(t, fmt.Sprintf("r%d", i), rowsTo(each, 1))
	}
}

func testRead(t *testing.T, s suite) {
	s.create(t, journal.Room{ID: "r", Kind: "match"}, rowsTo(2, 0)...)
	s.claim(t, "r", "a", 0)
	all := rowsTo(2, 0)
	for seq := uint64(3); seq <= 6; seq++ {
		all = append(all, row(seq, 1))
		s.append(t, "r", all[seq-1])
	}
	if err := s.j.Release(s.ctx, "r", "a", 1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	s.claim(t, "r", "b", 1)
	for seq := uint64(7); seq <= 10; seq++ {
		all = append(all, row(seq, 2))
		s.append(t, "r", all[seq-1])
	}
	s.wantRows(t, "r", all)
	s.wantParts(t, "r", all)
}

func testReadYourWrites(t *testing.T, s suite) {
	const rooms, each = 6, 25
	var wg sync.WaitGroup
	for i := range rooms {
		id := fmt.Sprintf("r%d", i)
		s.owned(t, id)
		wg.Go(func() {
			epoch := uint64(1)
			for seq := uint64(1); seq <= each; seq++ {
				if err := s.j.Append(s.ctx, id, row(seq, epoch), time.Time{}); err != nil {
					t.Errorf("append: %v", err)
					return
				}
				rows, err := s.j.Read(s.ctx, id, seq-1, 0)
				if err != nil || len(rows) != 1 || rows[0].Seq != seq {
					t.Errorf("read after the append of %d: %v, %v", seq, rows, err)
				}
				if line, err := s.j.Room(s.ctx, id); err != nil || line.Seq != seq {
					t.Errorf("room after the append of %d: %+v, %v", seq, line, err)
				}
				if seq%10 != 0 {
					continue
				}
				// Release and claim must not lose rows either.
				if err := s.j.Release(s.ctx, id, "a", epoch, time.Time{}); err != nil {
					t.Errorf("release: %v", err)
				}
				if rows, err := s.j.Read(s.ctx, id, 0, 0); err != nil || uint64(len(rows)) != seq {
					t.Errorf("asleep: %d rows, %v, want %d", len(rows), err, seq)
				}
				r, err := s.j.Claim(s.ctx, id, "a", epoch)
				if err != nil || r.Seq != seq {
					t.Errorf("claim: %+v, %v", r, err)
					return
				}
				epoch = r.Epoch
			}
		})
	}
	wg.Wait()
}

// testUnknown cancels the caller's context at random moments. The procedure that the
// contract describes must lead to exactly one row.
func testUnknown(t *testing.T, s suite) {
	const each = 60
	var wg sync.WaitGroup
	for i := range 4 {
		id := fmt.Sprintf("r%d", i)
		s.owned(t, id)
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		wg.Go(func() {
			for seq := uint64(1); seq <= each; seq++ {
				ctx, cancel := context.WithCancel(s.ctx)
				spin := rng.IntN(2000)
				var canceller sync.WaitGroup
				canceller.Go(func() {
					for range spin {
						_ = ctx.Err()
					}
					cancel()
				})
				lent := row(seq, 1)
				err := s.j.Append(ctx, id, lent, time.Time{})
				clear(lent.Data) // the data belongs to the caller again
				canceller.Wait()
				for err != nil {
					if !errors.Is(err, journal.ErrUnknown) && !errors.Is(err, journal.ErrUnavailable) && !errors.Is(err, journal.ErrConflict) {
						t.Errorf("append of %d: %v", seq, err)
						return
					}
					rows, rerr := s.j.Read(s.ctx, id, seq-1, 1)
					if rerr != nil {
						t.Errorf("read: %v", rerr)
						return
					}
					if len(rows) == 1 && rows[0].Key == row(seq, 1).Key {
						break // the row is the caller's
					}
					err = s.j.Append(s.ctx, id, row(seq, 1), time.Time{})
				}
			}
		})
	}
	wg.Wait()
	for i := range 4 {
		s.wantRows(t, fmt.Sprintf("r%d", i), rowsTo(each, 1))
	}
}

func testEnded(t *testing.T, s suite) {
	s.owned(t, "r")
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	err := s.j.Append(ctx, "r", row(1, 1), time.Time{})
	if !errors.Is(err, journal.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("append with a context that is over: %v, want unavailable and cancelled", err)
	}
	s.wantErr(t, context.Canceled)(s.j.Room(ctx, "r"))
	s.wantErr(t, context.Canceled)(s.j.Seqs(ctx, []string{"r"}))
	s.wantErr(t, context.Canceled)(s.j.Claim(ctx, "r", "a", 1))
	s.wantErr(t, context.Canceled)(s.j.Read(ctx, "r", 0, 0))
	s.wantErr(t, context.Canceled)(s.j.Due(ctx, time.Now(), 0))
	s.wantErr(t, context.Canceled)(s.j.Alive(ctx, "a"))
	s.wantErr(t, context.Canceled)(nil, s.j.Create(ctx, journal.Room{ID: "q", Kind: "k"}))
	s.wantErr(t, context.Canceled)(nil, s.j.Release(ctx, "r", "a", 1, time.Time{}))
	if line := s.room(t, "r"); line.Owner != "a" || line.Epoch != 1 || line.Seq != 0 {
		t.Errorf("what was cancelled before it began changed the room: %+v", line)
	}
	s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, "q"))
}

func testLarge(t *testing.T, s suite) {
	s.owned(t, "r")
	rng := rand.New(rand.NewPCG(3, 4))
	var want []journal.Row
	for i, n := range []int{1 << 20, 0, 100, 3 << 20, 65536, 65535, 4096} {
		data := make([]byte, n)
		for k := range data {
			data[k] = byte(rng.Uint32())
		}
		want = append(want, journal.Row{Seq: uint64(i) + 1, Epoch: 1, Key: strings.Repeat("k", n%500), Data: data})
		s.append(t, "r", want[i])
	}
	s.wantRows(t, "r", want)
	if err := s.j.Release(s.ctx, "r", "a", 1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	s.wantRows(t, "r", want)
	if got := s.read(t, "r", 3, 1); !slices.EqualFunc(got, want[3:4], sameRow) {
		t.Errorf("one row from the middle: %s", describe(got))
	}
}

func testAnyBytes(t *testing.T, s suite) {
	s.owned(t, "r")
	var want []journal.Row
	for i, b := range []string{"", "\x00", "a\x00b", "\xff\xfe\xfd", "'; DROP TABLE rooms", "é\u202e", strings.Repeat("\x80", 300)} {
		want = append(want, journal.Row{Seq: uint64(i) + 1, Epoch: 1, Key: b, Data: []byte(b)})
		s.append(t, "r", want[i])
	}
	s.wantRows(t, "r", want)
	if err := s.j.Release(s.ctx, "r", "a", 1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	s.wantRows(t, "r", want)
}
