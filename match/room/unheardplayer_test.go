package room

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// ring makes the bell of a room ring after a while.
func (w *world) ring(id string, in time.Duration) {
	w.Helper()
	c := cmd("ann", "bell", 0)
	c.Body, _ = json.Marshal(map[string]int64{"in": in.Milliseconds()})
	w.must(id, c)
}

func (w *world) credit(id string) time.Duration {
	w.Helper()
	return time.Duration(w.ledger(id, "ann").Credit) * time.Millisecond
}

// inUnheardWorlds runs a test in which bob leaves the second instance and connects to the
// third after the messages have stopped. The bell of the room rings after a while.
func inUnheardWorlds(t *testing.T, rings time.Duration, test func(t *testing.T, on *wire, one *world, ann *hub, id string)) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
		id := one.book("r")
		ann, bob := one.follow(id), two.follow(id)
		ann.Join("ann")
		bob.Join("bob")
		time.Sleep(20 * time.Second)
		one.ring(id, rings)
		bob.Leave("bob")
		time.Sleep(time.Second) // the owner is told
		on.set(1, 0)
		three.follow(id).Join("bob")
		test(t, on, one, ann, id)
	})
}

// A player reconnects to another instance in the moment in which the messages between
// instances stop. The owner does not hear of it, so it decides nothing against the player. The
// player is heard when the messages arrive again, and all the time is credited.
func TestPlayerWhoReconnectsUnheardIsWaitedFor(t *testing.T) {
	inUnheardWorlds(t, 8*time.Second, func(t *testing.T, on *wire, one *world, ann *hub, id string) {
		time.Sleep(20 * time.Second)
		if got := one.ledger(id, "ann"); got.Rings > 0 || len(got.Gone) > 0 {
			t.Errorf("the room decided without the player: %s", one.kinds(id))
		}
		if s := one.Stats(); s.Away != 1 {
			t.Errorf("stats %+v, want a room whose clocks are paused", s)
		}
		on.set(0, 0)
		time.Sleep(15 * time.Second)
		if credit := one.credit(id); credit < 19*time.Second || credit > 25*time.Second {
			t.Errorf("credit %v, want what was waited", credit)
		}
		if s := one.Stats(); s.Away != 0 {
			t.Errorf("stats %+v", s)
		}
		one.must(id, cmd("bob", "add", 1))
	})
}

// The wait for a player who may be connected elsewhere ends, also if no message arrives for
// hours. The same absence is never waited for again.
func TestWaitForAnUnheardPlayerIsBounded(t *testing.T) {
	inUnheardWorlds(t, 8*time.Second, func(t *testing.T, _ *wire, one *world, _ *hub, id string) {
		time.Sleep(unheardFor + 2*time.Second)
		if got := one.ledger(id, "ann").Rings; got != 1 {
			t.Errorf("the bell rang %d times (%s), want once the wait is over", got, one.kinds(id))
		}
		one.ring(id, time.Minute)
		time.Sleep(2 * time.Hour)
		if got := one.ledger(id, "ann").Rings; got != 2 {
			t.Errorf("the bell rang %d times (%s), want no second wait", got, one.kinds(id))
		}
		if credit := one.credit(id); credit > unheardFor+2*time.Second {
			t.Errorf("credit %v", credit)
		}
	})
}

// A player who was away for a while before the messages stopped would have been heard of
// elsewhere, and one who comes back ends the wait at once.
func TestOnlyAPlayerWhoMayBeUnheardIsWaitedFor(t *testing.T) {
	for _, tt := range []struct {
		name  string
		left  time.Duration // before the messages stop
		rings time.Duration
		waits bool
	}{
		{"just left", time.Second, 10 * time.Minute, true},
		{"left for long", rejoinWithin + time.Second, 10 * time.Minute, false},
		{"no time decides soon", time.Second, 2 * farWake, false},
		{"no time decides", time.Second, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
				id := one.book("r")
				ann := one.follow(id)
				ann.Join("ann")
				ann.Join("bob")
				two.follow(id).Join("eve")
				time.Sleep(20 * time.Second)
				if tt.rings > 0 {
					one.ring(id, tt.rings)
				}
				ann.Leave("bob")
				time.Sleep(tt.left)
				on.set(1, 0)
				time.Sleep(5 * time.Second)
				_, err := one.Do(t.Context(), id, cmd("ann", "add", 1))
				if waits := errors.Is(err, ErrUnavailable); waits != tt.waits {
					t.Errorf("a command got %v; want a wait: %v", err, tt.waits)
				}
				ann.Join("bob")
				synctest.Wait()
				one.must(id, cmd("bob", "add", 1))
				on.set(0, 0)
			})
		})
	}
}

// While an owner waits for a player it asks whether the room is still its own.
func TestOwnerThatWaitsForAPlayerLearnsOfATakeover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on, b := newWire(1), &broken{Journal: memjournal.New()}
		one, two := newWorldOn(t, on, "one", b, nil), newWorldOn(t, on, "two", b, nil)
		id := one.book("r")
		h := one.follow(id)
		h.Join("ann")
		two.follow(id).Join("bob")
		time.Sleep(5 * time.Second)
		on.set(1, 0)
		one.Silent("two", time.Now())
		time.Sleep(creditEvery / 2) // it has credited the wait and does not write soon
		steal(t, b, id)
		one.doubts.Add(1)
		time.Sleep(3 * time.Second)
		if !errors.Is(h.why(), ErrFenced) {
			t.Errorf("the follower was told %v, want ErrFenced", h.why())
		}
		one.stop()
		two.stop()
		on.group.Wait()
	})
}

// The owner dies while it waits for a player on a silent instance. The time for which it
// waited is in the journal up to its last credit, after which the machine's hold goes on.
func TestWaitIsCreditedAlthoughTheOwnerDies(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		two.follow(id).Join("bob")
		time.Sleep(5 * time.Second)
		one.ring(id, time.Hour)
		on.set(1, 0)
		one.Silent("two", time.Now())
		const wait = 50 * time.Second
		time.Sleep(wait)
		one.stop()
		on.set(0, 0)
		three.follow(id).Join("ann")
		time.Sleep(15 * time.Second)
		if credit := three.credit(id); credit < wait-creditEvery/2 {
			t.Errorf("credit %v (%s), want the wait of %v up to the last credit", credit, three.kinds(id), wait)
		}
	})
}

// A player reconnects to an instance in the moment in which it is cut off from the others. The
// owner hears the others and not the player. It waits for them, and no longer than that
// instance needs to send its people on.
func TestPlayerWhoReconnectsToACutOffInstanceIsWaitedFor(t *testing.T) {
	for _, back := range []bool{true, false} {
		inWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
			id := one.book("r")
			ann, bob := one.follow(id), one.follow(id)
			ann.Join("ann")
			bob.Join("bob")
			two.follow(id).Join("eve")
			time.Sleep(20 * time.Second)
			one.ring(id, 8*time.Second)
			bob.Leave("bob")
			time.Sleep(time.Second)
			since := on.cutUnnoticed("two")
			time.Sleep(4 * time.Second)
			on.silence("two", since)
			if time.Sleep(4 * time.Second); back {
				three.follow(id).Join("bob")
			} else {
				time.Sleep(unheardThere)
			}
			time.Sleep(2 * time.Second)
			got := one.ledger(id, "ann")
			if got.Rings != 1 { // this machine moves no deadline
				t.Errorf("back %v: the bell rang %d times: %s", back, got.Rings, one.kinds(id))
			}
			if most := (unheardThere + 2*time.Second).Milliseconds(); got.Credit < 7000 || got.Credit > most {
				t.Errorf("back %v: credit %d ms, want what was waited", back, got.Credit)
			}
		})
	}
}

// The owner's messages stop to arrive before it hears nothing itself. A player on another
// instance has missed the entries since then, so all that time is credited.
func TestWaitBeginsWhenTheOwnersMessagesStop(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		two.follow(id).Join("bob")
		time.Sleep(20 * time.Second)
		one.must(id, cmd("ann", "add", 1)) // bob is next
		one.ring(id, time.Minute)
		on.cutUnnoticed("one")
		time.Sleep(8 * time.Second)
		on.silence("one", time.Now().Add(-4*time.Second)) // one heard of two for longer
		time.Sleep(time.Second)
		on.heal("one")
		time.Sleep(15 * time.Second)
		if credit := one.credit(id); credit < 9*time.Second || credit > 15*time.Second {
			t.Errorf("credit %v, want the time since the owner's messages stopped", credit)
		}
	})
}

// A player connects to an instance that follows the room already, and the instance is cut off at
// once. The owner knows that the player is there, and waits for them.
func TestOwnerKnowsAtOnceWhichPlayerHasCome(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		bob := two.follow(id)
		time.Sleep(time.Millisecond)
		bob.Join("bob")
		time.Sleep(time.Millisecond)
		on.cut("two")
		time.Sleep(time.Second)
		if _, err := one.Do(t.Context(), id, cmd("ann", "add", 1)); !errors.Is(err, ErrUnavailable) {
			t.Errorf("a command got %v, want a room that waits for the player", err)
		}
	})
}

// The instance of a player is cut off shortly before their time is over. Nobody knows of it
// yet, but the instance does not answer the owner, which therefore waits until its silence is
// known.
func TestFlagWaitsForTheAnswerOfThePlayersInstance(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, three *world) {
		id := one.book("r")
		one.follow(id).Join("ann")
		two.follow(id).Join("bob")
		time.Sleep(5 * time.Second)
		one.ring(id, time.Second)
		time.Sleep(900 * time.Millisecond)
		since := on.cutUnnoticed("two")
		time.Sleep(4 * time.Second) // what package interlink needs at most
		on.silence("two", since)
		time.Sleep(time.Second)
		three.follow(id).Join("bob")
		time.Sleep(2 * time.Second)
		if got := one.ledger(id, "ann"); got.Rings != 1 || got.Credit < 4000 { // this machine moves no deadline
			t.Errorf("the bell rang %d times after a credit of %d ms: %s", got.Rings, got.Credit, one.kinds(id))
		}
		// The owner may see the follower and its player in one look or in two, and then credits nothing in between.
		if got := one.kinds(id); strings.Replace(got, "outage outage", "outage", 1) != "open sit sit bell outage wake" {
			t.Errorf("entries %q, want the credits before the wake-up", got)
		}
	})
}

// A flag waits for as long as a question and its answer are under way. It waits for a bounded
// time if no answer comes although the instance is not silent, and not at all if the instance
// is of a release that does not answer.
func TestFlagWaitsNoLongerThanForAnAnswer(t *testing.T) {
	for _, tt := range []struct {
		name        string
		delay       time.Duration // of a message, at most
		lost        bool          // messages are lost, and the instance is not silent
		old         bool
		least, most time.Duration
	}{
		{"it answers", 10 * time.Millisecond, false, false, 0, 20 * time.Millisecond},
		{"it does not answer", 0, true, false, askFor, askFor},
		{"it is not asked", 0, true, true, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
				id := one.book("r")
				one.follow(id).Join("ann")
				two.follow(id).Join("bob")
				time.Sleep(5 * time.Second)
				one.ring(id, 5*time.Second)
				on.set(0, tt.delay)
				if tt.old {
					one.running(id).callLater(func(r *Room) { r.role.(*owner).peers["two"].answers = false })
				}
				if tt.lost {
					on.cutUnnoticed("two")
				}
				time.Sleep(5 * time.Second)
				var took time.Duration
				for began := time.Now(); one.ledger(id, "ann").Rings == 0; took = time.Since(began) {
					time.Sleep(time.Millisecond)
				}
				if took < tt.least || took > tt.most+2*time.Millisecond {
					t.Errorf("the bell rang %v late, want %v to %v", took, tt.least, tt.most)
				}
			})
		})
	}
}

// An instance dies while the room is busy, shortly after it has told the room again who is
// connected there.
func TestFullInboxDropsNoDeath(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		h := one.follow(id)
		h.Join("ann")
		two.follow(id).Join("bob")
		time.Sleep(2 * time.Second)
		h.said()
		serve := fillInbox(h.room)
		one.Hear("two", Message{Kind: tellFollow, Room: id, Players: []string{"bob"}})
		on.cutUnnoticed("two")
		one.Lost("two")
		serve()
		time.Sleep(noteAfter + time.Second)
		if got := h.said(); !slices.Contains(got, `presence bob {"here":false}`) {
			t.Errorf("notes %q, want one that the player is away", got)
		}
	})
}

// Nothing comes from the instance of a player, which is noticed while the room is busy.
func TestFullInboxDropsNoSilence(t *testing.T) {
	inWorlds(t, func(t *testing.T, on *wire, one, two, _ *world) {
		id := one.book("r")
		h := one.follow(id)
		h.Join("ann")
		two.follow(id).Join("bob")
		one.ring(id, 10*time.Second)
		time.Sleep(2 * time.Second)
		serve := fillInbox(h.room)
		on.cut("two")
		serve()
		time.Sleep(10*time.Second + askFor)
		if got := one.kinds(id); strings.Contains(got, machine.KindWake) {
			t.Errorf("the bell has rung while a player could not be reached: %s", got)
		}
	})
}
