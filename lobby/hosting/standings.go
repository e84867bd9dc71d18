package hosting

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"mancala/lobby/tournament"
	"mancala/match/lru"
	"mancala/match/refusal"
	"mancala/match/room"
)

// A Table is the standings of a tournament after one entry of its room. Its readers share it, and
// must not change it.
type Table struct {
	Seq     uint64 // of the entry
	Format  tournament.Format
	Rows    []tournament.Standing
	Players []string // by number, from 1: their IDs
}

// Standings returns the standings. They are computed once after each entry.
func (h *Hosting) Standings(ctx context.Context, id string) (*Table, error) {
	s, err := h.cached(ctx, id)
	if err != nil {
		return nil, err
	}
	s.once.Do(func() {
		s.table = &Table{Seq: s.seq, Format: s.state.Settings.Format, Rows: s.state.Standings()}
		for _, p := range s.state.Players {
			s.table.Players = append(s.table.Players, p.ID)
		}
	})
	return s.table, nil
}

// LookWithoutNames is [Hosting.Look] for readers that need no names. They share the state and must not
// change it. The state is decoded once after each entry, however many pages of games ask for it.
func (h *Hosting) LookWithoutNames(ctx context.Context, id, person string) (*Hall, error) {
	view, err := h.view(ctx, id, "")
	if err != nil {
		return nil, err
	}
	s, err := h.decoded(id, view)
	if err != nil {
		return nil, err
	}
	return &Hall{ID: id, Seq: s.seq, Now: view.Now, State: *s.state, Host: s.state.IsHost(person), Me: s.state.Player(person)}, nil
}

// Hosts returns the hosts of a tournament.
func (h *Hosting) Hosts(ctx context.Context, id string) ([]string, error) {
	s, err := h.cached(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.state.Hosts, nil
}

// Renamed returns the number of a player who has another name now, or 0 if they are not in this
// tournament. From now on [Hosting.NamesFrom] returns the new name.
func (h *Hosting) Renamed(ctx context.Context, id, player string) (number int, err error) {
	s, err := h.cached(ctx, id)
	if err != nil {
		return 0, err
	}
	p := s.state.Player(player)
	if p == nil {
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names = nil
	return p.Number, nil
}

// NamesFrom returns the names, as [Hall] has them, of the hosts and of the players with this number
// or a higher one, and all deleted players. A page that follows a tournament asks for those whom it does
// not know yet.
func (h *Hosting) NamesFrom(ctx context.Context, id, person string, from int) (names map[string]string, deleted []string, err error) {
	s, err := h.cached(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	all, deleted, err := h.namesIn(ctx, id, s, person)
	if err != nil {
		return nil, nil, err
	}
	names = map[string]string{}
	for _, p := range s.state.Players[min(max(from-1, 0), len(s.state.Players)):] {
		if p.ID != "" {
			names[p.ID] = all[p.ID]
		}
	}
	for _, host := range s.state.Hosts {
		names[host] = all[host]
	}
	return names, deleted, nil
}

// namesIn returns the names that a person sees. Those that most people see are kept for a moment,
// since many pages ask at the same time.
func (h *Hosting) namesIn(ctx context.Context, id string, s *cachedState, person string) (names map[string]string, deleted []string, err error) {
	hall := &Hall{ID: id, State: *s.state, Host: s.state.IsHost(person), Me: s.state.Player(person)}
	if s.state.Settings.Initials && (hall.Host || hall.Me != nil) {
		return h.names(ctx, hall)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names != nil && time.Since(s.named) < namesGood {
		return s.names, s.deleted, nil
	}
	names, deleted, err = h.names(ctx, hall)
	if err == nil {
		s.names, s.deleted, s.named = names, deleted, time.Now()
	}
	return names, deleted, err
}

const (
	namesGood = time.Second
	maxCached = 32 << 20 // bytes of snapshots; decoded ones take several times as much
)

// cachedState is a tournament as it was last read, for many readers at once. They must not change the
// state.
type cachedState struct {
	snapshot []byte
	seq      uint64
	state    *tournament.State

	once  sync.Once
	table *Table

	preview *Preview // guarded by cache.pairing, like refused
	refused error

	mu    sync.Mutex // held while names are read
	names map[string]string

	deleted []string
	named   time.Time
}

// cache holds the tournaments that were read last.
type cache struct {
	mu   sync.Mutex
	last lru.Cache[string, *cachedState] // by ID; made by the first use

	pairing sync.Mutex // held while a round is paired
}

// cached reads a tournament.
func (h *Hosting) cached(ctx context.Context, id string) (*cachedState, error) {
	view, err := h.view(ctx, id, "")
	if err != nil {
		return nil, err
	}
	return h.decoded(id, view)
}

// decoded decodes the state of a tournament only if it is not the one that was read last.
func (h *Hosting) decoded(id string, view room.View) (*cachedState, error) {
	s := h.cache.get(id)
	if s != nil && s.seq == view.Seq && bytes.Equal(s.snapshot, view.Snapshot) {
		return s, nil
	}
	s = &cachedState{snapshot: view.Snapshot, seq: view.Seq, state: new(tournament.State)}
	if err := json.Unmarshal(view.Snapshot, s.state); err != nil {
		return nil, wrap(err, "read")
	}
	if s.state.Stage == tournament.Deleted {
		return nil, refusal.New(CodeNoTournament)
	}
	h.cache.put(id, s)
	return s, nil
}

// get returns the last state of a tournament that is kept, or nil.
func (c *cache) get(id string) *cachedState {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept(id)
}

// put keeps a tournament, unless another reader has put a later state of it here.
func (c *cache) put(id string, s *cachedState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.kept(id); old == nil || old.seq <= s.seq {
		c.last.Put(id, s, len(s.snapshot))
	}
}

// kept is get for a caller that holds the lock.
func (c *cache) kept(id string) *cachedState {
	if c.last == nil {
		c.last = lru.New[string, *cachedState](maxCached)
	}
	s, _ := c.last.Get(id)
	return s
}
