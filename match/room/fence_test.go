package room

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// broken is a journal that fails as it is told.
type broken struct {
	journal.Journal
	mu     sync.Mutex
	append func(do func() error) error // stands for Append; nil: as usual
	away   bool                        // everything fails
	blind  bool                        // Read fails
	waits  bool                        // Confirm waits in vain
}

func (b *broken) set(append func(do func() error) error, away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.append, b.away = append, away
}

func (b *broken) fault() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return fmt.Errorf("broken: %w", journal.ErrUnavailable)
	}
	return nil
}

func (b *broken) Append(ctx context.Context, id string, row journal.Row, wake time.Time) error {
	if err := b.fault(); err != nil {
		return err
	}
	b.mu.Lock()
	f := b.append
	b.mu.Unlock()
	row.Data = bytes.Clone(row.Data) // do may be late
	do := func() error { return b.Journal.Append(ctx, id, row, wake) }
	if f != nil {
		return f(do)
	}
	return do()
}

func (b *broken) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	if err := b.fault(); err != nil {
		return nil, err
	}
	b.mu.Lock()
	blind := b.blind
	b.mu.Unlock()
	if blind {
		return nil, fmt.Errorf("broken: %w", journal.ErrUnavailable)
	}
	return b.Journal.Read(ctx, id, after, limit)
}

func (b *broken) PutCheckpoint(ctx context.Context, id string, epoch uint64, c journal.Checkpoint) error {
	if err := b.fault(); err != nil {
		return err
	}
	return b.Journal.PutCheckpoint(ctx, id, epoch, c)
}

func (b *broken) Checkpoint(ctx context.Context, id string) (journal.Checkpoint, error) {
	if err := b.fault(); err != nil {
		return journal.Checkpoint{}, err
	}
	return b.Journal.Checkpoint(ctx, id)
}

func (b *broken) Room(ctx context.Context, id string) (journal.Room, error) {
	if err := b.fault(); err != nil {
		return journal.Room{}, err
	}
	return b.Journal.Room(ctx, id)
}

func (b *broken) Seqs(ctx context.Context, ids []string) (map[string]uint64, error) {
	if err := b.fault(); err != nil {
		return nil, err
	}
	return b.Journal.Seqs(ctx, ids)
}

func (b *broken) Confirm(ctx context.Context) error {
	b.mu.Lock()
	waits := b.waits
	b.mu.Unlock()
	if waits {
		<-ctx.Done()
		return fmt.Errorf("broken: %w", journal.ErrUnavailable)
	}
	return b.fault()
}

func (b *broken) Alive(ctx context.Context, self string) (time.Time, error) {
	if err := b.fault(); err != nil {
		return time.Time{}, err
	}
	return b.Journal.Alive(ctx, self)
}

func (b *broken) Dead(ctx context.Context) ([]string, error) {
	if err := b.fault(); err != nil {
		return nil, err
	}
	return b.Journal.Dead(ctx)
}

func (b *broken) Release(ctx context.Context, id, self string, epoch uint64, wake time.Time) error {
	if err := b.fault(); err != nil {
		return err
	}
	return b.Journal.Release(ctx, id, self, epoch, wake)
}

func inBrokenWorld(t *testing.T, test func(t *testing.T, w *world, b *broken)) {
	synctest.Test(t, func(t *testing.T) {
		b := &broken{Journal: memjournal.New()}
		test(t, newWorld(t, "one", b, nil), b)
	})
}

// steal makes another instance the owner, as it would if it believed us dead.
func steal(t *testing.T, j journal.Journal, id string) {
	t.Helper()
	b := j.(*broken).Journal.(*memjournal.Journal)
	line, err := b.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Release(t.Context(), id, line.Owner, line.Epoch, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Claim(t.Context(), id, "thief", line.Epoch); err != nil {
		t.Fatal(err)
	}
}

// A room that another instance has taken drops its state and sends its followers on,
// whether the other has written already or not.
func TestFencedRoomDropsItsStateAndSendsItsFollowersOn(t *testing.T) {
	for _, written := range []bool{false, true} {
		t.Run(fmt.Sprint("written=", written), func(t *testing.T) { testFenced(t, written) })
	}
}

func testFenced(t *testing.T, written bool) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		w.must(id, cmd("ann", "add", 1))
		steal(t, b, id)
		if written {
			data := appendEntry(nil, machine.Entry{Kind: "add", By: "bob", At: 1, Body: []byte("{}")})
			if err := b.Journal.Append(w.Context(), id, journal.Row{Seq: 5, Epoch: 2, Key: "bob\nx", Data: data}, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.Do(w.Context(), cmd("ann", "add", 1)); !errors.Is(err, ErrMoved) {
			t.Errorf("got %v, want ErrMoved", err)
		}
		synctest.Wait()
		if !errors.Is(h.why(), ErrFenced) {
			t.Errorf("the follower was told %v", h.why())
		}
		if got := h.kinds(); got != "add" {
			t.Errorf("published %q", got)
		}
		if err := h.resume(w.Context(), &socket{player: "ann"}); !errors.Is(err, ErrMoved) {
			t.Errorf("resume of a room that is gone: %v", err)
		}
		if w.Stats().Live != 0 || w.seen.of("fence") != 1 {
			t.Errorf("stats %+v, fences %d", w.Stats(), w.seen.of("fence"))
		}
	})
}

// A conflict with our own row is no conflict: the first attempt arrived.
func TestUnknownOutcomeIsResolvedByReadingTheRow(t *testing.T) {
	unknown := fmt.Errorf("broken: %w", journal.ErrUnknown)
	for _, tt := range []struct {
		name   string
		append func(do func() error) error
		err    error
	}{
		{"written", func(do func() error) error { _ = do(); return unknown }, nil},
		{"lost, and the second attempt arrives", func() func(do func() error) error {
			n := 0
			return func(do func() error) error {
				if n++; n == 1 {
					return unknown
				}
				return do()
			}
		}(), nil},
		{"late, so that the second attempt conflicts", func() func(do func() error) error {
			n := 0
			return func(do func() error) error {
				if n++; n == 1 {
					return unknown
				}
				_ = do()
				return do()
			}
		}(), nil},
		{"never", func(func() error) error { return unknown }, ErrUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
				id := w.book("r1")
				h := w.follow(id)
				b.set(tt.append, false)
				c := cmd("ann", "add", 3)
				if _, err := w.Do(w.Context(), id, c); !errors.Is(err, tt.err) {
					t.Fatalf("got %v, want %v", err, tt.err)
				}
				b.set(nil, false)
				pass(probeMost)
				if a := w.must(id, c); a != (Answer{Seq: 4, Repeat: true}) {
					t.Errorf("repeated: %+v", a)
				}
				if l := w.ledger(id, "ann"); l.Sum != 3 {
					t.Errorf("sum %d, want 3", l.Sum)
				}
				h.mu.Lock()
				defer h.mu.Unlock()
				for i, p := range h.entries {
					if p.Seq != uint64(4+i) {
						t.Errorf("published %d where %d should be", p.Seq, 4+i)
					}
				}
			})
		})
	}
}

// A row that was refused after an attempt whose outcome is unknown may be in the
// journal. It stays pending, and no other command takes its place.
func TestRowOfUnknownOutcomeStaysPending(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		n := 0
		var late func() error
		b.set(func(do func() error) error {
			if n++; n == 1 {
				late = do
				return journal.ErrUnknown
			}
			_ = late()
			return journal.ErrUnavailable
		}, false)
		c := cmd("ann", "add", 3)
		if _, err := w.Do(w.Context(), id, c); !errors.Is(err, ErrUnavailable) {
			t.Fatalf("got %v", err)
		}
		b.set(nil, false)
		pass(probeMost)
		w.must(id, cmd("bob", "add", 4))
		if l := w.ledger(id, "ann"); l.Sum != 7 || h.why() != nil {
			t.Errorf("sum %d, want 7; gone: %v", l.Sum, h.why())
		}
	})
}

// An owner that cannot write learns from a follower's claim that another instance has
// written, and ends at once.
func TestClaimFencesAnOwnerThatIsCutOff(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r")
		h := w.follow(id)
		b.set(func(func() error) error { return journal.ErrUnavailable }, false)
		_, err := h.Do(w.Context(), cmd("ann", "add", 1))
		wantCode(t, err, CodeUnavailable)
		steal(t, b, id)
		data := appendEntry(nil, machine.Entry{Kind: "add", By: "bob", At: 1, Body: []byte("{}")})
		if err := b.Journal.Append(w.Context(), id, journal.Row{Seq: 4, Epoch: 2, Key: "bob\nx", Data: data}, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if err := h.resume(w.Context(), &socket{player: "bob", seq: 4}); !errors.Is(err, ErrMoved) {
			t.Errorf("the claim is answered with %v", err)
		}
		synctest.Wait()
		if !errors.Is(h.why(), ErrFenced) {
			t.Errorf("the follower was told %v", h.why())
		}
	})
}

// An owner that does not know whether its entry was written learns it from a reader that
// claims the entry, and shows it.
func TestClaimOfAPendingEntryIsAnsweredWithTheEntry(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r")
		h := w.follow(id)
		writeUnheard(t, w, b, id)
		s := &socket{player: "bob", seq: 4}
		if err := h.resume(w.Context(), s); err != nil || s.last.From != 4 || s.last.Snapshot != nil || h.why() != nil {
			t.Errorf("at %d, %v, the follower was told %v", s.seq, err, h.why())
		}
		pass(probeMost)
		w.must(id, cmd("bob", "add", 4))
		if got := h.kinds(); !strings.HasPrefix(got, "add outage add") || w.ledger(id, "bob").Sum != 5 {
			t.Errorf("entries %q, sum %d", got, w.ledger(id, "bob").Sum)
		}
	})
}

// writeUnheard makes ann add 1 in a room that is not told that this was written, and so is
// cut off.
func writeUnheard(t *testing.T, w *world, b *broken, id string) {
	t.Helper()
	blind := func(yes bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.blind = yes
	}
	b.set(func(do func() error) error { _ = do(); return journal.ErrUnknown }, false)
	blind(true)
	_, err := w.Do(w.Context(), id, cmd("ann", "add", 1))
	wantCode(t, err, CodeUnavailable)
	blind(false)
	b.set(nil, false)
}
