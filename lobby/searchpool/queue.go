package searchpool

import (
	"context"
	"net/netip"
	"slices"
	"time"
)

// waiting is a job in the queue, and then on a worker.
type waiting struct {
	Job
	ctx   context.Context
	work  func(context.Context)
	since time.Time
	done  chan error // holds one: no worker waits for who asked
}

func (w *waiting) end(err error) { w.done <- err }

// queue is what waits: for each kind the people in the order of their turns, and for
// each of them what he has asked for. Whoever holds it has a lock.
type queue struct {
	lines     [kinds]line
	waiting   [kinds]int
	addresses map[netip.Addr]int
}

// line is one kind. Who is in turns has something that waits.
type line struct {
	turns []string
	jobs  map[string][]*waiting
}

func newQueue() queue {
	q := queue{addresses: map[netip.Addr]int{}}
	for k := range q.lines {
		q.lines[k].jobs = map[string][]*waiting{}
	}
	return q
}

// add takes a job in, unless it is too much.
func (q *queue) add(w *waiting, opt Options) bool {
	l, total := &q.lines[w.Kind], 0
	for _, n := range q.waiting {
		total += n
	}
	mine := l.jobs[w.Who]
	if total >= opt.Queue || len(mine) >= opt.PerPerson || w.Address.IsValid() && q.addresses[w.Address] >= opt.PerAddress {
		return false
	}
	if len(mine) == 0 {
		l.turns = append(l.turns, w.Who)
	}
	l.jobs[w.Who] = append(mine, w)
	q.waiting[w.Kind]++
	if w.Address.IsValid() {
		q.addresses[w.Address]++
	}
	return true
}

// take gives the next job of the kinds before last, and its person's next turn comes
// after everybody else's; nil if there is none.
func (q *queue) take(last Kind) *waiting {
	for k := range q.lines[:last] {
		l := &q.lines[k]
		if len(l.turns) == 0 {
			continue
		}
		who := l.turns[0]
		w := l.jobs[who][0]
		q.remove(w)
		if len(l.jobs[who]) > 0 {
			l.turns = append(l.turns[1:], who)
		}
		return w
	}
	return nil
}

// drop takes out any job.
func (q *queue) drop() *waiting { return q.take(kinds) }

// remove takes out a job; false if it is not there any more.
func (q *queue) remove(w *waiting) bool {
	l := &q.lines[w.Kind]
	i := slices.Index(l.jobs[w.Who], w)
	if i < 0 {
		return false
	}
	l.jobs[w.Who] = slices.Delete(l.jobs[w.Who], i, i+1)
	if len(l.jobs[w.Who]) == 0 {
		delete(l.jobs, w.Who)
		i := slices.Index(l.turns, w.Who)
		l.turns = slices.Delete(l.turns, i, i+1)
	}
	q.waiting[w.Kind]--
	if w.Address.IsValid() {
		if q.addresses[w.Address]--; q.addresses[w.Address] == 0 {
			delete(q.addresses, w.Address)
		}
	}
	return true
}
