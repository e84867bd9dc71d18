package searchpool

import (
	"net/netip"
	"slices"

	"mancala/lobby/address"
)

// queue holds the jobs that wait: for each kind the people in the order of their turns,
// and for each person their jobs. The caller of its methods holds the pool's lock.
type queue struct {
	lines   [kinds]line
	waiting [kinds]int
	from    map[netip.Prefix]int // by [address.Network] and by [address.Site]
}

// line holds the jobs of one kind. Each person in turns has at least one job.
type line struct {
	turns []string
	jobs  map[string][]*queued
}

func newQueue() queue {
	q := queue{from: map[netip.Prefix]int{}}
	for k := range q.lines {
		q.lines[k].jobs = map[string][]*queued{}
	}
	return q
}

// add adds a job and reports whether the limits allowed it.
func (q *queue) add(w *queued, opt Options) bool {
	l, total := &q.lines[w.Kind], 0
	for _, n := range q.waiting {
		total += n
	}
	mine := l.jobs[w.Who]
	if total >= opt.Queue || len(mine) >= opt.PerPerson || !q.fits(w, opt) {
		return false
	}
	if len(mine) == 0 {
		l.turns = append(l.turns, w.Who)
	}
	l.jobs[w.Who] = append(mine, w)
	q.waiting[w.Kind]++
	q.count(w, 1)
	return true
}

// fits reports whether one more job may wait for the job's network and its site. A site may
// have several networks' share, but no more than a quarter of the queue.
func (q *queue) fits(w *queued, opt Options) bool {
	if !w.Address.IsValid() {
		return true
	}
	network := address.Network(w.Address)
	site, ok := address.Site(network)
	ofSite := max(opt.PerAddress, min(opt.PerAddress*address.PerSite, opt.Queue/4))
	return q.from[network] < opt.PerAddress && (!ok || q.from[site] < ofSite)
}

// count adds n to the waiting jobs of the job's network and of its site.
func (q *queue) count(w *queued, n int) {
	if !w.Address.IsValid() {
		return
	}
	network := address.Network(w.Address)
	places := []netip.Prefix{network}
	if site, ok := address.Site(network); ok {
		places = append(places, site)
	}
	for _, p := range places {
		if q.from[p] += n; q.from[p] == 0 {
			delete(q.from, p)
		}
	}
}

// take removes and returns the next job of the kinds before last, or nil. The next turn of
// its person comes after the turns of all others.
func (q *queue) take(last Kind) *queued {
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

// drop removes and returns any job, or nil.
func (q *queue) drop() *queued { return q.take(kinds) }

// remove removes a job and reports whether it was in the queue.
func (q *queue) remove(w *queued) bool {
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
	q.count(w, -1)
	return true
}
