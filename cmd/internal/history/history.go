// Package history checks what the clients of a service asked and saw against its journal,
// in the manner of Jepsen.
//
// A [Recorder] collects a [History] while people play and faults happen. [Check] then
// compares it with the rows of the journal. It knows nothing of how the service works inside,
// only what it promises:
//
//   - A command that was acknowledged is in the journal once, unchanged, with the number that
//     it was acknowledged with. A refused one is not there. The order of the journal agrees
//     with real time: a command comes after all that were answered before it was asked.
//   - A board and clocks that a client has seen are those of the journal at that number.
//   - A socket never shows a number below one that it has shown, or that was the answer to a
//     command. A page never shows a number below one that its client had seen in any way.
//   - A player loses on time only after the time that they had, without the time in which the
//     service could not be used.
//   - The epoch of an owner never falls from one row to the next.
//   - After a failover that lost rows, all clients have the remaining game within ten seconds.
package history

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"time"

	"mancala/match/journal"
)

// History is what clients asked and saw, and what was done to the service meanwhile. Its
// times count from Began by a monotonic clock.
type History struct {
	Run    uint64    // its number; what is drawn follows from it
	Began  time.Time // by the clock of the database's machine
	Ops    []Op
	Seen   []Seen
	Places []Place
	Owners []Owner
	Faults []Fault
	Losses []Loss
	Lags   []Lag
}

// Outcome is what a client knows of its command.
type Outcome string

// The outcomes of a command. Unknown is also the outcome before the answer.
const (
	Unknown Outcome = ""
	OK      Outcome = "ok"
	Refused Outcome = "refused"
)

// Op is a command that a client has asked for.
type Op struct {
	Client, Player, Room string
	ID, Kind             string
	Move                 string // of a move
	Ply                  int    // of a move: the plies before it
	Invoked, Answered    time.Duration
	Outcome              Outcome
	Code                 string // of a refusal
	Seq                  uint64 // of an acknowledged command; 0 if it changed nothing
}

// Seen is a state of a game that a client has received.
type Seen struct {
	Client, Player, Room string
	Page                 bool          // an answer over HTTP; otherwise it came over the socket
	Asked, At            time.Duration // of the question, which differs from At for a page
	Seq                  uint64
	Sum                  string // of the board
	Clock                []int64
	Run, Now             int64 // ms since 1970; Now is 0 if the service did not send it
	Over                 bool
}

// Place is the instance to which a client is connected from a moment on, or -1 after it has
// left.
type Place struct {
	Client, Player, Room string
	At                   time.Duration
	Instance             int
}

// Owner is the instance that owns a room in an epoch.
type Owner struct {
	Room     string
	Epoch    uint64
	Instance int
}

// Fault is a time in which parts of the service surely did not work. Instances are counted
// from 0.
type Fault struct {
	Name       string
	From, To   time.Duration
	Stopped    []int `json:",omitempty"` // instances that do not run
	NoRedis    []int `json:",omitempty"` // instances that cannot reach Redis
	NoPostgres []int `json:",omitempty"` // instances that cannot reach PostgreSQL
	NoClients  []int `json:",omitempty"` // instances whose clients cannot reach them
	Slow       bool  `json:",omitempty"` // what the service sends may arrive late
}

// Loss is a failover to a standby that did not have all rows.
type Loss struct {
	From, At time.Duration     // from the last row that the standby got, until it was the primary
	Kept     map[string]uint64 // the number of each room's last row on the standby
}

// Lag is a time in which a busy machine did not let the recorder run. What clients saw and
// were answered then may be recorded late.
type Lag struct{ From, To time.Duration }

// Journal holds the rows of each room.
type Journal map[string][]journal.Row

// Recorder collects a history. Its methods are safe from any goroutine.
type Recorder struct {
	began time.Time

	mu   sync.Mutex
	h    History
	open map[[2]string]int // index in h.Ops of each command without an answer, by client and ID
}

// NewRecorder begins a history.
func NewRecorder(run uint64) *Recorder {
	now := time.Now()
	return &Recorder{began: now, h: History{Run: run, Began: now}, open: map[[2]string]int{}}
}

// Now returns the present time of the history.
func (r *Recorder) Now() time.Duration { return time.Since(r.began) }

// Ask records a command that a client is about to send.
func (r *Recorder) Ask(op Op) {
	r.mu.Lock()
	defer r.mu.Unlock()
	op.Invoked = r.Now()
	r.open[[2]string{op.Client, op.ID}] = len(r.h.Ops)
	r.h.Ops = append(r.h.Ops, op)
}

// Answer records the answer to a command. It ignores answers to commands that are not open.
func (r *Recorder) Answer(client, id string, outcome Outcome, code string, seq uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := [2]string{client, id}
	if i, ok := r.open[key]; ok {
		delete(r.open, key)
		op := &r.h.Ops[i]
		op.Answered, op.Outcome, op.Code, op.Seq = r.Now(), outcome, code, seq
	}
}

// See records a state that a client has received now.
func (r *Recorder) See(s Seen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.At = r.Now()
	if s.Asked == 0 {
		s.Asked = s.At
	}
	r.h.Seen = append(r.h.Seen, s)
}

// Put records where a client is connected from now on.
func (r *Recorder) Put(p Place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.At = r.Now()
	r.h.Places = append(r.h.Places, p)
}

// Own records the owner of a room.
func (r *Recorder) Own(o Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.h.Owners, o) {
		r.h.Owners = append(r.h.Owners, o)
	}
}

// Fail records that a fault has begun. end records its end.
func (r *Recorder) Fail(f Fault) (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.From = r.Now()
	f.To = -1
	n := len(r.h.Faults)
	r.h.Faults = append(r.h.Faults, f)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.h.Faults[n].To < 0 {
			r.h.Faults[n].To = r.Now()
		}
	}
}

// Lose records a failover that ends now. The standby has got nothing since from.
func (r *Recorder) Lose(from time.Duration, kept map[string]uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.h.Losses = append(r.h.Losses, Loss{From: from, At: r.Now(), Kept: kept})
}

// NoteLags records lags until the context is done.
func (r *Recorder) NoteLags(ctx context.Context) {
	const every, lag = 20 * time.Millisecond, 100 * time.Millisecond
	tick := time.NewTicker(every)
	defer tick.Stop()
	for last := r.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := r.Now()
		if now-last > lag {
			r.mu.Lock()
			r.h.Lags = append(r.h.Lags, Lag{From: last, To: now})
			r.mu.Unlock()
		}
		last = now
	}
}

// History returns what has been recorded so far, in the order of time.
func (r *Recorder) History() *History {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.h
	h.Ops, h.Seen, h.Places = slices.Clone(h.Ops), slices.Clone(h.Seen), slices.Clone(h.Places)
	h.Owners, h.Faults, h.Losses = slices.Clone(h.Owners), slices.Clone(h.Faults), slices.Clone(h.Losses)
	h.Lags = slices.Clone(h.Lags)
	for i := range h.Faults {
		if h.Faults[i].To < 0 {
			h.Faults[i].To = r.Now()
		}
	}
	slices.SortStableFunc(h.Seen, func(a, b Seen) int { return cmp.Compare(a.At, b.At) })
	return &h
}

// Save writes a history and its journal as JSON.
func Save(file string, h *History, j Journal) error {
	type row struct {
		Seq, Epoch uint64
		Key        string
		Entry      json.RawMessage
	}
	rooms := map[string][]row{}
	for id, rows := range j {
		for _, r := range rows {
			rooms[id] = append(rooms[id], row{r.Seq, r.Epoch, r.Key, r.Data})
		}
	}
	text, err := json.MarshalIndent(struct {
		*History
		Journal map[string][]row
	}{h, rooms}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}
