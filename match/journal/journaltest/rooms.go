package journaltest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/match/journal"
)

func testCreate(t *testing.T, s suite) {
	wake := time.UnixMilli(1_700_000_000_123)
	s.create(t, journal.Room{
		ID: "r1", Kind: "match", Wake: wake.Add(456 * time.Microsecond),
		Epoch: 7, Seq: 9, // Create must ignore these
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
	// Many rooms at once, each ID twice.
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

// testCreateOwned creates rooms that have an owner from the beginning.
func testCreateOwned(t *testing.T, s suite) {
	at := time.UnixMilli(1_700_000_000_123)
	if _, err := s.j.Alive(s.ctx, "a"); err != nil {
		t.Fatal(err)
	}
	s.create(t, journal.Room{ID: "r", Kind: "match", Owner: "a", Wake: at}, rowsTo(2, 0)...)
	if got := s.room(t, "r"); got.Owner != "a" || got.Epoch != 1 || got.Seq != 2 || got.OwnerDead || !got.Wake.Equal(at) {
		t.Errorf("created %+v", got)
	}
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "b", 1))
	s.wantErr(t, journal.ErrConflict)(nil, s.j.Append(s.ctx, "r", row(3, 0), time.Time{}))
	s.append(t, "r", row(3, 1))
	s.wantRows(t, "r", append(rowsTo(2, 0), row(3, 1)))
	if due, err := s.j.Due(s.ctx, at, 0); err != nil || len(due) != 0 {
		t.Errorf("due although the owner lives: %+v (%v)", due, err)
	}
	if err := s.j.Release(s.ctx, "r", "a", 1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if got := s.claim(t, "r", "b", 1); got.Epoch != 2 || got.Seq != 3 || !got.OwnerSeen.IsZero() {
		t.Errorf("claimed %+v", got)
	}
	s.wantErr(t, journal.ErrInvalid)(nil, s.j.Create(s.ctx, journal.Room{ID: "q", Kind: "match", Owner: "no id"}))
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
	s.wantErr(t, journal.ErrNoRoom)(s.j.Room(s.ctx, "r"))
}

func testSeqs(t *testing.T, s suite) {
	s.create(t, journal.Room{ID: "asleep", Kind: "match"}, rowsTo(3, 0)...)
	s.create(t, journal.Room{ID: "empty", Kind: "match"})
	s.create(t, journal.Room{ID: "unasked", Kind: "match"}, rowsTo(9, 0)...)
	s.owned(t, "awake")
	want := func(when string, want map[string]uint64) {
		t.Helper()
		got, err := s.j.Seqs(s.ctx, []string{"asleep", "empty", "awake", "asleep", "none", "", "\x00", "é"})
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", when, got, err, want)
		}
	}
	want("at first", map[string]uint64{"asleep": 3, "empty": 0, "awake": 0})
	s.append(t, "awake", row(1, 1))
	s.append(t, "awake", row(2, 1))
	want("after two entries", map[string]uint64{"asleep": 3, "empty": 0, "awake": 2})
	if err := s.j.Release(s.ctx, "awake", "a", 1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	want("all asleep", map[string]uint64{"asleep": 3, "empty": 0, "awake": 2})
	if got, err := s.j.Seqs(s.ctx, nil); err != nil || len(got) != 0 {
		t.Errorf("of none: %v, %v", got, err)
	}
	many := slices.Repeat([]string{"none"}, 40_000)
	if got, err := s.j.Seqs(s.ctx, append(many, "asleep")); err != nil || got["asleep"] != 3 {
		t.Errorf("of very many: %v, %v", got, err)
	}
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
		{0, 0},       // no wake time stays none
		{500, 500},   // the first wake time is kept
		{700, 500},   // a later one is ignored
		{0, 500},     // no wake time changes nothing
		{300, 300},   // an earlier one is kept
		{500, 300},   // and stays
		{-200, -200}, // a time in the past is earlier too
	} {
		if err := s.j.Append(s.ctx, "r", row(uint64(i)+1, 1), at(step.wake).Add(300*time.Microsecond*sign(step.wake))); err != nil {
			t.Fatal(err)
		}
		if got := s.room(t, "r").Wake; !got.Equal(at(step.want)) {
			t.Errorf("step %d: wake %v, want %v", i, got, at(step.want))
		}
	}
	// A refused row must not change the wake time.
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

// sign is 0 for a zero time, so that it stays zero when a fraction of a millisecond
// is added.
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
	// Rooms of living owners are not due, and take no places of others.
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
	if got, want := ids(s.due(t, now)), []string{"r2", "r4", "r3"}; !slices.Equal(got, want) {
		t.Errorf("after a release: %v, want %v", got, want)
	}
	if got := s.due(t, now.Add(-time.Hour)); len(got) != 0 {
		t.Errorf("an hour before: %v", ids(got))
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
		if err := s.j.Release(s.ctx, id, "a", 1, time.Time{}); err != nil {
			t.Errorf("%.20q: %v", id, err)
		}
	}
	// Unusual IDs that are valid. Each names its own room.
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
