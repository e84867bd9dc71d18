// Package journaltest is the one test for every [journal.Journal].
package journaltest

import (
	"context"
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
		{"delete", testDelete},
		{"delete and create again", testDeleteCreate},
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
	due := s.due(t, first)
	if len(due) != 1 || due[0].ID != "r" || due[0].Owner != "first" || !due[0].OwnerSeen.Equal(second) {
		t.Fatalf("due after its owner died: %+v, want r of first, seen at %v", due, second)
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
