package room

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
	"mancala/match/refusal"
)

var noLog = slog.New(slog.NewTextHandler(io.Discard, nil))

// world is a registry with a journal in a bubble of fake time.
type world struct {
	*testing.T
	*Registry
	journal journal.Journal
	kill    context.CancelFunc
	seen    events
	unseen  error // what Unseen answers
}

// events counts what the observer is told.
type events struct {
	mu    sync.Mutex
	count map[string]int
}

func (e *events) add(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.count == nil {
		e.count = map[string]int{}
	}
	e.count[what]++
}

func (e *events) of(what string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.count[what]
}

// inWorld runs a test in a bubble, with a registry that ends with it.
func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		test(t, newWorld(t, "one", memjournal.New(), nil))
	})
}

func newWorld(t *testing.T, self string, j journal.Journal, tasks map[string]Handler) *world {
	t.Helper()
	return newWorldOn(t, nil, self, j, tasks)
}

// newWorldOn is one of several that hear of each other over a wire.
func newWorldOn(t *testing.T, on *wire, self string, j journal.Journal, tasks map[string]Handler, change ...func(*Config)) *world {
	t.Helper()
	var link Link
	if on != nil {
		link = end{on, self}
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &world{T: t, journal: j, kill: cancel}
	c := Config{
		Self: self, Journal: j, Tasks: tasks, Log: noLog, Link: link,
		Kinds: map[string]func(string) machine.Machine{"ledger": newLedger, "hasty": newHasty, "deferring": newDeferring},
		Unseen: func(_ context.Context, id string, v View) error {
			w.seen.add("unseen " + id + " " + fmt.Sprint(v.Seq))
			return w.unseen
		},
		Observe: Observer{
			Published:   func(string, time.Duration) { w.seen.add("published") },
			Refused:     func(c refusal.Code) { w.seen.add(string(c)) },
			Resumed:     func(how string, _ int) { w.seen.add("resumed " + how) },
			Task:        func(string, error) { w.seen.add("task") },
			Quarantined: func(string, error) { w.seen.add("quarantine") },
			Fenced:      func(string) { w.seen.add("fence") },
			Outage:      func(string) { w.seen.add("outage") },
		},
		checkpointEvery: 3, // so that nearly every test has rooms with and without one
	}
	for _, f := range change {
		f(&c)
	}
	h, err := Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	w.Registry = h
	if on != nil {
		on.join(h)
	}
	t.Cleanup(w.stop)
	return w
}

// stop kills the registry: nothing is released.
func (w *world) stop() {
	w.kill()
	w.Wait()
}

// book makes a room in which ann and bob sit.
func (w *world) book(id string) string {
	w.Helper()
	if err := w.Create(w.Context(), id, "ledger", cmd("", "open", 0), cmd("ann", "sit", 0), cmd("bob", "sit", 0)); err != nil {
		w.Fatal(err)
	}
	return id
}

var commandIDs int
var commandMu sync.Mutex

func cmd(by, kind string, n int) machine.Command {
	commandMu.Lock()
	defer commandMu.Unlock()
	commandIDs++
	return machine.Command{ID: fmt.Sprint("c", commandIDs), Kind: kind, By: by, Body: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))}
}

func (w *world) must(id string, c machine.Command) Answer {
	w.Helper()
	a, err := w.Do(w.Context(), id, c)
	if err != nil {
		w.Fatalf("%s by %s: %v", c.Kind, c.By, err)
	}
	return a
}

// ledger shows the room's state as its own.
func (w *world) ledger(id, player string) ledger {
	w.Helper()
	v, err := w.View(w.Context(), id, player)
	if err != nil {
		w.Fatal(err)
	}
	var l ledger
	if err := json.Unmarshal(v.Snapshot, &l); err != nil {
		w.Fatal(err)
	}
	return l
}

// kinds lists the kinds of the room's entries in the journal.
func (w *world) kinds(id string) string {
	w.Helper()
	list, err := w.Entries(w.Context(), id, "")
	if err != nil {
		w.Fatal(err)
	}
	var kinds []string
	for _, p := range list {
		kinds = append(kinds, p.Entry.Kind)
	}
	return strings.Join(kinds, " ")
}

// hub is a follower that writes down what it is told.
type hub struct {
	*Following
	mu      sync.Mutex
	entries []*Published
	private [][2]string // what each entry had for the seats 0 and 1
	notes   []Note
	gone    error
	sockets []*socket
}

func (w *world) follow(id string) *hub {
	w.Helper()
	h := new(hub)
	f, err := w.Follow(w.Context(), id, h)
	if err != nil {
		w.Fatal(err)
	}
	h.Following = f
	return h
}

func (h *hub) Entry(p *Published) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entries = append(h.entries, p)
	h.private = append(h.private, [2]string{string(p.Private(0)), string(p.Private(1))})
	for _, s := range h.sockets {
		s.entry(p)
	}
}

func (h *hub) Note(n Note) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, n)
}

func (h *hub) Gone(why error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gone = why
}

// said lists the notes so far as "kind by body" and forgets them.
func (h *hub) said() (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, n := range h.notes {
		list = append(list, strings.TrimSpace(fmt.Sprint(n.Kind, " ", n.By, " ", string(n.Body))))
	}
	h.notes = nil
	return list
}

// kinds lists the kinds of the entries so far.
func (h *hub) kinds() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var kinds []string
	for _, p := range h.entries {
		kinds = append(kinds, p.Entry.Kind)
	}
	return strings.Join(kinds, " ")
}

func (h *hub) why() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.gone
}

// socket is a client's side: what it knows, put together from what it is sent.
type socket struct {
	player string
	seq    uint64
	seen   []uint64 // every sequence it was sent as an entry
	last   Resume
	trust  Trust
}

func (s *socket) entry(p *Published) {
	s.seen = append(s.seen, p.Seq)
	s.seq = p.Seq
}

// resume brings the socket up to date, and into the hub's fan-out.
func (h *hub) resume(ctx context.Context, s *socket) error {
	return h.Resume(ctx, s.player, s.seq, &s.trust, func(r *Resume) {
		h.mu.Lock()
		defer h.mu.Unlock()
		s.last = *r
		s.seq = r.From
		for _, p := range r.Missed {
			s.entry(p)
		}
		if !slices.Contains(h.sockets, s) {
			h.sockets = append(h.sockets, s)
		}
	})
}

// noAsker ignores answers.
type noAsker struct{}

func (noAsker) Answered(machine.Command, Answer, error) {}
