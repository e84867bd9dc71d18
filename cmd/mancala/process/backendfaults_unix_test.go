//go:build unix

package process

import (
	"syscall"
	"testing"
	"time"

	"mancala/match/bus/redistest"
	"mancala/match/journal"
	"mancala/match/journal/pgtest"
)

// TestNothingIsLostUnderKillsPausesAndOutages lets people on different instances play while
// instances are killed and paused, and Redis and PostgreSQL are stopped and started again.
// Every acknowledged ply is in the journal once, and all clients have the same board.
func TestNothingIsLostUnderKillsPausesAndOutages(t *testing.T) {
	t.Parallel()
	pgtest.Open(t) // skips
	redistest.Open(t)
	postgres, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(postgres.Remove)
	redis, err := redistest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(redis.Remove)
	flags := append([]string{"--redis", redis.URL()}, fast...)
	var instances []*program
	for range 3 {
		instances = append(instances, startProgram(t, postgres.URL("postgres"), flags...))
	}
	victim := instances[1]
	testFaults(t, instances, []func(){
		func() { // longer than its lease: other instances take its rooms, and it must notice that
			victim.freeze()
			linger(t, journal.DeadAfter+2*time.Second)
			victim.signal(syscall.SIGCONT)
		},
		func() {
			redis.Stop()
			linger(t, 2*time.Second)
			if err := redis.Restart(); err != nil {
				t.Error(err)
			}
		},
		func() {
			postgres.Stop()
			if err := postgres.Restart(); err != nil {
				t.Error(err)
			}
		},
		func() { victim.kill(); victim.start() },
	})
}

// Masters of the cluster are killed while people play. Messages between instances are lost
// until a replica has become the master.
func TestFailOverOfARedisClusterLosesNoMove(t *testing.T) {
	t.Parallel()
	database := pgtest.Open(t)
	cluster := redistest.StartCluster(t)
	testFailOver(t, database, cluster.URL(), cluster.KillMaster)
}

func TestFailOverBySentinelsLosesNoMove(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("a long run: needs MANCALA_TEST_LONG=1")
	}
	database := pgtest.Open(t)
	sentinel := redistest.StartSentinel(t)
	testFailOver(t, database, sentinel.URL(), sentinel.KillMaster)
}

func testFailOver(t *testing.T, database, redis string, kill func(testing.TB) func()) {
	flags := append([]string{"--redis", redis}, fast...)
	instances := []*program{startProgram(t, database, flags...), startProgram(t, database, flags...)}
	failOver := func() { kill(t)() }
	testFaults(t, instances, []func(){failOver, failOver})
}

// linger waits while a fault lasts.
func linger(t *testing.T, d time.Duration) {
	select {
	case <-time.After(d):
	case <-t.Context().Done():
	}
}
