package main

import (
	"os"
	"testing"
)

// Bots play each tournament to its end on three instances. In the middle the instance that owns
// the tournament is killed, and another one is restarted. Then every result is checked.
func TestTournamentsAreCountedRightWhileAnInstanceIsKilledAndOneIsRestarted(t *testing.T) {
	t.Parallel()
	all := []struct{ name, flags string }{
		{"Swiss", "--format swiss --players 200 --rounds 3"},
		{"arena", "--format arena --players 100"},
		{"knockout of mini-matches", "--format knockout --players 32 --games 2"},
	}
	if os.Getenv("MANCALA_TEST_LONG") != "" {
		all = append(all,
			struct{ name, flags string }{"long Swiss of mini-matches", "--format swiss --players 500 --rounds 9 --games 2"},
			struct{ name, flags string }{"arena of five minutes", "--format arena --players 100 --minutes 5"},
			struct{ name, flags string }{"large knockout", "--format knockout --players 300"},
		)
	}
	for _, tt := range all {
		t.Run(tt.name, func(t *testing.T) {
			got := bench(t, instancesOf(t, 3)+"--json --work tournament --rate 0 --think 20ms --faults 2 "+tt.flags)
			if len(got) != 1 || got[0].Faults != 2 || got[0].Acknowledged == 0 || got[0].Wrong != 0 {
				t.Errorf("%+v", got)
			}
			t.Logf("%d moves in %v; a round opened in %v; 99 of 100 games counted within %v", got[0].Acknowledged, got[0].Took, got[0].Opened, got[0].CountedP99)
		})
	}
}

func TestOtherGamesAreMeasuredWhileARoundStarts(t *testing.T) {
	t.Parallel()
	for _, instances := range []string{twoInstances(t), "--instances 1 "} {
		got := bench(t, instances+tiny+"--work tournament --faults 0 --players 5 --rounds 2 --rate 50 --think 0")
		if len(got) != 1 || got[0].Games != 2 || got[0].Opened == 0 || got[0].Seated < got[0].Opened || got[0].Moves == 0 || got[0].P99 == 0 || got[0].CountedP99 == 0 || got[0].Wrong != 0 {
			t.Errorf("%+v", got)
		}
	}
}
