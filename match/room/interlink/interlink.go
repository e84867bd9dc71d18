// Package interlink connects the rooms of several instances: it carries the messages
// between their registries over a bus (see [room.Message]).
//
// A bus may lose messages without an error. So each message carries its number among those
// of its sender to its receiver, and two instances that talk to each other send the last
// number every second: a gap is noticed within a second, silence within three, and the
// registry is told. An instance talks to itself in the same way. When that fails, it
// reopens its inbox, is not ready, and sends nothing.
//
// Messages that may wait are collected: those of all rooms to one instance go together, a few
// times a second.
package interlink

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"mancala/match/bus"
	"mancala/match/deadline"
	"mancala/match/room"
)

const (
	beatEvery   = time.Second
	silentAfter = 3 * time.Second  // without a beat
	forgetAfter = 30 * time.Second // without a message that says something
	reopenFirst = 100 * time.Millisecond
	reopenMost  = 2 * time.Second
)

// Link is a [room.Link]. Make one with [New], give it to the registry, and then run it
// with that registry.
type Link struct {
	self string
	bus  bus.Bus
	log  *slog.Logger
	made time.Time

	heard atomic.Pointer[time.Time] // when our last probe arrived; nil: never
	stats [3]atomic.Int64

	mu    sync.Mutex
	peers map[string]*peer
}

// peer is another instance that we talk to.
type peer struct {
	sent  uint64    // messages to it
	got   uint64    // number of the last from it; 0 for none
	used  time.Time // when a message last said something
	heard time.Time // when its last message came, or when we began to wait for one
	lost  bool      // the registry knows that it is silent

	collects bool      // it reads collected messages: its release is new enough
	waiting  []waiting // to be sent together, one for each room at most
	size     int       // bytes of them
}

// waiting is a message that has not been sent yet.
type waiting struct {
	room string
	body []byte // JSON without a line break
}

// Limits of what is sent together.
const (
	mostCollected = 256
	mostBytes     = 64 << 10
)

var _ room.Link = (*Link)(nil)

// New makes a link for the instance self, whose name is unique for each start.
func New(self string, b bus.Bus, log *slog.Logger) *Link {
	return &Link{self: self, bus: b, log: log, made: time.Now(), peers: map[string]*peer{}}
}

// Tell implements [room.Link].
func (l *Link) Tell(to string, m room.Message) {
	body, err := encode(m)
	if err != nil {
		l.log.Error("interlink: a message cannot be encoded", "kind", m.Kind, "room", m.Room, "err", err)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock() // messages go out in the order of their numbers
	p := l.peer(to)
	p.used = time.Now()
	if i := slices.IndexFunc(p.waiting, func(w waiting) bool { return w.room == m.Room }); i >= 0 {
		l.send(to, p, p.waiting[i].body)
		p.size -= len(p.waiting[i].body)
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
	if !m.Patient || !p.collects || m.Entry != nil {
		l.send(to, p, body)
		return
	}
	p.waiting = append(p.waiting, waiting{m.Room, body})
	p.size += len(body)
	switch {
	case len(p.waiting) == mostCollected || p.size > mostBytes:
		l.sendCollected(to, p)
	case len(p.waiting) == 1:
		time.AfterFunc(room.CollectFor, func() { l.collected(to) })
	}
}

// collected sends what waits for an instance.
func (l *Link) collected(to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.peers[to]; p != nil {
		l.sendCollected(to, p)
	}
}

// sendCollected sends what waits as one message, a JSON array. The caller holds mu.
func (l *Link) sendCollected(to string, p *peer) {
	if len(p.waiting) == 0 {
		return
	}
	all := make([]byte, 0, p.size+len(p.waiting)+1)
	for i, w := range p.waiting {
		all = append(append(all, "[,"[min(i, 1)]), w.body...)
	}
	p.waiting, p.size = nil, 0
	l.send(to, p, append(all, ']'))
}

// encode puts a message into JSON, and the entry behind it as it is: the entry is most
// of the message, and both sides would only parse it once more.
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
	head, entry, there := bytes.Cut(body, []byte{'\n'}) // which this JSON does not contain
	err = json.Unmarshal(head, &m)
	if m.Entry = nil; there {
		m.Entry = entry
	}
	return m, err
}

// decodeAll reads a message, or the messages that were collected in one.
func decodeAll(body []byte) (all []room.Message, err error) {
	if body[0] != '[' {
		m, err := decode(body)
		return []room.Message{m}, err
	}
	err = json.Unmarshal(body, &all)
	for i := range all {
		all[i].Patient = true
	}
	return all, err
}

// peer returns what is known of an instance. The caller holds mu.
func (l *Link) peer(name string) *peer {
	p := l.peers[name]
	if p == nil {
		now := time.Now()
		p = &peer{used: now, heard: now}
		l.peers[name] = p
	}
	return p
}

// send sends a message, or only its number. An instance that hears nothing sends
// nothing: so the other instances learn that they do not reach it. The caller holds mu.
func (l *Link) send(to string, p *peer, body []byte) {
	if l.heard.Load() != nil && !l.Healthy() {
		return
	}
	p.sent++
	msg := make([]byte, 0, len(l.self)+len(body)+22)
	msg = append(append(msg, l.self...), '\n')
	msg = append(strconv.AppendUint(msg, p.sent, 10), '\n')
	if err := l.bus.Send(context.Background(), bus.Instance(to), append(msg, body...)); err == nil {
		l.stats[sent].Add(1)
	}
}

// Run listens, and talks to the instances that share something with this one, until ctx
// ends.
func (l *Link) Run(ctx context.Context, registry *room.Registry) {
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() { l.beat(ctx, registry) })
	for wait := reopenFirst; ctx.Err() == nil; wait = min(2*wait, reopenMost) {
		well, err := l.listen(ctx, registry)
		if ctx.Err() != nil {
			return
		}
		if well {
			wait = reopenFirst
		}
		l.log.Warn("interlink: inbox reopened", "err", err)
		_ = deadline.Wait(ctx, wait/2+rand.N(wait/2)) // all instances may have lost their inboxes at the same moment
	}
}

// listen opens the inbox and reads it until it closes or delivers nothing any more. It
// reports whether the inbox has delivered anything.
func (l *Link) listen(ctx context.Context, registry *room.Registry) (well bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	inbox, err := l.bus.Inbox(ctx, bus.Instance(l.self))
	if err != nil {
		return false, err
	}
	opened := time.Now()
	l.Probe()
	registry.Missed("") // messages that came while there was no inbox
	check := time.NewTicker(beatEvery)
	defer check.Stop()
	for {
		select {
		case msg, open := <-inbox:
			if !open {
				return well, fmt.Errorf("interlink: the inbox has closed")
			}
			well = true
			l.hear(msg, registry)
		case <-check.C:
			if time.Since(opened) > silentAfter && !l.Healthy() {
				return well, fmt.Errorf("interlink: the inbox delivers nothing")
			}
		}
	}
}

// hear takes a message in.
func (l *Link) hear(msg []byte, registry *room.Registry) {
	name, rest, ok := bytes.Cut(msg, []byte{'\n'})
	number, body, ok2 := bytes.Cut(rest, []byte{'\n'})
	n, err := strconv.ParseUint(string(number), 10, 64)
	if !ok || !ok2 || err != nil {
		l.log.Warn("interlink: not a message", "bytes", len(msg))
		return
	}
	l.stats[received].Add(1)
	from := string(name)
	if from == l.self {
		now := time.Now()
		l.heard.Store(&now)
		return
	}
	gap, back := l.follows(from, n, len(body) > 0)
	if gap {
		l.stats[missed].Add(1)
		registry.Missed(from)
	}
	if back {
		registry.Audible(from)
	}
	if len(body) == 0 {
		return
	}
	all, err := decodeAll(body)
	if err != nil {
		l.log.Warn("interlink: a message cannot be read", "from", from, "err", err)
		return
	}
	for _, m := range all {
		if m.Collects {
			l.collects(from)
		}
		registry.Hear(from, m)
	}
}

// collects notes that an instance reads collected messages.
func (l *Link) collects(from string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.peers[from]; p != nil {
		p.collects = true
	}
}

// follows notes a message's number. It reports whether a message before it is missing,
// and whether its sender had been silent.
func (l *Link) follows(from string, n uint64, says bool) (gap, back bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.peers[from] == nil && !says {
		return false, false // we have forgotten it, and it will forget us; two instances that answer beats with beats never would
	}
	p := l.peer(from)
	p.heard = time.Now()
	if says {
		p.used = p.heard
	}
	back = p.lost
	gap = back || p.got != 0 && n != p.got+1
	p.got, p.lost = n, false
	return gap, back
}

// beat sends every second the number of the last message to each peer.
func (l *Link) beat(ctx context.Context, registry *room.Registry) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		l.Probe()
		for name, since := range l.round(time.Now()) {
			l.log.Info("interlink: another instance is silent", "instance", name)
			registry.Silent(name, since)
		}
	}
}

// Probe sends a message to this instance itself.
func (l *Link) Probe() {
	msg := append([]byte(l.self), "\n0\n"...)
	_ = l.bus.Send(context.Background(), bus.Instance(l.self), msg) // it is known to have arrived when it is heard
}

// round sends a beat to every peer. It returns the instances that have fallen silent,
// and since when.
func (l *Link) round(now time.Time) map[string]time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	silent := map[string]time.Time{}
	for name, p := range l.peers {
		if now.Sub(p.used) > forgetAfter {
			delete(l.peers, name)
			continue
		}
		l.send(name, p, nil)
		if !p.lost && now.Sub(p.heard) > silentAfter {
			p.lost = true
			silent[name] = p.heard
		}
	}
	return silent
}

// Healthy implements [room.Link]. It uses the monotonic clock: setting the wall clock changes
// nothing.
func (l *Link) Healthy() bool { return l.DeafSince().IsZero() }

// DeafSince implements [room.Link]. A link that has never heard its own probe is deaf since it
// was made.
func (l *Link) DeafSince() time.Time {
	heard := l.heard.Load()
	switch {
	case heard == nil:
		return l.made
	case time.Since(*heard) < silentAfter:
		return time.Time{}
	}
	return *heard
}

// SilentSince implements [room.Link].
func (l *Link) SilentSince() (since time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.peers { // as many as there are instances
		if p.lost && p.heard.After(since) {
			since = p.heard
		}
	}
	return since
}

// Indices of stats.
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
func (l *Link) Stats() Stats {
	return Stats{l.stats[sent].Load(), l.stats[received].Load(), l.stats[missed].Load()}
}
