package engine

// Perft counts the sequences of exactly depth plies from p. Each choice is one ply.
// h, if not nil, is the history of p; Perft leaves it unchanged. A lay-out is not
// counted, because there are too many: a position that needs one counts 0.
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
			panic(err) // Legal and Play disagree: a defect that TestLaws looks for
		}
		n += g.Perft(&q, h, depth-1)
		h.Truncate(mark)
	}
	return n
}
