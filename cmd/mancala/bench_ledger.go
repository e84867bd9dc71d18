package main

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

// ledger is the games that have been played.
type ledger struct {
	mu   sync.Mutex
	list []*played
}

func (l *ledger) add(g *played) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, g)
}

// played is a game that people have played to its end, and what they know of it.
type played struct {
	room, rules string
	plies       map[int]string // that were acknowledged
	twice       []string       // what is wrong with the acknowledgements themselves
	seq         []uint64       // what each client has reached
	states      []map[string]any
	away        []time.Duration // the longest time that each was not up to date
}

// arrive makes everybody known to the server: were the answer to somebody's very
// first action lost, his seat would be a stranger's.
func arrive(ctx context.Context, people []*webtest.Person) error {
	for _, person := range people {
		if err := retry(ctx, func() error { _, err := person.Make(ctx, nil); return err }); err != nil {
			return err
		}
	}
	return nil
}

func leave(people []*webtest.Person) {
	for _, p := range people {
		p.Leave()
	}
}

// seat makes a game and opens it for everybody, whatever happens to the server
// meanwhile. Whoever calls it closes the clients, also after an error.
func seat(ctx context.Context, people []*webtest.Person, settings url.Values) (room string, clients []*webtest.Client, err error) {
	err = retry(ctx, func() (err error) {
		room, err = people[0].Make(ctx, settings)
		return err
	})
	if err == nil {
		clients, err = enterRoom(ctx, people, room)
	}
	return room, clients, err
}

// enterRoom opens a game for everybody, of whom the first has made it.
func enterRoom(ctx context.Context, people []*webtest.Person, room string) (clients []*webtest.Client, err error) {
	for i, person := range people {
		if i > 0 {
			if err := retry(ctx, func() error { return person.Sit(ctx, room) }); err != nil {
				return clients, err
			}
		}
		clients = append(clients, person.Open(room))
	}
	return clients, nil
}

// playWhole plays a game of random plies from its making to its end, whatever
// happens to the server meanwhile.
func playWhole(ctx context.Context, people []*webtest.Person, rules string, r *rand.Rand, pulse *atomic.Int64) (*played, error) {
	room, clients, err := seat(ctx, people, url.Values{"rules": {rules}})
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
	g := &played{room: room, rules: rules, plies: map[int]string{}}
	return g, g.note(ctx, clients)
}

// retry repeats what needs a server until one is there.
func retry(ctx context.Context, f func() error) error {
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
func (g *played) note(ctx context.Context, clients []*webtest.Client) error {
	for _, c := range clients {
		if err := c.Until(ctx, "the end", (*webtest.Game).Over); err != nil {
			return err
		}
		g.acknowledge(c.Played())
		if away := c.Away(); len(away) > 0 {
			g.away = append(g.away, slices.Max(away))
		}
		c.Look(func(game *webtest.Game) {
			g.seq = append(g.seq, game.Seq)
			g.states = append(g.states, game.State)
		})
	}
	return nil
}

// acknowledge writes down what one client's plies were answered with.
func (g *played) acknowledge(turns []webtest.Turn) {
	for _, t := range turns {
		if before, known := g.plies[t.Ply]; known {
			g.twice = append(g.twice, fmt.Sprintf("%s: ply %d was acknowledged as %s and as %s", g.room, t.Ply, before, t.Move))
		}
		g.plies[t.Ply] = t.Move
	}
}

// check compares what people know with what the server has, and says what is
// wrong: get reads from any instance.
func (g *played) check(get func(path string) (string, error)) (wrong []string) {
	wrong = append(wrong, g.twice...)
	fault := func(err error) []string { return append(wrong, fmt.Sprintf("%s in %s: %v", g.rules, g.room, err)) }
	var api struct {
		Seq  uint64
		Snap json.RawMessage
	}
	if err := getJSON(get, "/api/v1/games/"+g.room, &api); err != nil {
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
	if err := getJSON(get, "/api/v1/games/"+g.room+"/replay", &replay); err != nil {
		return fault(err)
	}
	var moves []string
	for _, ply := range replay.Plies {
		moves = append(moves, ply.Move)
	}
	for _, w := range compareMoves(g.plies, moves) {
		wrong = fault(errors.New(w))
	}
	text, err := get("/" + g.room + "/record")
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
// acknowledged must be there, at its place and once, and no other. Everybody
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
