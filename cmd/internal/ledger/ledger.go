// Package ledger plays whole games on servers that may fail meanwhile. Afterwards
// it checks that the journal has every acknowledged ply, once and at its place.
//
// The tests of cmd/mancala and the measurements of cmd/mancala-bench share it.
package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mancala/engine"
	"mancala/web/webtest"
)

// Ledger is the games that have been played.
type Ledger struct {
	mu    sync.Mutex
	games []*Game
}

// Add adds g.
func (l *Ledger) Add(g *Game) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.games = append(l.games, g)
}

// Games returns all games in the order in which they were added.
func (l *Ledger) Games() []*Game {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.games)
}

// Game is a game that people have played to its end, and what they know of it.
type Game struct {
	Room, Rules string
	Plies       map[int]string // that were acknowledged
	twice       []string       // what is wrong with the acknowledgements themselves
	seq         []uint64       // what each client has reached
	states      []map[string]any
	Away        []time.Duration // the longest time that each was not up to date
}

// NewGame returns a game in which no ply has been acknowledged yet.
func NewGame(room, rules string) *Game {
	return &Game{Room: room, Rules: rules, Plies: map[int]string{}}
}

// Arrive makes everybody known to the server: were the answer to somebody's very
// first action lost, his seat would be a stranger's.
func Arrive(ctx context.Context, people []*webtest.Person) error {
	for _, person := range people {
		if err := Retry(ctx, func() error { _, err := person.Make(ctx, nil); return err }); err != nil {
			return err
		}
	}
	return nil
}

// Leave ends the connections of people.
func Leave(people []*webtest.Person) {
	for _, p := range people {
		p.Leave()
	}
}

// Seat makes a game and opens it for everybody, whatever happens to the server
// meanwhile. Whoever calls it closes the clients, also after an error.
func Seat(ctx context.Context, people []*webtest.Person, settings url.Values) (room string, clients []*webtest.Client, err error) {
	err = Retry(ctx, func() (err error) {
		room, err = people[0].Make(ctx, settings)
		return err
	})
	if err == nil {
		clients, err = Enter(ctx, people, room)
	}
	return room, clients, err
}

// Enter opens a game for everybody, of whom the first has made it.
func Enter(ctx context.Context, people []*webtest.Person, room string) (clients []*webtest.Client, err error) {
	for i, person := range people {
		if i > 0 {
			if err := Retry(ctx, func() error { return person.Sit(ctx, room) }); err != nil {
				return clients, err
			}
		}
		clients = append(clients, person.Open(room))
	}
	return clients, nil
}

// Play plays a game of random plies from its making to its end, whatever
// happens to the server meanwhile.
func Play(ctx context.Context, people []*webtest.Person, rules string, r *rand.Rand, pulse *atomic.Int64) (*Game, error) {
	room, clients, err := Seat(ctx, people, url.Values{"rules": {rules}})
	defer func() {
		for _, c := range clients {
			c.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	errs := make(chan error, len(clients))
	for i, c := range clients {
		random := rand.New(rand.NewPCG(r.Uint64(), uint64(i)))
		go func() {
			errs <- c.PlayOn(ctx, random, func(*webtest.Game) bool { pulse.Add(1); return false })
		}()
	}
	for range clients {
		if err := <-errs; err != nil { // the others would wait for him for ever
			return nil, err
		}
	}
	g := NewGame(room, rules)
	return g, g.note(ctx, clients)
}

// Retry repeats what needs a server until one is there.
func Retry(ctx context.Context, f func() error) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := f()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// note writes down what the clients know.
func (g *Game) note(ctx context.Context, clients []*webtest.Client) error {
	for _, c := range clients {
		if err := c.Until(ctx, "the end", (*webtest.Game).Over); err != nil {
			return err
		}
		g.Acknowledge(c.Played())
		if away := c.Away(); len(away) > 0 {
			g.Away = append(g.Away, slices.Max(away))
		}
		c.Look(func(game *webtest.Game) {
			g.seq = append(g.seq, game.Seq)
			g.states = append(g.states, game.State)
		})
	}
	return nil
}

// Acknowledge writes down what one client's plies were answered with.
func (g *Game) Acknowledge(turns []webtest.Turn) {
	for _, t := range turns {
		if before, known := g.Plies[t.Ply]; known {
			g.twice = append(g.twice, fmt.Sprintf("%s: ply %d was acknowledged as %s and as %s", g.Room, t.Ply, before, t.Move))
		}
		g.Plies[t.Ply] = t.Move
	}
}

// Check compares what people know with what the server has, and says what is
// wrong: get reads from any instance.
func (g *Game) Check(get func(path string) (string, error)) (wrong []string) {
	wrong = append(wrong, g.twice...)
	fault := func(err error) []string { return append(wrong, fmt.Sprintf("%s in %s: %v", g.Rules, g.Room, err)) }
	var api struct {
		Seq  uint64
		Snap json.RawMessage
	}
	if err := getJSON(get, "/api/v1/games/"+g.Room, &api); err != nil {
		return fault(err)
	}
	state, err := webtest.Decode(api.Snap)
	if err != nil {
		return fault(err)
	}
	for i := range g.states {
		if g.seq[i] != api.Seq || !reflect.DeepEqual(g.states[i], state) {
			wrong = fault(fmt.Errorf("client %d has at %d\n%v\nthe server has at %d\n%v", i, g.seq[i], g.states[i], api.Seq, state))
		}
	}
	var replay struct{ Plies []struct{ Move string } }
	if err := getJSON(get, "/api/v1/games/"+g.Room+"/replay", &replay); err != nil {
		return fault(err)
	}
	var moves []string
	for _, ply := range replay.Plies {
		moves = append(moves, ply.Move)
	}
	for _, w := range compareMoves(g.Plies, moves) {
		wrong = fault(errors.New(w))
	}
	text, err := get("/" + g.Room + "/record")
	if err == nil {
		var record *engine.Record
		if record, err = engine.ParseRecord(text); err == nil {
			_, err = record.Replay()
		}
	}
	if err != nil {
		return fault(err)
	}
	return wrong
}

func getJSON(get func(string) (string, error), path string, v any) error {
	text, err := get(path)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), v)
}

// compareMoves says what is wrong with a game's moves in the journal: each that was
// Acknowledged must be there, at its place and once, and no other. Everybody
// repeats what is not answered, so none may be there that nobody knows of.
func compareMoves(acknowledged map[int]string, journal []string) (wrong []string) {
	for i, move := range journal {
		if said, ok := acknowledged[i]; !ok {
			wrong = append(wrong, fmt.Sprintf("ply %d, %s, is in the journal and was acknowledged to nobody", i, move))
		} else if said != move {
			wrong = append(wrong, fmt.Sprintf("ply %d is %s in the journal and was acknowledged as %s", i, move, said))
		}
	}
	for ply, move := range acknowledged {
		if ply < 0 || ply >= len(journal) {
			wrong = append(wrong, fmt.Sprintf("ply %d, %s, was acknowledged and is lost", ply, move))
		}
	}
	return wrong
}
