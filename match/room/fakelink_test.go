package room

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"
)

// wire is the link between all registries of a test. It loses messages and delays
// them, so that those of different senders overtake each other; those of one
// sender to one receiver keep their order, as a bus promises. Like package interlink
// it tells a registry when it has lost something.
//
// The number of the run decides what happens to the nth message of a kind between two registries, in
// whatever order goroutines send messages at the same moment.
type wire struct {
	mu         sync.Mutex
	run        uint64
	chances    map[string]*rand.Rand // by the numbers of two registries and a kind of messages
	numbers    map[string]int        // of the registries, as they have joined
	loss       float64
	deaf       time.Time            // since when everything is lost
	mute       map[string]time.Time // registries that are cut off, since when
	silent     map[string]time.Time // those of them of which the others know
	delay      time.Duration
	registries map[string]*Registry
	queues     map[[2]string]*pipe
	sent       map[string]int // messages by kind
	group      sync.WaitGroup
}

// pipe is what is on its way from one registry to another.
type pipe struct {
	waiting []parcel
	gap     bool // something was lost since the last that arrived
}

type parcel struct {
	text []byte
	at   time.Time
}

func newWire(run uint64) *wire {
	return &wire{
		run: run, chances: map[string]*rand.Rand{}, numbers: map[string]int{}, registries: map[string]*Registry{}, queues: map[[2]string]*pipe{},
		sent: map[string]int{}, mute: map[string]time.Time{}, silent: map[string]time.Time{},
	}
}

// chance returns what decides about the next message of a kind between two registries. The
// caller holds mu.
func (w *wire) chance(way [2]string, kind string) *rand.Rand {
	key := fmt.Sprint(w.numbers[way[0]], w.numbers[way[1]], kind)
	if w.chances[key] == nil {
		h := fnv.New64a()
		_, _ = h.Write([]byte(key))
		w.chances[key] = rand.New(rand.NewPCG(w.run, h.Sum64()))
	}
	return w.chances[key]
}

// set changes how bad it is.
func (w *wire) set(loss float64, delay time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case loss < 1:
		w.deaf = time.Time{}
	case w.loss < 1:
		w.deaf = time.Now()
	}
	w.loss, w.delay = loss, delay
}

// counts returns how many messages of each kind were sent, and sets the counts to 0.
func (w *wire) counts() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	old := w.sent
	w.sent = map[string]int{}
	return old
}

// end is one registry's end of the wire.
type end struct {
	*wire
	self string
}

// Tell implements [Link].
func (e end) Tell(to string, m Message) {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	w := e.wire
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent[m.Kind]++
	way := [2]string{e.self, to}
	p := w.queues[way]
	if p == nil {
		p = new(pipe)
		w.queues[way] = p
	}
	chance := w.chance(way, m.Kind)
	if chance.Float64() < w.loss || !w.mute[e.self].IsZero() || !w.mute[to].IsZero() {
		p.gap = true
		return
	}
	at := time.Now()
	if w.delay > 0 {
		at = at.Add(time.Duration(chance.Int64N(int64(w.delay))))
	}
	p.waiting = append(p.waiting, parcel{text, at})
	if len(p.waiting) == 1 {
		w.group.Go(func() { w.carry(way, p) })
	}
}

// Healthy implements [Link].
func (e end) Healthy() bool { return e.DeafSince().IsZero() }

// DeafSince implements [Link]. It is known at once.
func (e end) DeafSince() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.deaf.IsZero() {
		return e.mute[e.self]
	}
	return e.deaf
}

// SilentSince implements [Link].
func (e end) SilentSince() (since time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, at := range e.silent {
		if name != e.self && at.After(since) {
			since = at
		}
	}
	return since
}

// cut cuts a registry off from the others, until it is healed. All are told, as by package
// interlink.
func (w *wire) cut(name string) { w.silence(name, w.cutUnnoticed(name)) }

// cutUnnoticed cuts a registry off. The others are told later, by silence.
func (w *wire) cutUnnoticed(name string) (since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mute[name] = time.Now()
	return w.mute[name]
}

func (w *wire) silence(name string, since time.Time) {
	w.mu.Lock()
	w.silent[name] = since
	w.mu.Unlock()
	w.tell(name, func(reg *Registry, from string) { reg.Silent(from, since) })
}

func (w *wire) heal(name string) {
	w.mu.Lock()
	delete(w.mute, name)
	delete(w.silent, name)
	w.mu.Unlock()
	w.tell(name, func(reg *Registry, from string) {
		reg.Audible(from)
		reg.Missed(from)
	})
}

// tell calls f for each way between a registry and another one.
func (w *wire) tell(name string, f func(reg *Registry, from string)) {
	w.mu.Lock()
	one := w.registries[name]
	var others []*Registry
	for _, reg := range w.registries {
		if reg != one {
			others = append(others, reg)
		}
	}
	w.mu.Unlock()
	for _, reg := range others {
		f(one, reg.self)
		f(reg, name)
	}
}

// carry delivers what is on one way until nothing is left.
func (w *wire) carry(way [2]string, p *pipe) {
	for {
		w.mu.Lock()
		if len(p.waiting) == 0 {
			w.mu.Unlock()
			return
		}
		next := p.waiting[0]
		registry, gap := w.registries[way[1]], p.gap
		w.mu.Unlock()
		time.Sleep(time.Until(next.at))
		if registry != nil && registry.ctx.Err() == nil {
			var m Message
			if err := json.Unmarshal(next.text, &m); err != nil {
				panic(err)
			}
			registry.Hear(way[0], m)
			if gap {
				registry.Missed(way[0])
			}
		}
		w.mu.Lock()
		p.gap = p.gap && !gap
		p.waiting = p.waiting[1:]
		done := len(p.waiting) == 0
		w.mu.Unlock()
		if done {
			return
		}
	}
}

// gone tells all registries that one has fallen silent.
func (w *wire) gone(name string) {
	w.mu.Lock()
	delete(w.registries, name)
	var others []*Registry
	for _, h := range w.registries {
		others = append(others, h)
	}
	w.mu.Unlock()
	for _, h := range others {
		h.Silent(name, time.Now())
	}
}

// hush makes one and all others believe for a while that nothing comes from each other.
func (w *wire) hush(name string, d time.Duration) {
	w.mu.Lock()
	one := w.registries[name]
	var others []*Registry
	for _, h := range w.registries {
		if h != one {
			others = append(others, h)
		}
	}
	w.mu.Unlock()
	began := time.Now()
	for _, h := range others {
		one.Silent(h.self, began)
		h.Silent(name, began)
	}
	time.Sleep(d)
	for _, h := range others {
		one.Audible(h.self)
		h.Audible(name)
	}
}

// join makes a registry part of the wire.
func (w *wire) join(reg *Registry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.registries[reg.self] = reg
	if _, known := w.numbers[reg.self]; !known {
		w.numbers[reg.self] = len(w.numbers) + 1
	}
}
