package matching

// Complete reports whether the vertices 0 to n−1 can be paired, all of them, so that allowed
// holds for each pair. The answer comes with a largest pairing: the mate of each vertex, or −1.
func Complete(n int, allowed func(u, v int) bool) (mates []int, complete bool) {
	p, complete := NewPerfect(n, allowed)
	return p.mate, complete
}

// Perfect is a pairing of all vertices. Some pairs of it can be demanded, one after the other.
//
// It is the method of Edmonds (Paths, trees, and flowers, 1965): a search for alternating
// paths that contracts odd cycles.
type Perfect struct{ search }

// NewPerfect returns a pairing of the vertices 0 to n−1 for which allowed holds. It reports
// false where not all can be paired.
func NewPerfect(n int, allowed func(u, v int) bool) (*Perfect, bool) {
	p := &Perfect{search{
		n: n, allowed: allowed, mate: filled(n, -1), parent: make([]int, n), base: make([]int, n),
		outer: make([]bool, n), inCycle: make([]bool, n), settled: make([]bool, n),
	}}
	for u := range n { // most vertices find a mate at once
		for v := u + 1; v < n && p.mate[u] < 0; v++ {
			if p.mate[v] < 0 && allowed(u, v) {
				p.mate[u], p.mate[v] = v, u
			}
		}
	}
	complete := true
	for u := range n {
		if p.mate[u] < 0 && !p.augment(u) {
			complete = false
		}
	}
	return p, complete
}

// Mate returns the mate of u.
func (p *Perfect) Mate(u int) int { return p.mate[u] }

// Settle pairs u and v for good if all others can still be paired, and reports whether they
// can. u must not have been settled before.
func (p *Perfect) Settle(u, v int) bool {
	if p.settled[v] {
		return false
	}
	a, b := p.mate[u], p.mate[v]
	if a != v {
		if !p.allowed(u, v) {
			return false
		}
		p.settled[u], p.settled[v] = true, true
		p.mate[a], p.mate[b] = -1, -1
		if !p.augment(a) {
			p.mate[a], p.mate[b] = u, v
			p.settled[u], p.settled[v] = false, false
			return false
		}
		p.mate[u], p.mate[v] = v, u
	}
	p.settled[u], p.settled[v] = true, true
	return true
}

// search is one search for a largest pairing.
type search struct {
	n       int
	allowed func(u, v int) bool
	mate    []int
	parent  []int  // of an inner vertex: the outer vertex that reached it
	base    []int  // the base of the contracted cycle of a vertex, or the vertex
	outer   []bool // vertices at an even distance from the root
	inCycle []bool // bases of the cycle that is being contracted
	settled []bool // vertices that keep their mates
	queue   []int
}

// augment looks for an alternating path from the free vertex root to another free vertex,
// and exchanges the pairs on it.
func (s *search) augment(root int) bool {
	for v := range s.n {
		s.parent[v], s.base[v], s.outer[v] = -1, v, false
	}
	s.outer[root] = true
	s.queue = append(s.queue[:0], root)
	for len(s.queue) > 0 {
		u := s.queue[0]
		s.queue = s.queue[1:]
		for v := range s.n {
			if s.settled[v] || s.base[u] == s.base[v] || s.mate[u] == v || !s.allowed(u, v) {
				continue
			}
			switch {
			case s.outer[v]: // an odd cycle
				s.contract(u, v)
			case s.parent[v] < 0:
				s.parent[v] = u
				if s.mate[v] < 0 {
					s.exchange(v)
					return true
				}
				s.outer[s.mate[v]] = true
				s.queue = append(s.queue, s.mate[v])
			}
		}
	}
	return false
}

// exchange turns the pairs on the path that ends at the free vertex v.
func (s *search) exchange(v int) {
	for v >= 0 {
		u := s.parent[v]
		next := s.mate[u]
		s.mate[v], s.mate[u] = u, v
		v = next
	}
}

// contract joins the odd cycle that the edge of u and v closes.
func (s *search) contract(u, v int) {
	top := s.meeting(u, v)
	clear(s.inCycle)
	s.mark(u, top, v)
	s.mark(v, top, u)
	for w := range s.n {
		if s.inCycle[s.base[w]] {
			s.base[w] = top
			if !s.outer[w] {
				s.outer[w] = true
				s.queue = append(s.queue, w)
			}
		}
	}
}

// mark marks the bases from v up to top, and gives inner vertices a way down to child.
func (s *search) mark(v, top, child int) {
	for s.base[v] != top {
		s.inCycle[s.base[v]], s.inCycle[s.base[s.mate[v]]] = true, true
		s.parent[v] = child
		child = s.mate[v]
		v = s.parent[child]
	}
}

// meeting returns the base at which the ways of u and v to the root meet.
func (s *search) meeting(u, v int) int {
	seen := make([]bool, s.n)
	for {
		u = s.base[u]
		seen[u] = true
		if s.mate[u] < 0 {
			break
		}
		u = s.parent[s.mate[u]]
	}
	for {
		v = s.base[v]
		if seen[v] {
			return v
		}
		v = s.parent[s.mate[v]]
	}
}

func filled(n, value int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = value
	}
	return all
}
