package histories

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/history"
	"mancala/cmd/internal/ledger"
	"mancala/web/webtest"
)

// table is two players on different instances and a watcher on the third, who play one
// game after the other.
type table struct {
	s       *service
	n       int
	rules   string
	clock   string
	sleeper bool // in this game one player thinks until their flag falls
	people  []*person
	ending  *atomic.Bool
	gate    *sync.RWMutex // held while no game may begin

	mu      sync.Mutex
	clients []*webtest.Client // of the present game
}

// person is a player or watcher with everything that is recorded of them.
type person struct {
	*webtest.Person
	line   *line
	rec    *history.Recorder
	client string // their name in the history
	player string // their ID
	room   string // where they are now
}

// tables are the games that are played at once.
var tables = []struct {
	rules, clock string
	sleeper      bool
}{
	{"oware", "0.5+0", true},
	{"kalah", "0.5+0", true},
	{"kalah", "1+0", false},
	{"oware", "3+2", false},
	{"kalah", "1/move", false},
	{"oware", "none", false},
}

// sit gathers the people of a table.
func (s *service) sit(ctx context.Context, n int, ending *atomic.Bool, gate *sync.RWMutex) (*table, error) {
	t := &table{s: s, n: n, rules: tables[n].rules, clock: tables[n].clock, sleeper: tables[n].sleeper, ending: ending, gate: gate}
	for i, role := range []string{"south", "north", "watcher"} {
		l := s.newLine((n + i) % places)
		p := &person{Person: webtest.NewPerson("http://" + l.proxy.Addr()), line: l, rec: s.rec, client: fmt.Sprint(n, "-", role)}
		p.AsPage, p.Observer = true, p
		if err := ledger.Arrive(ctx, []*webtest.Person{p.Person}); err != nil {
			return nil, err
		}
		page, err := p.Get(ctx, "/api/v1/me")
		if err == nil {
			var me struct{ ID string }
			err = json.Unmarshal([]byte(page.Body), &me)
			p.player = me.ID
		}
		if err != nil {
			return nil, err
		}
		t.people = append(t.people, p)
	}
	return t, nil
}

// Asked implements [webtest.Observer].
func (p *person) Asked(id, kind string, fields map[string]any) {
	op := history.Op{Client: p.client, Player: p.player, Room: p.room, ID: id, Kind: kind}
	op.Move, _ = fields["move"].(string)
	op.Ply, _ = fields["ply"].(int)
	p.rec.Ask(op)
}

// Answered implements [webtest.Observer].
func (p *person) Answered(f webtest.Frame) {
	if f.T == "err" {
		p.rec.Answer(p.client, f.ID, history.Refused, f.Code, 0)
	} else {
		p.rec.Answer(p.client, f.ID, history.OK, "", f.Seq)
	}
}

// Saw implements [webtest.Observer].
func (p *person) Saw(g *webtest.Game, f webtest.Frame) {
	seen := history.Seen{Client: p.client, Player: p.player, Room: p.room, Seq: g.Seq, Sum: g.Text("sum"), Run: int64(g.Number("run")), Now: f.Now, Over: g.Over()}
	for _, ms := range g.Numbers("clock") {
		seen.Clock = append(seen.Clock, int64(ms))
	}
	p.rec.See(seen)
}

// playOn plays one game after the other until the end is near.
func (t *table) playOn(ctx context.Context, r *rand.Rand) error {
	for !t.ending.Load() {
		if err := t.play(ctx, r); err != nil {
			return fmt.Errorf("table %d: %w", t.n, err)
		}
		t.sleeper = t.sleeper && os.Getenv("MANCALA_TEST_LONG") != ""
	}
	return nil
}

// hurries reports whether the game must end now. A flag is waited for.
func (t *table) hurries() bool { return t.ending.Load() && !t.sleeper }

// wake makes the players connect again, and look at their game: the end is near.
func (t *table) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.clients {
		c.Drop()
	}
}

// play plays one game.
func (t *table) play(ctx context.Context, r *rand.Rand) error {
	var readers sync.WaitGroup
	var clients []*webtest.Client
	over := make(chan struct{})
	defer func() {
		close(over)
		readers.Wait()
		for i, c := range clients {
			c.Close()
			t.people[i].line.leave()
		}
	}()
	if err := t.begin(ctx, &clients); err != nil {
		return err
	}
	t.mu.Lock()
	t.clients = clients
	t.mu.Unlock()
	for i, p := range t.people[1:] {
		reader := rand.New(rand.NewPCG(r.Uint64(), uint64(i)))
		readers.Go(func() { t.read(ctx, p, reader, over) })
	}
	sleeper, sleeps := -1, 0
	if t.sleeper {
		sleeper, sleeps = r.IntN(2), 2+r.IntN(3)
	}
	errs := make(chan error, len(clients))
	for i, c := range clients {
		r := rand.New(rand.NewPCG(r.Uint64(), uint64(i)))
		go func() {
			switch {
			case i == 2:
				errs <- c.Until(ctx, "the end", (*webtest.Game).Over)
			case i == sleeper:
				errs <- t.seat(ctx, c, r, sleeps)
			default:
				errs <- t.seat(ctx, c, r, -1)
			}
		}()
	}
	var err error
	for range clients {
		if e := <-errs; e != nil && err == nil {
			err = e
			for _, c := range clients { // they would wait for this player forever
				c.Close()
			}
		}
	}
	return err
}

// begin makes a game and opens it for everybody.
func (t *table) begin(ctx context.Context, clients *[]*webtest.Client) error {
	t.gate.RLock()
	defer t.gate.RUnlock()
	var room string
	settings := url.Values{"rules": {t.rules}, "clock": {t.clock}, "start": {"creator"}}
	err := ledger.Retry(ctx, func() (err error) { room, err = t.people[0].Make(ctx, settings); return err })
	if err == nil {
		err = ledger.Retry(ctx, func() error { return t.people[1].Sit(ctx, room) })
	}
	if err != nil {
		return err
	}
	for _, p := range t.people {
		p.room = room
		p.line.enter(history.Place{Client: p.client, Player: p.player, Room: room})
		*clients = append(*clients, p.Open(room))
	}
	return nil
}

// seat plays for one player until the end of the game. From the ply with the number sleeps
// on they make no move; -1 is never.
func (t *table) seat(ctx context.Context, c *webtest.Client, r *rand.Rand, sleeps int) error {
	for {
		var turn webtest.Turn
		var offered string
		var over, mine bool
		err := c.Until(ctx, "my turn", func(g *webtest.Game) bool {
			over, mine, offered = g.Over(), false, ""
			if offers, ok := g.State["offers"].([]any); ok {
				for _, o := range offers {
					if o, ok := o.(map[string]any); ok && fmt.Sprint(o["seat"]) != fmt.Sprint(g.As) {
						offered, _ = o["what"].(string)
					}
				}
			}
			if g.Text("state") == "live" && g.Number("turn") == g.As && len(g.Legal) > 0 {
				turn = webtest.Turn{Ply: g.Number("ply"), Move: g.Legal[r.IntN(len(g.Legal))]}
				mine = sleeps < 0 || turn.Ply < sleeps
			}
			return over || mine || offered != "" || t.hurries()
		})
		switch {
		case err != nil || over:
			return err
		case t.hurries():
			if _, err := c.Do(ctx, "resign", nil); err != nil {
				return err
			}
			return c.Until(ctx, "the end", (*webtest.Game).Over)
		case offered != "":
			err = t.answer(ctx, c, r, offered)
		default:
			err = t.move(ctx, c, r, turn)
		}
		if err != nil {
			return err
		}
	}
}

// answer answers an offer. A command may be refused, if the game has gone on meanwhile.
func (t *table) answer(ctx context.Context, c *webtest.Client, r *rand.Rand, offered string) error {
	kind := "decline"
	if offered == "takeback" && r.IntN(2) == 0 {
		kind = "accept"
	}
	_, err := c.Do(ctx, kind, map[string]any{"what": offered})
	return err
}

// move thinks, sometimes makes an offer, and moves.
func (t *table) move(ctx context.Context, c *webtest.Client, r *rand.Rand, turn webtest.Turn) error {
	think(ctx, time.Duration(r.IntN(700))*time.Millisecond)
	switch r.IntN(12) {
	case 0:
		if _, err := c.Do(ctx, "offer", map[string]any{"what": "draw"}); err != nil {
			return err
		}
	case 1:
		if _, err := c.Do(ctx, "offer", map[string]any{"what": "takeback", "ply": turn.Ply}); err != nil {
			return err
		}
	}
	_, err := c.Do(ctx, "move", map[string]any{"ply": turn.Ply, "move": turn.Move})
	return err
}

// think waits for as long as a person thinks.
func think(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// read asks for the game over HTTP, again and again, on the instance to which the person is
// connected. What it gets counts as seen by the person.
func (t *table) read(ctx context.Context, p *person, r *rand.Rand, over <-chan struct{}) {
	client := &http.Client{Timeout: 3 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		think(ctx, time.Duration(100+r.IntN(400))*time.Millisecond)
		select {
		case <-over:
			return
		case <-ctx.Done():
			return
		default:
		}
		asked := p.rec.Now()
		seen, err := view(client, t.s.instances[p.line.current.Load()].addr, p.room)
		if err != nil {
			continue // an instance may be away
		}
		seen.Page, seen.Client, seen.Player, seen.Room, seen.Asked = true, p.client, p.player, p.room, asked
		p.rec.See(seen)
	}
}

// view reads a game from the API.
func view(client *http.Client, addr, room string) (history.Seen, error) {
	r, err := client.Get("http://" + addr + "/api/v1/games/" + room)
	if err != nil {
		return history.Seen{}, err
	}
	defer r.Body.Close()
	var game struct {
		Seq  uint64
		Now  int64
		Snap struct {
			Sum, State string
			Clock      []int64
			Run        int64
		}
	}
	if r.StatusCode != http.StatusOK {
		return history.Seen{}, errors.New(r.Status)
	}
	err = json.NewDecoder(r.Body).Decode(&game)
	return history.Seen{Seq: game.Seq, Now: game.Now, Sum: game.Snap.Sum, Clock: game.Snap.Clock, Run: game.Snap.Run, Over: game.Snap.State == "over"}, err
}
