package engine

import "math/bits"

// History remembers the positions of one game, for repetition (RULES.md §7.6). Its zero
// value is ready: the position before the first move counts as the first
// occurrence. Games that cannot repeat leave it empty.
//
// A position is remembered as 64 bits of hash. Only those since the last seed
// won are compared, since seeds won never come back.
type History struct {
	seen []uint64
}

// Len is how many positions are remembered; with [History.Truncate] it undoes
// moves. A nil history remembers nothing.
func (h *History) Len() int {
	if h == nil {
		return 0
	}
	return len(h.seen)
}

// Truncate forgets all but the first n positions.
func (h *History) Truncate(n int) {
	if h != nil {
		h.seen = h.seen[:n]
	}
}

// Clone returns a copy that can be played on independently.
func (h *History) Clone() History { return History{append([]uint64(nil), h.seen...)} }

// Trim forgets the positions from before the last seed won, which can't recur.
// Truncate must not be used to go back beyond this point.
func (h *History) Trim(p *Position) {
	if drop := len(h.seen) - int(p.Clock) - 1; drop > 0 {
		h.seen = append(h.seen[:0], h.seen[drop:]...)
	}
}

// Since is what is remembered of the positions since the last seed won, up to p: the
// key of each ([Game.Key]). It must not be changed.
func (h *History) Since(p *Position) []uint64 {
	return h.seen[max(0, len(h.seen)-int(p.Clock)-1):]
}

// begin remembers the position before the first move of a game.
func (h *History) begin(g *Game, p *Position) {
	if h != nil && g.canRepeat && len(h.seen) == 0 {
		h.add(g, p)
	}
}

// add remembers p and returns how often it has occurred now, since the last seed
// won; the position after that is a first occurrence.
func (h *History) add(g *Game, p *Position) int {
	key, n := g.Key(p), 1
	for i := max(0, len(h.seen)-int(p.Clock)); i < len(h.seen); i++ {
		if h.seen[i] == key {
			n++
		}
	}
	h.seen = append(h.seen, key)
	return n
}

// Key is a 64-bit hash of the pits and the seat to move (with partners the seat,
// not the side): what repetition compares.
func (g *Game) Key(p *Position) uint64 {
	h := uint64(p.Seat)
	for w := range g.words {
		x := load(&p.Slots, w)
		if rest := g.pits - 8*w; rest < 8 {
			x &= 1<<(8*rest) - 1 // stores are not part of it
		}
		// Each word is multiplied by a number of its own and folded, as in wyhash
		// (public domain); the words do not wait for each other.
		hi, lo := bits.Mul64(x^keyMix[w], 0x9fb21c651e98df25)
		h += bits.RotateLeft64(hi^lo, 7*w)
	}
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// keyMix keeps equal words in different places apart; any odd-looking numbers do.
var keyMix = [maxWords]uint64{
	0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
	0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd,
}
