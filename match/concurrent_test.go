package match

import (
	"fmt"
	"sync"
	"testing"

	"mancala/match/machine"
)

// TestMatchIsEncodedWhileItGoesOn: watchers are served while the match goes on. The race
// detector finds what this test cannot.
func TestMatchIsEncodedWhileItGoesOn(t *testing.T) {
	tb := seated(t, "kalah", "", "5+3")
	made := make(chan machine.Entry, 1000)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for e := range made {
				if tb.m.AppendPublic(nil, e, machine.Watchers) == nil {
					t.Error("an entry without a public form")
				}
			}
		})
	}
	for tb.m.stage == live {
		tb.play1(0)
		for range 3 {
			made <- tb.entries[len(tb.entries)-1]
		}
	}
	close(made)
	readers.Wait()
}

// TestConcurrentMatchesDoNotAffectEachOther: matches share only compiled rules and scratch
// space, and no match changes what another one sees.
func TestConcurrentMatchesDoNotAffectEachOther(t *testing.T) {
	var tables sync.WaitGroup
	want := string(middleOf(t, "wise", "opening=fixed seeds=4 total=0 swap=none", 30, 9).Snapshot(0))
	for range 8 {
		tables.Go(func() {
			for seeds := range 4 {
				middleOf(t, "kalah", fmt.Sprintf("seeds=%d", seeds+2), 20, 1)
			}
			if got := string(middleOf(t, "wise", "opening=fixed seeds=4 total=0 swap=none", 30, 9).Snapshot(0)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	tables.Wait()
}
