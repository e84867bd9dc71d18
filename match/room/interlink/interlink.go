// Package interlink lets rooms span instances: it carries over a bus what the registries
// of several instances tell each other (see [room.Message]).
//
// A bus may lose messages without a word. So each message carries its number
// among those of its sender to its receiver, and who talks to each other says
// every second how far he is: a jump is noticed within a second, silence within
// three, and the registry is told. An instance talks to itself in the same way: when
// that fails its inbox is opened anew, it is not ready, and it falls silent.
package interlink

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"mancala/match/bus"
	"mancala/match/room"
)

const (
	beatEvery   = time.Second
	silentAfter = 3 * time.Second  // without a beat
	forgetAfter = 30 * time.Second // without anything to say to each other
	reopenFirst = 100 * time.Millisecond
	reopenMost  = 2 * time.Second
)

// Link is a [room.Link]. Make one with [New], give it to the registry, and then run
// it with that registry.
type Link struct {
	self string
	bus  bus.Bus
	log  *slog.Logger

	heard atomic.Int64 // ms: when our last word to ourselves arrived
	stats [3]atomic.Int64

	mu    sync.Mutex
	peers map[string]*peer
}

// peer is another instance that we talk to.
type peer struct {
	sent  uint64    // messages to it
	got   uint64    // number of the last from it; 0 for none
	used  time.Time // when there was last something to say
	heard time.Time // its last message, or when we began to wait for one
	lost  bool      // the registry knows that it is silent
}

var _ room.Link = (*Link)(nil)

// New makes a link for the instance self, whose name is unique for each start.
func New(self string, b bus.Bus, log *slog.Logger) *Link {
	return &Link{self: self, bus: b, log: log, peers: map[string]*peer{}}
}

// Tell implements [room.Link].
func (s *Link) Tell(to string, m room.Message) {
	body, err := encode(m)
	if err != nil {
		s.log.Error("interlink: a message cannot be encoded", "kind", m.Kind, "room", m.Room, "err", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock() // numbers go out in their order
	p := s.peer(to)
	p.used = time.Now()
	s.send(to, p, body)
}

// encode puts a message into JSON, but the entry behind it as it is: it is most of
// what is said between instances, and both sides would only read through it once
// more.
func encode(m room.Message) ([]byte, error) {
	entry := m.Entry
	m.Entry = nil
	body, err := json.Marshal(m)
	if entry != nil {
		body = append(append(body, '\n'), entry...)
	}
	return body, err
}

func decode(body []byte) (m room.Message, err error) {
	head, entry, there := bytes.Cut(body, []byte{'\n'}) // which JSON has none of
	err = json.Unmarshal(head, &m)
	if m.Entry = nil; there {
		m.Entry = entry
	}
	return m, err
}

// peer gives what is known of an instance. Called with mu held.
func (s *Link) peer(name string) *peer {
	p := s.peers[name]
	if p == nil {
		now := time.Now()
		p = &peer{used: now, heard: now}
		s.peers[name] = p
	}
	return p
}

// send sends a message, or only its number. Who hears nothing says nothing either: so
// others know that they do not reach him. Called with mu held.
func (s *Link) send(to string, p *peer, body []byte) {
	if s.heard.Load() != 0 && !s.Healthy() {
		return
	}
	p.sent++
	msg := make([]byte, 0, len(s.self)+len(body)+22)
	msg = append(append(msg, s.self...), '\n')
	msg = append(strconv.AppendUint(msg, p.sent, 10), '\n')
	if err := s.bus.Send(context.Background(), bus.Instance(to), append(msg, body...)); err == nil {
		s.stats[sent].Add(1)
	}
}

// Run listens, and talks to those with whom there is something to share, until
// ctx ends.
func (s *Link) Run(ctx context.Context, registry *room.Registry) {
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() { s.beat(ctx, registry) })
	for wait := reopenFirst; ctx.Err() == nil; wait = min(2*wait, reopenMost) {
		well, err := s.listen(ctx, registry)
		if ctx.Err() != nil {
			return
		}
		if well {
			wait = reopenFirst
		}
		s.log.Warn("interlink: the inbox is opened anew", "err", err)
		select {
		case <-time.After(wait/2 + rand.N(wait/2)): // all others may have lost theirs at the same moment
		case <-ctx.Done():
		}
	}
}

// listen opens the inbox and reads it until it closes or delivers nothing any
// more. It says whether it has delivered anything.
func (s *Link) listen(ctx context.Context, registry *room.Registry) (well bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	inbox, err := s.bus.Inbox(ctx, bus.Instance(s.self))
	if err != nil {
		return false, err
	}
	opened := time.Now()
	s.Probe()
	registry.Missed("") // whatever came while there was no inbox
	check := time.NewTicker(beatEvery)
	defer check.Stop()
	for {
		select {
		case msg, open := <-inbox:
			if !open {
				return well, fmt.Errorf("interlink: the inbox has closed")
			}
			well = true
			s.hear(msg, registry)
		case <-check.C:
			if time.Since(opened) > silentAfter && !s.Healthy() {
				return well, fmt.Errorf("interlink: the inbox delivers nothing")
			}
		}
	}
}

// hear takes a message in.
func (s *Link) hear(msg []byte, registry *room.Registry) {
	name, rest, ok := bytes.Cut(msg, []byte{'\n'})
	number, body, ok2 := bytes.Cut(rest, []byte{'\n'})
	n, err := strconv.ParseUint(string(number), 10, 64)
	if !ok || !ok2 || err != nil {
		s.log.Warn("interlink: not a message", "bytes", len(msg))
		return
	}
	s.stats[received].Add(1)
	from := string(name)
	if from == s.self {
		s.heard.Store(time.Now().UnixMilli())
		return
	}
	gap, back := s.follows(from, n, len(body) > 0)
	if gap {
		s.stats[missed].Add(1)
		registry.Missed(from)
	}
	if back {
		registry.Audible(from)
	}
	if len(body) == 0 {
		return
	}
	m, err := decode(body)
	if err != nil {
		s.log.Warn("interlink: a message cannot be read", "from", from, "err", err)
		return
	}
	registry.Hear(from, m)
}

// follows notes a message's number and says whether one before it is missing, and
// whether its sender had been silent.
func (s *Link) follows(from string, n uint64, says bool) (gap, back bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.peers[from] == nil && !says {
		return false, false // we have forgotten it, and it will forget us: two who answer beats with beats never do
	}
	p := s.peer(from)
	p.heard = time.Now()
	if says {
		p.used = p.heard
	}
	back = p.lost
	gap = back || p.got != 0 && n != p.got+1
	p.got, p.lost = n, false
	return gap, back
}

// beat says every second how far we are.
func (s *Link) beat(ctx context.Context, registry *room.Registry) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		s.Probe()
		for name, since := range s.round(time.Now()) {
			s.log.Info("interlink: another instance is silent", "instance", name)
			registry.Silent(name, since)
		}
	}
}

// Probe sends a word to ourselves.
func (s *Link) Probe() {
	msg := append([]byte(s.self), "\n0\n"...)
	_ = s.bus.Send(context.Background(), bus.Instance(s.self), msg) // whether it arrives is the question
}

// round sends everybody a beat and says who has fallen silent, and when.
func (s *Link) round(now time.Time) map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	silent := map[string]time.Time{}
	for name, p := range s.peers {
		if now.Sub(p.used) > forgetAfter {
			delete(s.peers, name)
			continue
		}
		s.send(name, p, nil)
		if !p.lost && now.Sub(p.heard) > silentAfter {
			p.lost = true
			silent[name] = p.heard
		}
	}
	return silent
}

// Healthy implements [room.Link].
func (s *Link) Healthy() bool {
	return time.Now().UnixMilli()-s.heard.Load() < silentAfter.Milliseconds()
}

// What is counted.
const (
	sent = iota
	received
	missed
)

// Stats are counts since the start.
type Stats struct {
	Sent, Received int64
	Missed         int64 // times that messages were missing
}

// Stats returns the current figures.
func (s *Link) Stats() Stats {
	return Stats{s.stats[sent].Load(), s.stats[received].Load(), s.stats[missed].Load()}
}
