// Package journaltest is the one test for every [journal.Journal].
package journaltest

import (
	"context"
	"slices"
	"testing"
	"time"

	"mancala/match/journal"
)

// Run holds an implementation to the contract. open returns an empty journal
// and sees to its end with t.Cleanup.
func Run(t *testing.T, open func(*testing.T) journal.Journal) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, suite)
	}{
		{"create", testCreate},
		{"create refuses holes", testCreateHoles},
		{"no such room", testNoRoom},
		{"numbers of the last rows", testSeqs},
		{"claim", testClaim},
		{"claim has one winner", testClaimRace},
		{"release", testRelease},
		{"append is fenced", testFence},
		{"append after a take-over", testTakeOver},
		{"append races with a take-over", testTakeOverRace},
		{"one fenced room fails no other", testBatch},
		{"read", testRead},
		{"read sees what was acknowledged", testReadYourWrites},
		{"unknown outcome", testUnknown},
		{"context over before", testEnded},
		{"wake", testWake},
		{"due", testDue},
		{"large data", testLarge},
		{"hostile IDs", testHostileIDs},
		{"any bytes", testAnyBytes},
		{"alive", testAlive},
		{"against a model", testModel},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, suite{open(t), t.Context()}) })
	}
}

// RunClock holds a journal to what happens when instances fall silent. pass
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

	// A sign of life starts the time again.
	second := s.alive(t, "first")
	if got := second.Sub(first); got < journal.DeadAfter-time.Second {
		t.Errorf("the journal's clock went on by %v", got)
	}
	pass(journal.DeadAfter - time.Second)
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "second", room.Epoch))

	pass(2 * time.Second)
	s.create(t, journal.Room{ID: "nobody's", Kind: "k", Wake: first})
	due := s.due(t, first)
	if len(due) != 2 || due[1].ID != "r" || due[1].Owner != "first" || !due[1].OwnerSeen.Equal(second) || !due[1].OwnerDead {
		t.Fatalf("due after its owner died: %+v, want nobody's and then r of first, seen at %v", due, second)
	}
	one, err := s.j.Due(s.ctx, first, 1)
	if err != nil || len(one) != 1 || one[0].ID != "nobody's" {
		t.Errorf("at most one of them: %+v, %v", one, err)
	}
	// The dead owner has not been fenced yet: nobody else has taken over.
	s.append(t, "r", journal.Row{Seq: 1, Epoch: room.Epoch})
	taken := s.claim(t, "r", "second", room.Epoch)
	if !taken.OwnerSeen.Equal(second) || taken.Seq != 1 || taken.Owner != "second" || taken.Epoch != room.Epoch+1 {
		t.Errorf("claimed from the dead: %+v, want the last sign of life %v", taken, second)
	}
	s.conflict(t, "r", journal.Row{Seq: 2, Epoch: room.Epoch})
	// A claim is a sign of life.
	s.wantErr(t, journal.ErrConflict)(s.j.Claim(s.ctx, "r", "first", taken.Epoch))
}

// RunEnd holds a journal to what happens when the process of an instance ends:
// first is that one's journal, which end takes away, second another's.
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
			t.Fatal("nobody notices that it has ended")
		}
		time.Sleep(50 * time.Millisecond)
	}
	now := two.alive(t, "second")
	if took := now.Sub(last); took < journal.GoneAfter {
		t.Errorf("it counts as dead after %v", took)
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
