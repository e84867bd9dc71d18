// Package journaltest is the one test for every [journal.Journal].
package journaltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/match/journal"
)

// Run holds an implementation to the contract. open returns an empty journal
// and sees to its end with t.Cleanup.
func Run(t *testing.T, open func(*testing.T) journal.Journal) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, suite)
	}{
		{"create", testCreate},
		{"create refuses holes", testCreateHoles},
		{"no such room", testNoRoom},
		{"claim", testClaim},
		{"claim has one winner", testClaimRace},
		{"release", testRelease},
		{"append is fenced", testFence},
		{"append after a take-over", testTakeOver},
		{"append races with a take-over", testTakeOverRace},
		{"one fenced room fails no other", testBatch},
		{"read", testRead},
		{"read sees what was acknowledged", testReadYourWrites},
		{"unknown outcome", testUnknown},
		{"context over before", testEnded},
		{"wake", testWake},
		{"due", testDue},
		{"delete", testDelete},
		{"delete and create again", testDeleteCreate},
		{"large data", testLarge},
		{"hostile IDs", testHostileIDs},
		{"any bytes", testAnyBytes},
		{"alive", testAlive},
		{"against a model", testModel},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, suite{open(t), t.Context()}) })
	}
}

// RunClock holds a journal to what happens when instances fall silent. pass
// lets time go by for the journal.
func RunClock(t *testing.T, j journal.Journal, pass func(time.Duration)) {
	s := suite{j, context.Background()}
	first := s.alive(t, "first")
	s.create(t, journal.Room{ID: "r", Kind: "k", Wake: first.Add(-time.Second)})
	room := s.claim(t, "r", "first", 0)

	pass(journal.DeadAfter - time.Second)
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "second", room.Epoch))
	if due := s.due(t, first.Add(time.Hour)); len(due) != 0 {
		t.Errorf("due while its owner lives: %v", due)
	}

	// A sign of life starts the time again.
	second := s.alive(t, "first")
	if got := second.Sub(first); got < journal.DeadAfter-time.Second {
		t.Errorf("the journal's clock went on by %v", got)
	}
	pass(journal.DeadAfter - time.Second)
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "second", room.Epoch))

	pass(2 * time.Second)
	due := s.due(t, first)
	if len(due) != 1 || due[0].ID != "r" || due[0].Owner != "first" || !due[0].OwnerSeen.Equal(second) {
		t.Fatalf("due after its owner died: %+v, want r of first, seen at %v", due, second)
	}
	// The dead owner has not been fenced yet: nobody else has taken over.
	s.append(t, "r", journal.Row{Seq: 1, Epoch: room.Epoch})
	taken := s.claim(t, "r", "second", room.Epoch)
	if !taken.OwnerSeen.Equal(second) || taken.Seq != 1 || taken.Owner != "second" || taken.Epoch != room.Epoch+1 {
		t.Errorf("claimed from the dead: %+v, want the last sign of life %v", taken, second)
	}
	s.conflict(t, "r", journal.Row{Seq: 2, Epoch: room.Epoch})
	// A claim is a sign of life.
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "first", taken.Epoch))
}

// suite is a journal with what every test asks of it.
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

func (s suite) due(t *testing.T, now time.Time) []journal.Room {
	t.Helper()
	due, err := s.j.Due(s.ctx, now, 0)
	if err != nil {
		t.Fatalf("due: %v", err)
	}
	return due
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

func testCreate(t *testing.T, s suite) {
	wake := time.UnixMilli(1_700_000_000_123)
	s.create(t, journal.Room{
		ID: "r1", Kind: "match", Wake: wake.Add(456 * time.Microsecond),
		Owner: "nobody asks", Epoch: 7, Seq: 9, // not taken over
	}, rowsTo(3, 0)...)
	got := s.room(t, "r1")
	if !got.Wake.Equal(wake) || !got.OwnerSeen.IsZero() {
		t.Errorf("wake %v, owner seen %v, want %v in whole milliseconds and never", got.Wake, got.OwnerSeen, wake)
	}
	got.Wake = time.Time{}
	if want := (journal.Room{ID: "r1", Kind: "match", Seq: 3}); got != want {
		t.Errorf("created %+v, want %+v", got, want)
	}
	s.wantRows(t, "r1", rowsTo(3, 0))

	s.wantErr(t, journal.ErrConflict)(nil, s.j.Create(s.ctx, journal.Room{ID: "r1", Kind: "tournament"}, row(1, 5)))
	if got := s.room(t, "r1"); got.Kind != "match" {
		t.Errorf("a second create changed the room: %+v", got)
	}
	s.wantRows(t, "r1", rowsTo(3, 0))

	s.create(t, journal.Room{ID: "r2", Kind: "match"})
	s.wantRows(t, "r2", nil)
	if got := s.room(t, "r2"); !got.Wake.IsZero() {
		t.Errorf("a room without a wake time has %v", got.Wake)
	}
	// Many at once, of which one ID twice.
	var wg sync.WaitGroup
	var won atomic.Int64
	for i := range 40 {
		wg.Go(func() {
			err := s.j.Create(s.ctx, journal.Room{ID: fmt.Sprintf("many%d", i/2), Kind: "match"}, row(1, 0))
			if err == nil {
				won.Add(1)
			} else if !errors.Is(err, journal.ErrConflict) {
				t.Errorf("create: %v", err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 20 {
		t.Errorf("%d of 20 rooms created", won.Load())
	}
}

func testCreateHoles(t *testing.T, s suite) {
	for _, seqs := range [][]uint64{{0}, {2}, {1, 3}, {1, 1}, {2, 1}, {1, 2, 4}} {
		var rows []journal.Row
		for _, n := range seqs {
			rows = append(rows, row(n, 0))
		}
		s.wantErr(t, journal.ErrInvalid)(seqs, s.j.Create(s.ctx, journal.Room{ID: "r", Kind: "k"}, rows...))
	}
	s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, "r"))
}

func testNoRoom(t *testing.T, s suite) {
	s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, "r"))
	s.wantErr(t, journal.ErrNoRoom)(s.j.Claim(s.ctx, "r", "a", 0))
	s.wantErr(t, journal.ErrNoRoom)(s.j.Read(s.ctx, "r", 0, 0))
	s.wantErr(t, journal.ErrConflict)(nil, s.j.Append(s.ctx, "r", row(1, 0), time.Time{}))
	if err := s.j.Release(s.ctx, "r", "a", 0, time.Now()); err != nil {
		t.Errorf("release: %v", err)
	}
	if err := s.j.Delete(s.ctx, "r"); err != nil {
		t.Errorf("delete: %v", err)
	}
	s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, "r"))
}

func testClaim(t *testing.T, s suite) {
	wake := time.UnixMilli(1_900_000_000_000)
	s.create(t, journal.Room{ID: "r", Kind: "match", Wake: wake}, rowsTo(2, 0)...)
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "a", 1)) // a future that nobody has seen

	got := s.claim(t, "r", "a", 0)
	if got.ID != "r" || got.Kind != "match" || got.Owner != "a" || got.Epoch != 1 || got.Seq != 2 || !got.Wake.Equal(wake) || !got.OwnerSeen.IsZero() {
		t.Errorf("first claim: %+v", got)
	}
	if line := s.room(t, "r"); line.Owner != "a" || line.Epoch != 1 || line.OwnerSeen.IsZero() {
		t.Errorf("after the claim: %+v, want a's, seen alive", line)
	}
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "b", 1)) // a lives
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "a", 0)) // stale
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
	s.conflict(t, "r", row(2, 1)) // nobody owns it
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
	s.conflict(t, "r", row(1, 0)) // nobody owns it
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

	// Many writers of one room: each number goes to one of them.
	const writers, each = 8, 20
	var wg sync.WaitGroup
	var won [each]atomic.Int64
	for range writers {
		wg.Go(func() {
			for i := range uint64(each) {
				err := s.j.Append(s.ctx, "r", row(3+i, 1), time.Time{})
				for errors.Is(err, journal.ErrConflict) && s.room(t, "r").Seq < 3+i {
					err = s.j.Append(s.ctx, "r", row(3+i, 1), time.Time{}) // the one before is not there yet
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
	s.claim(t, "r", "a", 1) // the same instance, another copy of the room
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

// testTakeOverRace: whoever writes while the owner changes, rows of an old
// epoch never follow rows of a new one, and the claim knows the last old row.
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
		for s.room(t, "r").Seq < first+1 { // until it is in full swing
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
				if i%3 == 0 { // a fenced copy of the room among the others, all the time
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
	for after := range uint64(12) {
		for _, limit := range []int{0, 1, 2, 5, 9, 10, 11} {
			want := all[min(after, 10):]
			if limit > 0 && limit < len(want) {
				want = want[:limit]
			}
			if got := s.read(t, "r", after, limit); !slices.EqualFunc(got, want, sameRow) {
				t.Errorf("after %d at most %d:\n got %s\nwant %s", after, limit, describe(got), describe(want))
			}
		}
	}
	if got := s.read(t, "r", 1<<64-1, 0); len(got) != 0 {
		t.Errorf("after the last number there is: %v", got)
	}
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
				// Going to sleep and coming back loses nothing either.
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

// testUnknown: whatever happens to the caller's context, the way that the
// contract describes leads to exactly one row.
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
				clear(lent.Data) // ours again, whatever became of it
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
						break // it was ours
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
	s.wantErr(t, context.Canceled)(s.j.Claim(ctx, "r", "a", 1))
	s.wantErr(t, context.Canceled)(s.j.Read(ctx, "r", 0, 0))
	s.wantErr(t, context.Canceled)(s.j.Due(ctx, time.Now(), 0))
	s.wantErr(t, context.Canceled)(s.j.Alive(ctx, "a"))
	s.wantErr(t, context.Canceled)(nil, s.j.Create(ctx, journal.Room{ID: "q", Kind: "k"}))
	s.wantErr(t, context.Canceled)(nil, s.j.Release(ctx, "r", "a", 1, time.Time{}))
	s.wantErr(t, context.Canceled)(nil, s.j.Delete(ctx, "r"))
	if line := s.room(t, "r"); line.Owner != "a" || line.Epoch != 1 || line.Seq != 0 {
		t.Errorf("what was cancelled before it began changed the room: %+v", line)
	}
	s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, "q"))
}

func testWake(t *testing.T, s suite) {
	at := func(n int64) time.Time {
		if n == 0 {
			return time.Time{}
		}
		return time.UnixMilli(1_600_000_000_000 + n)
	}
	s.owned(t, "r")
	for i, step := range []struct{ wake, want int64 }{
		{0, 0},       // none stays none
		{500, 500},   // the first counts
		{700, 500},   // later: the stored one stays
		{0, 500},     // none says nothing
		{300, 300},   // earlier counts
		{500, 300},   // and stays
		{-200, -200}, // long past is earlier still
	} {
		if err := s.j.Append(s.ctx, "r", row(uint64(i)+1, 1), at(step.wake).Add(300*time.Microsecond*sign(step.wake))); err != nil {
			t.Fatal(err)
		}
		if got := s.room(t, "r").Wake; !got.Equal(at(step.want)) {
			t.Errorf("step %d: wake %v, want %v", i, got, at(step.want))
		}
	}
	// What is refused changes no wake time.
	s.wantErr(t, journal.ErrConflict)(nil, s.j.Append(s.ctx, "r", row(1, 1), at(-900)))
	if got := s.room(t, "r").Wake; !got.Equal(at(-200)) {
		t.Errorf("a refused row set the wake time to %v", got)
	}
	if err := s.j.Release(s.ctx, "r", "a", 1, at(800)); err != nil {
		t.Fatal(err)
	}
	if got := s.claim(t, "r", "a", 1).Wake; !got.Equal(at(800)) {
		t.Errorf("the release set %v, want %v", got, at(800))
	}
	if err := s.j.Append(s.ctx, "r", row(8, 2), at(900)); err != nil {
		t.Fatal(err)
	}
	if got := s.room(t, "r").Wake; !got.Equal(at(800)) {
		t.Errorf("after a release and an append: %v, want %v", got, at(800))
	}
}

// sign keeps a zero time zero when a fraction of a millisecond is added.
func sign(n int64) time.Duration {
	if n == 0 {
		return 0
	}
	return 1
}

func testDue(t *testing.T, s suite) {
	now := time.UnixMilli(1_700_000_000_000)
	ids := func(rooms []journal.Room) (ids []string) {
		for _, r := range rooms {
			ids = append(ids, r.ID)
		}
		return ids
	}
	for i, d := range []time.Duration{-3 * time.Second, time.Millisecond, -time.Second, 0, -2 * time.Second, time.Hour} {
		s.create(t, journal.Room{ID: fmt.Sprintf("r%d", i), Kind: "match", Wake: now.Add(d)}, rowsTo(uint64(i), 0)...)
	}
	s.create(t, journal.Room{ID: "never", Kind: "match"})
	if got, want := ids(s.due(t, now)), []string{"r0", "r4", "r2", "r3"}; !slices.Equal(got, want) {
		t.Errorf("due %v, want %v", got, want)
	}
	if got := s.due(t, now); len(got) == 4 && (got[1].Seq != 4 || got[1].Kind != "match" || !got[1].Wake.Equal(now.Add(-2*time.Second))) {
		t.Errorf("due room %+v", got[1])
	}
	two, err := s.j.Due(s.ctx, now, 2)
	if got, want := ids(two), []string{"r0", "r4"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("at most 2: %v, %v, want %v", got, err, want)
	}
	// Owned by the living: nobody else's business, and no place taken from others.
	s.claim(t, "r0", "a", 0)
	s.claim(t, "r4", "a", 0)
	two, err = s.j.Due(s.ctx, now, 2)
	if got, want := ids(two), []string{"r2", "r3"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("without those that are owned: %v, %v, want %v", got, err, want)
	}
	if err := s.j.Append(s.ctx, "r4", row(5, 1), now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got, want := ids(s.due(t, now)), []string{"r2", "r3"}; !slices.Equal(got, want) {
		t.Errorf("after an append: %v, want %v", got, want)
	}
	if err := s.j.Release(s.ctx, "r4", "a", 1, now.Add(-500*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if err := s.j.Delete(s.ctx, "r2"); err != nil {
		t.Fatal(err)
	}
	if got, want := ids(s.due(t, now)), []string{"r4", "r3"}; !slices.Equal(got, want) {
		t.Errorf("after release and delete: %v, want %v", got, want)
	}
	if got := s.due(t, now.Add(-time.Hour)); len(got) != 0 {
		t.Errorf("an hour before: %v", ids(got))
	}
}

func testDelete(t *testing.T, s suite) {
	s.owned(t, "r")
	s.owned(t, "other")
	s.append(t, "r", row(1, 1))
	s.append(t, "other", row(1, 1))
	if err := s.j.Delete(s.ctx, "r"); err != nil {
		t.Fatal(err)
	}
	s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, "r"))
	s.wantErr(t, journal.ErrNoRoom)(s.j.Read(s.ctx, "r", 0, 0))
	s.wantErr(t, journal.ErrConflict)(nil, s.j.Append(s.ctx, "r", row(2, 1), time.Time{}))
	s.wantErr(t, journal.ErrNoRoom)(s.j.Claim(s.ctx, "r", "a", 1))
	s.wantRows(t, "other", rowsTo(1, 1))
}

func testDeleteCreate(t *testing.T, s suite) {
	s.owned(t, "r")
	for seq := uint64(1); seq <= 5; seq++ {
		s.append(t, "r", row(seq, 1))
	}
	if err := s.j.Delete(s.ctx, "r"); err != nil {
		t.Fatal(err)
	}
	s.create(t, journal.Room{ID: "r", Kind: "other"}, row(1, 0))
	s.wantRows(t, "r", rowsTo(1, 0))
	s.claim(t, "r", "b", 0)
	s.append(t, "r", row(2, 1))
	s.wantRows(t, "r", []journal.Row{row(1, 0), row(2, 1)})
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

func testHostileIDs(t *testing.T, s suite) {
	s.owned(t, "r")
	s.append(t, "r", row(1, 1))
	for _, id := range []string{"", " ", "r ", " r", "r\x00", "r\x00x", "\xff\xfe", "é", "r\n", strings.Repeat("x", 65), strings.Repeat("x", 1<<20)} {
		s.wantErr(t, journal.ErrInvalid)(id, s.j.Create(s.ctx, journal.Room{ID: id, Kind: "match"}))
		s.wantErr(t, journal.ErrInvalid)(id, s.j.Create(s.ctx, journal.Room{ID: "ok", Kind: id}))
		s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, id))
		s.wantErr(t, journal.ErrNoRoom)(s.j.Read(s.ctx, id, 0, 0))
		s.wantErr(t, journal.ErrNoRoom)(s.j.Claim(s.ctx, id, "a", 0))
		s.wantErr(t, journal.ErrInvalid)(s.j.Claim(s.ctx, "r", id, 1))
		s.wantErr(t, journal.ErrInvalid)(s.j.Alive(s.ctx, id))
		s.wantErr(t, journal.ErrConflict)(nil, s.j.Append(s.ctx, id, row(1, 1), time.Time{}))
		if err := errors.Join(s.j.Delete(s.ctx, id), s.j.Release(s.ctx, id, "a", 1, time.Time{})); err != nil {
			t.Errorf("%.20q: %v", id, err)
		}
	}
	// Odd, but in order, and each is its own room.
	odd := []string{"R", "'", `"`, "r'--", "r;DROP", "%", "_", "*", "r%", "../r", "?1", "$1", ":r", "0", "00", "1e3", "NULL", "-1", `\`, "`", strings.Repeat("~", 64)}
	for i, id := range odd {
		s.create(t, journal.Room{ID: id, Kind: "k'--"}, rowsTo(uint64(i%3), 0)...)
		s.claim(t, id, "o'--", 0)
	}
	for i, id := range odd {
		if r := s.room(t, id); r.ID != id || r.Kind != "k'--" || r.Owner != "o'--" || r.Seq != uint64(i%3) {
			t.Errorf("room %q: %+v", id, r)
		}
	}
	s.wantRows(t, "r", rowsTo(1, 1))
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

func testAlive(t *testing.T, s suite) {
	at := s.alive(t, "a")
	if !at.Equal(at.Truncate(time.Millisecond)) || at.IsZero() {
		t.Errorf("the database's time %v is not in whole milliseconds", at)
	}
	s.create(t, journal.Room{ID: "r", Kind: "match"})
	s.claim(t, "r", "a", 0)
	later := s.alive(t, "a")
	if line := s.room(t, "r"); later.Before(at) || !line.OwnerSeen.Equal(later) {
		t.Errorf("seen at %v, want %v, not before %v", line.OwnerSeen, later, at)
	}
	if b := s.alive(t, "b"); b.Before(later) {
		t.Errorf("time went back from %v to %v", later, b)
	}
}
