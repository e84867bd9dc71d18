package journaltest_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
)

// TestCallersThatFollowTheContractWriteEachRowOnceDespiteFaults also checks that the
// same number gives the same faults.
func TestCallersThatFollowTheContractWriteEachRowOnceDespiteFaults(t *testing.T) {
	run := func(number uint64) (faults []string) {
		mem := memjournal.New()
		j := journaltest.NewFaulty(mem, number)
		j.Refuse, j.Written, j.Lost, j.Late = 0.2, 0.2, 0.2, 0.2
		ctx := t.Context()
		if err := j.Create(ctx, journal.Room{ID: "r", Kind: "k"}); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Claim(ctx, "r", "a", 0); err != nil {
			t.Fatal(err)
		}
		const rows = 300
		for seq := uint64(1); seq <= rows; {
			err := j.Append(ctx, "r", journal.Row{Seq: seq, Epoch: 1, Key: fmt.Sprint(seq)}, time.Time{})
			switch {
			case err == nil:
				seq++
				continue
			case errors.Is(err, journal.ErrUnavailable):
				faults = append(faults, "refused")
			case errors.Is(err, journal.ErrUnknown), errors.Is(err, journal.ErrConflict):
				got, rerr := mem.Read(ctx, "r", seq-1, 1)
				if rerr != nil {
					t.Fatal(rerr)
				}
				there := len(got) == 1
				if errors.Is(err, journal.ErrConflict) && !there {
					t.Fatalf("number %d: a conflict at %d and no row", number, seq)
				}
				faults = append(faults, fmt.Sprintf("%v %v", errors.Is(err, journal.ErrConflict), there))
				if there {
					seq++
				}
			default:
				t.Fatal(err)
			}
		}
		got, err := mem.Read(ctx, "r", 0, 0)
		if err != nil || len(got) != rows {
			t.Fatalf("number %d: %d rows, %v, want %d", number, len(got), err, rows)
		}
		return faults
	}
	first := run(1)
	for _, kind := range []string{"refused", "false true", "false false", "true true"} {
		if !slices.Contains(first, kind) {
			t.Errorf("no fault of the kind %q in %v", kind, first)
		}
	}
	if !slices.Equal(first, run(1)) {
		t.Error("the same run gave other faults")
	}
	if slices.Equal(first, run(2)) {
		t.Error("another run gave the same faults")
	}
}
