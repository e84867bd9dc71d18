package main

import (
	"os"
	"testing"

	"mancala/cmd/internal/server"
)

// Bots play each tournament to its end on three instances. In the middle the instance that owns
// the tournament is killed, and another one is restarted. Then every result is checked. The race detector
// watches the instances of the smallest tournament, through the same faults. The others check the counting
// of hundreds of games. With it they take 2.5 times as much processor time.
func TestTournamentsAreCountedRightWhileAnInstanceIsKilledAndOneIsRestarted(t *testing.T) {
	t.Parallel()
	type row struct {
		name, flags string
		program     *server.Program
	}
	all := []row{
		{"Swiss", "--format swiss --players 200 --rounds 3", &unraced},
		{"arena", "--format arena --players 100", &unraced},
		{"knockout of mini-matches", "--format knockout --players 32 --games 2", &built},
	}
	if os.Getenv("MANCALA_TEST_LONG") != "" {
		all = append(all,
			row{"Swiss with the race detector", "--format swiss --players 200 --rounds 3", &built},
			row{"arena with the race detector", "--format arena --players 100", &built},
			row{"long Swiss of mini-matches", "--format swiss --players 500 --rounds 9 --games 2", &built},
			row{"arena of five minutes", "--format arena --players 100 --minutes 5", &built},
			row{"large knockout", "--format knockout --players 300", &built},
		)
	}
	for _, tt := range all {
		t.Run(tt.name, func(t *testing.T) {
			got := benchOf(t, tt.program, instancesOf(t, 3)+"--json --work tournament --rate 0 --think 20ms --faults 2 "+tt.flags)
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
