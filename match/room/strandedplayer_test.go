package room

import (
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal/memjournal"
)

// The instance of a player dies without closing their connection, in the turn of the
// opponent. When the opponent moves, the machine waits for the player, until they are
// back on another instance.
func TestTurnOfAStrandedPlayerIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		one, two, three := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil), newWorldOn(t, on, "three", j, nil)
		id := one.book("r")
		one.follow(id).Join("ann")
		two.follow(id).Join("bob")
		time.Sleep(2 * time.Second)
		one.must(id, cmd("ann", "add", 1))
		if got := one.kinds(id); got != "open sit sit add" {
			t.Fatalf("entries %q, want no hold while all players are here", got)
		}
		on.set(1, 0) // it dies without a message
		two.stop()
		on.set(0, 0)
		j.End("two")
		on.gone("two")
		time.Sleep(4 * time.Second)
		before := one.ledger(id, "ann").Entries
		one.must(id, cmd("ann", "add", 1))
		if got := one.ledger(id, "ann").Entries - before; got != 2 {
			t.Errorf("the move led to %d entries (%s), want the move and a hold", got, one.kinds(id))
		}
		three.follow(id).Join("bob")
		time.Sleep(time.Second)
		before = one.ledger(id, "ann").Entries
		one.must(id, cmd("ann", "add", 1))
		if got := one.ledger(id, "ann").Entries - before; got != 1 {
			t.Errorf("the move led to %d entries (%s), want no hold for a player who is back", got, one.kinds(id))
		}
		one.stop()
		three.stop()
		on.group.Wait()
	})
}

// After a takeover a player may still be on the way back when their turn begins.
func TestTurnAfterATakeoverIsHeldForAPlayerWhoIsNotBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		one, two := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil)
		id := one.book("r")
		one.follow(id).Join("bob")
		two.follow(id).Join("ann")
		time.Sleep(2 * time.Second)
		one.must(id, cmd("ann", "add", 1))
		on.set(1, 0)
		one.stop()
		on.set(0, 0)
		j.End("one")
		time.Sleep(4 * time.Second)
		two.follow(id).Join("ann") // ann's page follows the new owner, and keeps the room awake
		before := two.ledger(id, "ann").Entries
		two.must(id, cmd("ann", "add", 1))
		if got := two.ledger(id, "ann").Entries - before; got != 2 {
			t.Errorf("the move led to %d entries (%s), want the move and a hold", got, two.kinds(id))
		}
		time.Sleep(strandedFor)
		before = two.ledger(id, "ann").Entries
		two.must(id, cmd("ann", "add", 1))
		if got := two.ledger(id, "ann").Entries - before; got != 1 {
			t.Errorf("after %v the move led to %d entries (%s), want no hold", strandedFor, got, two.kinds(id))
		}
		two.stop()
		on.group.Wait()
	})
}

// The instance of a player is killed, and the opponent moves before that is known. The turn
// waits for the player, and the time since the move is credited.
func TestTurnThatBeganBeforeADeathWasKnownIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, on := memjournal.New(), newWire(1)
		one, two, three := newWorldOn(t, on, "one", j, nil), newWorldOn(t, on, "two", j, nil), newWorldOn(t, on, "three", j, nil)
		id := one.book("r")
		one.follow(id).Join("ann")
		two.follow(id).Join("bob")
		time.Sleep(2 * time.Second)
		on.set(1, 0)
		two.stop()
		on.set(0, 0)
		j.End("two")
		time.Sleep(200 * time.Millisecond)
		one.must(id, cmd("ann", "add", 1))
		moved := time.Now()
		time.Sleep(2500 * time.Millisecond)
		three.follow(id).Join("bob")
		time.Sleep(time.Second)
		if got := one.kinds(id); got != "open sit sit add outage" {
			t.Errorf("entries %q, want a hold after the move", got)
		}
		if credit := time.Duration(one.ledger(id, "ann").Credit) * time.Millisecond; credit <= 0 || credit > time.Since(moved) {
			t.Errorf("credit %v", credit)
		}
		one.stop()
		three.stop()
		on.group.Wait()
	})
}
