//go:build unix

package process

import (
	"math/rand/v2"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/cmd/internal/ledger"
	"mancala/cmd/mancala/proxytest"
	"mancala/web/webtest"
)

// All instances are restarted one after the other while people play through a load
// balancer, which sends no one to an instance that shuts down. The test prints the longest
// wait of each player for the answer to a move.
func TestGamesGoOnInARollingRestartUnderALoadBalancer(t *testing.T) {
	t.Parallel()
	const games = 10
	instances := startInstances(t, 3)
	var leaving atomic.Int64 // the instance that gets no clients; -1: none
	leaving.Store(-1)
	var longest, leaves durations
	var ending atomic.Bool
	var group sync.WaitGroup
	t.Cleanup(group.Wait)
	for n := range games {
		var people []*webtest.Person
		for seat := range 2 {
			balancer := proxytest.New(t, func() (string, string) {
				to := (n + seat) % 3
				if int64(to) == leaving.Load() {
					to = (to + 1) % 3
				}
				return "tcp", instances[to].addr
			})
			p := webtest.NewPerson("http://" + balancer.Addr())
			p.AsPage = true
			people = append(people, p)
		}
		group.Go(func() {
			if err := playSlowly(t, instances[0], people, uint64(n), &ending, &longest); err != nil {
				t.Error(err)
			}
		})
	}
	for i, p := range instances {
		linger(t, 2*time.Second)
		leaving.Store(int64(i))
		asked := time.Now()
		if code := p.stop(); code != 0 {
			t.Errorf("exit status %d\n%s", code, p.log)
		}
		leaves.add(time.Since(asked))
		p.start()
		leaving.Store(-1)
	}
	linger(t, time.Second)
	ending.Store(true)
	group.Wait()
	t.Logf("rolling restart of 3 under %d games: longest wait of a player: %s; an instance shut down in: %s", games, &longest, &leaves)
}

// playSlowly plays one game after the other with a pause before each move.
func playSlowly(t *testing.T, p *program, people []*webtest.Person, run uint64, ending *atomic.Bool, longest *durations) error {
	defer ledger.Leave(people)
	waited := make([]time.Duration, len(people))
	for n := uint64(0); !ending.Load(); n++ {
		var room string
		err := ledger.Retry(p.ctx, func() (err error) {
			room, err = people[0].Make(p.ctx, url.Values{"rules": {"oware"}})
			return err
		})
		if err == nil {
			err = ledger.Retry(p.ctx, func() error { return people[1].Sit(p.ctx, room) })
		}
		if err != nil {
			return err
		}
		errs := make(chan error, len(people))
		for i, person := range people {
			c := person.Open(room)
			r := rand.New(rand.NewPCG(run, n<<8|uint64(i)))
			go func() {
				defer c.Close()
				for ok, err := true, error(nil); ; {
					var turn webtest.Turn
					turn, ok, err = c.MyTurn(p.ctx, r, func(*webtest.Game) bool { return ending.Load() })
					if ok && err == nil {
						linger(t, 20*time.Millisecond)
						err = c.Must(p.ctx, "move", map[string]any{"ply": turn.Ply, "move": turn.Move})
					}
					if !ok || err != nil {
						waited[i] = max(waited[i], c.Longest())
						errs <- err
						return
					}
				}
			}()
		}
		for range people {
			if err := <-errs; err != nil {
				return err
			}
		}
	}
	for _, d := range waited {
		longest.add(d)
	}
	return nil
}
