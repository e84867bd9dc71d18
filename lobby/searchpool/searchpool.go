// Package searchpool runs the searches of an instance: moves of bots, hints, and
// analysis. Moving pictures are drawn here too, since to draw one takes as long as a search.
// A caller passes a function to [Pool.Do], which calls it on one of a few workers and returns
// when it has ended.
//
//	err := pool.Do(ctx, searchpool.Job{Kind: searchpool.Analysis, Who: player, Address: addr, Budget: time.Second},
//		func(ctx context.Context) { answer = searcher.Search(ctx, position, nil, limits) })
//
// Rules for callers:
//
//   - A job holds its worker until it ends, so it should take about a second at most.
//     Split longer work into jobs that run one after the other, such as the positions
//     of a game to analyse. Then a bot waits for at most one of them.
//   - The context of the function ends with the caller's context, with the pool, or when
//     the budget is used up. The function must then return soon. Do returns only after
//     the function, so the function may write to the caller's variables. The strength
//     of a player must depend on nodes: the budget only keeps a search from hanging.
//   - Bots' moves go before hints, hints before drawings, and drawings before analysis.
//     Within a kind people take turns, however many jobs one of them has. Drawings and
//     analysis never take the last worker.
//   - A job beyond the limit of its person, its address or the whole queue fails with
//     [ErrBusy], whose code is [CodeBusy]. A function that panics makes Do return an
//     error.
//
// Rooms have priority. On Linux a worker keeps a thread of the operating system, with a
// lower priority, and [Pool.RaiseThreads] gives Go one more thread for each worker while
// they have work. So a worker never holds a thread that a room needs, and the operating
// system decides which thread runs. On other systems the number of workers leaves one
// processor free.
package searchpool

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"mancala/engine/tuning"
	"mancala/match/refusal"
)

// CodeBusy refuses a job because the queue is full: ask again later.
const CodeBusy refusal.Code = "thinkers-busy"

// ErrBusy is a refusal with [CodeBusy].
var ErrBusy = refusal.New(CodeBusy)

// Stats is the number of workers and of jobs by kind.
type Stats struct {
	Workers         int
	Waiting, Active [kinds]int
}

// Pool holds the workers of an instance and their queue. Its methods are safe from any
// goroutine.
type Pool struct {
	opt    Options
	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup

	mu     sync.Mutex
	ready  sync.Cond // a job was added, or the pool was closed
	queue  queue
	active [kinds]int
	closed bool

	threads int         // GOMAXPROCS without work; 0: the pool does not change it
	restore *time.Timer // restores it; nil while it is not raised
}

// restoreAfter is how long GOMAXPROCS stays raised without work, since it must be changed
// rarely (see [tuning.SetThreads]).
const restoreAfter = 10 * time.Second

// New starts the workers. Close ends them.
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

// RaiseThreads raises GOMAXPROCS by the number of workers while they have work, so that
// they take no threads from rooms (see [tuning.SetThreads]). Call it once in a process.
func (p *Pool) RaiseThreads() {
	if tuning.CanLowerThread {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.threads = tuning.Threads()
	}
}

// begin counts a worker that starts a job, and finish one that has ended it. Called with
// mu held.
func (p *Pool) begin(k Kind) {
	if p.active[k]++; p.threads == 0 {
		return
	}
	if p.restore == nil {
		tuning.SetThreads(p.threads + p.opt.Workers)
		p.restore = time.AfterFunc(restoreAfter, p.restoreThreads)
	}
}

func (p *Pool) finish(k Kind) {
	if p.active[k]--; p.restore != nil {
		p.restore.Reset(restoreAfter)
	}
}

// restoreThreads restores GOMAXPROCS, unless a worker has a job.
func (p *Pool) restoreThreads() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active != [kinds]int{} {
		return // finish sets the timer again
	}
	tuning.SetThreads(p.threads)
	p.restore = nil
}

func defaultWorkers() int {
	n := tuning.Threads()
	if !tuning.CanLowerThread {
		n--
	}
	return max(1, n)
}

// Close cancels the running jobs, refuses the waiting ones, and waits for the workers.
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

// Stats returns how many jobs wait and run.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stats{p.opt.Workers, p.queue.waiting, p.active}
}

// Do has a worker call work, and returns nil when work has ended. It returns [ErrBusy]
// if a limit is reached, and ctx's error if ctx ends while the job waits.
func (p *Pool) Do(ctx context.Context, j Job, work func(context.Context)) error {
	if j.Kind >= kinds {
		return fmt.Errorf("searchpool: unknown kind %d", j.Kind)
	}
	if j.Budget <= 0 {
		j.Budget = DefaultBudget
	}
	w := &queued{Job: j, ctx: ctx, work: work, since: time.Now(), done: make(chan error, 1)}
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
		return <-w.done // it runs, and its context has ended
	}
}

func (p *Pool) enter(w *queued) error {
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

func (p *Pool) withdraw(w *queued) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.queue.remove(w)
}

// work runs a worker. The thread ends with its goroutine, so no other goroutine inherits
// the priority.
func (p *Pool) work() {
	tuning.LowerThread()
	for {
		w := p.next()
		if w == nil {
			return
		}
		p.carryOut(w)
		p.mu.Lock()
		p.finish(w.Kind)
		p.mu.Unlock()
		p.ready.Signal() // drawings and analysis may have waited for a second worker
	}
}

// next waits for the next job. It returns nil when the pool closes.
func (p *Pool) next() *queued {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.closed {
		last := kinds
		if p.opt.Workers > 1 && p.active[Drawing]+p.active[Analysis] >= p.opt.Workers-1 {
			last = Drawing
		}
		if w := p.queue.take(last); w != nil {
			p.begin(w.Kind)
			return w
		}
		p.ready.Wait()
	}
	return nil
}

func (p *Pool) carryOut(w *queued) {
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
		err = context.Canceled // the result may be incomplete
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
