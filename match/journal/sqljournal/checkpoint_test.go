package sqljournal

import (
	"testing"
	"time"

	"mancala/match/journal"
)

// A release before the checkpoints opens the database, since the version of the journal's own
// tables is the one that it knows. It deletes rooms by their line and rows alone.
func TestReleaseBeforeCheckpointsDeletesThemWithTheRoom(t *testing.T) {
	db := reopen(t, Options{Path: file(t)})
	for _, id := range []string{"deleted", "other"} {
		newRoom(t, db, id)
		if err := db.Append(t.Context(), id, entry(1), time.Time{}); err != nil {
			t.Fatal(err)
		}
		if err := db.PutCheckpoint(t.Context(), id, 1, journal.Checkpoint{Seq: 1, Data: []byte(id)}); err != nil {
			t.Fatal(err)
		}
	}
	var version, left int
	err := db.Write(t.Context(), func(tx *Tx) error {
		if _, err := tx.Exec("DELETE FROM rooms WHERE id = 'deleted'"); err != nil {
			return err
		}
		if err := tx.Scan("SELECT count(*) FROM checkpoints", nil, &left); err != nil {
			return err
		}
		return tx.Scan("SELECT version FROM migrations WHERE name = 'journal'", nil, &version)
	})
	if err != nil || left != 1 || version != 2 {
		t.Errorf("%d checkpoints are left, the tables have version %d, %v", left, version, err)
	}
}
