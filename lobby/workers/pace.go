package workers

import (
	"sync"
	"time"
)

// Pace does work that becomes due often, at most once per interval. While nothing
// is due it holds no goroutine and no timer.
type Pace struct {
	workers *Workers
	every   time.Duration
	late    bool
	work    func()

	mu      sync.Mutex
	due     bool
	running bool
}

// NewPace returns a pace that calls work as soon as [Pace.Mark] is called, and then
// at most once in every interval. Two calls never overlap.
func (w *Workers) NewPace(every time.Duration, work func()) *Pace {
	return &Pace{workers: w, every: every, work: work}
}

// NewLatePace is like [Workers.NewPace], but an interval also passes before the
// first call: what becomes due together is done together.
func (w *Workers) NewLatePace(every time.Duration, work func()) *Pace {
	return &Pace{workers: w, every: every, work: work, late: true}
}

// Mark makes the work due. Work that is under way is done once more afterwards.
func (p *Pace) Mark() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.due = true
	if !p.running {
		p.running = p.workers.Start(p.run)
	}
}

// Busy reports whether work is due or under way, or was within the last interval.
func (p *Pace) Busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running
}

// run works until nothing has become due for an interval.
func (p *Pace) run() {
	wait := p.late
	for {
		if wait {
			select {
			case <-time.After(p.every):
			case <-p.workers.ctx.Done():
			}
		}
		if !p.take() {
			return
		}
		p.work()
		wait = true
	}
}

// take reports whether the work is due, and ends the run if it is not.
func (p *Pace) take() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = p.due && p.workers.ctx.Err() == nil
	p.due = false
	return p.running
}
