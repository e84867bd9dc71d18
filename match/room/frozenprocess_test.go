package room

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/machine"
)

// An instance that was stopped may wake before a message about its rooms reaches it. It
// does not show their old state as the present one, neither to a player nor to a watcher.
func TestWokenInstanceShowsNoOldBoard(t *testing.T) {
	for _, who := range []string{"bob", "eve"} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
			id := one.book("r")
			one.follow(id).Join("ann")
			h := two.follow(id)
			time.Sleep(time.Second)
			on.set(1, 0) // as if every message were still on its way
			two.stopProcess()
			seq := one.must(id, cmd("ann", "add", 7)).Seq
			s := &socket{player: who}
			if err := h.resume(t.Context(), s); err != nil || s.seq != seq {
				t.Errorf("%s: a new subscription got entry %d, %v, want %d", who, s.seq, err, seq)
			}
			two.stopProcess()
			one.must(id, cmd("ann", "add", 5))
			if sum := two.ledger(id, who).Sum; sum != 12 {
				t.Errorf("%s: the page shows %d, want 12", who, sum)
			}
		})
	}
}

// Messages between instances may be lost while an instance opens a room that another owns.
func TestReplicaThatItsOwnerHasNotAnsweredShowsNoOldBoard(t *testing.T) {
	for _, who := range []string{"bob", "eve"} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
			id := one.book("r")
			one.follow(id).Join("ann")
			time.Sleep(time.Second)
			on.set(1, 0)
			two.follow(id)
			one.must(id, cmd("ann", "add", 7))
			if sum := two.ledger(id, who).Sum; sum != 7 {
				t.Errorf("%s: the page shows %d, want 7", who, sum)
			}
		})
	}
}

// An owner that is cut off from other instances goes on for the players who are with it. Its
// readers may then come to another instance.
func TestReplicaOfASilentOwnerShowsNoOldBoard(t *testing.T) {
	for _, who := range []string{"bob", "eve"} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
			id := one.book("r")
			one.follow(id).Join("ann")
			h := two.follow(id)
			time.Sleep(time.Second)
			on.cut("one")
			seq := one.must(id, cmd("ann", "add", 7)).Seq
			if sum := two.ledger(id, who).Sum; sum != 7 {
				t.Errorf("%s: the page shows %d, want 7", who, sum)
			}
			one.must(id, cmd("ann", "add", 5))
			s := &socket{player: who}
			if err := h.resume(t.Context(), s); err != nil || s.seq != seq+1 {
				t.Errorf("%s: a new subscription got entry %d, %v, want %d", who, s.seq, err, seq+1)
			}
			on.heal("one")
			time.Sleep(2 * time.Second)
			if two.running(id).unheard.Load() {
				t.Errorf("%s: the owner is heard again, and readers still read the journal", who)
			}
		})
	}
}

// A replica that has heard of an entry, and still reads it from the journal, does not show the
// board before that entry on a page: the reader may have seen it on another instance.
func TestReplicaShowsNoOldBoardWhileItReadsMissingEntries(t *testing.T) {
	for name, hear := range map[string]func(on *wire, one *world, id string){
		"the next entry":     func(on *wire, one *world, id string) { on.set(0, 0); one.must(id, cmd("ann", "add", 0)) },
		"the owner's answer": func(on *wire, _ *world, _ string) { on.cut("one"); on.set(0, 0); on.heal("one") },
	} {
		for _, who := range []string{"bob", "eve"} {
			t.Run(name+" "+who, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					g, on := newGatedJournal(), newWire(1)
					one, two := newWorldOn(t, on, "one", g, nil), newWorldOn(t, on, "two", g, nil)
					id := one.book("r")
					one.follow(id).Join("ann")
					two.follow(id)
					time.Sleep(time.Second)
					on.set(1, 0)
					one.must(id, cmd("ann", "add", 7))
					g.shut()
					hear(on, one, id)
					time.Sleep(time.Second)
					var group sync.WaitGroup
					group.Go(func() {
						if sum := two.ledger(id, who).Sum; sum != 7 {
							t.Errorf("the page shows %d, want 7", sum)
						}
					})
					synctest.Wait()
					g.open()
					group.Wait()
					time.Sleep(2 * time.Second)
					g.counted()
					two.ledger(id, who)
					if reads, _ := g.counted(); len(reads) > 0 {
						t.Errorf("the replica has every entry, and readers still read the journal: %v", reads)
					}
					one.stop()
					two.stop()
					on.group.Wait()
				})
			})
		}
	}
}

// A busy replica may handle its owner's answer after it was told that the owner is silent. The answer tells
// nothing of what the owner has written since.
func TestOldAnswerOfASilentOwnerShowsNoOldBoard(t *testing.T) {
	for _, who := range []string{"bob", "eve"} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
			id := one.book("r")
			one.follow(id).Join("ann")
			two.follow(id)
			time.Sleep(time.Second)
			line, err := two.journal.Room(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			busy := make(chan struct{})
			two.running(id).callLater(func(*Room) { <-busy })
			synctest.Wait()
			two.Hear("one", Message{Kind: tellState, Room: id, Epoch: line.Epoch, Seq: line.Seq, Now: one.Now()})
			on.cut("one")
			one.must(id, cmd("ann", "add", 7))
			close(busy)
			synctest.Wait()
			if sum := two.ledger(id, who).Sum; sum != 7 {
				t.Errorf("%s: the page shows %d, want 7", who, sum)
			}
		})
	}
}

// A replica that knows of lost messages shows no board from before them, until its owner has answered.
func TestReplicaThatLostMessagesShowsNoOldBoard(t *testing.T) {
	for _, who := range []string{"bob", "eve"} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
			id := one.book("r")
			one.follow(id).Join("ann")
			two.follow(id)
			time.Sleep(time.Second)
			on.set(1, 0)
			one.must(id, cmd("ann", "add", 7))
			two.Missed("one")
			if sum := two.ledger(id, who).Sum; sum != 7 {
				t.Errorf("%s: the page shows %d, want 7", who, sum)
			}
			on.set(0, 0)
			time.Sleep(2 * time.Second)
			if two.running(id).unheard.Load() {
				t.Errorf("%s: the owner has answered, and readers still read the journal", who)
			}
		})
	}
}

// An owner whose room was taken over while it was stopped sends its readers on, before it
// has written or heard anything.
func TestWokenOwnerShowsNoOldBoard(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		w.must(id, cmd("ann", "add", 1))
		steal(t, b, id)
		data := appendEntry(nil, machine.Entry{Kind: "add", By: "bob", At: 1, Body: []byte(`{"n":7}`)})
		if err := b.Journal.Append(w.Context(), id, journal.Row{Seq: 5, Epoch: 2, Key: "bob\nx", Data: data}, time.Time{}); err != nil {
			t.Fatal(err)
		}
		w.stopProcess()
		if sum := w.ledger(id, "eve").Sum; sum != 8 {
			t.Errorf("the page shows %d, want 8", sum)
		}
		if err := h.resume(w.Context(), &socket{player: "ann"}); !errors.Is(err, ErrMoved) {
			t.Errorf("a new subscription got %v, want ErrMoved", err)
		}
	})
}

// An owner may be stopped after it has written an entry and before it hears of that. Its
// readers see the board at once, also if another instance has taken the room over.
func TestWokenOwnerThatHasNotHeardOfItsLastWriteShowsTheBoard(t *testing.T) {
	for _, who := range []string{"ann", "eve"} {
		for _, taken := range []bool{false, true} {
			inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
				id, want := w.book("r1"), 1
				h := w.follow(id)
				writeUnheard(t, w, b, id)
				if taken {
					steal(t, b, id)
					data := appendEntry(nil, machine.Entry{Kind: "add", By: "bob", At: 1, Body: []byte(`{"n":7}`)})
					if err := b.Journal.Append(w.Context(), id, journal.Row{Seq: 5, Epoch: 2, Key: "bob\nx", Data: data}, time.Time{}); err != nil {
						t.Fatal(err)
					}
					want = 8
				}
				w.stopProcess()
				if sum := w.ledger(id, who).Sum; sum != want {
					t.Errorf("%s: the page shows %d, want %d", who, sum, want)
				}
				if err := h.resume(w.Context(), &socket{player: who}); taken != errors.Is(err, ErrMoved) || !taken && err != nil {
					t.Errorf("%s: taken over %v: a new subscription got %v", who, taken, err)
				}
			})
		}
	}
}

// An instance that was stopped and does not reach the database shows no board: it may be
// old.
func TestWokenInstanceWithoutADatabaseShowsNoBoard(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r1")
		h := w.follow(id)
		w.must(id, cmd("ann", "add", 1))
		b.set(nil, true)
		w.stopProcess()
		for _, player := range []string{"ann", "eve"} {
			if _, err := w.View(w.Context(), id, player); !errors.Is(err, ErrUnavailable) {
				t.Errorf("%s: the page got %v, want ErrUnavailable", player, err)
			}
			if err := h.resume(w.Context(), &socket{player: player}); !errors.Is(err, ErrUnavailable) {
				t.Errorf("%s: a new subscription got %v, want ErrUnavailable", player, err)
			}
		}
		b.set(nil, false)
		pass(2 * time.Second)
		if sum := w.ledger(id, "eve").Sum; sum != 1 {
			t.Errorf("the page shows %d, want 1", sum)
		}
	})
}

// stopProcess makes the registry believe that its process has just been woken. A sign of life that
// is under way has read the clock, and would store that time over ours. So it ends first.
func (w *world) stopProcess() {
	synctest.Wait()
	past := time.Now().Add(-time.Minute)
	w.lastRun.Store(&past)
}
