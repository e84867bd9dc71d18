package room

import (
	"context"
	"fmt"
	"maps"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
)

// gatedJournal is a journal whose reads wait while it is shut.
type gatedJournal struct {
	journal.Journal
	mu    sync.Mutex
	gate  chan struct{} // nil while it is open
	count map[string]int
	now   int
	most  int // reads at once
}

func newGatedJournal() *gatedJournal {
	return &gatedJournal{Journal: memjournal.New(), count: map[string]int{}}
}

func (g *gatedJournal) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	g.mu.Lock()
	g.count[id]++
	g.now++
	g.most = max(g.most, g.now)
	gate := g.gate
	g.mu.Unlock()
	if gate != nil {
		<-gate
	}
	g.mu.Lock()
	g.now--
	g.mu.Unlock()
	return g.Journal.Read(ctx, id, after, limit)
}

// shut makes reads wait, and counts from now on.
func (g *gatedJournal) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gate, g.most = make(chan struct{}), 0
	clear(g.count)
}

func (g *gatedJournal) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.gate)
	g.gate = nil
}

// counted returns the reads of each room since the last call, and how many of them
// ran at once.
func (g *gatedJournal) counted() (rooms map[string]int, most int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	rooms, most = maps.Clone(g.count), g.most
	clear(g.count)
	g.most = 0
	return rooms, most
}

// inGatedWorlds runs a test in the owner of a room and in a replica of it.
func inGatedWorlds(t *testing.T, test func(t *testing.T, g *gatedJournal, on *wire, owner, here *world, id string)) {
	for _, replica := range []bool{false, true} {
		t.Run(fmt.Sprint("replica=", replica), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, on := newGatedJournal(), newWire(1)
				one, two := newWorldOn(t, on, "one", g, nil), newWorldOn(t, on, "two", g, nil)
				id := one.book("r")
				one.follow(id).Join("ann")
				here := one
				if replica {
					here = two
				}
				test(t, g, on, one, here, id)
				one.stop()
				two.stop()
				on.group.Wait()
			})
		})
	}
}

// promptly fails the test unless the room answers a player's command at once. It
// returns the sequence of the command's entry.
func (w *world) promptly(h *hub) uint64 {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), time.Second)
	defer cancel()
	began := time.Now()
	a, err := h.Do(ctx, cmd("ann", "add", 1))
	if err != nil || time.Since(began) > 0 {
		w.Errorf("the command was answered with %v after %v", err, time.Since(began))
	}
	return a.Seq
}

// resumeAll resumes sockets at once. The result waits for all of them, and fails the
// test unless each has been sent every entry up to want.
func (w *world) resumeAll(h *hub, sockets []*socket) (verify func(want uint64)) {
	var group sync.WaitGroup
	failed := make([]error, len(sockets))
	for i, s := range sockets {
		group.Go(func() { failed[i] = h.resume(w.Context(), s) })
	}
	return func(want uint64) {
		w.Helper()
		group.Wait()
		h.mu.Lock()
		defer h.mu.Unlock()
		for i, s := range sockets {
			at := s.last.From
			for _, seq := range s.seen {
				if seq != at+1 {
					w.Errorf("socket %d was sent %d after %d", i, seq, at)
				}
				at = seq
			}
			if failed[i] != nil || at != want {
				w.Errorf("socket %d is at %d (%v), want %d", i, at, failed[i], want)
			}
		}
	}
}

func TestFalseClaimsDoNotHoldUpCommands(t *testing.T) {
	inGatedWorlds(t, func(t *testing.T, g *gatedJournal, _ *wire, _, w *world, id string) {
		h := w.follow(id)
		time.Sleep(time.Second)
		g.shut()
		sockets := make([]*socket, 300)
		for i := range sockets {
			sockets[i] = &socket{player: []string{"ann", "bob", "eve"}[i%3], seq: math.MaxUint64 - uint64(i)}
		}
		verify := w.resumeAll(h, sockets)
		synctest.Wait()
		last := w.promptly(h)
		g.open()
		verify(last)
		if rooms, most := g.counted(); rooms[id] == 0 || rooms[id] > 4 || most != 1 {
			t.Errorf("the journal was read %v times for the claims, %d at once", rooms, most)
		}
		verify(w.promptly(h))
	})
}

// Entries that the room publishes while a follower reads older ones reach it too.
func TestReadsOfOlderEntriesDoNotHoldUpCommands(t *testing.T) {
	inGatedWorlds(t, func(t *testing.T, g *gatedJournal, _ *wire, owner, w *world, id string) {
		for range 200 {
			owner.must(id, cmd("ann", "add", 1))
		}
		h := w.follow(id)
		pass(3 * trimAfter) // the room keeps no entries
		g.shut()
		sockets := make([]*socket, 300)
		for i := range sockets {
			sockets[i] = &socket{player: []string{"ann", "bob", "eve"}[i%3], seq: 197}
		}
		verify := w.resumeAll(h, sockets)
		synctest.Wait()
		last := w.promptly(h)
		g.open()
		verify(last)
		if _, most := g.counted(); most != atOnce {
			t.Errorf("%d followers read at once, want %d", most, atOnce)
		}
		verify(w.promptly(h))
	})
}

func TestSocketIsBelievedOncePerRoom(t *testing.T) {
	inGatedWorlds(t, func(t *testing.T, g *gatedJournal, _ *wire, owner, w *world, id string) {
		other := owner.book("other")
		h, next := w.follow(id), w.follow(other)
		time.Sleep(time.Second)
		g.counted()
		s := &socket{player: "eve"}
		claim := func(what string, h *hub, since uint64, want map[string]int) {
			t.Helper()
			s.seq = since
			if err := h.resume(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if s.last.Snapshot == nil || s.seq != 3 {
				t.Errorf("%s is answered up to %d, snapshot %q", what, s.seq, s.last.Snapshot)
			}
			if got, _ := g.counted(); !maps.Equal(got, want) {
				t.Errorf("%s reads %v, want %v", what, got, want)
			}
		}
		claim("the first false claim", h, 1000, map[string]int{id: 1})
		claim("the second", h, 4, map[string]int{})
		claim("a claim in another room", next, 1000, map[string]int{other: 1})
		claim("the second one there", next, 1000, map[string]int{})
		s.seq = 2
		if err := h.resume(t.Context(), s); err != nil || s.last.Snapshot != nil || s.seq != 3 {
			t.Errorf("an entry that exists is answered up to %d, snapshot %q, %v", s.seq, s.last.Snapshot, err)
		}
	})
}

func TestSocketWithFalseClaimsInManyRoomsIsBelievedInNone(t *testing.T) {
	trust := new(Trust)
	for i := range maxDoubts {
		id := fmt.Sprint("r", i)
		if !trust.in(id) {
			t.Fatalf("not believed in room %d", i)
		}
		trust.lose(id)
		trust.lose(id)
	}
	if trust.in("another") || len(trust.rooms) != maxDoubts {
		t.Errorf("still believed, after false claims in %q", trust.rooms)
	}
}

// A failed read proves nothing: the client asks again and is believed.
func TestFailedReadCostsNoTrust(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r")
		h := w.follow(id)
		b.mu.Lock()
		b.blind = true
		b.mu.Unlock()
		s := &socket{player: "eve", seq: 4}
		wantCode(t, h.resume(t.Context(), s), CodeUnavailable)
		if !s.trust.in(id) {
			t.Error("the socket is not believed any more")
		}
	})
}

// A replica that has missed an entry and waits for the journal still answers its
// followers, and joins the entries that come meanwhile without a gap.
func TestGapInAReplicaDoesNotHoldUpItsFollowers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, on := newGatedJournal(), newWire(1)
		one, two := newWorldOn(t, on, "one", g, nil), newWorldOn(t, on, "two", g, nil)
		id := one.book("r")
		owner, h := one.follow(id), two.follow(id)
		owner.Join("ann")
		time.Sleep(time.Second)
		on.set(1, 0)
		one.must(id, cmd("ann", "add", 1))
		on.set(0, 0)
		g.shut()
		one.must(id, cmd("ann", "add", 1))
		synctest.Wait()
		one.must(id, cmd("ann", "add", 1))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err := h.Do(ctx, cmd("mallory", "add", 1))
		if wantCode(t, err, "not-yours"); time.Since(began) > 0 {
			t.Errorf("a command was answered after %v", time.Since(began))
		}
		s := &socket{player: "bob"}
		if err := h.resume(ctx, s); err != nil || s.seq != 3 {
			t.Errorf("a player was brought to %d, %v", s.seq, err)
		}
		g.open()
		synctest.Wait()
		if got := h.kinds(); got != "add add add" || s.seq != 6 {
			t.Errorf("the replica published %q, and its player is at %d", got, s.seq)
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}
