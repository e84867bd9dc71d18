package engine

import "math/bits"

// History remembers the positions of one game, to find repetition (RULES.md §7.6).
// Its zero value is ready to use: the position before the first move counts as the
// first occurrence. It stays empty for games that cannot repeat.
//
// A position is remembered as a hash of 64 bits. Only the positions since the last
// seed won are compared, because seeds that were won never come back.
type History struct {
	seen  []uint64
	whole bool // seeds stay in play when they are captured, so all positions are compared
}

// Len returns the number of positions remembered. With [History.Truncate] it undoes
// moves. A nil history remembers no position.
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
func (h *History) Clone() History { return History{append([]uint64(nil), h.seen...), h.whole} }

// Trim forgets the positions from before the last seed won, which cannot come back.
// Truncate must not be used to go back beyond this point.
func (h *History) Trim(p *Position) {
	if drop := len(h.seen) - int(p.Clock) - 1; drop > 0 && !h.whole {
		h.seen = append(h.seen[:0], h.seen[drop:]...)
	}
}

// Since returns the keys ([Game.Key]) of the positions since the last seed won, up to
// p. The caller must not change the slice.
func (h *History) Since(p *Position) []uint64 {
	if h.whole {
		return h.seen
	}
	return h.seen[max(0, len(h.seen)-int(p.Clock)-1):]
}

// RestoreHistory returns a history of a game that remembers the positions with these keys,
// as Since returned them. It keeps the slice.
func (g *Game) RestoreHistory(keys []uint64) History {
	return History{keys, g.sowsCaptured && len(keys) > 0}
}

// begin remembers the position before the first move of a game.
func (h *History) begin(g *Game, p *Position) {
	if h != nil && g.canRepeat && len(h.seen) == 0 {
		h.add(g, p)
	}
}

// add remembers p and returns how many times it has occurred since the last seed won.
// The position after that win is a first occurrence.
func (h *History) add(g *Game, p *Position) int {
	key, n, back := g.Key(p), 1, int(p.Clock)
	if h.whole = g.sowsCaptured; h.whole {
		back = len(h.seen)
	}
	for i := max(0, len(h.seen)-back); i < len(h.seen); i++ {
		if h.seen[i] == key {
			n++
		}
	}
	h.seen = append(h.seen, key)
	return n
}

// Key returns a 64-bit hash of the pits with their marks and the seat to move, which is what
// repetition compares. With partners it is the seat that counts, and not the side.
func (g *Game) Key(p *Position) uint64 {
	h := uint64(p.Seat) | p.Marks.key()<<8
	for w := range g.words {
		x := load(&p.Slots, w)
		if rest := g.pits - 8*w; rest < 8 {
			x &= 1<<(8*rest) - 1 // stores are not part of the key
		}
		// Each word is mixed with a number of its own and folded, as in wyhash
		// (public domain). No word waits for the result of another.
		hi, lo := bits.Mul64(x^keyMix[w], 0x9fb21c651e98df25)
		h += bits.RotateLeft64(hi^lo, 7*w)
	}
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// keyMix keeps equal words in different places apart. The numbers only have to look
// random.
var keyMix = [maxWords]uint64{
	0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
	0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd,
}
