package ephemeral_test

import (
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/ephemeral"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
)

func TestOtherRoomsAreStored(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journal.Journal { return ephemeral.New(memjournal.New(), "lobby") })
}

func TestEphemeralRoomHasOneOwnerAndLeavesNoRows(t *testing.T) {
	ctx := t.Context()
	j := ephemeral.New(memjournal.New(), "lobby")
	for range 2 {
		if err := j.Open(ctx, "lobby", "lobby"); err != nil {
			t.Fatal(err)
		}
	}
	first, err := j.Claim(ctx, "lobby", "here", 0)
	if err != nil {
		t.Fatal(err)
	}
	for seq := range uint64(3) {
		if err := j.Append(ctx, "lobby", journal.Row{Seq: seq + 1, Epoch: first.Epoch, Data: []byte("{}")}, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Release(ctx, "lobby", "here", first.Epoch, time.Now()); err != nil {
		t.Fatal(err)
	}
	if due, err := j.Due(ctx, time.Now().Add(time.Hour), 0); err != nil || len(due) > 0 {
		t.Errorf("due are %v, %v", due, err)
	}
	next, err := j.Claim(ctx, "lobby", "there", first.Epoch)
	if err != nil || next.Epoch <= first.Epoch {
		t.Errorf("the next owner has %+v, %v", next, err)
	}
	if rows, err := j.Read(ctx, "lobby", 0, 0); err != nil || len(rows) > 0 {
		t.Errorf("rows are %v, %v", rows, err)
	}
}
