package room

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// inCutOffWorlds runs a test with two instances of which only the second can lose the
// database.
func inCutOffWorlds(t *testing.T, test func(t *testing.T, on *wire, one, two *world, b *broken)) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		b := &broken{Journal: j}
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", b, nil)
		test(t, on, one, two, b)
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// An instance that alone loses the database is told by the others that it counts as dead.
// It sends the people of all its rooms on: of those that it only follows, and of those that
// are not due and that no instance would open by itself. Messages may be lost meanwhile.
func TestInstanceWithoutADatabaseSendsItsPeopleOn(t *testing.T) {
	for _, loss := range []float64{0, 0.5} {
		inCutOffWorlds(t, func(t *testing.T, on *wire, one, two *world, b *broken) {
			followed, owned := one.book("followed"), two.book("owned")
			one.follow(followed).Join("ann")
			hubs := map[string]*hub{followed: two.follow(followed), owned: two.follow(owned)}
			for _, h := range hubs {
				h.Join("bob")
			}
			time.Sleep(2 * time.Second)
			on.set(loss, 5*time.Millisecond)
			b.set(nil, true)
			time.Sleep(journal.DeadAfter - time.Second)
			for id, h := range hubs {
				if h.why() != nil {
					t.Errorf("loss %v: %s: sent on before the others may take over", loss, id)
				}
			}
			one.must(followed, cmd("ann", "add", 1))
			limit := 8 * time.Second
			if loss > 0 {
				limit = journal.DeadAfter + tellDeadFor
			}
			time.Sleep(limit - journal.DeadAfter + time.Second)
			for id, h := range hubs {
				if !errors.Is(h.why(), ErrFenced) {
					t.Errorf("loss %v: %s: the hub was told %v, want ErrFenced", loss, id, h.why())
				}
			}
		})
	}
}

// A client comes to an instance that counts as dead before the time has passed after which
// it doubts itself. The instance opens no room and takes no more clients, until the database
// answers again.
func TestInstanceThatCountsAsDeadIsNotHealthy(t *testing.T) {
	inCutOffWorlds(t, func(t *testing.T, on *wire, one, two *world, b *broken) {
		id := one.book("r")
		one.follow(id).Join("ann")
		time.Sleep(2 * time.Second)
		b.set(nil, true)
		b.Journal.(*memjournal.Journal).End("two") // its connection is cut as well
		time.Sleep(lease - time.Second)
		if s := two.Stats(); s.Healthy || !s.Abandoned {
			t.Errorf("stats %+v", s)
		}
		if _, err := two.Follow(t.Context(), id, new(hub)); !errors.Is(err, ErrUnavailable) {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
		b.set(nil, false)
		time.Sleep(2 * time.Second)
		if s := two.Stats(); !s.Healthy || s.Abandoned {
			t.Errorf("stats %+v when the database is back", s)
		}
		two.follow(id).Join("bob")
	})
}

// While no instance reaches the database, none can take a room over, and people stay where
// they are.
func TestPeopleStayWhileNoInstanceReachesTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on := newWire(1)
		b := &broken{Journal: memjournal.New()}
		one, two := newWorldOn(t, on, "one", b, nil), newWorldOn(t, on, "two", b, nil)
		id := one.book("r")
		hubs := []*hub{one.follow(id), two.follow(id)}
		hubs[0].Join("ann")
		hubs[1].Join("bob")
		time.Sleep(time.Second)
		one.must(id, cmd("ann", "add", 1))
		b.set(nil, true)
		time.Sleep(time.Minute)
		b.set(nil, false)
		time.Sleep(20 * time.Second)
		for i, h := range hubs {
			if h.why() != nil {
				t.Errorf("hub %d was told %v", i, h.why())
			}
		}
		one.must(id, cmd("ann", "add", 1))
		synctest.Wait()
		if got := hubs[1].kinds(); got != "add outage add" {
			t.Errorf("the other instance saw %q", got)
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// A replica that hears of entries which it cannot read ends: its people would stay before
// an old board while the clocks run.
func TestReplicaWithoutTheMissedEntriesEnds(t *testing.T) {
	inCutOffWorlds(t, func(t *testing.T, on *wire, one, two *world, b *broken) {
		id := one.book("r")
		one.follow(id).Join("ann")
		h := two.follow(id)
		time.Sleep(2 * time.Second)
		b.set(nil, true)
		on.set(1, 0)
		one.must(id, cmd("ann", "add", 1))
		on.set(0, 0)
		time.Sleep(lease)
		two.Hear("one", Message{Kind: tellState, Room: id, Epoch: 1, Seq: 4})
		time.Sleep(10 * time.Millisecond)
		if !errors.Is(h.why(), ErrFenced) {
			t.Errorf("the hub was told %v, want ErrFenced", h.why())
		}
	})
}

// The owner of a room was restarted and does not know the room, and the database is away. A
// replica asks again and again, but not as fast as it is answered.
func TestReplicaAsksAnInstanceThatDoesNotRunTheRoomNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on, b := newWire(1), &broken{Journal: memjournal.New()}
		one, two := newWorldOn(t, on, "one", b, nil), newWorldOn(t, on, "two", b, nil)
		id := one.book("r")
		one.follow(id)
		two.follow(id)
		time.Sleep(2 * time.Second)
		on.set(0, 10*time.Millisecond) // without a delay no time would pass
		b.set(nil, true)
		again := newWorldOn(t, on, "one", memjournal.New(), nil) // hears what is sent to the first
		two.Missed("one")
		time.Sleep(time.Second)
		on.counts()
		time.Sleep(30 * time.Second)
		if n := on.counts()[tellFollow]; n == 0 || n > 30 {
			t.Errorf("it was asked %d times within 30 s", n)
		}
		one.stop()
		two.stop()
		again.stop()
		on.group.Wait()
	})
}

// A full inbox does not drop the message that another instance owns the room.
func TestFullInboxDropsNoTakeover(t *testing.T) {
	inBrokenWorld(t, func(t *testing.T, w *world, b *broken) {
		id := w.book("r")
		h := w.follow(id)
		h.Join("ann")
		b.set(func(do func() error) error { time.Sleep(time.Second); return do() }, false)
		for range 2 * inboxSize {
			_ = h.Send(cmd("ann", "add", 1), noAsker{})
		}
		synctest.Wait()
		r := w.running(id)
		r.role.hear("two", Message{Kind: tellTaken, Room: id, Epoch: r.epoch + 1})
		time.Sleep(3 * time.Second) // a write and its credit
		if !errors.Is(h.why(), ErrFenced) {
			t.Errorf("the hub was told %v, want ErrFenced", h.why())
		}
	})
}

// An instance ends its rooms because the others count it as dead. Its database answers again
// before another instance takes a room over. Then it opens the room again when it is due.
func TestRoomThatWasLeftIsWokenWhenTheDatabaseIsBack(t *testing.T) {
	for away := journal.DeadAfter; away < journal.DeadAfter+3*time.Second; away += 100 * time.Millisecond {
		inCutOffWorlds(t, func(t *testing.T, on *wire, one, two *world, b *broken) {
			id := two.book("r")
			two.ring(id, 40*time.Second) // the room stays awake until then
			time.Sleep(2 * time.Second)
			b.set(nil, true)
			time.Sleep(away)
			b.set(nil, false)
			time.Sleep(time.Minute)
			if got := one.kinds(id); !strings.Contains(got, machine.KindWake) {
				t.Errorf("the database was away for %v, and the bell has not rung: %s", away, got)
			}
		})
	}
}
