package journaltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"mancala/match/journal"
)

func checkpoint(seq uint64, text string) journal.Checkpoint {
	return journal.Checkpoint{Seq: seq, Data: []byte(text)}
}

func (s suite) put(t *testing.T, id string, epoch uint64, c journal.Checkpoint) {
	t.Helper()
	if err := s.j.PutCheckpoint(s.ctx, id, epoch, c); err != nil {
		t.Fatalf("checkpoint of %q at %d: %v", id, c.Seq, err)
	}
}

// putConflicts checks that the checkpoint is refused, and that nothing changes.
func (s suite) putConflicts(t *testing.T, id string, epoch uint64, c journal.Checkpoint) {
	t.Helper()
	before, _ := s.j.Checkpoint(s.ctx, id)
	if err := s.j.PutCheckpoint(s.ctx, id, epoch, c); !errors.Is(err, journal.ErrConflict) {
		t.Errorf("checkpoint of %q at %d in epoch %d: %v, want a conflict", id, c.Seq, epoch, err)
	}
	s.wantCheckpoint(t, id, before)
}

func (s suite) wantCheckpoint(t *testing.T, id string, want journal.Checkpoint) {
	t.Helper()
	got, err := s.j.Checkpoint(s.ctx, id)
	if err != nil || got.Seq != want.Seq || !bytes.Equal(got.Data, want.Data) {
		t.Errorf("the checkpoint of %q is at %d, %.40q, %v, want %d, %.40q", id, got.Seq, got.Data, err, want.Seq, want.Data)
	}
}

func testCheckpoint(t *testing.T, s suite) {
	none := journal.Checkpoint{}
	for _, id := range []string{"r", "", "\x00", "é"} {
		s.wantCheckpoint(t, id, none)
		s.putConflicts(t, id, 0, checkpoint(1, "no room"))
	}
	s.create(t, journal.Room{ID: "r", Kind: "match"}, rowsTo(3, 0)...)
	s.putConflicts(t, "r", 0, checkpoint(3, "no owner"))
	s.claim(t, "r", "a", 0)
	for _, seq := range []uint64{0, 4, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64} {
		s.putConflicts(t, "r", 1, checkpoint(seq, "no such row"))
	}
	for _, epoch := range []uint64{0, 2, math.MaxUint64} {
		s.putConflicts(t, "r", epoch, checkpoint(2, "another epoch"))
	}
	s.put(t, "r", 1, checkpoint(2, "at two"))
	s.wantCheckpoint(t, "r", checkpoint(2, "at two"))
	s.putConflicts(t, "r", 1, checkpoint(1, "older"))
	s.put(t, "r", 1, checkpoint(2, "two again"))
	s.append(t, "r", row(4, 1))
	large := make([]byte, 3<<20)
	for i := range large {
		large[i] = byte(i * i >> 3)
	}
	s.put(t, "r", 1, journal.Checkpoint{Seq: 4, Data: large})
	s.wantCheckpoint(t, "r", journal.Checkpoint{Seq: 4, Data: large})
	s.put(t, "r", 1, journal.Checkpoint{Seq: 4})
	s.wantCheckpoint(t, "r", journal.Checkpoint{Seq: 4})
	s.wantRows(t, "r", append(rowsTo(3, 0), row(4, 1)))

	data := []byte("the caller's")
	s.put(t, "r", 1, journal.Checkpoint{Seq: 4, Data: data})
	copy(data, "changed bytes")
	s.wantCheckpoint(t, "r", checkpoint(4, "the caller's"))

	s.release(t, "r", 1, time.Time{})
	s.putConflicts(t, "r", 1, checkpoint(4, "released"))
	s.claim(t, "r", "a", 1)
	s.wantCheckpoint(t, "r", checkpoint(4, "the caller's"))
	s.putConflicts(t, "r", 1, checkpoint(4, "the epoch before"))
	s.put(t, "r", 2, checkpoint(4, "of the next epoch"))

	ended, end := context.WithCancel(s.ctx)
	end()
	s.wantErr(t, context.Canceled)(s.j.Checkpoint(ended, "r"))
	s.wantErr(t, context.Canceled)(nil, s.j.PutCheckpoint(ended, "r", 2, checkpoint(4, "too late")))
	s.wantCheckpoint(t, "r", checkpoint(4, "of the next epoch"))
}

// testCheckpointGoes folds and deletes rooms that have a checkpoint. A journal that does not
// fold a room keeps its checkpoint, so only one that was folded must have lost it.
func testCheckpointGoes(t *testing.T, s suite) {
	for _, id := range []string{"folded", "deleted", "going"} {
		s.owned(t, id)
		s.append(t, id, row(1, 1))
		s.put(t, id, 1, checkpoint(1, id))
	}
	s.release(t, "folded", 1, time.Time{})
	s.release(t, "deleted", 1, time.Time{})
	s.fold(t, "folded")
	s.fold(t, "going")
	s.wantCheckpoint(t, "folded", journal.Checkpoint{})
	s.wantCheckpoint(t, "going", checkpoint(1, "going"))
	if err := s.j.Delete(s.ctx, "deleted"); err != nil {
		t.Fatal(err)
	}
	s.wantCheckpoint(t, "deleted", journal.Checkpoint{})
	s.owned(t, "deleted")
	s.wantCheckpoint(t, "deleted", journal.Checkpoint{})

	s.claim(t, "folded", "a", 1)
	s.put(t, "folded", 2, checkpoint(1, "opened again"))
	s.wantCheckpoint(t, "folded", checkpoint(1, "opened again"))
}

// testCheckpointRace writes the checkpoints of former owners while the room changes hands. The
// last owner's stays.
func testCheckpointRace(t *testing.T, s suite) {
	s.owned(t, "r")
	s.append(t, "r", row(1, 1))
	var wg sync.WaitGroup
	for epoch := uint64(1); epoch < 20; epoch++ {
		for range 3 {
			wg.Go(func() {
				err := s.j.PutCheckpoint(s.ctx, "r", epoch, checkpoint(1, fmt.Sprint(epoch)))
				if err != nil && !errors.Is(err, journal.ErrConflict) {
					t.Errorf("checkpoint: %v", err)
				}
			})
		}
		s.release(t, "r", epoch, time.Time{})
		s.claim(t, "r", "a", epoch)
		if _, err := s.j.Checkpoint(s.ctx, "r"); err != nil {
			t.Errorf("read the checkpoint in epoch %d: %v", epoch+1, err)
		}
	}
	wg.Wait()
	before, _ := s.j.Checkpoint(s.ctx, "r")
	s.putConflicts(t, "r", 19, checkpoint(1, "late"))
	s.wantCheckpoint(t, "r", before)
	s.put(t, "r", 20, checkpoint(1, "the last"))
	s.wantCheckpoint(t, "r", checkpoint(1, "the last"))
}
