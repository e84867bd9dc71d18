package journaltest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"mancala/match/journal"
)

func (s suite) fold(t *testing.T, id string) {
	t.Helper()
	if err := s.j.Fold(s.ctx, id); err != nil {
		t.Fatalf("fold %q: %v", id, err)
	}
}

func (s suite) release(t *testing.T, id string, epoch uint64, wake time.Time) {
	t.Helper()
	if err := s.j.Release(s.ctx, id, "a", epoch, wake); err != nil {
		t.Fatalf("release %q: %v", id, err)
	}
}

// foldAll folds every room that is listed, and returns their IDs.
func (s suite) foldAll(t *testing.T) (ids []string) {
	t.Helper()
	for {
		some, err := s.j.Unfolded(s.ctx, 3)
		if err != nil {
			t.Fatalf("unfolded: %v", err)
		}
		if len(some) == 0 {
			return ids
		}
		for _, id := range some {
			s.fold(t, id)
		}
		ids = append(ids, some...)
	}
}

// ended makes a room that sleeps for good.
func (s suite) ended(t *testing.T, id string, rows uint64) {
	t.Helper()
	s.owned(t, id)
	for seq := uint64(1); seq <= rows; seq++ {
		s.append(t, id, row(seq, 1))
	}
	s.release(t, id, 1, time.Time{})
}

func testAllRead(t *testing.T, s suite) {
	s.alive(t, "a")
	s.alive(t, "b")
	for form, want := range map[int]bool{journal.FormFolded: true, journal.NewestForm: true, journal.NewestForm + 1: false} {
		if got, err := s.j.AllRead(s.ctx, form); got != want || err != nil {
			t.Errorf("all read form %d: %t, %v, want %t", form, got, err, want)
		}
	}
}

func testFold(t *testing.T, s suite) {
	s.ended(t, "r", 10)
	s.ended(t, "other", 3)
	s.fold(t, "r")
	s.fold(t, "r")
	s.fold(t, "none")
	s.fold(t, "")
	s.wantRows(t, "r", rowsTo(10, 1))
	s.wantRows(t, "other", rowsTo(3, 1))
	s.wantParts(t, "r", rowsTo(10, 1))
	if r := s.room(t, "r"); r.Owner != "" || r.Epoch != 1 || r.Seq != 10 || !r.Wake.IsZero() || r.Kind != "match" {
		t.Errorf("the folded room is %+v", r)
	}
	s.wantErr(t, journal.ErrConflict)(nil, s.j.Create(s.ctx, journal.Room{ID: "r", Kind: "match"}))
}

func testReopenFolded(t *testing.T, s suite) {
	s.ended(t, "r", 3)
	s.fold(t, "r")
	s.conflict(t, "r", row(4, 1)) // it has no owner
	all := rowsTo(3, 1)
	for epoch := uint64(2); epoch < 5; epoch++ {
		if got := s.claim(t, "r", "a", epoch-1); got.Seq != uint64(len(all)) || got.Epoch != epoch {
			t.Fatalf("claimed the folded room: %+v", got)
		}
		for range 2 {
			all = append(all, row(uint64(len(all))+1, epoch))
			s.append(t, "r", all[len(all)-1])
		}
		s.conflict(t, "r", row(1, epoch))
		s.conflict(t, "r", row(uint64(len(all)), epoch))
		s.wantRows(t, "r", all)
		s.release(t, "r", epoch, time.Time{})
		s.wantRows(t, "r", all)
		for after := range all {
			if got := s.read(t, "r", uint64(after), 2); !slices.EqualFunc(got, all[after:min(after+2, len(all))], sameRow) {
				t.Errorf("two rows after %d: %s", after, describe(got))
			}
		}
		if epoch > 2 { // once with folded and other rows
			s.fold(t, "r")
			s.wantRows(t, "r", all)
		}
	}
}

func testFoldAwake(t *testing.T, s suite) {
	s.create(t, journal.Room{ID: "empty", Kind: "match"})
	s.create(t, journal.Room{ID: "new", Kind: "match", Wake: time.Now().Add(time.Hour)}, rowsTo(2, 0)...)
	s.owned(t, "owned")
	s.append(t, "owned", row(1, 1))
	s.owned(t, "asleep")
	s.append(t, "asleep", row(1, 1))
	s.release(t, "asleep", 1, time.Now().Add(time.Hour))
	for _, id := range []string{"empty", "new", "owned", "asleep"} {
		s.fold(t, id)
	}
	s.wantRows(t, "empty", nil)
	s.wantRows(t, "new", rowsTo(2, 0))
	s.wantRows(t, "asleep", rowsTo(1, 1))
	s.append(t, "owned", row(2, 1))
	s.wantRows(t, "owned", rowsTo(2, 1))
}

// testFoldRace opens a room again and again while it is folded. No row may be lost or
// doubled, and a reader sees all of them at any moment.
func testFoldRace(t *testing.T, s suite) {
	s.ended(t, "r", 2)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := s.j.Fold(s.ctx, "r"); err != nil {
					t.Errorf("fold: %v", err)
					return
				}
			}
		})
	}
	wg.Go(func() {
		known := uint64(2)
		for {
			select {
			case <-stop:
				return
			default:
			}
			rows, err := s.j.Read(s.ctx, "r", 0, 0)
			if err != nil || uint64(len(rows)) < known || slices.ContainsFunc(rows, func(r journal.Row) bool { return !bytes.Equal(r.Data, row(r.Seq, 0).Data) }) {
				t.Errorf("read %s, %v, after %d rows were there", describe(rows), err, known)
				return
			}
			known = uint64(len(rows))
		}
	})
	all := rowsTo(2, 1)
	for epoch := uint64(2); epoch < 40; epoch++ {
		if got := s.claim(t, "r", "a", epoch-1); got.Seq != uint64(len(all)) {
			t.Errorf("claimed %+v, want %d rows", got, len(all))
		}
		for range epoch % 3 {
			all = append(all, row(uint64(len(all))+1, epoch))
			s.append(t, "r", all[len(all)-1])
		}
		s.release(t, "r", epoch, time.Time{})
	}
	close(stop)
	wg.Wait()
	s.wantRows(t, "r", all)
	s.fold(t, "r")
	s.wantRows(t, "r", all)
}

// testUnfolded does not ask for a list from a journal that folds nothing.
func testUnfolded(t *testing.T, s suite) {
	want := map[string][]journal.Row{}
	for i := range 20 {
		id := fmt.Sprintf("r%02d", i)
		s.ended(t, id, uint64(i%5)+1)
		want[id] = rowsTo(uint64(i%5)+1, 1)
	}
	s.owned(t, "going")
	s.append(t, "going", row(1, 1))
	first := s.foldAll(t)
	if slices.Contains(first, "going") {
		t.Error("a room with an owner is listed")
	}
	slices.Sort(first)
	if twice := slices.Compact(slices.Clone(first)); len(first) > 0 && (len(twice) != 20 || len(first) != 20) {
		t.Errorf("listed %q, want each of 20 rooms once", first)
	}
	if again := s.foldAll(t); len(again) != 0 {
		t.Errorf("listed again: %q", again)
	}
	for id, rows := range want {
		s.wantRows(t, id, rows)
	}
	s.claim(t, "r03", "a", 1)
	s.append(t, "r03", row(5, 2))
	s.release(t, "r03", 2, time.Time{})
	if again := s.foldAll(t); len(first) > 0 && fmt.Sprint(again) != "[r03]" {
		t.Errorf("listed %q after r03 was open", again)
	}
	s.wantRows(t, "r03", append(rowsTo(4, 1), row(5, 2)))
}

func testDelete(t *testing.T, s suite) {
	for _, id := range []string{"plain", "folded", "other"} {
		s.ended(t, id, 4)
	}
	s.fold(t, "folded")
	s.create(t, journal.Room{ID: "empty", Kind: "match"})
	s.owned(t, "owned")
	s.create(t, journal.Room{ID: "asleep", Kind: "match", Wake: time.Now().Add(time.Hour)}, rowsTo(1, 0)...)
	for _, id := range []string{"owned", "asleep"} {
		s.wantErr(t, journal.ErrConflict)(id, s.j.Delete(s.ctx, id))
		s.room(t, id)
	}
	for _, id := range []string{"plain", "folded", "empty", "empty", "none", ""} {
		if err := s.j.Delete(s.ctx, id); err != nil {
			t.Errorf("delete %q: %v", id, err)
		}
		s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, id))
		s.wantErr(t, journal.ErrNoRoom)(s.j.Read(s.ctx, id, 0, 0))
		s.wantErr(t, journal.ErrNoRoom)(s.j.Claim(s.ctx, id, "a", 1))
		s.conflict(t, id, row(5, 1))
		s.fold(t, id)
	}
	s.wantRows(t, "other", rowsTo(4, 1))
	s.ended(t, "folded", 2) // another room of the same name
	s.wantRows(t, "folded", rowsTo(2, 1))
	s.foldAll(t)
	s.wantRows(t, "folded", rowsTo(2, 1))
	s.wantRows(t, "other", rowsTo(4, 1))
}

// testDeleteRace claims rooms while they are deleted: one of the two wins.
func testDeleteRace(t *testing.T, s suite) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 30 {
		id := fmt.Sprintf("r%d", i)
		s.ended(t, id, 3)
		if rng.IntN(2) == 0 {
			s.fold(t, id)
		}
		var wg sync.WaitGroup
		var deleted, claimed error
		wg.Go(func() { deleted = s.j.Delete(s.ctx, id) })
		wg.Go(func() { _, claimed = s.j.Claim(s.ctx, id, "a", 1) })
		wg.Wait()
		switch {
		case deleted == nil && (errors.Is(claimed, journal.ErrNoRoom) || errors.Is(claimed, journal.ErrConflict)):
			s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, id))
		case errors.Is(deleted, journal.ErrConflict) && claimed == nil:
			s.append(t, id, row(4, 2))
			s.wantRows(t, id, append(rowsTo(3, 1), row(4, 2)))
		default:
			t.Errorf("deleted: %v, claimed: %v", deleted, claimed)
		}
	}
}
