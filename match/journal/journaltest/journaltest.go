// Package journaltest tests every implementation of [journal.Journal] in the same
// way. It also provides [Faulty], a journal with faults for simulations.
package journaltest

import (
	"context"
	"slices"
	"testing"
	"time"

	"mancala/match/journal"
)

// Run tests an implementation against the contract. open returns an empty journal and
// closes it with t.Cleanup.
func Run(t *testing.T, open func(*testing.T) journal.Journal) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, suite)
	}{
		{"create stores a room and its first rows", testCreate},
		{"create refuses gaps in the numbers", testCreateHoles},
		{"create with an owner", testCreateOwned},
		{"a room that does not exist is reported", testNoRoom},
		{"numbers of the last rows are returned", testSeqs},
		{"claim needs the current epoch and no living owner", testClaim},
		{"claim has one winner", testClaimRace},
		{"take claims a room that sleeps", testTake},
		{"take has one winner", testTakeRace},
		{"release is only for the owner", testRelease},
		{"append is fenced", testFence},
		{"append after a takeover", testTakeOver},
		{"append races with a takeover", testTakeOverRace},
		{"a fenced room makes no other room fail", testBatch},
		{"read returns rows in order", testRead},
		{"read sees every acknowledged row", testReadYourWrites},
		{"an unknown outcome can be resolved", testUnknown},
		{"an ended context changes nothing", testEnded},
		{"append keeps the earliest wake time", testWake},
		{"due lists rooms that may be claimed", testDue},
		{"large data is stored", testLarge},
		{"hostile IDs", testHostileIDs},
		{"any bytes are stored", testAnyBytes},
		{"alive returns the database's time", testAlive},
		{"every instance reads what this program reads", testAllRead},
		{"a folded room has the same rows", testFold},
		{"a folded room can be reopened", testReopenFolded},
		{"rooms that are not asleep for good stay as they are", testFoldAwake},
		{"folding races with a room that reopens", testFoldRace},
		{"every room that sleeps for good is listed to be folded", testUnfolded},
		{"a checkpoint is only for the owner", testCheckpoint},
		{"a checkpoint goes with its room", testCheckpointGoes},
		{"a checkpoint races with a takeover", testCheckpointRace},
		{"delete removes a room that sleeps for good", testDelete},
		{"delete races with a claim", testDeleteRace},
		{"random operations agree with a model", testModel},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, suite{open(t), t.Context()}) })
	}
}

// RunClock tests what a journal does when instances stop giving signs of life. pass
// lets time go by for the journal.
func RunClock(t *testing.T, j journal.Journal, pass func(time.Duration)) {
	s := suite{j, context.Background()}
	first := s.alive(t, "first")
	s.create(t, journal.Room{ID: "r", Kind: "k", Wake: first.Add(-time.Second)})
	room := s.claim(t, "r", "first", 0)

	pass(journal.DeadAfter - time.Second)
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "second", room.Epoch))
	if due := s.due(t, first.Add(time.Hour)); len(due) != 0 {
		t.Errorf("due while its owner lives: %v", due)
	}

	// A sign of life restarts the time.
	second := s.alive(t, "first")
	if got := second.Sub(first); got < journal.DeadAfter-time.Second {
		t.Errorf("the journal's clock went on by %v", got)
	}
	pass(journal.DeadAfter - time.Second)
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "second", room.Epoch))

	pass(2 * time.Second)
	s.create(t, journal.Room{ID: "unowned", Kind: "k", Wake: first})
	due := s.due(t, first)
	if len(due) != 2 || due[1].ID != "r" || due[1].Owner != "first" || !due[1].OwnerSeen.Equal(second) || !due[1].OwnerDead {
		t.Fatalf("due after its owner died: %+v, want the unowned room and then r of first, seen at %v", due, second)
	}
	one, err := s.j.Due(s.ctx, first, 1)
	if err != nil || len(one) != 1 || one[0].ID != "unowned" {
		t.Errorf("at most one of them: %+v, %v", one, err)
	}
	// The dead owner is not fenced yet, because no other instance has taken over.
	s.append(t, "r", journal.Row{Seq: 1, Epoch: room.Epoch})
	taken := s.claim(t, "r", "second", room.Epoch)
	if !taken.OwnerSeen.Equal(second) || taken.Seq != 1 || taken.Owner != "second" || taken.Epoch != room.Epoch+1 {
		t.Errorf("claimed from the dead: %+v, want the last sign of life %v", taken, second)
	}
	s.conflict(t, "r", journal.Row{Seq: 2, Epoch: room.Epoch})
	// A claim is a sign of life.
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "first", taken.Epoch))
	pass(journal.DeadAfter)
	if got := s.take(t, "r", "first", "k"); got.Mine || got.Rows != nil || !got.Room.OwnerDead {
		t.Errorf("took the room of a dead owner: %+v", got)
	}
}

// RunEnd tests what a journal does when the process of an instance ends. first is the
// journal of that instance, and end closes it. second is the journal of another
// instance.
func RunEnd(t *testing.T, first, second journal.Journal, end func()) {
	one, two := suite{first, context.Background()}, suite{second, context.Background()}
	one.create(t, journal.Room{ID: "r", Kind: "k"})
	one.alive(t, "first")
	room := one.claim(t, "r", "first", 0)
	last := one.alive(t, "first")
	two.alive(t, "second")
	if line := two.room(t, "r"); line.OwnerDead || slices.Contains(two.dead(t), "first") {
		t.Errorf("dead while it lives: %+v", line)
	}
	end()
	deadline := time.Now().Add(time.Minute)
	for !slices.Contains(two.dead(t), "first") {
		if time.Now().After(deadline) {
			t.Fatal("the journal does not notice that the process has ended")
		}
		time.Sleep(50 * time.Millisecond)
	}
	now := two.alive(t, "second")
	if took := now.Sub(last); took < journal.GoneAfter {
		t.Errorf("the instance counts as dead after only %v", took)
	}
	if line := two.room(t, "r"); !line.OwnerDead || line.Owner != "first" {
		t.Errorf("after the end of its owner: %+v", line)
	}
	if got := two.claim(t, "r", "second", room.Epoch); !got.OwnerSeen.Equal(last) {
		t.Errorf("claimed from the dead: %+v, want the last sign of life %v", got, last)
	}
	if list := two.dead(t); slices.Contains(list, "second") {
		t.Errorf("the dead are %v", list)
	}
}
