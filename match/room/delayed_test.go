package room

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/machine"
)

const lag = 10 * time.Second

// sees returns what each way to look at a room shows a person: a page, the entries
// read back, an answer, and a socket that comes now. They must agree.
func (w *world) sees(h *hub, id, player string) (sum int, seq uint64) {
	w.Helper()
	view, err := w.View(w.Context(), id, player)
	if err != nil {
		w.Fatal(err)
	}
	var page ledger
	if err := json.Unmarshal(view.Snapshot, &page); err != nil {
		w.Fatal(err)
	}
	list, err := w.Entries(w.Context(), id, player)
	if err != nil {
		w.Fatal(err)
	}
	if uint64(len(list)) != view.Seq {
		w.Errorf("%s reads %d entries back, the page is of %d", player, len(list), view.Seq)
	}
	if h == nil {
		return page.Sum, view.Seq
	}
	answer, seq, err := h.Ask(w.Context(), player, "sum")
	if want := fmt.Sprintf(`{"sum":%d}`, page.Sum); err != nil || string(answer) != want || seq != view.Seq {
		w.Errorf("%s is answered %s of %d (%v), the page says %s of %d", player, answer, seq, err, want, view.Seq)
	}
	for _, since := range []uint64{0, 3, view.Seq, view.Seq + 1} {
		s := &socket{player: player, seq: since}
		if err := h.Resume(w.Context(), player, since, new(Trust), func(r *Resume) { s.last = *r }); err != nil {
			w.Fatal(err)
		}
		if s.last.Seq != view.Seq || s.last.Delay != view.Delay {
			w.Errorf("%s, who was at %d, gets to %d with a lag of %v; the page is of %d with %v", player, since, s.last.Seq, s.last.Delay, view.Seq, view.Delay)
		}
	}
	return page.Sum, view.Seq
}

func (w *world) expect(h *hub, id, player string, sum int, seq uint64) {
	w.Helper()
	if gotSum, gotSeq := w.sees(h, id, player); gotSum != sum || gotSeq != seq {
		w.Errorf("%s sees %d as of %d, want %d as of %d", player, gotSum, gotSeq, sum, seq)
	}
}

// told lists what the hub was told of since, for those who play or who watch.
func (h *hub) told(since uint64, by func(*Published) bool) (list []uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.entries {
		if p.Seq > since && by(p) {
			list = append(list, p.Seq)
		}
	}
	return list
}

// Once a delay has begun, watchers see nothing before it is over, whatever they look
// at. Players see everything at once.
func TestWatchersSeeNothingBeforeTheDelayIsOver(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		h.Join("eve")
		w.must(id, cmd("ann", "add", 1))
		w.must(id, cmd("ann", "late", 10))
		w.expect(h, id, "eve", 1, 5) // all watchers are told of the delay at once

		pass(time.Second)
		w.must(id, cmd("ann", "add", 2))
		pass(time.Second)
		w.must(id, cmd("bob", "add", 4))
		w.expect(h, id, "eve", 1, 5)
		w.expect(h, id, "", 1, 5)
		w.expect(h, id, "ann", 7, 7)
		if got := h.told(5, (*Published).ForPlayers); !slices.Equal(got, []uint64{6, 7}) {
			t.Errorf("players were told of %v at once, want 6 and 7", got)
		}
		pass(lag - time.Second - time.Millisecond)
		w.expect(h, id, "eve", 1, 5)
		pass(time.Millisecond)
		w.expect(h, id, "eve", 3, 6)
		pass(time.Second)
		w.expect(h, id, "eve", 7, 7)
		if got := h.told(5, (*Published).ForWatchers); !slices.Equal(got, []uint64{6, 7}) {
			t.Errorf("watchers were told of %v, want 6 and 7", got)
		}
		if got := h.told(5, (*Published).ForPlayers); !slices.Equal(got, []uint64{6, 7}) {
			t.Errorf("players were told of %v in all, want each once", got)
		}
	})
}

// Watchers on another instance lag behind as well, whichever instance made the entries
// and wherever they look.
func TestWatchersOnOtherInstancesLagBehind(t *testing.T) {
	inWorlds(t, func(t *testing.T, _ *wire, one, two, three *world) {
		id := one.book("r")
		h := one.follow(id)
		h.Join("ann")
		there := two.follow(id)
		there.Join("bob")
		there.Join("eve")
		time.Sleep(time.Second)
		one.must(id, cmd("ann", "add", 1))
		one.must(id, cmd("ann", "late", 10))
		time.Sleep(time.Second)
		one.must(id, cmd("ann", "add", 2))
		two.must(id, cmd("bob", "add", 4))
		synctest.Wait()
		for _, w := range []*world{one, two, three} {
			w.expect(nil, id, "eve", 1, 5)
		}
		two.expect(there, id, "eve", 1, 5)
		two.expect(there, id, "bob", 7, 7)
		if got := there.told(5, (*Published).ForWatchers); len(got) > 0 {
			t.Errorf("watchers were told of %v at once", got)
		}
		pass(lag)
		for _, w := range []*world{one, two, three} {
			w.expect(nil, id, "eve", 7, 7)
		}
		if got := there.told(5, (*Published).ForWatchers); !slices.Equal(got, []uint64{6, 7}) {
			t.Errorf("watchers were told of %v in the end, want 6 and 7", got)
		}
	})
}

// A restart shows the watchers no more than they may see by then, also while no
// follower has opened the room.
func TestRestartKeepsTheDelay(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		w.must(id, cmd("ann", "late", 60))
		w.must(id, cmd("ann", "add", 1))
		pass(50 * time.Second)
		w.must(id, cmd("ann", "add", 2))
		w.stop()
		pass(5 * time.Second)
		w = newWorld(t, "two", w.journal, nil)
		synctest.Wait() // it looks after rooms without an owner at once
		w.expect(nil, id, "eve", 0, 4)
		if sum, _ := w.sees(nil, id, "ann"); sum != 3 {
			t.Errorf("ann sees %d, want their own entries", sum)
		}
		pass(5 * time.Second)
		w.expect(nil, id, "eve", 1, 5)

		h := w.follow(id)
		h.Join("ann")
		h.Join("bob")
		synctest.Wait()
		w.expect(h, id, "eve", 1, 5)
		w.must(id, cmd("ann", "add", 4))
		w.expect(h, id, "eve", 1, 5)
		pass(55 * time.Second)
		sum, _ := w.sees(h, id, "eve")
		if sum != 3 {
			t.Errorf("eve sees %d after 105 s, want the 3 of 50 s", sum)
		}
		pass(5 * time.Second)
		if sum, _ := w.sees(h, id, "eve"); sum != 7 {
			t.Errorf("eve sees %d in the end, want 7", sum)
		}
	})
}

// A room does not fall asleep before its watchers have seen the end. Then its state is
// reported.
func TestRoomSleepsAfterItsWatchersHaveSeenTheEnd(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		w.must(id, cmd("ann", "late", 60))
		w.must(id, cmd("ann", "add", 1))
		pass(59 * time.Second)
		if w.Stats().Live != 1 {
			t.Error("the room sleeps while watchers wait")
		}
		pass(time.Minute)
		if w.Stats().Live != 0 {
			t.Error("the room does not sleep when everything has been seen")
		}
	})
}

// Notes about a player are news of the present: watchers who lag behind do not get
// them.
func TestWatchersWithADelayGetNoPlayersNotes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("eve")
		w.must(id, cmd("ann", "late", 10))
		pass(noteAfter + time.Second) // bob was never here
		s := &socket{player: "eve"}
		if err := h.resume(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		for _, n := range s.last.Notes {
			if n.By != "" {
				t.Errorf("a late watcher finds the note %+v", n)
			}
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		about := slices.IndexFunc(h.notes, func(n Note) bool { return n.Kind == NotePresence })
		if about < 0 || !h.notes[about].Players {
			t.Errorf("notes %+v, want one on bob for the players alone", h.notes)
		}
	})
}

// The number of watchers is about the whole room. Watchers who come after a delay has begun
// find it as well.
func TestWatcherFindsTheNotesOfTheRoomFromBeforeTheDelay(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("eve")
		pass(noteAfter + time.Second) // bob was never here
		w.must(id, cmd("ann", "late", 10))
		s := &socket{player: "eve"}
		if err := h.resume(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if n := s.last.Notes; len(n) != 1 || n[0].Kind != NoteWatching {
			t.Errorf("the watcher finds %+v, want only the number of watchers", n)
		}
	})
}

// The owner of a room does not answer. Watchers who come later to another instance are told so,
// until the owner answers.
func TestWatcherWithADelayFindsThatTheOwnerDoesNotAnswer(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r1")
		one.follow(id).Join("ann")
		h := two.follow(id)
		h.Join("bob")
		one.must(id, cmd("ann", "late", 10))
		time.Sleep(20 * time.Second)
		for _, away := range []bool{true, false} {
			if away {
				on.cut("one")
			} else {
				on.heal("one")
			}
			time.Sleep(3 * time.Second)
			s := &socket{player: "eve"}
			if err := h.resume(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			found := slices.ContainsFunc(s.last.Notes, func(n Note) bool { return n.Kind == NoteUnavailable })
			if found != away {
				t.Errorf("the owner is away: %v; the watcher finds %+v", away, s.last.Notes)
			}
		}
	})
}

// A hub keeps the roster of the first socket that resumes.
func TestFirstWatcherOfALoadedRoomGetsTheRoster(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		w.must(id, cmd("ann", "late", 10))
		pass(2 * stayAwake)
		if w.running(id) != nil {
			t.Fatal("the room is not unloaded")
		}
		s := &socket{player: "eve"}
		if err := w.follow(id).resume(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if got := s.last.Roster.Players(); !slices.Equal(got, []string{"ann", "bob"}) {
			t.Errorf("the watcher is told that %q play, want ann and bob", got)
		}
	})
}

var _ machine.Delayed = (*ledger)(nil)

// The players' copy of an entry and the watchers' later one both tell that the machine's
// state is another one since then.
func TestEntryTellsThatTheStateHasChanged(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		id := w.book("r1")
		h := w.follow(id)
		h.Join("ann")
		h.Join("eve")
		bell := cmd("ann", "bell", 0)
		bell.Body = []byte(`{"in":60000}`)
		w.must(id, cmd("ann", "late", 10)) // entry 4
		w.must(id, cmd("ann", "add", 1))
		w.must(id, bell)
		w.must(id, cmd("ann", "add", 2))
		isNew := func(p *Published) bool { return p.NewState }
		if got := h.told(0, isNew); !slices.Equal(got, []uint64{6}) {
			t.Errorf("the state is new with the entries %v, want only 6", got)
		}
		pass(lag)
		if got := h.told(0, isNew); !slices.Equal(got, []uint64{6, 6}) {
			t.Errorf("the state is new with the entries %v, want 6 for players and for watchers", got)
		}
	})
}
