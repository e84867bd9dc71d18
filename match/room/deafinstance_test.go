package room

import (
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

// hearing is stored in memory.
type hearing struct {
	mu sync.Mutex
	at time.Time
}

func (h *hearing) Hears(_ context.Context, at time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at.After(h.at) {
		h.at = at
	}
	return nil
}

func (h *hearing) Heard(context.Context) (time.Time, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at, nil
}

// inHearingWorlds runs a test with three instances that tell each other in the database
// whether messages arrive.
func inHearingWorlds(t *testing.T, test func(t *testing.T, on *wire, one, two, three *world)) {
	synctest.Test(t, func(t *testing.T) {
		j, on, h := memjournal.New(), newWire(1), new(hearing)
		var worlds []*world
		for _, name := range []string{"one", "two", "three"} {
			worlds = append(worlds, newWorldOn(t, on, name, j, nil, func(c *Config) { c.Hearing = h }))
		}
		test(t, on, worlds[0], worlds[1], worlds[2])
		for _, w := range worlds {
			w.stop()
		}
		on.group.Wait()
	})
}

// An instance that alone receives no messages sends the people of all its rooms on, of those
// that it owns and of those that it follows, before other instances stop to wait for them. It
// opens no room until messages arrive again. The games go on meanwhile, and all time is
// credited.
func TestInstanceThatAloneHearsNothingSendsItsPeopleOn(t *testing.T) {
	inHearingWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
		owned, followed := two.book("owned"), one.book("followed")
		one.follow(followed).Join("ann")
		three.follow(owned)
		hubs := map[string]*hub{owned: two.follow(owned), followed: two.follow(followed)}
		for _, h := range hubs {
			h.Join("bob")
		}
		time.Sleep(20 * time.Second)
		one.ring(followed, 15*time.Second)
		cut := time.Now()
		on.cut("two")
		for synctest.Wait(); hubs[owned].why() == nil || hubs[followed].why() == nil; synctest.Wait() {
			if time.Since(cut) > 8*time.Second {
				t.Fatalf("after %v the followers were told %v and %v", time.Since(cut), hubs[owned].why(), hubs[followed].why())
			}
			time.Sleep(100 * time.Millisecond)
		}
		if s := two.Stats(); s.Healthy || !s.Abandoned {
			t.Errorf("stats %+v", s)
		}
		if _, err := two.Follow(t.Context(), followed, new(hub)); !errors.Is(err, ErrUnavailable) {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
		away := time.Since(cut)
		for id := range hubs {
			three.follow(id).Join("bob")
		}
		time.Sleep(3 * time.Second)
		for id := range hubs {
			three.must(id, cmd("bob", "add", 1))
			if credit := three.credit(id); credit < away {
				t.Errorf("%s: credited %v, want at least %v", id, credit, away)
			}
		}
		if rings := one.ledger(followed, "ann").Rings; rings != 0 {
			t.Errorf("the bell rang %d times while the player was sent on: %s", rings, one.kinds(followed))
		}
		time.Sleep(time.Minute)
		on.heal("two")
		time.Sleep(2 * time.Second)
		if s := two.Stats(); !s.Healthy || s.Abandoned {
			t.Errorf("stats %+v when messages arrive again", s)
		}
		two.follow(owned).Join("ann")
	})
}

// While messages arrive at no instance, no other one could do better. When they arrive again
// the instances do not notice that in the same moment.
func TestPeopleStayWhileNoInstanceHears(t *testing.T) {
	inHearingWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
		id := two.book("r")
		h := two.follow(id)
		h.Join("ann")
		h.Join("bob")
		time.Sleep(20 * time.Second)
		names := []string{"one", "two", "three"}
		for _, name := range names {
			on.cut(name)
			time.Sleep(time.Second)
		}
		time.Sleep(time.Minute)
		two.must(id, cmd("ann", "add", 1)) // they are all here
		for _, name := range []string{"three", "one", "two"} {
			on.heal(name)
			time.Sleep(deafFor / 3)
		}
		time.Sleep(10 * time.Second)
		if h.why() != nil || two.Stats().Abandoned {
			t.Errorf("the people were sent on: %v, %+v", h.why(), two.Stats())
		}
	})
}

// An instance that has sent its people on takes them again when messages arrive nowhere.
func TestInstanceThatHearsNothingServesWhenNoOtherHearsEither(t *testing.T) {
	inHearingWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
		id := two.book("r")
		time.Sleep(5 * time.Second)
		on.cut("two")
		time.Sleep(10 * time.Second)
		if !two.Stats().Abandoned {
			t.Errorf("stats %+v", two.Stats())
		}
		on.cut("one")
		on.cut("three")
		time.Sleep(hearsFresh + hearsEvery)
		two.follow(id)
		if s := two.Stats(); !s.Healthy {
			t.Errorf("stats %+v", s)
		}
	})
}

// unreleasing is a journal that takes no release.
type unreleasing struct{ journal.Journal }

func (unreleasing) Release(context.Context, string, string, uint64, time.Time) error {
	return fmt.Errorf("unreleasing: %w", journal.ErrUnavailable)
}

// An instance that alone receives no messages lets a room go, and the release fails. It lives
// on, so the other instances do not open the room when it is due.
func TestRoomThatCouldNotBeReleasedIsWokenWhenMessagesArriveAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on, h := memjournal.New(), newWire(1), new(hearing)
		hears := func(c *Config) { c.Hearing = h }
		one := newWorldOn(t, on, "one", j, nil, hears)
		two := newWorldOn(t, on, "two", unreleasing{j}, nil, hears)
		id := two.book("r")
		two.ring(id, 40*time.Second)
		time.Sleep(5 * time.Second)
		on.cut("two")
		time.Sleep(15 * time.Second)
		if two.running(id) != nil {
			t.Error("the instance has not let its room go")
		}
		on.heal("two")
		time.Sleep(time.Minute)
		if got := one.kinds(id); !strings.Contains(got, machine.KindWake) {
			t.Errorf("the bell has not rung: %s", got)
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// An instance that does not reach the database does not know what arrives elsewhere.
func TestHearingIsNotJudgedWithoutTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on, h := memjournal.New(), newWire(1), new(hearing)
		b := &broken{Journal: j}
		one := newWorldOn(t, on, "one", j, nil, func(c *Config) { c.Hearing = h })
		two := newWorldOn(t, on, "two", b, nil, func(c *Config) { c.Hearing = failing{h, b} })
		time.Sleep(5 * time.Second)
		on.cut("two")
		b.set(nil, true)
		time.Sleep(journal.DeadAfter - time.Second)
		b.set(nil, false)
		time.Sleep(2 * time.Second)
		if two.Stats().Abandoned {
			t.Errorf("it has left its rooms %v after the database was back", 2*time.Second)
		}
		on.heal("two")
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// failing is stored in a database that may be away.
type failing struct {
	*hearing
	broken *broken
}

func (f failing) Heard(ctx context.Context) (time.Time, error) {
	if err := f.broken.fault(); err != nil {
		return time.Time{}, fmt.Errorf("hearing: %w", err)
	}
	return f.hearing.Heard(ctx)
}
