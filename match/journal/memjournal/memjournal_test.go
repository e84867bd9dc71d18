package memjournal_test

import (
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
)

func TestMemjournalKeepsTheContract(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journal.Journal { return memjournal.New() })
}

func TestSilentInstanceLosesItsRooms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journaltest.RunClock(t, memjournal.New(), func(d time.Duration) { time.Sleep(d) })
	})
}

func TestEndedProcessLosesItsRoomsSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := memjournal.New()
		journaltest.RunEnd(t, j, j, func() { j.End("first") })
	})
}
