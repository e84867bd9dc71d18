package pgjournal_test

import (
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/pgtest"
)

// A release before the checkpoints opens the database, since the version of the journal's own
// tables is the one that it knows. It deletes rooms by their line and rows alone.
func TestReleaseBeforeCheckpointsDeletesThemWithTheRoom(t *testing.T) {
	url := pgtest.Open(t)
	j, db := open(t, url), plain(t, url)
	for _, id := range []string{"deleted", "other"} {
		if err := j.Create(t.Context(), journal.Room{ID: id, Kind: "match", Wake: time.Now()}, journal.Row{Seq: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Claim(t.Context(), id, "a", 0); err != nil {
			t.Fatal(err)
		}
		if err := j.PutCheckpoint(t.Context(), id, 1, journal.Checkpoint{Seq: 1, Data: []byte(id)}); err != nil {
			t.Fatal(err)
		}
	}
	exec(t, db, "DELETE FROM rooms WHERE id = 'deleted'")
	if left := number(t, db, "SELECT count(*) FROM checkpoints"); left != 1 {
		t.Errorf("%d checkpoints are left", left)
	}
	if version := number(t, db, "SELECT version FROM migrations WHERE name = 'journal'"); version != 3 {
		t.Errorf("the tables have version %d", version)
	}
}
