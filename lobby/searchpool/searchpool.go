// Package searchpool is where an instance searches games: moves of bots, hints, and
// analysis. Whoever wants something searched hands a function to [Pool.Do], which
// calls it on one of few workers and returns when it has ended.
//
//	err := pool.Do(ctx, searchpool.Job{Kind: searchpool.Analysis, Who: player, Address: addr, Budget: time.Second},
//		func(ctx context.Context) { answer = searcher.Search(ctx, position, nil, limits) })
//
// What a user of it has to know:
//
//   - A job holds its worker until it ends: keep it below a second or so. Longer
//     work, such as the analysis of a game, is a job for each position, one after
//     the other; then it never keeps a bot waiting for longer than one of them.
//   - The function is given a context that ends with the caller's, with the pool,
//     or when the budget is used up, and must then end soon. Do does not return
//     before it has, so it may write into the caller's variables. How strong a
//     player is must depend on nodes; the budget is there so that nothing hangs.
//   - Bots' moves go before hints, hints before analysis. Among those of a kind the
//     people take turns, however much one of them has asked for. Analysis never
//     takes the last worker.
//   - Who has asked for more than his share, or an address for more than its own,
//     or all together for more than there is room for, gets [ErrBusy], whose code is
//     [CodeBusy]. A function that panics is an error too.
//
// Rooms come first. On Linux a worker keeps a thread of the operating system to
// itself, which has a lower priority, and [Pool.MakeRoom] lets Go run as many threads
// more as there are workers while they have work: so a worker never holds what a room
// runs on, and who gets the processor is for the operating system to say. Elsewhere
// there are only as many workers as leave a processor free.
package searchpool

import (
	"context"
	"fmt"
	"net/netip"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"mancala/match/machine"
)

// CodeBusy refuses work that there is no room for now: ask again later.
const CodeBusy machine.Code = "thinkers-busy"

// ErrBusy is such a refusal.
var ErrBusy error = &machine.Error{Code: CodeBusy}

// Kind is what a job is for; those that come first are done first.
type Kind uint8

const (
	Move     Kind = iota // a bot's
	Hint                 // somebody waits for it
	Analysis             // somebody waits for many of these
	kinds
)

// Kinds are the names of all kinds, as metrics have them.
var Kinds = [kinds]string{"move", "hint", "analysis"}

func (k Kind) String() string { return Kinds[k] }

// Job says what is to be done for whom.
type Job struct {
	Kind    Kind
	Who     string        // the person who waits for it: people take turns
	Address netip.Addr    // where he asked from; the zero Addr is not counted
	Budget  time.Duration // the longest it may take once it has begun; 0: [DefaultBudget]
}

// DefaultBudget is how long a job may take that does not say.
const DefaultBudget = 5 * time.Second

// Options are a pool's figures; a zero means the default.
type Options struct {
	Workers    int // as many as processors where their priority is lower, else one fewer
	Queue      int // jobs that may wait; 1,000
	PerPerson  int // jobs of one person and kind that may wait; 8
	PerAddress int // jobs from one address that may wait; 64
	Observe    Observer
}

// Observer is told what an operator would ask about. Its functions may be nil, are
// called from many goroutines and return at once.
type Observer struct {
	Began func(k Kind, waited time.Duration)
	Ended func(k Kind, took time.Duration)
	Busy  func(k Kind) // refused
}

// Stats are how things stand.
type Stats struct {
	Workers         int
	Waiting, Active [kinds]int
}

// Pool is the workers of an instance and what waits for them. Its methods are safe
// from any goroutine.
type Pool struct {
	opt    Options
	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup

	mu     sync.Mutex
	ready  sync.Cond // something has come, or the pool has closed
	queue  queue
	active [kinds]int
	closed bool

	threads int         // of Go, without work; 0: not ours to change
	rest    *time.Timer // until there are no more again; nil while there are not
}

// restAfter is how long Go keeps the workers' threads without work: to change their
// number stops everything for a moment.
const restAfter = 10 * time.Second

// New starts the workers; Close ends them.
func New(opt Options) *Pool {
	if opt.Workers <= 0 {
		opt.Workers = defaultWorkers()
	}
	set := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	set(&opt.Queue, 1000)
	set(&opt.PerPerson, 8)
	set(&opt.PerAddress, 64)
	p := &Pool{opt: opt, queue: newQueue()}
	p.ready.L = &p.mu
	p.ctx, p.cancel = context.WithCancel(context.Background())
	for range opt.Workers {
		p.group.Go(p.work)
	}
	return p
}

// MakeRoom lets Go run so many threads more while there is work that the workers take
// none from rooms. Not longer: with more threads than processors all else costs more.
// Call it once for a process.
func (p *Pool) MakeRoom() {
	if lowers {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.threads = runtime.GOMAXPROCS(0)
	}
}

// begin and finish note that a worker has work, and that it has none. Called with mu
// held.
func (p *Pool) begin(k Kind) {
	if p.active[k]++; p.threads == 0 {
		return
	}
	if p.rest == nil {
		runtime.GOMAXPROCS(p.threads + p.opt.Workers)
		p.rest = time.AfterFunc(restAfter, p.narrow)
	}
}

func (p *Pool) finish(k Kind) {
	if p.active[k]--; p.rest != nil {
		p.rest.Reset(restAfter)
	}
}

// narrow takes the workers' threads back, unless they are needed.
func (p *Pool) narrow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active != [kinds]int{} {
		return // whoever finishes sets the time anew
	}
	runtime.GOMAXPROCS(p.threads)
	p.rest = nil
}

func defaultWorkers() int {
	n := runtime.GOMAXPROCS(0)
	if !lowers {
		n--
	}
	return max(1, n)
}

// Close ends what runs, refuses what waits, and waits for the workers.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	for w := p.queue.drop(); w != nil; w = p.queue.drop() {
		w.end(context.Canceled)
	}
	p.mu.Unlock()
	p.cancel()
	p.ready.Broadcast()
	p.group.Wait()
}

// Stats says how many jobs wait and run.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stats{p.opt.Workers, p.queue.waiting, p.active}
}

// Do has a worker call work, and returns when that has ended: nil then, whatever it
// found; [ErrBusy] if there is no room; ctx's error if that ended while it waited.
func (p *Pool) Do(ctx context.Context, j Job, work func(context.Context)) error {
	if j.Kind >= kinds {
		return fmt.Errorf("searchpool: there is no kind %d", j.Kind)
	}
	if j.Budget <= 0 {
		j.Budget = DefaultBudget
	}
	w := &waiting{Job: j, ctx: ctx, work: work, since: time.Now(), done: make(chan error, 1)}
	if err := p.enter(w); err != nil {
		if p.opt.Observe.Busy != nil && err == ErrBusy {
			p.opt.Observe.Busy(j.Kind)
		}
		return err
	}
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		if p.withdraw(w) {
			return ctx.Err()
		}
		return <-w.done // it runs, and knows that it should end
	}
}

func (p *Pool) enter(w *waiting) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return context.Canceled
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case !p.queue.add(w, p.opt):
		return ErrBusy
	}
	p.ready.Signal()
	return nil
}

func (p *Pool) withdraw(w *waiting) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.queue.remove(w)
}

// work is a worker. Its thread ends with it, so that nobody inherits the priority.
func (p *Pool) work() {
	lower()
	for {
		w := p.next()
		if w == nil {
			return
		}
		p.carryOut(w)
		p.mu.Lock()
		p.finish(w.Kind)
		p.mu.Unlock()
		p.ready.Signal() // analysis may have waited for a second worker
	}
}

// next waits for the next job; nil when the pool closes.
func (p *Pool) next() *waiting {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.closed {
		last := kinds
		if p.opt.Workers > 1 && p.active[Analysis] >= p.opt.Workers-1 {
			last = Analysis
		}
		if w := p.queue.take(last); w != nil {
			p.begin(w.Kind)
			return w
		}
		p.ready.Wait()
	}
	return nil
}

func (p *Pool) carryOut(w *waiting) {
	began := time.Now()
	if p.opt.Observe.Began != nil {
		p.opt.Observe.Began(w.Kind, began.Sub(w.since))
	}
	ctx, cancel := context.WithTimeout(w.ctx, w.Budget)
	stop := context.AfterFunc(p.ctx, cancel)
	err := call(ctx, w.work)
	stop()
	cancel()
	if p.opt.Observe.Ended != nil {
		p.opt.Observe.Ended(w.Kind, time.Since(began))
	}
	if err == nil && p.ctx.Err() != nil {
		err = context.Canceled // what it found may be half of it
	}
	w.end(err)
}

func call(ctx context.Context, work func(context.Context)) (err error) {
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("searchpool: panic: %v\n%s", why, debug.Stack())
		}
	}()
	work(ctx)
	return nil
}
