package lobbytest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
)

// Rooms are matches without a registry: no goroutine, no journal, no followers. They serve
// tests of services that look at games and send commands to them.
type Rooms struct {
	Delay   time.Duration // by how much watchers lag behind, as View tells it
	mu      sync.Mutex
	matches map[string]*match.Match
	seqs    map[string]uint64
}

// NewRooms returns no rooms yet.
func NewRooms() *Rooms {
	return &Rooms{matches: map[string]*match.Match{}, seqs: map[string]uint64{}}
}

// Open creates a match.
func (r *Rooms) Open(t testing.TB, id string, c match.Creation) {
	t.Helper()
	if err := r.Create(t.Context(), id, match.Kind, c.Command("create-"+id)); err != nil {
		t.Fatal(err)
	}
}

// Begin is [room.Registry.Begin].
func (r *Rooms) Begin(ctx context.Context, id, kind string, commands ...machine.Command) error {
	return r.Create(ctx, id, kind, commands...)
}

// Says sends a player's command, which must succeed.
func (r *Rooms) Says(t testing.TB, id, player, kind, body string) {
	t.Helper()
	if _, err := r.Do(t.Context(), id, machine.Command{ID: fmt.Sprint(kind, r.seqs[id]), Kind: kind, By: player, Body: []byte(body)}); err != nil {
		t.Fatalf("%s by %s: %v", kind, player, err)
	}
}

// Create is [room.Registry.Create].
func (r *Rooms) Create(_ context.Context, id, kind string, commands ...machine.Command) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.matches[id] != nil {
		return fmt.Errorf("lobbytest: create %s: %w", id, room.ErrTaken)
	}
	r.matches[id] = match.New()
	for _, c := range commands {
		if _, err := r.do(id, c); err != nil {
			delete(r.matches, id)
			return err
		}
	}
	return nil
}

// CreateShown is [room.Registry.CreateShown].
func (r *Rooms) CreateShown(ctx context.Context, id, kind string, commands ...machine.Command) (room.View, error) {
	if err := r.Create(ctx, id, kind, commands...); err != nil {
		return room.View{}, err
	}
	return r.View(ctx, id, "")
}

// Do is [room.Registry.Do].
func (r *Rooms) Do(_ context.Context, id string, c machine.Command) (room.Answer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.do(id, c)
}

func (r *Rooms) do(id string, c machine.Command) (room.Answer, error) {
	m := r.matches[id]
	if m == nil {
		return room.Answer{}, room.ErrNoRoom
	}
	now := time.UnixMilli(time.Now().UnixMilli())
	e, err := m.Decide(c, now)
	switch {
	case errors.Is(err, machine.ErrNothing):
		return room.Answer{}, nil
	case err != nil:
		return room.Answer{}, err
	}
	e.At, e.By, e.Command = now.UnixMilli(), c.By, c.ID
	r.seqs[id]++
	return room.Answer{Seq: r.seqs[id]}, m.Apply(e)
}

// Order is [room.Registry.Order].
func (r *Rooms) Order(ctx context.Context, id string, c machine.Command) (room.Answer, error) {
	c.Server = true
	return r.Do(ctx, id, c)
}

// Wake does nothing: no room sleeps.
func (r *Rooms) Wake(_ context.Context, id string) error {
	if r.matches[id] == nil {
		return room.ErrNoRoom
	}
	return nil
}

// View is [room.Registry.View].
func (r *Rooms) View(_ context.Context, id, player string) (room.View, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.matches[id]
	if m == nil {
		return room.View{}, room.ErrNoRoom
	}
	v := room.View{Kind: match.Kind, Seq: r.seqs[id], Audience: m.Audience(player), Now: time.Now().UnixMilli()}
	v.Snapshot = m.Snapshot(v.Audience)
	if !v.Audience.IsSeat() {
		v.Delay = r.Delay
	}
	return v, nil
}

// Seqs is [room.Registry.Seqs].
func (r *Rooms) Seqs(_ context.Context, ids []string) (map[string]uint64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seqs := map[string]uint64{}
	for _, id := range ids {
		if r.matches[id] != nil {
			seqs[id] = r.seqs[id]
		}
	}
	return seqs, nil
}

// Alone is [room.Registry.Alone]: there are no other instances.
func (r *Rooms) Alone() bool { return true }
