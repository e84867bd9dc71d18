package engine

// Perft counts the sequences of exactly depth plies from p; each choice is one
// ply. h, if not nil, is the history of p and comes back unchanged. A lay-out is
// not counted, since its choices are endless: such positions count 0.
func (g *Game) Perft(p *Position, h *History, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	set := g.Legal(p)
	if depth == 1 {
		return uint64(set.Len())
	}
	var n uint64
	mark := h.Len()
	for i := range set.Len() {
		q := *p
		if err := g.Play(&q, h, set.At(i), nil); err != nil {
			panic(err) // Legal and Play disagree: a bug that a test looks for
		}
		n += g.Perft(&q, h, depth-1)
		h.Truncate(mark)
	}
	return n
}
