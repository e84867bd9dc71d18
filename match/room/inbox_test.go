package room

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A room that has become quiet is made small; nothing else changes.
func TestQuietRoomIsTrimmed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		for range 5 {
			w.must(id, cmd("ann", "add", 1))
		}
		for range 3 {
			pass(trimAfter + time.Second)
			h.room.feed.mu.Lock()
			if n := len(h.room.feed.tail); n != 0 {
				t.Errorf("%d entries kept", n)
			}
			h.room.feed.mu.Unlock()
			if h.room.quiet.life.Load() != dozing {
				t.Error("a goroutine waits")
			}
			for _, player := range []string{"ann", "eve"} {
				s := &socket{player: player, seq: 5}
				if err := h.resume(w.Context(), s); err != nil || s.last.Snapshot != nil {
					t.Errorf("%s: %v, snapshot %s", player, err, s.last.Snapshot)
				}
			}
			w.must(id, cmd("ann", "add", 1))
		}
		if got := w.kinds(id); got != "open sit sit add add add add add add add add" {
			t.Errorf("journal: %s", got)
		}
	})
}

// A request that comes while the room dozes off is served.
func TestDozingRoomServesEveryRequest(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h := w.follow(w.book("r1"))
		ctx, cancel := context.WithTimeout(w.Context(), time.Hour)
		defer cancel()
		served := 0
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 1000 {
					err := h.room.call(ctx, func(r *Room) error {
						served++
						r.quiet.busy, r.quiet.trimAt = false, time.Time{} // as if it had been tidied
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		if synctest.Wait(); served != 8000 || h.room.quiet.life.Load() != dozing {
			t.Errorf("%d are served, life %b", served, h.room.quiet.life.Load())
		}
	})
}

// A nudge finds the inbox full. Before it ends, the room empties the inbox and dozes off, and
// another nudge comes.
func TestNudgeAtAFullInboxSwallowsNoOther(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		r := w.follow(w.book("r1")).room
		pass(time.Minute) // the room dozes
		serve := fillInbox(r)
		if r.poked.Swap(true) || len(r.inbox) < cap(r.inbox) {
			t.Fatal("the first nudge does not find the inbox full")
		}
		serve()
		synctest.Wait()
		r.fence()
		r.dropNudge()
		synctest.Wait()
		if !r.done.HasFired() {
			t.Error("the room has not noticed that another instance owns it")
		}
	})
}

// fillInbox holds a room as a slow write would, and fills its inbox, until the returned function
// is called.
func fillInbox(r *Room) (serve func()) {
	held := make(chan struct{})
	r.callLater(func(*Room) { <-held })
	synctest.Wait()
	for range inboxSize {
		r.callLater(func(*Room) {})
	}
	return func() { close(held) }
}
