// Package matching pairs the vertices of a graph: as many as can be, or with the greatest
// weight.
//
// It knows nothing of tournaments. Weights are natural numbers of any length, so that a
// caller can put one criterion above another without a loss.
package matching

// A Graph has n vertices and a weight for each pair of them. The zero weight means that
// two vertices may not be paired.
type Graph struct {
	n       int
	weights numbers // n×n, symmetric
}

// NewGraph returns a graph of n vertices without edges. A weight has a number of 64-bit
// words. The sum of two weights must fit into them, with two bits to spare.
func NewGraph(n, words int) *Graph {
	return &Graph{n: n, weights: newNumbers(n*n, words)}
}

// Weight returns the words of the weight of u and v, the lowest first, to be written. Only
// the weights with u < v are read.
func (g *Graph) Weight(u, v int) []uint64 { return g.weights.at(u*g.n + v) }

// The labels of a vertex or blossom in a search.
const (
	unseen int8 = -1
	outer  int8 = 0 // at an even distance from a root
	inner  int8 = 1
)

// edge is an edge by the vertices that it joins: u lies in the node from which it is seen.
type edge struct{ u, v int32 }

// solver finds a matching of the greatest weight. A node is a vertex (0 to n−1) or a
// blossom: an odd cycle of nodes that is treated as one.
//
// It is the primal-dual method of Edmonds (Maximum matching and a polyhedron with 0,1-
// vertices, 1965) in the form that takes n³ steps: Galil, Efficient algorithms for finding
// maximum matching in graphs, 1986.
type solver struct {
	*Graph
	nodes   int // vertices and blossoms so far
	size    int // the greatest number of nodes
	edges   []edge
	dual    numbers // of each node
	mate    []edge  // of each node: the edge to its mate; u is -1 where it has none
	top     []int   // the outermost node that has a node in it
	label   []int8
	parent  []edge // of an inner node: the edge to the outer node that reached it, seen from the outer one
	best    []int  // of each node: the outer vertex with the least slack to it, or -1
	slack   numbers
	cycle   [][]int // of each blossom: its nodes in order, the base first
	holds   [][]int // of each blossom and vertex: the node of the cycle that has the vertex, or -1
	queue   []int
	scratch []uint64
	delta   []uint64
	visited []int
	stamp   int
}

// Heaviest returns the mate of each vertex, or −1, in a matching of the greatest weight.
func (g *Graph) Heaviest() []int {
	size := g.n + g.n/2 + 1
	s := &solver{
		Graph: g, nodes: g.n, size: size,
		edges: make([]edge, size*size), dual: newNumbers(size, g.weights.words), slack: newNumbers(size, g.weights.words),
		mate: make([]edge, size), top: make([]int, size), label: make([]int8, size), parent: make([]edge, size),
		best: make([]int, size), cycle: make([][]int, size), holds: make([][]int, size),
		scratch: make([]uint64, g.weights.words), delta: make([]uint64, g.weights.words), visited: make([]int, size),
	}
	greatest := make([]uint64, g.weights.words)
	for u := range g.n {
		for v := range g.n {
			s.edges[u*size+v] = edge{int32(u), int32(v)}
			if u < v {
				w := g.Weight(u, v)
				if compare(w, greatest) > 0 {
					copy(greatest, w)
				}
				copy(g.weights.at(v*g.n+u), w)
			}
		}
	}
	for x := range size {
		s.mate[x].u = -1
		s.top[x] = -1
	}
	for u := range g.n {
		s.top[u] = u
		copy(s.dual.at(u), greatest)
	}
	for s.phase() {
	}
	mates := filled(g.n, -1)
	for u := range g.n {
		if s.mate[u].u >= 0 {
			mates[u] = int(s.mate[u].v)
		}
	}
	return mates
}

// exists reports whether the edge from node x to node y stands for an edge of the graph.
func (s *solver) exists(e edge) bool { return !isZero(s.weights.at(int(e.u)*s.n + int(e.v))) }

// slackOf writes how far the edge is from being tight: its vertices' duals less twice its
// weight.
func (s *solver) slackOf(e edge, into []uint64) []uint64 {
	w := s.weights.at(int(e.u)*s.n + int(e.v))
	copy(into, s.dual.at(int(e.u)))
	add(into, s.dual.at(int(e.v)))
	subtract(into, w)
	subtract(into, w)
	return into
}

func (s *solver) edge(x, y int) edge       { return s.edges[x*s.size+y] }
func (s *solver) setEdge(x, y int, e edge) { s.edges[x*s.size+y] = e }

// offer keeps vertex u for node x if its edge has less slack than the best so far.
func (s *solver) offer(u, x int) {
	slack := s.slackOf(s.edge(u, x), s.scratch)
	if s.best[x] < 0 || compare(slack, s.slack.at(x)) < 0 {
		s.best[x] = u
		copy(s.slack.at(x), slack)
	}
}

// offerAll looks for the best outer vertex of node x anew.
func (s *solver) offerAll(x int) {
	s.best[x] = -1
	for u := range s.n {
		if s.top[u] != x && s.label[s.top[u]] == outer && s.exists(s.edge(u, x)) {
			s.offer(u, x)
		}
	}
}

// push queues the vertices of node x.
func (s *solver) push(x int) {
	if x < s.n {
		s.queue = append(s.queue, x)
		return
	}
	for _, y := range s.cycle[x] {
		s.push(y)
	}
}

// setTop makes b the outermost node of everything in x.
func (s *solver) setTop(x, b int) {
	s.top[x] = b
	if x >= s.n {
		for _, y := range s.cycle[x] {
			s.setTop(y, b)
		}
	}
}

// evenPlace returns the place of node x in the cycle of b, after turning the cycle's
// direction if the place would be odd.
func (s *solver) evenPlace(b, x int) int {
	cycle := s.cycle[b]
	place := 0
	for cycle[place] != x {
		place++
	}
	if place%2 == 0 {
		return place
	}
	for i, j := 1, len(cycle)-1; i < j; i, j = i+1, j-1 {
		cycle[i], cycle[j] = cycle[j], cycle[i]
	}
	return len(cycle) - place
}

// setMate mates node x by edge e, as seen from x, and then mates the nodes inside x to match.
func (s *solver) setMate(x int, e edge) {
	s.mate[x] = e
	if x < s.n {
		return
	}
	entry := s.holds[x][e.u]
	place := s.evenPlace(x, entry)
	for i := 0; i < place; i++ {
		y, z := s.cycle[x][i], s.cycle[x][i^1]
		s.setMate(y, s.edge(y, z))
	}
	s.setMate(entry, e)
	s.cycle[x] = append(append(make([]int, 0, len(s.cycle[x])), s.cycle[x][place:]...), s.cycle[x][:place]...)
}

// augment exchanges the pairs on the way from node x to its root, and mates x by e.
func (s *solver) augment(x int, e edge) {
	for {
		before := s.mate[x]
		s.setMate(x, e)
		if before.u < 0 {
			return
		}
		y := s.top[before.v] // x was mated with y, which its parent reached
		up := s.parent[y]
		s.setMate(y, edge{up.v, up.u})
		x, e = s.top[up.u], up
	}
}

// meeting returns the outermost node at which the ways from x and y to their roots meet, or
// −1 where they have different roots.
func (s *solver) meeting(x, y int) int {
	s.stamp++
	for x >= 0 || y >= 0 {
		if x >= 0 {
			if s.visited[x] == s.stamp {
				return x
			}
			s.visited[x] = s.stamp
			x = s.above(x)
		}
		x, y = y, x
	}
	return -1
}

// above returns the outer node above the outer node x, or −1 for a root.
func (s *solver) above(x int) int {
	if s.mate[x].u < 0 {
		return -1
	}
	return s.top[s.parent[s.top[s.mate[x].v]].u]
}

// shrink makes a blossom of the cycle that the edge e between two outer nodes closes below
// base.
func (s *solver) shrink(e edge, base int) {
	b := s.n
	for b < s.nodes && s.top[b] >= 0 {
		b++
	}
	if b == s.nodes {
		s.nodes++
	}
	cycle := []int{base}
	for x := s.top[e.u]; x != base; {
		y := s.top[s.mate[x].v]
		cycle = append(cycle, x, y)
		s.push(y)
		x = s.top[s.parent[y].u]
	}
	for i, j := 1, len(cycle)-1; i < j; i, j = i+1, j-1 {
		cycle[i], cycle[j] = cycle[j], cycle[i]
	}
	for x := s.top[e.v]; x != base; {
		y := s.top[s.mate[x].v]
		cycle = append(cycle, x, y)
		s.push(y)
		x = s.top[s.parent[y].u]
	}
	clear(s.dual.at(b))
	s.label[b], s.mate[b], s.cycle[b] = outer, s.mate[base], cycle
	s.setTop(b, b)
	s.seeFromBlossom(b)
	s.offerAll(b)
}

// seeFromBlossom gives blossom b the tightest edge of its nodes to each other node.
func (s *solver) seeFromBlossom(b int) {
	if s.holds[b] == nil {
		s.holds[b] = make([]int, s.n)
	}
	for v := range s.n {
		s.holds[b][v] = -1
	}
	least := newNumbers(s.nodes, s.weights.words)
	known := make([]bool, s.nodes)
	for _, x := range s.cycle[b] {
		for y := range s.nodes {
			if s.top[y] < 0 || y == b || !s.exists(s.edge(x, y)) {
				continue
			}
			slack := s.slackOf(s.edge(x, y), s.scratch)
			if !known[y] || compare(slack, least.at(y)) < 0 {
				known[y] = true
				copy(least.at(y), slack)
				s.setEdge(b, y, s.edge(x, y))
				back := s.edge(y, x)
				s.setEdge(y, b, back)
			}
		}
		for v := range s.n {
			if x == v || x >= s.n && s.holds[x][v] >= 0 {
				s.holds[b][v] = x
			}
		}
	}
	for y := range s.nodes {
		if !known[y] {
			s.setEdge(b, y, edge{0, 0}) // no vertex has an edge to itself
			s.setEdge(y, b, edge{0, 0})
		}
	}
}

// expand opens the inner blossom b, whose dual has come down to zero.
func (s *solver) expand(b int) {
	for _, x := range s.cycle[b] {
		s.setTop(x, x)
	}
	entry := s.holds[b][s.parent[b].v]
	place := s.evenPlace(b, entry)
	for i := 0; i < place; i += 2 {
		x, y := s.cycle[b][i], s.cycle[b][i+1]
		s.parent[x] = s.edge(y, x)
		s.label[x], s.label[y] = inner, outer
		s.best[x] = -1
		s.offerAll(y)
		s.push(y)
	}
	s.label[entry], s.parent[entry] = inner, s.parent[b]
	for _, x := range s.cycle[b][place+1:] {
		s.label[x] = unseen
		s.offerAll(x)
	}
	s.top[b] = -1
}

// meet handles a tight edge, which is seen from an outer node. It reports whether the
// matching has grown.
func (s *solver) meet(e edge) bool {
	x, y := s.top[e.u], s.top[e.v]
	switch s.label[y] {
	case unseen:
		s.parent[y], s.label[y] = e, inner
		next := s.top[s.mate[y].v]
		s.best[y], s.best[next] = -1, -1
		s.label[next] = outer
		s.push(next)
	case outer:
		base := s.meeting(x, y)
		if base < 0 {
			s.augment(x, e)
			s.augment(y, edge{e.v, e.u})
			return true
		}
		s.shrink(e, base)
	}
	return false
}

// phase adds one pair to the matching, or reports that its weight can't grow.
func (s *solver) phase() bool {
	s.queue = s.queue[:0]
	for x := range s.nodes {
		s.label[x], s.best[x] = unseen, -1
	}
	for x := range s.nodes {
		if s.top[x] == x && s.mate[x].u < 0 {
			s.parent[x], s.label[x] = edge{-1, -1}, outer
			s.push(x)
		}
	}
	if len(s.queue) == 0 {
		return false
	}
	for {
		for len(s.queue) > 0 {
			u := s.queue[0]
			s.queue = s.queue[1:]
			if s.label[s.top[u]] == inner {
				continue
			}
			for v := range s.n {
				if s.top[u] == s.top[v] || !s.exists(s.edge(u, v)) {
					continue
				}
				if !isZero(s.slackOf(s.edge(u, v), s.scratch)) {
					s.offer(u, s.top[v])
				} else if s.meet(s.edge(u, v)) {
					return true
				}
			}
		}
		if !s.adjust() {
			return false
		}
		for x := range s.nodes {
			if s.top[x] != x || s.best[x] < 0 || s.top[s.best[x]] == x {
				continue
			}
			if e := s.edge(s.best[x], x); isZero(s.slackOf(e, s.scratch)) && s.meet(e) {
				return true
			}
		}
		for b := s.n; b < s.nodes; b++ {
			if s.top[b] == b && s.label[b] == inner && isZero(s.dual.at(b)) {
				s.expand(b)
			}
		}
	}
}

// adjust moves the duals as far as no constraint breaks. It returns false when free vertices
// are worth nothing any more.
func (s *solver) adjust() bool {
	found := false
	least := func(candidate []uint64) {
		if !found || compare(candidate, s.delta) < 0 {
			copy(s.delta, candidate)
			found = true
		}
	}
	for x := range s.nodes {
		if s.top[x] != x {
			continue
		}
		if x >= s.n && s.label[x] == inner {
			copy(s.scratch, s.dual.at(x))
			halve(s.scratch)
			least(s.scratch)
		}
		if s.best[x] < 0 || s.label[x] == inner {
			continue
		}
		s.slackOf(s.edge(s.best[x], x), s.scratch)
		if s.label[x] == outer {
			halve(s.scratch)
		}
		least(s.scratch)
	}
	for u := range s.n {
		if s.label[s.top[u]] == outer && (!found || compare(s.dual.at(u), s.delta) <= 0) {
			return false // all outer vertices that are free have the least dual of all
		}
	}
	for u := range s.n {
		switch s.label[s.top[u]] {
		case outer:
			subtract(s.dual.at(u), s.delta)
		case inner:
			add(s.dual.at(u), s.delta)
		}
	}
	double(s.delta)
	for b := s.n; b < s.nodes; b++ {
		if s.top[b] != b {
			continue
		}
		switch s.label[b] {
		case outer:
			add(s.dual.at(b), s.delta)
		case inner:
			subtract(s.dual.at(b), s.delta)
		}
	}
	for x := range s.nodes { // the slacks that are kept shrink with the duals
		if s.top[x] == x && s.best[x] >= 0 {
			s.slackOf(s.edge(s.best[x], x), s.slack.at(x))
		}
	}
	return true
}
