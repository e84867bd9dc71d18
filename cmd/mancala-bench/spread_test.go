package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mancala/match/bus/redistest"
	"mancala/match/journal"
	"mancala/match/journal/pgjournal"
	"mancala/match/journal/pgtest"
)

func TestPlayersAreSpreadEvenlyOverInstances(t *testing.T) {
	for _, tt := range []struct {
		bases    string
		together bool
		apart    int // of 12 games
	}{
		{"a", false, 0},
		{"a b", false, 12},
		{"a b c", false, 12},
		{"a b c", true, 0},
	} {
		d := newMancalaDriver(strings.Fields(tt.bases)...)
		d.together = tt.together
		apart, people := 0, map[string]int{}
		for n := range 12 {
			if d.at(n, 0) != d.at(n, 1) {
				apart++
			}
			people[d.at(n, 0)]++
			people[d.at(n, 1)]++
		}
		if apart != tt.apart {
			t.Errorf("%s: %d games have players apart, want %d", tt.bases, apart, tt.apart)
		}
		for base, n := range people {
			if n != 24/len(d.bases) {
				t.Errorf("%s: %d people are on %s", tt.bases, n, base)
			}
		}
	}
}

// twoInstances returns flags for two instances on the tests' PostgreSQL and Redis.
func twoInstances(t *testing.T) string { return instancesOf(t, 2) }

func instancesOf(t *testing.T, n int) string {
	return fmt.Sprintf(" --instances %d --database %s --redis %s ", n, pgtest.Open(t), redistest.Open(t))
}

func TestEveryWorkloadRunsOnSeveralInstances(t *testing.T) {
	t.Parallel()
	got := bench(t, tiny+twoInstances(t)+"--work span,durable,crowd --durable 4 --crowd 20")
	var works []string
	for _, r := range got {
		works = append(works, r.Kind+" "+r.Server)
		// Instances exchange messages and write rows all the time, and when somebody comes:
		// also when a slow machine makes few moves.
		background := int(100 * (1 + r.Took.Seconds()))
		if r.Moves == 0 || r.P50 == 0 || r.Rows < r.Moves || r.Statements == 0 || r.Statements > r.Rows+background {
			t.Errorf("%+v", r)
		}
		// With "apart" each entry goes to the other instance, and half of the
		// commands come from there. Otherwise there is only what goes on all the time.
		if apart := r.Server == "apart"; apart && r.Publishes < r.Moves || !apart && r.Publishes > r.Moves/2+background {
			t.Errorf("%s: %d messages for %d moves in %v", works[len(works)-1], r.Publishes, r.Moves, r.Took)
		}
	}
	want := []string{"span one", "span apart", "durable one", "durable together", "durable apart", "crowd one", "crowd apart"}
	if !reflect.DeepEqual(works, want) {
		t.Errorf("the workloads were %q, want %q", works, want)
	}
}

func TestRunningInstancesCanBeMeasured(t *testing.T) {
	t.Parallel()
	p := plan{errOut: raceless{t}, program: testProgram(t), log: "error", shared: &backends{database: pgtest.Open(t), relay: redistest.Open(t)}}
	c, err := p.startCluster(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer c.stop()
	admins := c.list[0].admin + "," + c.list[1].admin
	got := bench(t, tiny+"--work span --targets "+strings.Join(c.bases(), ",")+" --target-admins "+admins)
	if len(got) != 2 || got[1].Server != "apart" || got[1].Publishes < got[1].Moves {
		t.Errorf("%+v", got)
	}
}

// The second half removes and doubles entries in the journal, to prove that holes finds
// them.
func TestChaosLosesNothingAndHolesInTheJournalAreFound(t *testing.T) {
	t.Parallel()
	flags := twoInstances(t)
	got := bench(t, flags+"--json --chaos --faults 3 --seed 3")
	if len(got) != 1 || got[0].Faults != 3 || got[0].Acknowledged == 0 || got[0].Wrong != 0 {
		t.Fatalf("%+v", got)
	}
	c := &cluster{database: strings.Fields(flags)[3]}
	db, err := sql.Open("pgx", c.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, plant := range []string{
		"DELETE FROM entries WHERE seq = 2 AND room = (SELECT min(room) FROM entries WHERE seq = 9)",
		"UPDATE entries SET key = (SELECT key FROM entries e WHERE e.room = entries.room AND e.seq = 7) WHERE seq = 8 AND room = (SELECT max(room) FROM entries WHERE seq = 9)",
	} {
		before, err := c.holes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(plant); err != nil {
			t.Fatal(err)
		}
		if after, err := c.holes(t.Context()); err != nil || len(after) != len(before)+1 {
			t.Errorf("%s: found %q, %v", plant, after, err)
		}
	}
}

func TestHolesInOpenAndFoldedRoomsAreFound(t *testing.T) {
	t.Parallel()
	c := &cluster{database: pgtest.Open(t)}
	j, err := pgjournal.Open(t.Context(), pgjournal.Options{URL: c.database})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	row := func(seq uint64, key string) journal.Row { return journal.Row{Seq: seq, Key: key} }
	for id, rows := range map[string][]journal.Row{
		"good":    {row(1, "p1\n1"), row(2, "p1\n2"), row(3, "p1\nback"), row(4, "p1\n"), row(5, "p1\n"), row(6, "p1\nback")},
		"doubled": {row(1, "p1\n1"), row(2, "p1\n1")},
		"short":   {row(1, "p1\n1"), row(2, "p1\n2")},

		"open":        {row(1, "p1\n1"), row(2, "p1\nback"), row(3, "p1\n"), row(4, "p1\n"), row(5, "p1\nback")},
		"opendoubled": {row(1, "p1\n1"), row(2, "p1\n1")},
	} {
		if err := j.Create(t.Context(), journal.Room{ID: id, Kind: "match"}, rows...); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(id, "open") {
			continue
		}
		if err := j.Fold(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("pgx", c.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE rooms SET seq = 3 WHERE id = 'short'"); err != nil {
		t.Fatal(err)
	}
	found, err := c.holes(t.Context())
	slices.Sort(found)
	want := []string{"doubled: a command is there 2 times", "opendoubled: a command is there 2 times", "short: 2 entries up to 2, the room's row says 3"}
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("found %q, %v; want %q", found, err, want)
	}
}

func TestScheduleDependsOnlyOnTheNumberOfItsRun(t *testing.T) {
	run := rand.Uint64()
	all := schedule(run, 200, 3)
	if !reflect.DeepEqual(all, schedule(run, 200, 3)) {
		t.Errorf("run %d has two schedules", run)
	}
	if reflect.DeepEqual(all, schedule(run+1, 200, 3)) {
		t.Errorf("runs %d and the next have the same schedule", run)
	}
	for _, kind := range []string{"kill", "pause", "restart"} {
		for victim := range 3 {
			if !slices.ContainsFunc(all, func(f fault) bool { return f.kind == kind && f.victim == victim }) {
				t.Errorf("run %d: none of 200 faults is a %s of instance %d", run, kind, victim)
			}
		}
	}
}

func TestRollingRestartsKillsAndFreezesLoseNothing(t *testing.T) {
	t.Parallel()
	got := bench(t, twoInstances(t)+"--json --work rolling,kills,freezes --games 3 --faults 1")
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, faults := range []int{1, 1, 2} { // the results of kills and freezes come first
		if r := got[i]; r.Faults != faults || r.Acknowledged == 0 || r.Wrong != 0 || r.P99 == 0 {
			t.Errorf("%+v", r)
		}
	}
}
