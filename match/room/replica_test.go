package room

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/refusal"
)

// inWorlds runs a test with several registries on one journal.
func inWorlds(t *testing.T, test func(t *testing.T, on *wire, one, two, three *world)) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		var list []*world
		for _, name := range []string{"one", "two", "three"} {
			list = append(list, newWorldOn(t, on, name, j, nil))
		}
		test(t, on, list[0], list[1], list[2])
		for _, w := range list {
			w.stop()
		}
		on.group.Wait()
	})
}

// Followers of one room are on three instances. Each sees everything that happens, once
// and in the same order.
func TestFollowersOnThreeInstancesSeeTheSame(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
		id := one.book("r")
		worlds := []*world{one, two, three}
		var hubs []*hub
		for i, w := range worlds {
			h := w.follow(id)
			h.Join([]string{"ann", "bob", "eve"}[i])
			hubs = append(hubs, h)
		}
		time.Sleep(time.Second)
		on.counts()
		if a := two.must(id, cmd("bob", "add", 3)); a.Seq != 4 || a.Repeat {
			t.Errorf("bob's command on another instance: %+v", a)
		}
		synctest.Wait()
		// One message for the command, one for each instance that follows.
		if got, want := on.counts(), map[string]int{tellDo: 1, tellEntry: 2}; !maps.Equal(got, want) {
			t.Errorf("a move took the messages %v, want %v", got, want)
		}
		one.must(id, cmd("ann", "hide", 5))
		synctest.Wait()
		if got, want := on.counts(), map[string]int{tellEntry: 2}; !maps.Equal(got, want) {
			t.Errorf("a move on the owner's instance took the messages %v, want %v", got, want)
		}
		for i, h := range hubs {
			if got := h.kinds(); got != "add hide" {
				t.Errorf("%s saw %q", worlds[i].self, got)
			}
		}
		// The private part is made where its player is connected.
		if p := hubs[1].private[1]; p[1] != `{"secret":0,"after":5}` || p[0] != "" {
			t.Errorf("bob's instance has the private parts %q", p)
		}
		for _, w := range worlds {
			if got, want := w.ledger(id, "ann"), one.ledger(id, "ann"); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s shows %+v, want %+v", w.self, got, want)
			}
		}
		if got := hubs[0].said(); !slices.Contains(got, `watching  {"count":1}`) {
			t.Errorf("the owner's followers were told %q", got)
		}
		if got := hubs[1].said(); !slices.Contains(got, `watching  {"count":1}`) {
			t.Errorf("those on another instance were told %q", got)
		}
	})
}

// A replica ends and another one is made while the owner's second answer to a repeated command is
// on its way. That answer is not taken for the answer to a command of the new replica.
// A player who is connected to another instance is here, and one who leaves there is
// gone after the same time.
func TestPlayerOnAnotherInstanceIsPresent(t *testing.T) {
	inWorlds(t, func(t *testing.T, _ *wire, one, two, _ *world) {
		id := one.book("r")
		ann := one.follow(id)
		ann.Join("ann")
		bob := two.follow(id)
		bob.Join("bob")
		time.Sleep(30 * time.Second)
		if got := one.kinds(id); got != "open sit sit" {
			t.Fatalf("while both are here: %s", got)
		}
		ann.said()
		if err := bob.Say("bob", "fill", []byte(`{"n":54}`)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if got, want := ann.said(), []string{`fill bob {"n":54}`}; !slices.Equal(got, want) {
			t.Errorf("a note from another instance: %q, want %q", got, want)
		}
		bob.Leave("bob")
		time.Sleep(4 * time.Second)
		if got, want := ann.said(), []string{`presence bob {"here":false}`}; !slices.Equal(got, want) {
			t.Errorf("four seconds after bob left: %q, want %q", got, want)
		}
		time.Sleep(7 * time.Second)
		if got := one.kinds(id); got != "open sit sit gone" {
			t.Errorf("eleven seconds after bob left: %s", got)
		}
	})
}

// Instances with connected players open the room again as soon as its owner counts as
// dead, with everything that was acknowledged.
func TestReplicaTakesOverFromADeadOwner(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		h.Join("bob")
		seq := two.must(id, cmd("bob", "add", 3)).Seq
		one.stop()
		on.gone("one")
		time.Sleep(2 * time.Second)
		if got := h.said(); !slices.Contains(got, "unavailable") {
			t.Errorf("while the owner is dead bob is told %q", got)
		}
		time.Sleep(5 * time.Second)
		// Either two has opened the room again and bob's hub knows, or three was
		// quicker, and two follows it there.
		if line, err := two.journal.Room(t.Context(), id); err != nil || line.Owner == "one" || line.Owner == "two" && h.why() == nil {
			t.Errorf("the room is %+v, %v, and bob's hub has been told %v", line, err, h.why())
		}
		if a := two.must(id, cmd("bob", "add", 4)); a.Seq <= seq {
			t.Errorf("after a takeover: %+v", a)
		}
		if got := three.ledger(id, "eve").Sum; got != 7 {
			t.Errorf("a third instance shows the sum %d, want 7", got)
		}
	})
}

// An instance that leaves in good order hands its rooms at once to those with connected
// players.
func TestDrainedRoomIsTakenOverAtOnce(t *testing.T) {
	inWorlds(t, func(t *testing.T, _ *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		h.Join("bob")
		two.must(id, cmd("bob", "add", 3))
		began := time.Now()
		if err := one.Drain(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if h.why() == nil {
			t.Fatal("bob's hub has not been told")
		}
		two.must(id, cmd("bob", "add", 4))
		if took := time.Since(began); took > time.Second {
			t.Errorf("the room went on after %v", took)
		}
		if line, err := two.journal.Room(t.Context(), id); err != nil || line.Owner != "two" {
			t.Errorf("the room is %+v, %v, want two's", line, err)
		}
	})
}

// What a wire loses comes from the journal.
func TestLostMessagesAreReadFromTheJournal(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		h.Join("bob")
		time.Sleep(time.Second)
		on.set(1, 0)
		for range 5 {
			one.must(id, cmd("ann", "add", 1))
		}
		on.set(0, 0)
		one.must(id, cmd("ann", "add", 1))
		synctest.Wait()
		if got := h.kinds(); got != "add add add add add add" {
			t.Errorf("bob's hub saw %q", got)
		}
		a, b := mustView(t, one, id), mustView(t, two, id)
		if a.Seq != b.Seq || !bytes.Equal(a.Snapshot, b.Snapshot) {
			t.Errorf("one shows\n%s at %d, two\n%s at %d", a.Snapshot, a.Seq, b.Snapshot, b.Seq)
		}
	})
}

// A client that was told something by an instance that has died gets no older state
// from another one, whether it plays or watches. What no client was told is not waited
// for.
func TestClientIsNeverSentAnOlderState(t *testing.T) {
	for _, who := range []string{"bob", "eve"} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
			id := one.book("r")
			one.follow(id).Join("ann")
			h := two.follow(id)
			time.Sleep(time.Second)
			on.set(1, 0)
			last := one.must(id, cmd("bob", "add", 7)).Seq
			one.kill()
			s := &socket{player: who, seq: last}
			if err := h.resume(t.Context(), s); err != nil || s.seq != last || s.last.Snapshot != nil {
				t.Errorf("%s, who knew entry %d, was taken to %d by %+v, %v", who, last, s.seq, s.last, err)
			}
			s = &socket{player: who, seq: last + 1000}
			if err := h.resume(t.Context(), s); err != nil || s.seq != last || s.last.Snapshot == nil {
				t.Errorf("%s, who made up an entry, was taken to %d by %+v, %v", who, s.seq, s.last, err)
			}
		})
	}
}

// A command to another instance is sent again until it is answered, also when the bytes
// that it came in are used for the next.
func mustView(t *testing.T, w *world, id string) View {
	t.Helper()
	v, err := w.View(t.Context(), id, "eve")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func wantCode(t *testing.T, err error, code refusal.Code) {
	t.Helper()
	if !refusal.Is(err, code) {
		t.Errorf("got %v, want the refusal %q", err, code)
	}
}

// The first instance that comes back from an outage of the database does not take the
// others for dead, and leaves them their rooms.
func TestDatabaseOutageDoesNotCountAsADeath(t *testing.T) {
	for _, outage := range []time.Duration{1500 * time.Millisecond, 3 * time.Second, 30 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			b, on := &broken{Journal: memjournal.New()}, newWire(1)
			one := newWorldOn(t, on, "one", b, nil)
			id := one.book("r")
			one.must(id, cmd("ann", "add", 1)) // it is due if one dies
			time.Sleep(100 * time.Millisecond)
			var others []*world
			for _, name := range []string{"two", "three", "four"} {
				others = append(others, newWorldOn(t, on, name, b, nil))
			}
			one.follow(id)
			time.Sleep(time.Second)
			b.set(nil, true)
			time.Sleep(outage)
			b.set(nil, false)
			time.Sleep(10 * time.Second)
			line, err := one.journal.Room(t.Context(), id)
			if err != nil || line.Owner != "one" {
				t.Errorf("after %v without a database the room is %s's (%v)", outage, line.Owner, err)
			}
			for _, w := range append(others, one) {
				w.stop()
			}
			on.group.Wait()
		})
	}
}

// A room that another instance follows, and its replica there, are as small as other
// quiet rooms, although the follower repeats every few seconds that it follows.
func TestQuietRoomAndItsReplicaAreTrimmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil)
		id := one.book("r")
		owner, replica := one.follow(id), two.follow(id)
		owner.Join("ann")
		replica.Join("bob")
		for range 3 {
			one.must(id, cmd("ann", "add", 1))
			pass(trimAfter + time.Second)
			for _, h := range []*hub{owner, replica} {
				h.room.feed.mu.Lock()
				if n, life := len(h.room.feed.tail), h.room.quiet.life.Load(); n != 0 || life != dozing {
					t.Errorf("replica %v: %d entries kept, life %b", h.room.isReplica(), n, life)
				}
				h.room.feed.mu.Unlock()
			}
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// An instance that is taken for dead for a moment, and whose room another one opens
// meanwhile, finds out also if nothing happens there.
func TestOwnerTakenForDeadFindsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		b := &broken{Journal: j}
		one := newWorldOn(t, on, "one", b, nil)
		id := one.book("r")
		h := one.follow(id)
		h.Join("ann")
		one.must(id, cmd("ann", "add", 1))
		two := newWorldOn(t, on, "two", j, nil)
		time.Sleep(time.Second + beatEvery/2)
		b.set(nil, true)
		j.End("one") // its connection is lost
		on.set(1, 0) // and the message that its room was taken
		time.Sleep(1200 * time.Millisecond)
		two.must(id, cmd("bob", "add", 2))
		if line, err := j.Room(t.Context(), id); err != nil || line.Owner != "two" {
			t.Fatalf("the room is %s's (%v), want two's", line.Owner, err)
		}
		if h.why() != nil {
			t.Fatal("it was told before it could know")
		}
		b.set(nil, false)
		on.set(0, 0)
		if err := h.resume(t.Context(), &socket{player: "ann", seq: 5}); !errors.Is(err, ErrMoved) {
			t.Errorf("a client that moves from the new owner to the old one is told %v", err)
		}
		time.Sleep(3 * time.Second)
		if h.why() == nil {
			t.Error("a client of the old owner has not been told")
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// A message with a command is lost. The player's instance sends it again and tells how long it
// has waited, and that time is credited before the command is judged.
// A busy answer promises that the command is not carried out. So it does not answer a command that
// was sent before, and waits in the owner's inbox.
// Only a command that stops its author's clock is credited for the time that it has waited, and
// only if it is carried out.
// The moments in a state are the owner's. A replica takes the time from the owner as well,
// although its own instance has read another time in the database since.
func TestReplicaTellsTheOwnersTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &otherClock{Journal: memjournal.New()}
		on := newWire(1)
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil)
		id := one.book("r")
		one.follow(id).Join("ann")
		time.Sleep(time.Second)
		j.ahead.Store(int64(-time.Minute)) // a standby whose clock is a minute behind has been promoted
		time.Sleep(2 * time.Second)
		h := two.follow(id)
		time.Sleep(10 * time.Millisecond)
		want := mustView(t, one, id).Now
		s := &socket{player: "bob"}
		if err := h.resume(t.Context(), s); err != nil || s.last.Now != want {
			t.Errorf("a socket of the other instance was told %+d ms, %v", s.last.Now-want, err)
		}
		if got := mustView(t, two, id).Now; got != want {
			t.Errorf("a page of the other instance was told %+d ms", got-want)
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// The rooms table names an instance that does not run the room, since its release was lost.
// The instance opens the room when another one follows it there.
func TestOrphanedRoomIsOpenedByItsOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil)
		id := one.book("r")
		if _, err := j.Claim(t.Context(), id, "two", 0); err != nil {
			t.Fatal(err)
		}
		one.follow(id).Join("ann")
		time.Sleep(3 * time.Second)
		one.must(id, cmd("ann", "add", 1))
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// An owner that says again and again that it does not run the room is asked less and less
// often.
func TestSilentOwnerIsAskedLessAndLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil)
		id := one.book("r")
		if _, err := j.Claim(t.Context(), id, "two", 0); err != nil {
			t.Fatal(err)
		}
		two.gate.Lock()
		two.closed = true // it opens no room any more
		two.gate.Unlock()
		one.follow(id).Join("ann")
		time.Sleep(10 * time.Second)
		on.counts()
		time.Sleep(time.Minute)
		if n := on.counts()[tellFollow]; n > 90 {
			t.Errorf("%d follows in a minute", n)
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// The owner of a room cannot write, and nothing comes from it for a while. When it is heard
// again it still cannot write.
func TestRoomStaysUnavailableWhenItsOwnerAnswersAndCannotWrite(t *testing.T) {
	inCutOffWorlds(t, func(t *testing.T, on *wire, one, two *world, b *broken) {
		id := two.book("r")
		two.follow(id).Join("ann")
		h := one.follow(id)
		h.Join("bob")
		time.Sleep(2 * time.Second)
		b.set(func(func() error) error { return journal.ErrUnavailable }, false)
		_, err := two.Do(t.Context(), id, cmd("ann", "add", 1))
		wantCode(t, err, CodeUnavailable)
		time.Sleep(time.Second)
		on.cut("two")
		time.Sleep(2 * time.Second)
		on.heal("two")
		time.Sleep(2 * time.Second)
		for _, away := range []bool{true, false} {
			if !away {
				b.set(nil, false)
				time.Sleep(2 * probeMost)
			}
			s := &socket{player: "bob"}
			if err := h.resume(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(s.last.Notes, func(n Note) bool { return n.Kind == NoteUnavailable }) != away {
				t.Errorf("the owner cannot write: %v; a player who comes now finds %+v", away, s.last.Notes)
			}
		}
	})
}
