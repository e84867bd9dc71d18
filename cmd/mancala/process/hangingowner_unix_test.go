//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mancala/cmd/mancala/proxytest"
	"mancala/match/journal"
	"mancala/web/webtest"
)

// The owner of some games does not die but hangs: it is frozen, or it alone loses its
// database, Redis, or both. Or an instance that only follows the games loses one of them. Its
// players go on at another instance while it still hangs. The clocks of all players are
// credited. The test prints how long each player could not move.
func TestGamesGoOnElsewhereWhileTheirOwnerHangs(t *testing.T) {
	t.Parallel()
	const games = 4
	rounds := 1
	if long() {
		rounds = 50 // 200 games of each kind, four for each time that an owner hangs
	}
	for _, tt := range []struct {
		name       string
		hang, heal func(x *place)
		silent     bool // it does not answer its load balancer either
		follows    bool // the instance that hangs only follows the games
	}{
		{"frozen", func(x *place) { x.freeze() }, func(x *place) { x.signal(syscall.SIGCONT) }, true, false},
		{"without PostgreSQL", func(x *place) { x.postgres.Cut() }, func(x *place) { x.postgres.Heal() }, false, false},
		{"without answers of PostgreSQL", func(x *place) { x.postgres.Stall() }, func(x *place) { x.postgres.Heal() }, false, false},
		{"without PostgreSQL and Redis", func(x *place) { x.postgres.Cut(); x.redis.Cut() }, func(x *place) { x.postgres.Heal(); x.redis.Heal() }, false, false},
		{"without Redis", func(x *place) { x.redis.Cut() }, func(x *place) { x.redis.Heal() }, false, false},
		{"without answers of Redis, only following", func(x *place) { x.redis.Stall() }, func(x *place) { x.redis.Heal() }, false, true},
		{"without PostgreSQL, only following", func(x *place) { x.postgres.Cut() }, func(x *place) { x.postgres.Heal() }, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			places := startServers(t).start(t, 3)
			var there, back durations
			for n := range rounds {
				victim, other := places[n%3], places[(n+1)%3]
				var entry atomic.Pointer[place] // where the load balancer sends clients
				entry.Store(victim)
				var group, ready sync.WaitGroup
				hung := make(chan struct{})
				var at atomic.Int64
				var balancers []*proxytest.Proxy
				for range games {
					balancer := proxytest.New(t, func() (string, string) { return "tcp", entry.Load().addr })
					balancers = append(balancers, balancer)
					ready.Add(1)
					group.Go(func() {
						err := recoverGame(recovery{
							settings: url.Values{"clock": {"5+0"}}, victim: victim.program, other: other.program,
							balancer: "http://" + balancer.Addr(), ready: ready.Done, dead: hung, follows: tt.follows,
							there: func() { there.add(time.Duration(time.Now().UnixNano() - at.Load())) },
							back:  func() { back.add(time.Duration(time.Now().UnixNano() - at.Load())) },
							after: func(a *webtest.Client) error {
								if tt.follows {
									return nil // the owner is well: no clock was paused
								}
								return wantCredit(victim.program, a)
							},
						})
						if err != nil {
							t.Error(err)
						}
					})
				}
				ready.Wait()
				entry.Store(other)
				at.Store(time.Now().UnixNano())
				tt.hang(victim)
				if tt.follows { // until the owner no longer sends it entries
					linger(t, journal.DeadAfter+time.Second)
				}
				close(hung)
				if tt.silent { // as a load balancer does whose checks are not answered
					linger(t, journal.DeadAfter-400*time.Millisecond)
					for _, b := range balancers {
						b.Cut()
						b.Heal()
					}
				}
				group.Wait() // before it is well again
				tt.heal(victim)
			}
			t.Logf("%d times %s, with %d games each; time until a player of another instance can move: %s; until its own player can: %s",
				rounds, tt.name, games, &there, &back)
		})
	}
}

// wantCredit ends a game and expects that its receipt tells of the outage.
func wantCredit(p *program, c *webtest.Client) error {
	if err := c.Must(p.ctx, "resign", nil); err != nil {
		return err
	}
	if err := c.Until(p.ctx, "the end", (*webtest.Game).Over); err != nil {
		return err
	}
	var result struct {
		Reason  string
		Receipt []struct{ Credited int64 }
	}
	var err error
	c.Look(func(g *webtest.Game) {
		var text []byte
		if text, err = json.Marshal(g.State["result"]); err == nil {
			err = json.Unmarshal(text, &result)
		}
	})
	const least = 500 // ms; other instances wait for a second if the connections of the owner to the database have ended
	if err == nil && (result.Reason != "resign" || len(result.Receipt) != 2 || result.Receipt[0].Credited+result.Receipt[1].Credited < least) {
		err = fmt.Errorf("the result is %+v, want a receipt with at least %d ms of credit", result, least)
	}
	return err
}
