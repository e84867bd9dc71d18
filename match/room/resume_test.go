package room

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"mancala/match/machine"
)

func TestResumeGivesEntriesOrTheShorterSnapshot(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		for range 200 {
			w.must(id, cmd("ann", "add", 1))
		}
		h := w.follow(id)
		for _, player := range []string{"ann", "eve"} {
			for _, tt := range []struct {
				since    uint64
				how      string
				snapshot bool
				missed   int
			}{
				{203, "nothing missed", false, 0},
				{202, "from memory", false, 1},
				{197, "from the journal", false, 6},
				{150, "too long", true, 0},
				{10, "much too long", true, 0},
				{0, "knows nothing", true, 0},
				{204, "a lie", true, 0},
				{1<<64 - 1, "a big lie", true, 0},
			} {
				s := &socket{player: player, seq: tt.since}
				if err := h.resume(w.Context(), s); err != nil {
					t.Fatal(err)
				}
				if got := s.last.Snapshot != nil; got != tt.snapshot || len(s.last.Missed) != tt.missed || s.seq != 203 {
					t.Errorf("%s, %s: snapshot %v, %d entries, up to %d", player, tt.how, got, len(s.last.Missed), s.seq)
				}
				if got := s.last.Private != nil; got != (player == "ann") {
					t.Errorf("%s, %s: private part %q", player, tt.how, s.last.Private)
				}
			}
		}
	})
}

// Each audience gets its own form of an entry, encoded once, and a seat its private
// part.
func TestEachAudienceGetsItsOwnForm(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		synctest.Wait()
		w.must(id, cmd("ann", "hide", 42))
		p := h.entries[0]
		if got := p.Public(machine.Watchers); got != nil {
			t.Errorf("watchers see %s", got)
		}
		if a, b := p.Public(0), p.Public(0); a == nil || &a[0] != &b[0] {
			t.Errorf("encoded twice: %s, %s", a, b)
		}
		if got := h.private[0]; got != [2]string{`{"secret":42,"after":4}`, ""} {
			t.Errorf("private parts of ann (here) and of bob (not here): %q", got)
		}
		if got := p.Private(0); got != nil {
			t.Errorf("an old entry still has %s", got)
		}
		for player, want := range map[string]int{"ann": 42, "bob": 0, "eve": 0} {
			s := &socket{player: player}
			if err := h.resume(w.Context(), s); err != nil {
				t.Fatal(err)
			}
			var l ledger
			if err := json.Unmarshal(s.last.Snapshot, &l); err != nil || l.Secret[0] != want {
				t.Errorf("%s sees the secret %d (%v)", player, l.Secret[0], err)
			}
			if v, err := w.View(w.Context(), id, player); err != nil || !bytes.Equal(v.Snapshot, s.last.Snapshot) {
				t.Errorf("%s's page and socket differ: %s, %s (%v)", player, v.Snapshot, s.last.Snapshot, err)
			}
		}
	})
}

// A player who sits down becomes another audience with that very entry.
func TestPlayerWhoSitsDownChangesAudienceWithThatEntry(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		if err := w.Create(w.Context(), "r1", "ledger", cmd("ann", "sit", 0)); err != nil {
			t.Fatal(err)
		}
		h := w.follow("r1")
		h.Join("bob")
		w.must("r1", cmd("ann", "add", 1))
		w.must("r1", cmd("bob", "sit", 0))
		w.must("r1", cmd("ann", "add", 1))
		first, sat, then := h.entries[0], h.entries[1], h.entries[2]
		if a := first.Roster.Audience("bob"); a != machine.Watchers {
			t.Errorf("before: %d", a)
		}
		if a := sat.Roster.Audience("bob"); a != 1 || sat.Roster == first.Roster || then.Roster != sat.Roster {
			t.Errorf("after: %d; a roster is replaced when it changes, and only then", a)
		}
		if got := h.private[1][1]; got == "" {
			t.Error("bob gets no private part with the entry that seats him")
		}
	})
}

// However sockets and commands interleave, a socket sees every entry once.
func TestResumeIsAtomic(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		stop := make(chan bool)
		done := make(chan bool)
		go func() {
			defer close(done)
			for {
				select {
				case <-stop:
					return
				default:
					if _, err := h.Do(w.Context(), cmd("ann", "add", 1)); err != nil {
						t.Error(err)
						return
					}
				}
			}
		}()
		var sockets []*socket
		for i := range 500 {
			s := &socket{player: []string{"eve", "ann", "bob"}[i%3]}
			h.mu.Lock()
			if len(h.entries) > 0 {
				s.seq = h.entries[len(h.entries)-1].Seq - uint64(i%7)
			}
			h.mu.Unlock()
			if err := h.resume(w.Context(), s); err != nil {
				t.Fatal(err)
			}
			sockets = append(sockets, s)
		}
		close(stop)
		<-done
		end := w.must(id, cmd("ann", "add", 1)).Seq
		h.mu.Lock()
		defer h.mu.Unlock()
		for i, s := range sockets {
			at := s.last.From
			for _, seq := range s.seen {
				if seq != at+1 {
					t.Fatalf("socket %d: %d after %d", i, seq, at)
				}
				at = seq
			}
			if at != end {
				t.Fatalf("socket %d: ends at %d of %d", i, at, end)
			}
		}
	})
}

// Publication and a resume's callback exclude each other; this is what makes
// the test above hold.
func TestPublicationHoldsTheFeed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		f := &locked{T: t}
		g, err := w.Follow(w.Context(), id, f)
		if err != nil {
			t.Fatal(err)
		}
		f.room = g.room
		for _, player := range []string{"ann", "eve"} {
			if err := g.Resume(w.Context(), player, 0, nil, func(*Resume) { f.check("resume") }); err != nil {
				t.Fatal(err)
			}
		}
		w.must(id, cmd("ann", "add", 1))
		if f.checked != 3 {
			t.Errorf("checked %d times", f.checked)
		}
	})
}

type locked struct {
	*testing.T
	hub
	room    *Room
	checked int
}

func (l *locked) Entry(*Published) { l.check("entry") }

func (l *locked) check(what string) {
	l.checked++
	if l.room.feed.mu.TryLock() {
		l.room.feed.mu.Unlock()
		l.Errorf("%s without the feed's lock", what)
	}
}

// Many watchers are served at once while the room's goroutine is blocked, once one
// snapshot has been made.
func TestWatchersTakeNoTurnOfTheGoroutine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		if err := h.resume(w.Context(), &socket{player: "w"}); err != nil {
			t.Fatal(err)
		}
		leave, entered := make(chan bool), make(chan bool)
		go func() {
			_ = h.room.call(w.Context(), func(*Room) error { close(entered); <-leave; return nil })
		}()
		<-entered
		for i := range 5000 {
			s := &socket{player: fmt.Sprint("w", i)}
			if i%2 == 1 {
				s.seq = 2
			}
			h.Join(s.player)
			if err := h.resume(w.Context(), s); err != nil {
				t.Fatal(err)
			}
			if s.seq != 3 {
				t.Fatalf("watcher %d is at %d", i, s.seq)
			}
		}
		close(leave)
	})
}

func TestTailIsBounded(t *testing.T) {
	f := &feed{roster: new(Roster)}
	for seq := uint64(1); seq <= 100; seq++ {
		f.remember(&Published{Seq: seq, Roster: f.roster, Entry: machine.Entry{Body: make([]byte, 40*(seq%5))}})
		size := 0
		for _, p := range f.tail {
			size += int(entrySize(p.Entry))
		}
		if len(f.tail) > tailEntries || size > tailBytes || size != f.size || len(f.tail) == 0 {
			t.Fatalf("after %d: %d entries of %d bytes, counted %d", seq, len(f.tail), size, f.size)
		}
		for since := uint64(0); since <= seq+1; since++ {
			got, ok := f.after(since)
			if want := since+1 >= f.first() && since <= seq; ok != want {
				t.Fatalf("after %d of %d: %v", since, seq, ok)
			}
			if ok && (uint64(len(got)) != seq-since || slices.ContainsFunc(got, func(p *Published) bool { return p.Seq <= since })) {
				t.Fatalf("after %d of %d: %d entries", since, seq, len(got))
			}
		}
	}
}
