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

// Ledger collects the games that have been played. Its methods are safe from any
// goroutine.
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

// Game is a game that people have played, as their clients know it.
type Game struct {
	Room, Rules string
	Plies       map[int]string  // the acknowledged moves, by ply from 0
	Away        []time.Duration // for each client, the longest time that it was not up to date

	contradictions []string         // plies that were acknowledged with two different moves
	seqs           []uint64         // for each client, the last entry that it has seen
	states         []map[string]any // for each client, the state that it shows
}

// NewGame returns a game in which no ply has been acknowledged yet.
func NewGame(room, rules string) *Game {
	return &Game{Room: room, Rules: rules, Plies: map[int]string{}}
}

// Arrive makes each person known to the server before they play. If the answer to a
// person's very first action were lost, their seat would belong to an unknown person.
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

// Seat makes a game and opens it for each person. It repeats every step until a
// server answers. The caller must close the clients, also after an error.
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

// Enter opens a game that the first of people has made: the others sit down first.
// The caller must close the clients, also after an error.
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

// Play makes a game and plays random plies to its end, also while servers fail. It
// adds 1 to pulse whenever a client looks at its game.
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
		if err := <-errs; err != nil { // the other clients would wait for this player forever
			return nil, err
		}
	}
	g := NewGame(room, rules)
	return g, g.record(ctx, clients)
}

// Retry repeats f until it succeeds or ctx ends.
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

// record waits until each client has seen the end, and keeps what each of them knows.
func (g *Game) record(ctx context.Context, clients []*webtest.Client) error {
	for _, c := range clients {
		if err := c.Until(ctx, "the end", (*webtest.Game).Over); err != nil {
			return err
		}
		g.Acknowledge(c.Played())
		if away := c.Away(); len(away) > 0 {
			g.Away = append(g.Away, slices.Max(away))
		}
		c.Look(func(game *webtest.Game) {
			g.seqs = append(g.seqs, game.Seq)
			g.states = append(g.states, game.State)
		})
	}
	return nil
}

// Acknowledge adds the acknowledged plies of one client.
func (g *Game) Acknowledge(turns []webtest.Turn) {
	for _, t := range turns {
		if before, known := g.Plies[t.Ply]; known {
			g.contradictions = append(g.contradictions, fmt.Sprintf("%s: ply %d was acknowledged as %s and as %s", g.Room, t.Ply, before, t.Move))
		}
		g.Plies[t.Ply] = t.Move
	}
}

// Check compares what the clients know with what the service answers, and returns
// every difference. get reads a path from any instance.
func (g *Game) Check(get func(path string) (string, error)) (wrong []string) {
	wrong = append(wrong, g.contradictions...)
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
		if g.seqs[i] != api.Seq || !reflect.DeepEqual(g.states[i], state) {
			wrong = fault(fmt.Errorf("client %d has at %d\n%v\nthe server has at %d\n%v", i, g.seqs[i], g.states[i], api.Seq, state))
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

// compareMoves compares the acknowledged plies of a game with the moves in the
// journal, and returns every difference. Clients repeat a command until it is
// answered, so the journal must have no ply that was never acknowledged.
func compareMoves(acknowledged map[int]string, journal []string) (wrong []string) {
	for i, move := range journal {
		if said, ok := acknowledged[i]; !ok {
			wrong = append(wrong, fmt.Sprintf("ply %d, %s, is in the journal and was never acknowledged", i, move))
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
