package memjournal_test

import (
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/journaltest"
	"mancala/match/journal/memjournal"
)

func TestJournal(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journal.Journal { return memjournal.New() })
}

func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journaltest.RunClock(t, memjournal.New(), func(d time.Duration) { time.Sleep(d) })
	})
}

func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := memjournal.New()
		journaltest.RunEnd(t, j, j, func() { j.End("first") })
	})
}
