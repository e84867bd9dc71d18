package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/workers"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

const testRoom = "k3v9qa2mxy"

// service is a Chat with all that it needs, in memory. One game exists, in testRoom. Its
// players are ada and ben. The value is also each of the services that Chat uses.
type service struct {
	*testing.T
	*Chat
	game    map[string]any // fields of the snapshot that players see
	watched map[string]any // what watchers see; nil: the same
	delay   time.Duration  // of watchers
	ahead   time.Duration  // of the database's clock
	members []string       // players with an account
	prefs   map[string]lobby.Prefs
	blocks  map[string][]string // whom each player blocks
	muted   time.Time           // until when ada is
	wait    time.Duration       // until ada may say a line

	here *audience // the clients that follow the room

	mu    sync.Mutex
	lines map[string][]lobby.Line // by stream
	reads int
}

func newService(t *testing.T) *service {
	s := &service{
		T:       t,
		game:    map[string]any{"state": "live", "chat": "free", "listed": true, "seats": []string{"ada", "ben"}},
		members: []string{"ada", "ben", "cleo", "dan"},
		prefs:   map[string]lobby.Prefs{}, blocks: map[string][]string{}, lines: map[string][]lobby.Line{},
	}
	w := workers.New()
	t.Cleanup(w.Close)
	s.Chat = New(Config{
		Lines: s, Rooms: s, People: s, Social: s, Mutes: s, Limit: s, Said: func() {},
		Workers: w, Log: slog.New(slog.DiscardHandler),
	})
	s.SetClients(names, func(string) *Streams { return s.here.Streams })
	s.here = &audience{readers: map[string][]reader{}}
	s.here.Streams = s.NewStreams(s.here)
	return s
}

func names(_ context.Context, players []string) (map[string]string, error) {
	m := map[string]string{}
	for _, id := range players {
		m[id] = "Name of " + id
	}
	return m, nil
}

func (s *service) View(_ context.Context, id, player string) (room.View, error) {
	if id != testRoom {
		return room.View{}, room.ErrNoRoom
	}
	v := room.View{Audience: machine.Audience(slices.Index([]string{"ada", "ben"}, player))} // -1 is machine.Watchers
	fields := s.game
	if v.Audience == machine.Watchers {
		v.Delay = s.delay
		if s.watched != nil {
			fields = s.watched
		}
	}
	text, err := json.Marshal(fields)
	v.Snapshot = text
	return v, err
}

func (s *service) Now() int64 { return time.Now().Add(s.ahead).UnixMilli() }

func (s *service) Player(_ context.Context, id string) (lobby.Player, error) {
	switch {
	case slices.Contains(s.members, id):
		return lobby.Player{ID: id, Account: time.Unix(1, 0)}, nil
	case id == "deleted":
		return lobby.Player{}, refusal.New(lobby.CodeNoPlayer)
	}
	return lobby.Player{ID: id}, nil
}

func (s *service) Prefs(_ context.Context, id string) (lobby.Prefs, error) { return s.prefs[id], nil }

func (s *service) Blocked(_ context.Context, player string) ([]string, error) {
	return s.blocks[player], nil
}

func (s *service) BlockedBy(_ context.Context, player string) (by []string, _ error) {
	for id, blocked := range s.blocks {
		if slices.Contains(blocked, player) {
			by = append(by, id)
		}
	}
	return by, nil
}

func (s *service) Muted(player string) time.Time {
	if player == "ada" {
		return s.muted
	}
	return time.Time{}
}

func (s *service) Wait(player string) time.Duration {
	if player == "ada" {
		return s.wait
	}
	return 0
}

func (s *service) Say(_ context.Context, l lobby.Line) (lobby.Line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.N, l.At = int64(len(s.lines[l.Stream])+1), cmp.Or(l.At, time.UnixMilli(time.Now().UnixMilli()))
	s.lines[l.Stream] = append(s.lines[l.Stream], l)
	return l, nil
}

func (s *service) Last(_ context.Context, _, stream string, limit int) ([]lobby.Line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return slices.Clone(s.lines[stream][max(0, len(s.lines[stream])-limit):]), nil
}

func (s *service) Line(_ context.Context, _, stream string, n int64) (lobby.Line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n < 1 || int(n) > len(s.lines[stream]) || s.lines[stream][n-1].Erased {
		return lobby.Line{}, refusal.New(lobby.CodeNoLine)
	}
	return s.lines[stream][n-1], nil
}

func (s *service) Around(_ context.Context, _, stream string, n, aside int64) ([]lobby.Line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.lines[stream]
	end := min(len(all), int(n+aside))
	return slices.Clone(all[min(end, max(0, int(n-aside)-1)):end]), nil
}

func (s *service) Erase(ctx context.Context, room, stream string, n int64) (lobby.Line, error) {
	line, err := s.Line(ctx, room, stream, n)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		erased := &s.lines[stream][n-1]
		erased.Erased, erased.Preset, erased.Text = true, "", ""
	}
	return line, err
}

// audience is the clients of one instance.
type audience struct {
	*Streams
	spread [][]byte // notes to other instances

	mu      sync.Mutex
	readers map[string][]reader // by stream
	shown   []string            // "reader: text" of lines, "reader: erased n"
}

type reader struct {
	id    string
	child bool
}

func (r reader) Identity() string { return r.id }
func (r reader) Child() bool      { return r.child }

func (a *audience) Room() string      { return testRoom }
func (a *audience) Players() []string { return []string{"ada", "ben"} }

func (a *audience) ShowLine(l Line, to Readers) { a.show(l.Preset+l.Text, to) }

func (a *audience) ShowErased(stream string, n int64, to Readers) {
	a.show("erased "+stream+" "+string(rune('0'+n)), to)
}

func (a *audience) Spread(kind string, body json.RawMessage) { a.spread = append(a.spread, body) }

func (a *audience) show(text string, to Readers) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.readers[to.Stream] {
		if to.Include(r) {
			a.shown = append(a.shown, r.id+": "+text)
		}
	}
}

// take returns what was shown since the last call, sorted.
func (a *audience) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	shown := slices.Sorted(slices.Values(a.shown))
	a.shown = nil
	return shown
}

// with returns the fields of a snapshot with some changes.
func with(game map[string]any, change map[string]any) map[string]any {
	changed := maps.Clone(game)
	maps.Copy(changed, change)
	return changed
}
