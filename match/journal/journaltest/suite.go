package journaltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/match/journal"
)

// suite is a journal with the operations that every test uses.
type suite struct {
	j   journal.Journal
	ctx context.Context
}

func (s suite) create(t *testing.T, r journal.Room, rows ...journal.Row) {
	t.Helper()
	if err := s.j.Create(s.ctx, r, rows...); err != nil {
		t.Fatalf("create %q: %v", r.ID, err)
	}
}

func (s suite) room(t *testing.T, id string) journal.Room {
	t.Helper()
	r, err := s.j.Room(s.ctx, id)
	if err != nil {
		t.Fatalf("room %q: %v", id, err)
	}
	return r
}

func (s suite) claim(t *testing.T, id, self string, seen uint64) journal.Room {
	t.Helper()
	r, err := s.j.Claim(s.ctx, id, self, seen)
	if err != nil {
		t.Fatalf("claim %q for %s: %v", id, self, err)
	}
	return r
}

// owned makes a room that instance "a" owns with epoch 1.
func (s suite) owned(t *testing.T, id string) {
	t.Helper()
	s.create(t, journal.Room{ID: id, Kind: "match"})
	s.claim(t, id, "a", 0)
}

// take takes a room of one of these kinds with at most 5 rows. Rows that it returns are those that Read
// returns.
func (s suite) take(t *testing.T, id, self string, kinds ...string) journal.Taken {
	t.Helper()
	got, err := journal.Take(s.ctx, s.j, id, self, kinds, 5)
	if err != nil {
		t.Fatalf("take %q for %s: %v", id, self, err)
	}
	if rows := s.read(t, id, 0, 0); got.Rows != nil && !slices.EqualFunc(got.Rows, rows, sameRow) {
		t.Errorf("take %q returns the rows\n %s\nthere are\n %s", id, describe(got.Rows), describe(rows))
	}
	return got
}

func (s suite) append(t *testing.T, id string, row journal.Row) {
	t.Helper()
	if err := s.j.Append(s.ctx, id, row, time.Time{}); err != nil {
		t.Fatalf("append %q %d: %v", id, row.Seq, err)
	}
}

func (s suite) conflict(t *testing.T, id string, row journal.Row) {
	t.Helper()
	before, _ := s.j.Read(s.ctx, id, 0, 0)
	if err := s.j.Append(s.ctx, id, row, time.Time{}); !errors.Is(err, journal.ErrConflict) {
		t.Errorf("append to %q of %d in epoch %d: %v, want a conflict", id, row.Seq, row.Epoch, err)
	}
	after, _ := s.j.Read(s.ctx, id, 0, 0)
	if !slices.EqualFunc(before, after, sameRow) {
		t.Errorf("a conflict changed the rows of %q: %v to %v", id, before, after)
	}
}

func (s suite) read(t *testing.T, id string, after uint64, limit int) []journal.Row {
	t.Helper()
	rows, err := s.j.Read(s.ctx, id, after, limit)
	if err != nil {
		t.Fatalf("read %q after %d: %v", id, after, err)
	}
	return rows
}

// wantRows compares a room's rows with what was written.
func (s suite) wantRows(t *testing.T, id string, want []journal.Row) {
	t.Helper()
	got := s.read(t, id, 0, 0)
	if !slices.EqualFunc(got, want, sameRow) {
		t.Errorf("rows of %q:\n got %s\nwant %s", id, describe(got), describe(want))
	}
	if r := s.room(t, id); r.Seq != uint64(len(want)) {
		t.Errorf("room %q says its last row is %d, want %d", id, r.Seq, len(want))
	}
}

// wantParts reads parts of a room's rows, from every place and of several lengths.
func (s suite) wantParts(t *testing.T, id string, all []journal.Row) {
	t.Helper()
	n := len(all)
	for after := range n + 2 {
		for _, limit := range []int{0, 1, 2, n / 2, n - 1, n, n + 1} {
			want := all[min(after, n):]
			if limit > 0 && limit < len(want) {
				want = want[:limit]
			}
			if got := s.read(t, id, uint64(after), limit); !slices.EqualFunc(got, want, sameRow) {
				t.Errorf("after %d at most %d:\n got %s\nwant %s", after, limit, describe(got), describe(want))
			}
		}
	}
	if got := s.read(t, id, 1<<64-1, 0); len(got) != 0 {
		t.Errorf("after the last number there is: %v", got)
	}
}

func (s suite) due(t *testing.T, now time.Time) []journal.Room {
	t.Helper()
	due, err := s.j.Due(s.ctx, now, 0)
	if err != nil {
		t.Fatalf("due: %v", err)
	}
	return due
}

func (s suite) dead(t *testing.T) []string {
	t.Helper()
	names, err := s.j.Dead(s.ctx)
	if err != nil {
		t.Fatalf("dead: %v", err)
	}
	return names
}

func (s suite) alive(t *testing.T, self string) time.Time {
	t.Helper()
	at, err := s.j.Alive(s.ctx, self)
	if err != nil {
		t.Fatalf("alive %s: %v", self, err)
	}
	return at
}

func (s suite) wantErr(t *testing.T, want error) func(any, error) {
	return func(got any, err error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("got %+v, %v, want the error %v", got, err, want)
		}
	}
}

func sameRow(a, b journal.Row) bool {
	return a.Seq == b.Seq && a.Epoch == b.Epoch && a.Key == b.Key && bytes.Equal(a.Data, b.Data)
}

func describe(rows []journal.Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "[%d epoch %d key %q, %d bytes %.20q] ", r.Seq, r.Epoch, r.Key, len(r.Data), r.Data)
	}
	return b.String()
}

func row(seq, epoch uint64) journal.Row {
	return journal.Row{Seq: seq, Epoch: epoch, Key: fmt.Sprintf("p%d/c%d", seq%2, seq), Data: fmt.Appendf(nil, `{"n":%d}`, seq)}
}

func rowsTo(n, epoch uint64) (rows []journal.Row) {
	for seq := uint64(1); seq <= n; seq++ {
		rows = append(rows, row(seq, epoch))
	}
	return rows
}
