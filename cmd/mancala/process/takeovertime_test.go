package process

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/cmd/mancala/proxytest"
	"mancala/web/webtest"
)

// The owner of some games is killed several times. The test prints the time until a player
// who is connected to another instance can move again, and the time for a player of the
// killed instance, whose page comes back through a load balancer.
func TestGamesGoOnAfterTheirOwnerWasKilled(t *testing.T) {
	t.Parallel()
	const games = 4
	kills := 5
	if long() {
		kills = 200
	}
	instances := startInstances(t, 3)
	var there, back durations
	for k := range kills {
		victim, other := instances[k%3], instances[(k+1)%3]
		var group, ready sync.WaitGroup
		dead := make(chan struct{}) // closed right after the kill
		var at atomic.Int64
		entry := victim // where the load balancer sends clients
		var entryMu sync.Mutex
		balancer := proxytest.New(t, func() (string, string) {
			entryMu.Lock()
			defer entryMu.Unlock()
			return "tcp", entry.addr
		})
		for range games {
			ready.Add(1)
			group.Go(func() {
				err := recoverGame(recovery{
					settings: url.Values{}, victim: victim, other: other, balancer: "http://" + balancer.Addr(), ready: ready.Done, dead: dead,
					there: func() { there.add(time.Duration(time.Now().UnixNano() - at.Load())) },
					back:  func() { back.add(time.Duration(time.Now().UnixNano() - at.Load())) },
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		ready.Wait()
		entryMu.Lock()
		entry = other
		entryMu.Unlock()
		at.Store(time.Now().UnixNano())
		victim.kill()
		close(dead)
		group.Wait()
		victim.start()
	}
	t.Logf("%d kills of the owner of %d games; time until a player of another instance can move: %s; until its own player can move: %s", kills, games, &there, &back)
}

// recovery is a game whose owner fails, between a player of that instance, who comes back
// through a load balancer, and a player of another one.
type recovery struct {
	settings      url.Values
	victim, other *program
	balancer      string
	follows       bool                          // the victim only follows the game, and other owns it
	ready         func()                        // called when the owner may fail
	dead          <-chan struct{}               // closed when it has failed
	there, back   func()                        // called when the player of the other instance, and of the victim, has moved
	after         func(a *webtest.Client) error // called at the end; may be nil
}

// recoverGame plays a game until its owner fails, and then one more turn of each player.
func recoverGame(g recovery) error {
	var once sync.Once
	defer once.Do(g.ready)
	ctx := g.victim.ctx
	ada, ben := webtest.NewPerson(g.balancer), webtest.NewPerson(g.other.base())
	defer ada.Leave()
	defer ben.Leave()
	ada.AsPage, ben.AsPage = true, true
	g.settings.Set("rules", "oware")
	g.settings.Set("start", "creator")
	room, err := ada.Make(ctx, g.settings)
	if err != nil {
		return err
	}
	if g.follows { // the first instance that opens a room owns it
		if err := ben.Sit(ctx, room); err != nil {
			return err
		}
	}
	a := ada.Open(room)
	defer a.Close()
	if err := a.Ready(ctx); err != nil {
		return err
	}
	if !g.follows {
		if err := ben.Sit(ctx, room); err != nil {
			return err
		}
	}
	b := ben.Open(room)
	defer b.Close()
	r := rand.New(rand.NewPCG(1, 1))
	play := func(c *webtest.Client) error {
		turn, ok, err := c.MyTurn(ctx, r, nil)
		if err == nil && !ok {
			err = fmt.Errorf("%s: no ply to make", room)
		}
		if err == nil {
			err = c.Must(ctx, "move", map[string]any{"ply": turn.Ply, "move": turn.Move})
		}
		return err
	}
	if err := play(a); err != nil {
		return err
	}
	if err := b.Until(ctx, "the first ply", func(g *webtest.Game) bool { return g.Number("ply") == 1 }); err != nil {
		return err
	}
	// The owner's refusal shows that it has heard from ben's instance that they are there: messages of
	// one instance to another keep their order.
	if f, err := b.Do(ctx, "decline", map[string]any{"what": "draw"}); err != nil {
		return err
	} else if f.Code != "no-offer" {
		return fmt.Errorf("ben declines a draw that was not offered, and gets %s", f.Raw)
	}
	once.Do(g.ready)
	<-g.dead
	if err := play(b); err != nil {
		return err
	}
	g.there()
	if err := play(a); err != nil {
		return err
	}
	g.back()
	if g.after == nil {
		return nil
	}
	return g.after(a)
}

// durations collects times.
type durations struct {
	mu   sync.Mutex
	list []time.Duration
}

func (d *durations) add(one time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list = append(d.list, one)
}

func (d *durations) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.list) == 0 {
		return "none"
	}
	slices.Sort(d.list)
	at := func(share float64) time.Duration {
		return d.list[int(share*float64(len(d.list)-1))].Round(time.Millisecond)
	}
	return fmt.Sprintf("p50 %v, p99 %v, most %v of %d", at(0.5), at(0.99), at(1), len(d.list))
}
