package process

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"

	"mancala/cmd/internal/ledger"
	"mancala/web/webtest"
)

var (
	complaint = regexp.MustCompile("level=(WARN|ERROR)")
	// lateLife is a warning that a slow machine causes: a sign of life took a second.
	lateLife = regexp.MustCompile(`level=WARN msg="room: sign of life (of the service )?not written"`)
)

// The server is asked to shut down while people play. It tells their sockets to come back
// and exits with status 0. The next server has every acknowledged ply.
func TestShutdownLosesNothingAndTellsClientsToComeBack(t *testing.T) {
	t.Parallel()
	p := startProgram(t, filepath.Join(t.TempDir(), "mancala.db"), fast...)
	watched := webtest.NewPerson(p.base())
	defer watched.Leave()
	room, err := watched.Make(p.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	idle := watched.Open(room) // does nothing
	defer idle.Close()
	if err := idle.Ready(p.ctx); err != nil {
		t.Fatal(err)
	}

	var pulse atomic.Int64
	var ending atomic.Bool
	var games ledger.Ledger
	var group sync.WaitGroup
	for i, rules := range []string{"kalah", "oware", "giuthi"} {
		group.Go(func() {
			people, err := gather([]*program{p}, 0, rules)
			if err != nil {
				t.Error(err)
				return
			}
			defer ledger.Leave(people)
			for n := uint64(0); !ending.Load(); n++ {
				g, err := ledger.Play(p.ctx, people, rules, rand.New(rand.NewPCG(uint64(i), n)), &pulse)
				if err != nil {
					t.Error(err)
					return
				}
				games.Add(g)
			}
		})
	}
	for n := range 3 {
		more := pulse.Load() + 200
		await(t, p.ctx, func() bool { return pulse.Load() >= more })
		if code := p.stop(); code != 0 {
			t.Errorf("exit status %d\n%s", code, p.log)
		}
		if complaint.MatchString(lateLife.ReplaceAllString(p.log.String(), "")) {
			t.Errorf("the log has errors or warnings:\n%s", p.log)
		}
		await(t, p.ctx, func() bool { return len(idle.Closes()) > n })
		p.start()
		if err := idle.Ready(p.ctx); err != nil {
			t.Error(err)
		}
	}
	ending.Store(true)
	group.Wait()
	for _, g := range games.Games() {
		checkOn(t, p, g)
	}
	told := 0
	for _, code := range idle.Closes() {
		if code == 4000 {
			told++
		}
	}
	// There is one more close if the client comes back while the server still shuts down.
	if told < 3 {
		t.Errorf("the idle client was told to come back %d times instead of 3: %v", told, idle.Closes())
	}
}
